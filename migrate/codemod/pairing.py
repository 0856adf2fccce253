"""Which LibCST node stands for which node of Python's own syntax tree: the two are walked in lockstep.

Analyses read `ast` trees, code is written with LibCST. Both parsers read the same text, so their trees have
the same shape, but for what each leaves out: `ast` flattens ``a and b and c`` and has no parentheses, LibCST
keeps arguments in the order of the text. No metadata of LibCST's is computed: it takes longer than its parse.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import libcst as cst

Suite = cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite


class MismatchError(Exception):
    """The two trees are not of one text."""


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
            waiting += _parts(one, two)


def _bodies(node: ast.stmt, other: cst.CSTNode) -> Iterator[tuple[Sequence[ast.stmt], cst.CSTNode]]:
    """The blocks of a compound statement."""
    match node, other:
        case (ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.With() | ast.AsyncWith(), _):
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
            yield from _both(node.value, other.value)
        case ast.Return(), cst.Return():
            yield from _both(node.value, other.value)
        case ast.Delete(), cst.Del():
            if len(node.targets) == 1 and not isinstance(other.target, cst.Tuple):
                yield node.targets[0], other.target
            elif isinstance(other.target, cst.Tuple):
                parts = [element.value for element in other.target.elements]
                yield from zip_longest(node.targets, parts)
        case ast.Assert(), cst.Assert():
            yield node.test, other.test
            yield from _both(node.msg, other.msg)
        case ast.Raise(), cst.Raise():
            yield from _both(node.exc, other.exc)
            yield from _both(node.cause, other.cause.item if other.cause is not None else None)
        case ((ast.Import() | ast.ImportFrom()), (cst.Import() | cst.ImportFrom())):
            if not isinstance(other.names, cst.ImportStar):
                yield from zip_longest(node.names, other.names)
        case ((ast.FunctionDef() | ast.AsyncFunctionDef()), cst.FunctionDef()):
            yield from _decorators(node.decorator_list, other.decorators)
            yield node.args, other.params
            yield from _both(node.returns, other.returns.annotation if other.returns is not None else None)
        case ast.ClassDef(), cst.ClassDef():
            yield from _decorators(node.decorator_list, other.decorators)
            yield from _arguments(node.bases, node.keywords, [*other.bases, *other.keywords])
        case (ast.If(), cst.If()) | (ast.While(), cst.While()):
            yield node.test, other.test  # type: ignore[attr-defined]
        case ((ast.For() | ast.AsyncFor()), cst.For()):
            yield node.target, other.target
            yield node.iter, other.iter
        case ((ast.With() | ast.AsyncWith()), cst.With()):
            for item, two in zip(node.items, other.items, strict=True):
                yield item.context_expr, two.item
                yield from _both(item.optional_vars, two.asname.name if two.asname is not None else None)
        case ast.Match(), cst.Match():
            yield node.subject, other.subject
            for case, branch in zip(node.cases, other.cases, strict=True):
                yield from _both(case.guard, branch.guard)
        case _, cst.Try() | cst.TryStar():
            for handler, caught in zip(node.handlers, other.handlers, strict=True):  # type: ignore[attr-defined]
                yield from _both(handler.type, caught.type)  # type: ignore[attr-defined]


def _decorators(
    nodes: Sequence[ast.expr], others: Sequence[cst.Decorator]
) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    return ((one, two.decorator) for one, two in zip(nodes, others, strict=True))


def _both(node: ast.AST | None, other: cst.CSTNode | None) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    if (node is None) != (other is None):
        raise MismatchError(f"only one of the trees has {node or other}")
    if node is not None and other is not None:
        yield node, other


Part = tuple[ast.AST, cst.CSTNode]


def _parts(node: ast.AST, other: cst.CSTNode) -> Iterable[Part]:
    """The parts of two nodes of one expression, pair by pair."""
    match node, other:
        case ((ast.Name() | ast.Constant() | ast.alias()), _):
            return ()
        case ast.Attribute(), cst.Attribute():
            return ((node.value, other.value),)
        case ast.Call(), cst.Call():
            return ((node.func, other.func), *_arguments(node.args, node.keywords, other.args))
        case ast.BinOp(), cst.BinaryOperation():
            return ((node.left, other.left), (node.right, other.right))
        case ast.UnaryOp(), cst.UnaryOperation():
            return ((node.operand, other.expression),)
        case ast.BoolOp(), cst.BooleanOperation():
            return _boolean(node, other)
        case ast.Compare(), cst.Comparison():
            compared = [target.comparator for target in other.comparisons]
            return ((node.left, other.left), *zip(node.comparators, compared, strict=True))
        case ast.Lambda(), cst.Lambda():
            return ((node.args, other.params), (node.body, other.body))
        case ast.IfExp(), cst.IfExp():
            return ((node.test, other.test), (node.body, other.body), (node.orelse, other.orelse))
        case ((ast.Tuple() | ast.List() | ast.Set()), (cst.Tuple() | cst.List() | cst.Set())):
            return [_element(one, two) for one, two in zip(node.elts, other.elements, strict=True)]
        case ast.Dict(), cst.Dict():
            return _dict(node, other)
        case ast.Subscript(), cst.Subscript():
            return ((node.value, other.value), *_subscript(node.slice, other))
        case ast.Slice(), cst.Slice():
            return (
                *_both(node.lower, other.lower),
                *_both(node.upper, other.upper),
                *_both(node.step, other.step),
            )
        case ast.Starred(), (cst.StarredElement() | cst.Arg() | cst.Index()):
            return ((node.value, other.value),)
        case ast.NamedExpr(), cst.NamedExpr():
            return ((node.target, other.target), (node.value, other.value))
        case ast.Await(), cst.Await():
            return ((node.value, other.expression),)
        case ast.Yield(), cst.Yield():
            return tuple(_both(node.value, other.value))
        case ast.YieldFrom(), cst.Yield():
            return ((node.value, other.value.item),) if isinstance(other.value, cst.From) else ()
        case ((ast.ListComp() | ast.SetComp() | ast.GeneratorExp()), cst.BaseSimpleComp()):
            return ((node.elt, other.elt), *_loops(node.generators, other.for_in))
        case ast.DictComp(), cst.DictComp():
            return ((node.key, other.key), (node.value, other.value), *_loops(node.generators, other.for_in))
        case ast.JoinedStr(), _:
            return zip(_formatted(node), _expressions(other), strict=True)
        case ast.arguments(), cst.Parameters():
            return _parameters(node, other)
        case ast.arg(), cst.Param():
            annotation = other.annotation.annotation if other.annotation is not None else None
            return tuple(_both(node.annotation, annotation))
        case ast.keyword(), cst.Arg():
            return ((node.value, other.value),)
        case _:
            raise MismatchError(f"{type(node).__name__} is not {type(other).__name__}")


def _arguments(
    positional: Sequence[ast.expr], keywords: Sequence[ast.keyword], arguments: Sequence[cst.Arg]
) -> Iterator[Part]:
    """Arguments: LibCST has them in the order of the text, `ast` those with a name or two stars apart."""
    places, named = iter(positional), iter(keywords)
    for argument in arguments:
        if argument.keyword is not None or argument.star == "**":
            yield next(named), argument
        else:
            node = next(places)
            yield node, argument if isinstance(node, ast.Starred) else argument.value


def _boolean(node: ast.BoolOp, other: cst.BooleanOperation) -> Iterator[Part]:
    """``a and b and c``: one node for `ast`, and two for LibCST, the first one on the left."""
    rest: cst.BaseExpression = other
    for value in reversed(node.values[1:]):
        assert isinstance(rest, cst.BooleanOperation)
        yield value, rest.right
        rest = rest.left
    yield node.values[0], rest


def _element(node: ast.expr, element: cst.BaseElement) -> Part:
    return (node, element if isinstance(node, ast.Starred) else element.value)


def _dict(node: ast.Dict, other: cst.Dict) -> Iterator[Part]:
    for key, value, element in zip(node.keys, node.values, other.elements, strict=True):
        if key is not None and isinstance(element, cst.DictElement):
            yield key, element.key
        yield value, element.value


def _subscript(node: ast.expr, other: cst.Subscript) -> Iterator[Part]:
    def inside(one: ast.expr, element: cst.SubscriptElement) -> Part:
        if isinstance(element.slice, cst.Index) and not isinstance(one, ast.Starred):
            return one, element.slice.value
        return one, element.slice

    (first, *others) = other.slice
    if not others and not isinstance(first.comma, cst.Comma):
        yield inside(node, first)
    elif isinstance(node, ast.Tuple):
        yield from (inside(one, two) for one, two in zip(node.elts, other.slice, strict=True))


def _loops(generators: Sequence[ast.comprehension], loop: cst.CompFor | None) -> Iterator[Part]:
    for generator in generators:
        assert loop is not None
        yield generator.target, loop.target
        yield generator.iter, loop.iter
        yield from ((one, two.test) for one, two in zip(generator.ifs, loop.ifs, strict=True))
        loop = loop.inner_for_in


def _formatted(node: ast.JoinedStr) -> Iterator[ast.expr]:
    """The expressions of an f-string, in order, with those of formats."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part.value
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _formatted(part.format_spec)
        elif isinstance(part, ast.JoinedStr):
            yield from _formatted(part)


def _expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _expressions(node.left)
        yield from _expressions(node.right)
    elif isinstance(node, cst.FormattedString | cst.FormattedStringExpression):
        parts = node.parts if isinstance(node, cst.FormattedString) else node.format_spec or ()
        for part in parts:
            if isinstance(part, cst.FormattedStringExpression):
                yield part.expression
                yield from _expressions(part)


def _parameters(node: ast.arguments, other: cst.Parameters) -> Iterator[Part]:
    named = [*other.posonly_params, *other.params]
    positional = [*node.posonlyargs, *node.args]
    yield from zip(positional, named, strict=True)
    late = named[len(named) - len(node.defaults) :]
    for default, parameter in zip(node.defaults, late, strict=True):
        yield from _both(default, parameter.default)
    for argument, value, parameter in zip(
        node.kwonlyargs, node.kw_defaults, other.kwonly_params, strict=True
    ):
        yield argument, parameter
        yield from _both(value, parameter.default)
    if node.vararg is not None and isinstance(other.star_arg, cst.Param):
        yield node.vararg, other.star_arg
    if node.kwarg is not None and other.star_kwarg is not None:
        yield node.kwarg, other.star_kwarg
