"""Which LibCST node stands for which node of Python's own syntax tree: the two are walked in lockstep.

Analyses read `ast` trees, code is written with LibCST. Both parsers read the same text, so their trees have
the same shape, but for what each leaves out: `ast` flattens ``a and b and c`` and has no parentheses, LibCST
keeps arguments in the order of the text. No metadata of LibCST's is computed: it takes longer than its parse.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import libcst as cst

from migrate.codemod.expression_parts import MismatchError, arguments, both, parts


class Pairs:
    """The LibCST nodes of the statements and expressions of one module."""

    def __init__(self, tree: ast.Module, module: cst.Module) -> None:
        self._statements: dict[ast.stmt, cst.CSTNode] = {}
        self._lines: dict[int, tuple[ast.stmt, ...]] = {}
        self._inner: dict[ast.AST, cst.CSTNode] = {}
        self._paired: set[ast.stmt] = set()
        self.inline: dict[ast.stmt, tuple[ast.stmt, ...]] = {}
        """Statements above which no line can stand, behind a colon or an ``elif``, with those beside them."""
        self._block(tree.body, module)

    def statement(self, node: ast.stmt) -> cst.CSTNode:
        """The small or compound statement that a statement is; not the line that holds it."""
        return self._statements[node]

    def on(self, line: cst.CSTNode) -> tuple[ast.stmt, ...]:
        """The statements of a line, or the compound statement itself."""
        return self._lines.get(id(line), ())

    def node(self, node: ast.AST, statement: ast.stmt) -> cst.CSTNode:
        """The LibCST node of an expression, a parameter, an alias or a keyword.

        Args:
            node: the node.
            statement: the innermost statement that it is in.

        Raises:
            MismatchError: LibCST has none of its own for it.
        """
        found = self.find(node, statement)
        if found is None:
            raise MismatchError(f"no LibCST node for {ast.dump(node)[:80]}")
        return found

    def find(self, node: ast.AST, statement: ast.stmt) -> cst.CSTNode | None:
        """The same, or None where LibCST has none."""
        if isinstance(node, ast.stmt):
            return self._statements[node]
        if statement not in self._paired:
            self._paired.add(statement)
            for one, other in _heads(statement, self._statements[statement]):
                self._expression(one, other)
        return self._inner.get(node)

    # --- statements -----------------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt], block: cst.CSTNode) -> None:
        waiting = iter(statements)
        if isinstance(block, cst.SimpleStatementSuite):
            self._line(block, waiting)
        elif isinstance(block, cst.Module | cst.IndentedBlock):
            for line in block.body:
                self._line(line, waiting)
        if next(waiting, None) is not None:
            raise MismatchError("a statement more than LibCST has")

    def _line(self, line: cst.CSTNode, waiting: Iterator[ast.stmt]) -> None:
        small = isinstance(line, cst.SimpleStatementLine | cst.SimpleStatementSuite)
        parts: Sequence[cst.CSTNode] = line.body if small else [line]  # type: ignore[attr-defined]
        own = tuple(statement for _, statement in zip(parts, waiting, strict=False))
        if len(own) != len(parts):
            raise MismatchError("a statement less than LibCST has")
        self._lines[id(line)] = own
        if isinstance(line, cst.SimpleStatementSuite):
            self.inline.update(dict.fromkeys(own, own))
        for part, statement in zip(parts, own, strict=True):
            self._compound(statement, part)

    def _compound(self, statement: ast.stmt, part: cst.CSTNode) -> None:
        self._statements[statement] = part
        for body, block in _bodies(statement, part):
            self._block(body, block)
        if isinstance(part, cst.If) and isinstance(part.orelse, cst.If):
            assert isinstance(statement, ast.If)
            self.inline[statement.orelse[0]] = ()
            self._compound(statement.orelse[0], part.orelse)  # an elif is a statement to `ast` alone

    # --- expressions ----------------------------------------------------------------------------------------

    def _expression(self, node: ast.AST, other: cst.CSTNode) -> None:
        waiting = [(node, other)]
        while waiting:
            one, two = waiting.pop()
            self._inner[one] = two
            waiting += parts(one, two)


def _bodies(node: ast.stmt, other: cst.CSTNode) -> Iterator[tuple[Sequence[ast.stmt], cst.CSTNode]]:
    """The blocks of a compound statement."""
    match node, other:
        case _, (cst.FunctionDef() | cst.ClassDef() | cst.With()):
            yield node.body, other.body  # type: ignore[attr-defined]
        case ast.If(), cst.If():
            yield node.body, other.body
            if isinstance(other.orelse, cst.Else):
                yield node.orelse, other.orelse.body
        case (ast.For() | ast.AsyncFor(), cst.For()) | (ast.While(), cst.While()):
            yield node.body, other.body  # type: ignore[attr-defined]
            if other.orelse is not None:  # type: ignore[attr-defined]
                yield node.orelse, other.orelse.body  # type: ignore[attr-defined]
        case ast.Match(), cst.Match():
            yield from zip(
                (case.body for case in node.cases), (case.body for case in other.cases), strict=True
            )
        case _, (cst.Try() | cst.TryStar()):
            yield node.body, other.body  # type: ignore[attr-defined]
            for handler, caught in zip(node.handlers, other.handlers, strict=True):  # type: ignore[attr-defined]
                yield handler.body, caught.body  # type: ignore[attr-defined]
            if other.orelse is not None:
                yield node.orelse, other.orelse.body  # type: ignore[attr-defined]
            if other.finalbody is not None:
                yield node.finalbody, other.finalbody.body  # type: ignore[attr-defined]


def _heads(node: ast.stmt, other: cst.CSTNode) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    """The expressions that a statement has outside of its blocks."""
    match node, other:
        case ast.Expr(), cst.Expr():
            yield node.value, other.value
        case ast.Assign(), cst.Assign():
            yield from ((a, b.target) for a, b in zip(node.targets, other.targets, strict=True))
            yield node.value, other.value
        case ast.AugAssign(), cst.AugAssign():
            yield node.target, other.target
            yield node.value, other.value
        case ast.AnnAssign(), cst.AnnAssign():
            yield node.target, other.target
            yield node.annotation, other.annotation.annotation
            yield from both(node.value, other.value)
        case ast.Return(), cst.Return():
            yield from both(node.value, other.value)
        case ast.Delete(), cst.Del():
            if len(node.targets) == 1 and not isinstance(other.target, cst.Tuple):
                yield node.targets[0], other.target
            elif isinstance(other.target, cst.Tuple):
                parts = [element.value for element in other.target.elements]
                yield from zip_longest(node.targets, parts)
        case ast.Assert(), cst.Assert():
            yield node.test, other.test
            yield from both(node.msg, other.msg)
        case ast.Raise(), cst.Raise():
            yield from both(node.exc, other.exc)
            yield from both(node.cause, other.cause.item if other.cause is not None else None)
        case ((ast.Import() | ast.ImportFrom()), (cst.Import() | cst.ImportFrom())):
            if not isinstance(other.names, cst.ImportStar):
                yield from zip_longest(node.names, other.names)
        case ((ast.FunctionDef() | ast.AsyncFunctionDef()), cst.FunctionDef()):
            yield from _decorators(node.decorator_list, other.decorators)
            yield node.args, other.params
            yield from both(node.returns, other.returns.annotation if other.returns is not None else None)
        case ast.ClassDef(), cst.ClassDef():
            yield from _decorators(node.decorator_list, other.decorators)
            yield from arguments(node.bases, node.keywords, [*other.bases, *other.keywords])
        case (ast.If(), cst.If()) | (ast.While(), cst.While()):
            yield node.test, other.test  # type: ignore[attr-defined]
        case ((ast.For() | ast.AsyncFor()), cst.For()):
            yield node.target, other.target
            yield node.iter, other.iter
        case ((ast.With() | ast.AsyncWith()), cst.With()):
            for item, two in zip(node.items, other.items, strict=True):
                yield item.context_expr, two.item
                yield from both(item.optional_vars, two.asname.name if two.asname is not None else None)
        case ast.Match(), cst.Match():
            yield node.subject, other.subject
            for case, branch in zip(node.cases, other.cases, strict=True):
                yield from both(case.guard, branch.guard)
        case _, cst.Try() | cst.TryStar():
            for handler, caught in zip(node.handlers, other.handlers, strict=True):  # type: ignore[attr-defined]
                yield from both(handler.type, caught.type)  # type: ignore[attr-defined]


def _decorators(
    nodes: Sequence[ast.expr], others: Sequence[cst.Decorator]
) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    return ((one, two.decorator) for one, two in zip(nodes, others, strict=True))
