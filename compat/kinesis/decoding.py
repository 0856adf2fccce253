"""The decoder of `compat.streaming.kinesis`. It runs on executors, which do not have `compat`: this module is
pickled by value, so it imports nothing."""

from __future__ import annotations


def utf8_decoder(s: bytes | None) -> str | None:
    """Bytes as text in UTF-8; None stays None."""
    return None if s is None else s.decode("utf-8")
