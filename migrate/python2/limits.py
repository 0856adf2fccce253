"""Where Python 3 gives another value than Python 2 without a word, unless it is proven that it does not."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator

from fissix.pgen2 import token, tokenize

from migrate.edits import Edit, Text
from migrate.python2.kinds import Kind, Kinds

ORDERING = frozenset({"sorted", "min", "max", "cmp"})
ORDERING_METHODS = frozenset({"sort", "sortBy", "sortByKey", "top", "takeOrdered", "max", "min"})
SPECIAL = frozenset({"__cmp__", "__getslice__", "__setslice__", "__coerce__", "__div__", "__unicode__"})

DIVISION = "`/` rounds whole numbers down in Python 2, and it is not proven what is divided here"
ORDER = "`{}` puts values of all types in an order in Python 2, and it is not proven what is compared here"
BYTES = "`{}` is about bytes in Python 2 and about text in Python 3"
LITERAL = "a literal with characters beyond ASCII is bytes in Python 2 and text in Python 3"
ROUND = "`round` rounds halves up in Python 2 and to the even neighbour in Python 3"
TEXT = "`{}` shows texts and numbers differently in Python 2 and 3"
HASH = "`hash` differs between Python 2 and 3, and from run to run"
METHOD = "`{}` is not called by Python 3"


_TEXTS = re.compile(r"\b(?:str|unicode)\b")


class Limits:
    """What is not proven about a module that was brought to Python 3."""

    def __init__(self, tree: ast.Module, old: str) -> None:
        self.tree = tree
        self.old = old
        self.true_division = _future(tree, "division")
        self.kinds = Kinds(tree, true_division=self.true_division)
        self.all_texts = set() if _TEXTS.search(old) else set(_checked_types(tree))
        """Where ``isinstance(x, str)`` was ``isinstance(x, basestring)``, which has no other meaning now."""

    def divisions(self, text: Text) -> Iterator[Edit]:
        """The edits that make a division of whole numbers one that rounds down."""
        for _, left, right in self._divided():
            if self.kinds.of(left) is self.kinds.of(right) is Kind.INT:
                between = text.source[text.end(left) : text.start(right)]
                place = text.end(left) + between.index("/")
                yield Edit(place, place + 1, "//")

    def found(self) -> Iterator[tuple[int, str]]:
        """Lines and reasons."""
        for node, left, right in self._divided():
            kinds = {self.kinds.of(left), self.kinds.of(right)}
            if Kind.FLOAT not in kinds and kinds != {Kind.INT}:
                yield node.lineno, DIVISION
        for inner in ast.walk(self.tree):
            for reason in self._reasons(inner):
                yield getattr(inner, "lineno", 1), reason

    def _divided(self) -> Iterator[tuple[ast.BinOp | ast.AugAssign, ast.expr, ast.expr]]:
        for node in ast.walk(self.tree) if not self.true_division else ():
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                yield node, node.left, node.right
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
                yield node, node.target, node.value

    def _reasons(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Compare):
            yield from self._comparison(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from self._call(node, node.func.id)
        elif isinstance(node, ast.Name) and not (node in self.kinds.called or node in self.all_texts):
            yield from self._name(node.id)
        elif isinstance(node, ast.Attribute):
            if node.attr in ("encode", "decode"):
                yield BYTES.format(node.attr)
            elif node.attr in ORDERING_METHODS:
                yield ORDER.format(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            yield BYTES.format("b''")
        elif isinstance(node, ast.FunctionDef) and node.name in SPECIAL:
            yield METHOD.format(node.name)

    def _comparison(self, node: ast.Compare) -> Iterator[str]:
        operands = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and not self.kinds.alike(
                [left, right]
            ):
                sign = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}[type(operator)]
                yield ORDER.format(sign)

    def _call(self, node: ast.Call, name: str) -> Iterator[str]:
        if name in ("str", "repr") and len(node.args) == 1 and not node.keywords:
            kind = self.kinds.of(node.args[0])
            if kind is Kind.INT or (kind is Kind.STR and name == "str"):
                return
        if (
            name in ("min", "max")
            and len(node.args) > 1
            and not node.keywords
            and self.kinds.alike(node.args)
        ):
            return
        yield from self._name(name)

    def _name(self, name: str) -> Iterator[str]:
        if name in self.kinds.bound:
            return
        if name in ("str", "bytes", "bytearray"):
            yield BYTES.format(name)
        elif name == "repr":
            yield TEXT.format(name)
        elif name == "round":
            yield ROUND
        elif name == "hash":
            yield HASH
        elif name in ORDERING:
            yield ORDER.format(name)

    def literals(self) -> Iterator[tuple[int, str]]:
        """Literals that were bytes, by the old text: the new one does not tell them from the others."""
        if self.old.isascii() or _future(self.tree, "unicode_literals"):
            return
        for kind, value, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(self.old).readline):
            if kind == token.STRING and not value.isascii() and "u" not in value[:2].lower():
                yield line, LITERAL


def _future(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(a.name == name for a in node.names)
        for node in tree.body
    )


def _checked_types(tree: ast.Module) -> Iterator[ast.AST]:
    """The types that `isinstance` is asked about."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from (part for argument in node.args[1:] for part in ast.walk(argument))
