"""Unified diffs that ``patch -p1`` applies."""

from __future__ import annotations

import difflib
import os

NO_NEWLINE = b"\n\\ No newline at end of file\n"


def unified_diff(path: str, old: bytes, new: bytes) -> bytes:
    """The change of one file, in the bytes of its own encoding; nothing if there is no change.

    Args:
        path: with slashes, relative to the directory in which the diff is to be applied.
        old: the file as it is.
        new: the file as it will be.
    """
    lines = difflib.diff_bytes(
        difflib.unified_diff, _lines(old), _lines(new), _name("a/", path), _name("b/", path), lineterm=b"\n"
    )
    return b"".join(line if line.endswith(b"\n") else line + NO_NEWLINE for line in lines)


def _lines(data: bytes) -> list[bytes]:
    """Lines as `patch` sees them: only a line feed ends one, a carriage return belongs to it."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _name(side: str, path: str) -> bytes:
    """A file name as git writes it: quoted where it would be misread, and a tab after one with spaces."""
    raw = os.fsencode(side + path)
    if any(byte < 0x20 or byte in b'"\\' for byte in raw):
        quoted = b"".join(
            b"\\" + bytes([byte]) if byte in b'"\\' else b"\\%03o" % byte if byte < 0x20 else bytes([byte])
            for byte in raw
        )
        return b'"' + quoted + b'"'
    return raw + b"\t" if b" " in raw else raw
