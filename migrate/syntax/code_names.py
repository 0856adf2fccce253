"""The names in new code, which is text until it is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from migrate.syntax.nodes import of_kinds, parsed

_WORD = re.compile(r"\w+")
_VARIABLE = re.compile(r"(?<![\w.])\w+")
_MEMBER = re.compile(r"(?<=\.)\w+")
_TEXT = r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_TEXTS = re.compile(_TEXT, re.DOTALL)


def words(*codes: str) -> set[str]:
    """All names in some code, and the words of its texts, which may be code too."""
    return {word for code in codes for word in _WORD.findall(code)}


def variables(*codes: str) -> set[str]:
    """The same without the names of members: ``batch`` of ``batch.rdd``."""
    return {word for code in codes for word in _VARIABLE.findall(code)}


def read_or_bound(code: str) -> set[str]:
    """The variables that some code reads or binds, without the words of its texts."""
    return {node.id for node in of_kinds(parsed(code), ast.Name)}


def bound(code: str) -> set[str]:
    """The variables that some code binds."""
    return {node.id for node in of_kinds(parsed(code), ast.Name) if isinstance(node.ctx, ast.Store)}


def parameters(*codes: str) -> set[str]:
    """The parameters of functions in some code."""
    functions = (code for code in codes if "lambda" in code or "def" in code)  # a parse takes longer
    return {one.arg for code in functions for one in of_kinds(parsed(code), ast.arg)}


def members(*codes: str) -> set[str]:
    """The names of members alone, without those in texts: ``rdd`` of ``batch.rdd``."""
    return {word for code in codes for word in _MEMBER.findall(_TEXTS.sub('""', code))}


def names_in_code(*codes: str) -> set[str]:
    """All names in some code, those of members among them, without the words of its texts."""
    return words(*(_TEXTS.sub('""', code) for code in codes))


def words_of_texts(*codes: str) -> set[str]:
    """The words of the texts in some code."""
    return words(*(text for code in codes for text in _TEXTS.findall(code)))


def with_names(code: str, new: Mapping[str, str]) -> str:
    """Some code with other names for variables; its texts, and members of the same name, stay."""
    read = re.compile(rf"({_TEXT})|(?<![\w.])({'|'.join(new)})\b", re.DOTALL)
    return read.sub(lambda found: found[1] or new[found[2]], code)
