"""Texts without some letters: ``s.translate(str.maketrans("", "", string.punctuation))``."""

from __future__ import annotations

import ast

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import fold, python_value
from migrate.columns.element import Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import Str
from migrate.columns.texts import characters_of, constant_text


@covers(
    Production(
        's.translate(str.maketrans("", "", ".,"))',
        "every text; what goes is a constant of ASCII alone",
        (
            "lambda s: s.translate(str.maketrans('', '', 'a.'))",
            "lambda o: o.translate(str.maketrans('', '', 'b'))",
        ),
    )
)
def translated(
    compiler: Compiler, node: ast.Call, receiver: Value, table: list[ast.expr], names: Names
) -> Value:
    """Return a text without the letters of the last argument of ``str.maketrans``.

    Raises:
        Refusal: it puts others in, or which go is not known.
    """
    old, new, gone = (compiler.value(part, names) for part in table)
    if (python_value(old), python_value(new)) != ("", ""):
        raise refusal(node, "it puts other letters in the places of some")
    letters = constant_text(node, gone, "what goes")
    text = compiler.scalar_text(compiler.present(receiver), node)
    folded = fold(node, lambda known: known.translate(str.maketrans("", "", letters)), text)
    return _without(node, text, gone, letters) if folded is None else folded


@covers(
    Production(
        '"".join(c for c in s if c not in ".,")',
        "every text; the letters that go are a constant of ASCII alone",
        (
            "lambda s: ''.join(c for c in s if c not in 'a.')",
            "lambda s: ''.join([c for c in s if c not in ('a', '.')])",
        ),
    )
)
def joined(compiler: Compiler, node: ast.Call, names: Names) -> Value | None:
    """Return a text without the letters that ``"".join`` is not given; None for any other call of it."""
    match node:
        case ast.Call(
            _, [ast.GeneratorExp(ast.Name(made), [loop]) | ast.ListComp(ast.Name(made), [loop])], []
        ):
            pass
        case _:
            return None
    match loop:
        case ast.comprehension(
            ast.Name(letter), source, [ast.Compare(ast.Name(tested), [ast.NotIn()], [left_out])]
        ) if made == letter == tested:
            pass
        case _:
            return None
    text = compiler.present(compiler.value(source, names))
    if not isinstance(text, Scalar) or not isinstance(text.shape, Str) or text.is_constant:
        return None
    gone = compiler.value(left_out, names)
    found = python_value(gone)
    letters = [*found] if isinstance(found, str | tuple | list | set) else []
    if not letters or not all(isinstance(one, str) and len(one) == 1 for one in letters):
        return None
    return _without(node, text, gone, "".join(sorted(letters) if isinstance(found, set) else letters))


def _without(node: ast.AST, text: Scalar, gone: Value, letters: str) -> Scalar:
    """A text without some letters; Spark's ``translate`` takes them from a text of Python's."""
    if not letters.isascii():
        raise refusal(node, "not all of the letters that go are ASCII")
    if not letters:
        return text
    named = gone.variable if isinstance(gone, Scalar) else ""
    made = f'F.translate({code.argument(text)}, {named or code.quote(letters)}, "")'
    return code.build(made, Str(characters_of(text)), text, name=text.name)
