"""Messages of the compiler: an expression, a shape and a reason in words for the user."""

from __future__ import annotations

import ast

from migrate.columns.element import (
    Refusal,
)
from migrate.columns.shapes import Shape, Unknown
from migrate.syntax.nodes import code_of


def shown(node: ast.AST) -> str:
    """Return an expression's source for a message, shortened."""
    text = " ".join(code_of(node).split())
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def refusal(node: ast.AST, why: str) -> Refusal:
    """Return the refusal of an expression: its source, and why."""
    return Refusal(f"{shown(node)}: {why}", node)


UNTYPED = (
    "JSON fixes no types: where nothing says those of its fields, they become columns only under"
    " --json-schema, which `learn` finds"
)
"""Why what `json.loads` gives is no column; VARIANT columns are made where something says the types."""
_IMPURE = {
    "json": UNTYPED,
    "print": "it prints, which is no computation",
    "random": "it is random",
    "time": "it reads the clock",
    "datetime": "dates and times are not covered",
    "re": "Python's regular expressions and Spark's differ",
    "open": "it reads or writes a file",
}


def impurity(name: str) -> str | None:
    """Say why a library's functions have no Column form, or None where nothing particular is known."""
    return _IMPURE.get(name.partition(".")[0])


def describe(shape: Shape) -> str:
    """Return a shape in words for a message."""
    if isinstance(shape, Unknown):
        return f"a value of unknown type ({shape.reason})"
    words = {"Str": "a str", "Int": "an int", "Float": "a float", "Bool": "a bool", "Tuple": "a tuple"}
    more = {
        "Struct": "a JSON object",
        "Json": "a JSON value of unknown type, which `dstream-migrate learn` finds",
        "List": "a list",
        "Nothing": "None",
        "Maybe": "a value that may be None",
    }
    return (words | more).get(type(shape).__name__, "a value")
