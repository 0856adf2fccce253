"""Messages on their way through Spark's Python workers."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle

from compat.kafka import messages, offsets, reading  # noqa: F401  # reading has them pickled by value
from compat.kafka.messages import KafkaMessageAndMetadata
from compat.streaming.kafka import Broker, OffsetRange, TopicAndPartition, utf8_decoder


def batch(*columns: list[bytes | None]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [pa.array(column, pa.binary()) for column in columns], names=[str(n) for n in range(len(columns))]
    )


TEXTS = [messages.from_arrow(messages.decoder(None, None)), messages.text_from_arrow]


def test_utf8_decoder() -> None:
    assert [utf8_decoder(raw) for raw in (None, b"", "é".encode())] == [None, "", "é"]


@pytest.mark.parametrize(
    "decode", [messages.from_arrow(messages.decoder(None, None)), messages.text_from_arrow]
)
def test_pairs_of_text(decode: Any) -> None:
    rows = batch([None, b"k", b""], ["é雪".encode(), None, b""])
    assert list(decode(rows)) == [(None, "é雪"), ("k", None), ("", "")]


@pytest.mark.parametrize(
    "decode", [messages.from_arrow(messages.decoder(None, None)), messages.text_from_arrow]
)
def test_bytes_that_are_no_text_fail_when_they_are_reached(decode: Any) -> None:
    pairs = iter(decode(batch([None, None], [b"fine", b"\xff"])))
    assert next(pairs) == (None, "fine")
    with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xff in position 0"):
        next(pairs)


def test_decoders_of_the_program_get_bytes_or_none() -> None:
    decode = messages.from_arrow(messages.decoder(lambda raw: ("key", raw), lambda raw: ("value", raw)))
    assert list(decode(batch([None], [b"\xff"]))) == [(("key", None), ("value", b"\xff"))]


def test_a_message_handler_gets_the_message_and_its_place() -> None:
    def seen(message: KafkaMessageAndMetadata) -> Any:
        return message.topic, message.partition, message.offset, message.key, message.message, str(message)

    rows = [(None, b"v", "t", 1, 7)]
    text = "KafkaMessageAndMetadata(topic: t, partition: 1, offset: 7, key and message...)"
    assert list(messages.handler(seen, None, None)(rows)) == [("t", 1, 7, None, "v", text)]
    handle = messages.handler(lambda m: (m.key, m.message), lambda raw: raw, len)
    assert list(handle([(b"k", b"four", "t", 1, 7)])) == [(bytearray(b"k"), 4)]


def test_messages_are_decoded_when_they_are_read() -> None:
    handle = messages.handler(lambda m: m.key, None, None)
    assert list(handle([(b"k", b"\xff", "t", 0, 0)])) == ["k"]


WITHOUT_COMPAT = """
import pickle, sys
sys.modules["compat"] = None
function, rows = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(list(function(rows))))
"""


def test_whole_messages_come_back_from_a_process_without_compat() -> None:
    handle = messages.handler(lambda message: message, None, None)
    rows = [(None, b"a", "t", 0, 0), (b"k", None, "t", 0, 1)]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPAT],
        input=cloudpickle.dumps((handle, rows)),
        capture_output=True,
        check=True,
    )
    back = pickle.loads(done.stdout)
    assert [type(message) for message in back] == [KafkaMessageAndMetadata] * 2
    assert [(m.key, m.message, m.offset) for m in back] == [(None, "a", 0), ("k", None, 1)]


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (OffsetRange("t", 0, 1, 2), OffsetRange("t", 0, 1, 2), OffsetRange("t", 0, 1, 3)),
        (TopicAndPartition("t", 0), TopicAndPartition("t", 0), TopicAndPartition("t", 1)),
        (Broker("h", 1), Broker("h", 1), Broker("h", 2)),
    ],
)
def test_places_are_equal_by_content(one: object, same: object, other: object) -> None:
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != vars(one)
    assert pickle.loads(cloudpickle.dumps(one)) == one


def test_offset_range_as_text() -> None:
    assert str(OffsetRange("t", 0, 1, 2)) == "OffsetRange(topic: t, partition: 0, range: [1 -> 2]"
