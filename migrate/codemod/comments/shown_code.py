"""Code of the old API that prose shows: an example below it, or behind its colon.

``# reminder - a lambda is a function in one line:``, ``#   words.flatMap(lambda line: line.split())`` goes
with all that explains it, where no such call is left. ``# drop the short ones: words.filter(lambda w: w)``
says what is done, and not any more how.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

from migrate.knowledge.streaming import STREAM
from migrate.syntax.nodes import walk

_HASHES = re.compile(r"^#+ ?")
_QUOTING = re.compile(r"(#.*?\w[\w)\"']*)\s*:\s+([^\s:].*)$")
"""Prose with a colon, and what stands behind that."""
_SAME_NAME = frozenset({"count", "cache", "persist", "repartition", "union"})
"""Methods of streams whose calls are the same on DataFrames."""
_OLD = STREAM.keys() - _SAME_NAME


def examples(texts: Sequence[str]) -> set[int]:
    """The lines of code that prose shows: deeper than that, and set off from it above and below.

    ``# is the same as:``, ``#``, ``#   words.map(f)``, ``#``, ``# with a lambda``.

    Args:
        texts: the lines of a comment without their ``#``.
    """
    found: set[int] = set()
    for number, text in enumerate(texts):
        if not text.startswith("  "):
            continue
        start = end = number
        while start > 0 and texts[start - 1].startswith("  "):
            start -= 1
        while end < len(texts) - 1 and texts[end + 1].startswith("  "):
            end += 1
        around = (texts[max(start - 2, 0) : start], texts[end + 1 : end + 3])
        if all(len(two) == 2 and any(one[:1].isalpha() for one in two) and "" in two for two in around):
            found.add(number)
    return found


def explains_old_code(block: Sequence[str]) -> bool:
    """Whether a comment only explains code of the old API: below each line of its prose stands some code.

    Args:
        block: the lines, each with its ``#``.
    """
    if not any("lambda" in line for line in block):
        return False
    texts = [_HASHES.sub("", line.strip()).rstrip() for line in block]
    prose = [n for n, text in enumerate(texts) if text and not text.startswith("  ")]
    alone = all(any(texts[n + 1 : after]) for n, after in pairwise((*prose, len(texts))))
    if not alone or prose[:1] != [0] or not texts[0].endswith(":"):
        return False
    pieces = [_parsed("\n".join(piece)) for piece in _indented(texts)]
    shown = [piece for piece in pieces if piece is not None]
    return len(shown) == len(pieces) and any(map(_calls_old, shown))


def _indented(texts: Sequence[str]) -> Iterator[list[str]]:
    """The lines between those of prose."""
    piece: list[str] = []
    for text in (*texts, ":"):
        if text.startswith("  ") or not text:
            piece.append(text)
        else:
            if any(piece):
                yield piece
            piece = []


def without_quoted(block: Sequence[str]) -> list[str]:
    """The lines of a comment whose prose does not show code of the old API; those that go are empty.

    >>> without_quoted(["# 1. Drop the short ones: .filter(lambda w: len(w) > 2)"])
    ['# 1. Drop the short ones']

    Args:
        block: the lines, each with its ``#``.
    """
    told = [*block]
    for number, line in enumerate(block):
        if "lambda" not in line:
            continue
        found = _QUOTING.match(line)
        if (
            found is not None
            and _is_prose(found[1])
            and _is_quoted(found[2])
            and _parsed(_code(line)) is None
        ):
            told[number] = found[1]
        elif number and _is_quoted(_code(line)) and _code(line).startswith("."):
            above = block[number - 1].rstrip()
            if above.endswith(":") and _is_prose(above) and _depth(line) > _depth(above):
                told[number - 1 : number + 1] = [above.removesuffix(":"), ""]
    return told


def _is_prose(text: str) -> bool:
    """Whether a text has several words."""
    return len(re.findall(r"[^\W\d_]{2,}", text)) > 1


def _is_quoted(code: str) -> bool:
    """Whether code gives a lambda to a method of streams, at the end of a chain or of what is assigned."""
    tree = _parsed(f"_{code}" if code.startswith(".") else code)
    match tree.body if tree is not None else ():
        case [ast.Expr(ast.Call() as call)] | [ast.Assign(value=ast.Call() as call)]:
            return _calls_old(call) and any(isinstance(one, ast.Lambda) for one in walk(call))
    return False


def _calls_old(code: ast.AST) -> bool:
    """Whether code gives a function to a method of streams that DataFrames do not give one."""
    calls = (node for node in walk(code) if isinstance(node, ast.Call))
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in _OLD
        and any(isinstance(one, ast.Lambda) for one in call.args)
        for call in calls
    )


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(code).strip())
    except (SyntaxError, ValueError):
        return None


def _code(line: str) -> str:
    return _HASHES.sub("", line.strip()).strip()


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("# \t"))
