"""What becomes of messages in Spark's Python workers: decoders, and the callback that makes elements of them.

Executors do not have `compat`: this module is pickled by value (see `reading`), so it imports nothing but the
standard library, pyarrow, pyspark and `compat.utf8`, and holds no state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark import cloudpickle

from compat.utf8 import utf8_decoder

Decoder = Callable[[Any], Any]
PAIR = ("key", "value")
"""The columns of the connector that make a pair."""
WHOLE = ("key", "value", "topic", "partition", "offset")
"""The columns that make a KafkaMessageAndMetadata."""


class _Class:
    """A class that plain pickle takes along by value, once for all that is pickled together."""

    def __init__(self, cls: type) -> None:
        self._cls = cls
        self._pickled: bytes | None = None

    def __call__(self, *values: Any) -> Any:
        return self._cls(*values)

    def __reduce__(self) -> tuple[Any, ...]:
        self._pickled = self._pickled or cloudpickle.dumps(self._cls)
        return cloudpickle.loads, (self._pickled,)


class KafkaMessageAndMetadata:
    """A message and where it was, for a `messageHandler`. `key` and `message` are decoded when they are read.

    Args:
        topic: its topic.
        partition: the partition's number.
        offset: its offset there.
        key: the key's bytes as a bytearray, or None.
        message: the value's bytes as a bytearray, or None for a tombstone.
    """

    def __init__(self, topic: str, partition: int, offset: int, key: Any, message: Any) -> None:
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self._rawKey = key
        self._rawMessage = message
        self._keyDecoder: Decoder = utf8_decoder
        self._valueDecoder: Decoder = utf8_decoder

    def __str__(self) -> str:
        return (
            f"KafkaMessageAndMetadata(topic: {self.topic}, partition: {self.partition},"
            f" offset: {self.offset}, key and message...)"
        )

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        # As in pyspark.streaming, without its decoders; and with its class, which an executor cannot import.
        values = (self.topic, self.partition, self.offset, self._rawKey, self._rawMessage)
        return self.__dict__.get("_class") or _Class(type(self)), values

    def _set_key_decoder(self, decoder: Decoder) -> None:
        self._keyDecoder = decoder

    def _set_value_decoder(self, decoder: Decoder) -> None:
        self._valueDecoder = decoder

    @property
    def key(self) -> Any:
        """The key, decoded."""
        return self._keyDecoder(self._rawKey)

    @property
    def message(self) -> Any:
        """The value, decoded."""
        return self._valueDecoder(self._rawMessage)


def handler(
    function: Callable[[KafkaMessageAndMetadata], Any],
    key_decoder: Decoder | None,
    value_decoder: Decoder | None,
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """From rows of WHOLE to what a `messageHandler` makes of them; a decoder that is None is
    `utf8_decoder`."""
    decoders = key_decoder or utf8_decoder, value_decoder or utf8_decoder

    def handled(rows: Iterable[Any]) -> Iterator[Any]:
        cls = _Class(KafkaMessageAndMetadata)
        for key, value, topic, partition, offset in rows:
            message = KafkaMessageAndMetadata(topic, partition, offset, _bytearray(key), _bytearray(value))
            message._class = cls  # type: ignore[attr-defined]
            message._set_key_decoder(decoders[0])
            message._set_value_decoder(decoders[1])
            yield function(message)

    return handled


def decoder(
    key_decoder: Decoder | None, value_decoder: Decoder | None
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """From rows of PAIR to pairs of decoded values; a decoder that is None is `utf8_decoder`."""
    of_key, of_value = key_decoder or utf8_decoder, value_decoder or utf8_decoder

    def decoded(rows: Iterable[Any]) -> Iterator[Any]:
        return ((of_key(key), of_value(value)) for key, value in rows)

    return decoded


def from_arrow(
    function: Callable[[Iterable[Any]], Iterator[Any]],
) -> Callable[[pa.RecordBatch], Iterator[Any]]:
    """The same, from Arrow's columns."""
    return lambda batch: function(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def text_from_arrow(batch: pa.RecordBatch) -> Iterable[Any]:
    """What `decoder` makes of a batch of PAIR without decoders of the program's, several times as fast."""
    return zip(*map(_texts, batch.columns), strict=True)


def _texts(column: pa.Array) -> Iterable[Any]:
    try:
        texts: list[Any] = column.view(pa.string()).to_pylist()
    except UnicodeDecodeError:
        # It is raised when the value is reached: who takes only what is before it gets that.
        return map(utf8_decoder, column.to_pylist())
    return texts


def _bytearray(raw: Any) -> Any:
    return None if raw is None else bytearray(raw)
