"""Bytes that should be UTF-8, as text.

Executors do not have `compat`: this module is pickled by value, and holds no state."""

from __future__ import annotations

import codecs
import sys
from typing import Any

from pyspark import cloudpickle

cloudpickle.register_pickle_by_value(sys.modules[__name__])

_ERRORS = "java"


def utf8_decoder(s: Any) -> Any:
    """The decoder of `pyspark.streaming`'s sources: None stays None; what is no UTF-8 raises."""
    return None if s is None else s.decode("utf-8")


def replacing() -> str:
    """The name of the error handler that puts U+FFFD for what is no UTF-8, as often as Java does."""
    codecs.register_error(_ERRORS, _replaced)
    return _ERRORS


def decoded(data: bytes | bytearray) -> str:
    """The text that Java, and with it Hadoop's ``Text``, makes of `data`."""
    return data.decode("utf-8", replacing())


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    data, end = error.object, error.end
    if data[error.start] == 0xED and 0xA0 <= int.from_bytes(data[end : end + 1], "big") <= 0xBF:
        # Half of a surrogate pair is one mistake for Java, and two or three for Python.
        end += 1
        end += 0x80 <= int.from_bytes(data[end : end + 1], "big") <= 0xBF
    return "\N{REPLACEMENT CHARACTER}", end
