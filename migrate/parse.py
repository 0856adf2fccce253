"""Bytes to a `Module` and back, without importing the code and without losing a byte."""

from __future__ import annotations

import ast
import codecs
import io
import tokenize
import warnings
from pathlib import Path

from migrate.model import FileResult, Module, Status
from migrate.scan import Source

MAX_DEPTH = 500
"""Levels of the syntax tree; each takes a few Python frames of whoever walks it."""


class UnparsedError(Exception):
    """Why a file cannot be worked on, in words for its owner."""


def parse(source: Source) -> Module | FileResult:
    """The module in `source`, or the result that says why there is none."""
    try:
        return parse_bytes(source.data, source.path, source.relative)
    except UnparsedError as error:
        return FileResult(source.relative, Status.UNPARSED, error=str(error))


def parse_bytes(data: bytes, path: Path, relative: str) -> Module:
    """The module whose file holds `data`.

    Raises:
        UnparsedError: the encoding is unknown or the bytes do not keep to it, the text is not Python, or it
            is nested deeper than `MAX_DEPTH`.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    text, encoding = _decode(data.removeprefix(codecs.BOM_UTF8) if bom else data, bom)
    tree = _tree(text)
    if _deeper_than(MAX_DEPTH, tree):
        raise UnparsedError(f"nested too deeply: more than {MAX_DEPTH} levels")
    return Module(path, relative, text, tree, encoding, bom)


def encode(text: str, module: Module) -> bytes:
    """`text` as bytes in the way of `module`'s file.

    Raises:
        UnicodeEncodeError: `text` has a character that the file's encoding lacks.
    """
    return (codecs.BOM_UTF8 if module.bom else b"") + text.encode(module.encoding)


def _decode(data: bytes, bom: bool) -> tuple[str, str]:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if bom and encoding != "utf-8":
            raise UnparsedError(f"a UTF-8 byte order mark, but the first lines say {encoding}")
        text = data.decode(encoding)
        same = text.encode(encoding) == data
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise UnparsedError(f"cannot be decoded: {error}") from None
    if not same:
        raise UnparsedError(f"cannot be written back unchanged in its encoding {encoding}")
    return text, encoding


def _tree(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in the user's code is not for us to report
            return ast.parse(text)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise UnparsedError(f"{where}{error.msg}") from None
    except ValueError as error:  # null bytes, before Python 3.12
        raise UnparsedError(str(error)) from None
    except (RecursionError, MemoryError):
        raise UnparsedError("nested too deeply for Python's own parser") from None


def _deeper_than(limit: int, tree: ast.AST) -> bool:
    """Whether `tree` has more levels than `limit`; without recursion, which is what it guards."""
    level: list[ast.AST] = [tree]
    for _ in range(limit):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True
