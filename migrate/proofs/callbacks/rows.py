"""Expressions of a callback that are empty, or fail, for an RDD without elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.cached import cached_property
from migrate.knowledge import frames, methods, rdd, sessions
from migrate.proofs.callbacks.local_values import LocalValues
from migrate.proofs.callbacks.roles import Callback, is_rdd, made_of
from migrate.syntax.bindings import bound_by
from migrate.syntax.nodes import walk
from migrate.syntax.tree import declared_among, own_nodes

_AT_LEAST_ONE = {(ast.Gt, 0), (ast.NotEq, 0), (ast.GtE, 1)}
_NONE = {(ast.Eq, 0), (ast.Lt, 1), (ast.LtE, 0)}
_SAME_NUMBER = frozenset({"enumerate", "iter", "list", "reversed", "set", "sorted", "tuple"})
"""Builtins whose result holds nothing where their first argument does not."""
_OF_FUNCTION = frozenset({"filter", "map"})
"""Builtins whose result holds nothing where their second argument does not."""
_ITERATORS = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})
"""Builtins that make an iterator, which is true whatever it holds."""
_ADDS = methods.CHANGES - methods.ADDS_NOTHING
"""Methods after which an empty collection may hold something."""


class Rows:
    """Questions to the expressions of a callback: which are empty for an RDD without elements.

    An RDD that a ``filter`` or ``flatMap`` made is one without elements for a batch without elements too; a
    ``union`` with others is not.
    """

    def __init__(self, callback: Callback) -> None:
        self.callback = callback
        self._asked: set[str] = set()
        """Variables whose values are being looked at."""

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(self.callback.walk())

    @cached_property
    def rdds(self) -> set[str]:
        """The names of RDDs that have no elements for a batch without elements."""
        names = set(self.callback.rdds)
        ended = {*self.callback.ended.values()}
        made = [node for node in self._nodes if isinstance(node, ast.Assign) and node not in ended]
        while True:
            more = {
                target.id
                for node in made
                for target in node.targets
                if isinstance(target, ast.Name) and target.id in names
                if not is_rdd(node.value, names, rdd.NO_MORE)
            }
            if not more:
                return names
            names -= more

    @cached_property
    def values(self) -> LocalValues:
        """The values of the callback's variables; their lists may be sorted since, or shorter."""
        return LocalValues(self.callback, _ADDS)

    @cached_property
    def filled(self) -> frozenset[str]:
        """Variables of collections that only loops over elements fill."""
        self.filled = frozenset[str]()  # none is known as long as they are looked for
        nodes = self._nodes
        stored: dict[str, list[bool]] = {}
        for node in nodes:
            if type(node) in _BINDING:
                for target, value in _bindings(node):
                    stored.setdefault(target, []).append(_is_empty(value))
        empty_ones = {name for name, found in stored.items() if all(found)}
        if not empty_ones:
            return frozenset()
        inside = {
            inner
            for node in nodes
            if isinstance(node, ast.For) and self.are_elements(node.iter)
            for part in node.body
            for inner in walk(part)
        }
        changed = {
            node.value.id
            for node in nodes
            if isinstance(node, ast.Attribute | ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node not in inside
            and (not isinstance(node, ast.Attribute) or node.attr in _ADDS)
            and not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load))
        }
        return frozenset(empty_ones - changed)

    def _action(self, node: ast.AST) -> str | None:
        """The action of an RDD that an expression is, or that a variable was given."""
        if isinstance(node, ast.Name):
            value = self.values.at(node)
            return self._action(value) if value is not None and not isinstance(value, ast.Name) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr if self._has_none(node.func.value) else None
        return None

    def _has_none(self, node: ast.expr) -> bool:
        """Whether an expression is an RDD or a DataFrame that has nothing for a batch without elements."""
        made = made_of(node, rdd.NO_MORE)
        if isinstance(made, ast.Attribute) and made.attr == "rdd":
            return self._has_none(made.value)
        return is_rdd(node, self.rdds, rdd.NO_MORE) or self._is_frame_of_none(node)

    def _is_frame_of_none(self, node: ast.expr) -> bool:
        """``spark.read.json(rdd).where("n > 0")``, ``rdd.toDF()``, or a variable with such a DataFrame."""
        match node:
            case ast.Name():
                value = self.values.at(node)
                return value is not None and not isinstance(value, ast.Name) and self._has_none(value)
            case ast.Call(ast.Attribute(_, method), [first, *_]) if method in sessions.TAKES_RDDS:
                return is_rdd(first, self.rdds, rdd.NO_MORE)
            case ast.Call(ast.Attribute(value, method)) if method in frames.NO_MORE_ROWS:
                return self._has_none(value)
        return False

    def lead_to(self, child: ast.AST, step: ast.AST) -> bool:
        """Whether a part of an expression or statement is reached with elements only, from what it is in."""
        match step:
            case ast.If(test, body, orelse):
                return (child in body and self.some(test)) or (child in orelse and self.none(test))
            case ast.While(test, body):
                return child in body and self.some(test)
            case ast.IfExp(test, body, orelse):
                return (child is body and self.some(test)) or (child is orelse and self.none(test))
            case ast.BoolOp(operator, values) if child in values:
                before = values[: values.index(child)]
                return any(map(self.some if isinstance(operator, ast.And) else self.none, before))
            case ast.For():
                return child in step.body and self.are_elements(step.iter)
            case ast.Call(ast.Attribute(receiver, method)) if isinstance(child, ast.Lambda):
                return method in rdd.OF_ELEMENTS and is_rdd(receiver, self.rdds, rdd.NO_MORE)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return child is not step.generators[0] and self.are_elements(step.generators[0].iter)
        return False

    def fail_before(self, child: ast.AST, step: ast.AST) -> bool:
        """Whether a statement before a part of a block leaves it without elements.

        ``rdd.first()`` fails, and so does ``if rdd.isEmpty(): raise ValueError("nothing yet")``.
        """
        for name in ("body", "orelse", "finalbody"):
            block = getattr(step, name, None)
            if isinstance(block, list) and child in block:
                return any(self._fails(statement) for statement in block[: block.index(child)])
        return False

    def _fails(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Raise):
            return self.none(statement.test)
        if not isinstance(statement, ast.Assign | ast.Expr):
            return False
        if statement.value is not None and self.reads_unbound(statement.value):
            return True
        return any(isinstance(node, ast.Call) and self._call_fails(node) for node in own_nodes(statement))

    def reads_unbound(self, node: ast.expr) -> bool:
        """Whether an expression certainly reads a variable that has no value without elements."""
        nodes = list(own_nodes(node))
        if any(isinstance(inner, _CONDITIONAL) for inner in nodes):
            return False
        reads = {inner.id for inner in nodes if isinstance(inner, ast.Name) and _is_read(inner)}
        return not reads.isdisjoint(self._unbound)

    @cached_property
    def reads_behind_loops(self) -> list[ast.Name]:
        """Reads of variables that have no value without elements, behind the loops over these."""
        reads = (node for node in self._nodes if isinstance(node, ast.Name) and _is_read(node))
        return [node for node in reads if node.id in self._unbound and node not in self._in_loops]

    @cached_property
    def _in_loops(self) -> set[ast.AST]:
        """What is in loops over elements, and the variables that they go through them with."""
        loops = (node for node in self._nodes if isinstance(node, ast.For) and self.are_elements(node.iter))
        return {inner for loop in loops for part in (loop.target, *loop.body) for inner in walk(part)}

    @cached_property
    def _unbound(self) -> frozenset[str]:
        """Variables of the callback's own that nothing but loops over elements bind."""
        own = self.callback.node
        if not isinstance(own, ast.FunctionDef):
            return frozenset()
        bound = [node for node in self._nodes if isinstance(node, ast.Name) and not _is_read(node)]
        elsewhere = {node.id for node in bound if node not in self._in_loops}
        elsewhere |= {bound_by(node) or "" for node in self._nodes if type(node) in _BINDING}
        elsewhere |= declared_among(self._nodes)
        return frozenset(node.id for node in bound) - elsewhere

    def _call_fails(self, call: ast.Call) -> bool:
        """Whether a call fails without elements; ``createDataFrame(rdd, schema)`` may not."""
        method = call.func
        if not isinstance(method, ast.Attribute):
            return False
        if method.attr in sessions.FAILS_EMPTY and call.args:
            own, others = call.args[0], [*call.args[1:], *(k.value for k in call.keywords)]
        else:
            own, others = method.value, [*call.args, *(k.value for k in call.keywords)]
            if method.attr not in rdd.FAILS_EMPTY:
                return False
        inferred = method.attr in rdd.FAILS_EMPTY - {"toDF"} or all(map(_are_names, others[:1]))
        return inferred and is_rdd(own, self.rdds, rdd.NO_MORE)

    def fails_without(self, node: ast.AST) -> bool:
        """Whether an expression fails without elements: ``rows[0]``, ``max(rows)``, ``total / len(rows)``."""
        match node:
            case ast.Subscript(value, index, ast.Load()):
                return not isinstance(index, ast.Slice) and self.are_elements(value)
            case ast.Call(ast.Name("max" | "min" | "next"), [value], []):
                return self.are_elements(value)
            case ast.BinOp(amount, ast.Div() | ast.FloorDiv() | ast.Mod(), number):
                return self.is_count(number) and not _is_text(amount)
        return False

    def are_elements(self, node: ast.AST) -> bool:
        """Whether an expression holds nothing for a batch without elements."""
        match node:
            case ast.Name(name) if name in self.callback.elements or name in self.filled:
                return True
            case ast.Name() if isinstance(
                value := self.values.at(node), ast.ListComp | ast.Call | ast.Subscript
            ):
                return self._action(value) in rdd.COLLECTED or self.are_elements(value)
            case ast.Name() if values := self.values.all_of(node):
                if node.id in self._asked:
                    return True  # `items = items[:n]` holds nothing if what else it is given does not
                self._asked.add(node.id)
                found = all(map(self.are_elements, values))
                self._asked.discard(node.id)
                return found
            case ast.Call(ast.Name(name), [first, *_]) if name in _SAME_NUMBER:
                return self.are_elements(first)
            case ast.Call(ast.Name("range"), [number] | [ast.Constant(0), number]):
                return self.is_count(number)
            case ast.Call(ast.Name(name), [_, elements, *_]) if name in _OF_FUNCTION:
                return self.are_elements(elements)
            case ast.Call(ast.Name("dict"), [elements], []):
                return self.are_elements(elements)
            case ast.Call(ast.Name("zip"), several):
                return any(map(self.are_elements, several))
            case ast.Call(ast.Attribute(ast.Constant(str()), "join"), [parts]):
                return self.are_elements(parts)  # a text without characters
            case ast.ListComp(_, [first, *_]):
                return self.are_elements(first.iter)
            case ast.Subscript(value, ast.Slice()):
                return self.are_elements(value)
        if self._action(node) in rdd.COLLECTED:
            return True
        match node:
            case ast.Call(ast.Attribute(value, method)):
                return method in methods.NOT_MORE and self.are_elements(value)
        return False

    def _is_iterator(self, node: ast.expr) -> bool:
        """Whether an expression is true whatever it holds: ``map(str, rows)``, ``rdd.toLocalIterator()``."""
        value = self.values.at(node) if isinstance(node, ast.Name) else node
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            return value.func.id in _ITERATORS
        return isinstance(value, ast.GeneratorExp) or self._action(node) == "toLocalIterator"

    def is_count(self, node: ast.AST) -> bool:
        """Whether an expression is 0 for a batch without elements, or a variable that holds it."""
        if isinstance(node, ast.Name) and isinstance(value := self.values.at(node), ast.Call):
            node = value
        length = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
        if isinstance(node, ast.Call) and length and len(node.args) == 1:
            return self.are_elements(node.args[0])
        return self._action(node) == "count"

    def _compared(self, test: ast.expr, how: set[tuple[type[ast.cmpop], int]]) -> bool:
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and self.is_count(test.left)):
            return False
        right = test.comparators[0]
        number = isinstance(right, ast.Constant) and type(right.value) is int
        return number and (type(test.ops[0]), right.value) in how  # type: ignore[attr-defined]

    def _is_empty_test(self, test: ast.expr, value: bool) -> bool:
        """``rdd.isEmpty()``, or compared with `value`: ``rdd.isEmpty() != True`` for False."""
        match test:
            case ast.Compare(left, [operator], [ast.Constant(bool(wanted))]):
                is_same = isinstance(operator, ast.Eq | ast.Is) and wanted is value
                is_opposite = isinstance(operator, ast.NotEq | ast.IsNot) and wanted is not value
                return (is_same or is_opposite) and self._action(left) == "isEmpty"
        return value and self._action(test) == "isEmpty"

    def _is_no_list(self, test: ast.expr, how: type[ast.cmpop]) -> bool:
        """``rows == []``, or ``rows != []``."""
        match test:
            case ast.Compare(left=left, ops=[operator], comparators=[ast.List(elts=[])]):
                return isinstance(operator, how) and self._action(left) in rdd.LISTS
        return False

    def _is_idle(self, node: ast.expr) -> bool:
        """Whether an expression is None for a batch without elements: ``frame = make_frame(rdd)``."""
        value = self.values.at(node) if isinstance(node, ast.Name) else node
        return value in self.callback.idle

    def _is_compared_with_none(self, test: ast.expr, how: tuple[type[ast.cmpop], ...]) -> bool:
        """``frame is None``, or ``frame is not None``."""
        match test:
            case ast.Compare(left, [operator], [ast.Constant(None)]):
                return isinstance(operator, how) and self._is_idle(left)
        return False

    def some(self, test: ast.expr) -> bool:
        """Whether a condition holds only with elements: ``not rdd.isEmpty()``, ``len(rows) > 0``."""
        if self._is_idle(test) or self._is_compared_with_none(test, (ast.IsNot, ast.NotEq)):
            return True
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._is_empty_test(test.operand, True)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return any(self.some(value) for value in test.values)
        if self._compared(test, _AT_LEAST_ONE) or self._is_empty_test(test, False):
            return True
        if self._is_no_list(test, ast.NotEq):
            return True
        return self.is_count(test) or (self.are_elements(test) and not self._is_iterator(test))

    def none(self, test: ast.expr) -> bool:
        """Whether a condition holds whenever there are no elements: ``rdd.isEmpty()``, ``not rows``."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.some(test.operand) and not isinstance(test.operand, ast.BoolOp)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            return any(self.none(value) for value in test.values)
        none = self._compared(test, _NONE) or self._is_empty_test(test, True)
        none |= self._is_compared_with_none(test, (ast.Is, ast.Eq))
        return none or self._is_no_list(test, ast.Eq)


def _are_names(node: ast.expr) -> bool:
    """Whether a schema is a list of names, whose types are read off the first element."""
    return isinstance(node, ast.List | ast.Tuple) and all(
        isinstance(item, ast.Constant) and isinstance(item.value, str) for item in node.elts
    )


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text: ``"%d rows" % rdd.count()`` divides nothing."""
    match node:
        case ast.Constant(str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left, ast.Add(), right):
            return _is_text(left) or _is_text(right)
    return False


def _is_empty(value: ast.expr | None) -> bool:
    """``[]``, ``{}``."""
    return (isinstance(value, ast.List) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.keys
    )


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


_CONDITIONAL = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BINDING = frozenset({ast.Assign, ast.For, ast.comprehension, ast.AugAssign, ast.withitem})


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement binds, each with its value if that is written out: ``a, b = [], []``."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            yield from ((target.id, value) for target, value in pairs if isinstance(target, ast.Name))
        case ast.Assign([ast.Name(name)], value):
            yield name, value
        case ast.For() | ast.comprehension() | ast.Assign() | ast.AugAssign() | ast.withitem():
            for inner in walk(node.target if isinstance(node, ast.For) else node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id, None
