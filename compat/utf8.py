"""Bytes that should be UTF-8, read as Java reads them.

Executors do not have `compat`: this module is pickled by value with each task (see
`compat._structured.batches.frame`), so it imports nothing but the standard library, and holds no state."""

from __future__ import annotations

import codecs

_ERRORS = "java"


def replacing() -> str:
    """The name of the error handler that puts U+FFFD for what is no UTF-8, as often as Java does."""
    codecs.register_error(_ERRORS, _replaced)
    return _ERRORS


def decoded(data: bytes) -> str:
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
