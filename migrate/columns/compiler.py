"""Evaluate Python expressions on elements: dispatch to productions, and watch over what may raise.

Each step that can raise gets a token. Python evaluates what a lambda says even if nobody uses the value; a
Column that nobody uses is never evaluated. So whatever is compiled inside one frame (a function's body, one
branch of a conditional) must end in its result, else the function is refused.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Callable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import TypeVar

from migrate.columns import code, constants, helpers
from migrate.columns.assumptions import Assumptions
from migrate.columns.element import (
    Compiled,
    Demands,
    Display,
    Element,
    Generated,
    Generator,
    Mixed,
    Parse,
    Record,
    Refusal,
    Scalar,
    Scope,
    Settled,
    Value,
    Written,
    leaves,
    shape_of,
)
from migrate.columns.messages import describe, impurity, refusal
from migrate.columns.pieces import Piece, named
from migrate.columns.registry import FUNCTIONS, METHODS, PARAMETERS, SYNTAX, Production, covers
from migrate.columns.shapes import Bool, Json, List, Maybe, Shape, Str, Unknown
from migrate.columns.shapes import join as join_shapes
from migrate.frozen import replace

Names = Mapping[str, Value]
V = TypeVar("V", bound=Value)

NONE: Names = MappingProxyType({})
MISSING = "missing values (None)"
_BUILTINS = frozenset(vars(builtins))
INLINE_DEPTH = 20
"""The depth up to which functions may call each other; more is taken for recursion."""


class Compiler:
    """Compiles one function; collects the notes and helpers that its code needs."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.notes: dict[str, None] = {}
        self._raises: dict[str, None] = {}
        self._gives: dict[str, None] = {}
        self._gives_without_ansi: dict[str, None] = {}
        self._ansi = False
        self.parses: dict[str, tuple[Parse, Scalar]] = {}
        """The code that parses JSON, with the text that it parses."""
        self.parsed: list[Parse] = []
        """The code that parses JSON, as often as something is read of it."""
        self.by_ascii: set[ast.AST] = set(scope.by_ascii)
        """Calls of ``lower`` and ``upper`` of whose text only what is ASCII decides."""
        self.assumed = Assumptions()
        self.depth = 0
        self.in_branch = False
        """Whether Python may skip what is evaluated, by a condition."""
        self._helpers: dict[str, None] = {}
        self._tokens = itertools.count()
        self._frames: list[set[int]] = [set()]
        self._variables: set[str] = set()
        self._asks_lists = False

    def demands(self) -> Demands:
        """Return what the code needs, and what is to be said of it."""
        called = helpers.definitions(
            self._helpers,
            self.scope.reserved,
            parse_json_fails=self.scope.parse_json_fails,
            origin=self.scope.origin,
        )
        return Demands(
            tuple(self.notes),
            called,
            tuple(self._raises),
            tuple(self._gives),
            tuple(self._gives_without_ansi),
            self._ansi,
            tuple(self.parsed),
            not helpers.IN_PYTHON.isdisjoint(self._helpers),
            self._asks_lists,
        )

    def compiled(self, element: Element) -> Compiled:
        """Return the final result."""
        partial = any(leaf.partial for leaf in leaves(element))
        return Compiled(element, self.demands(), partial)

    def value(self, node: ast.expr, names: Names) -> Value:
        """Evaluate an expression.

        Raises:
            Refusal: no production covers it.
        """
        if node in self.scope.per_batch:
            return self.scope.per_batch[node]
        rule = SYNTAX.get(type(node))
        if rule is None:
            raise refusal(node, "this kind of expression has no Column form")
        return self.assumed.of(node, rule(self, node, names))

    def element(self, node: ast.expr, names: Names) -> Element:
        """Evaluate an expression that leaves the function: columns, not a display."""
        return self.as_element(self.value(node, names), node)

    def scalar(self, node: ast.expr, names: Names) -> Scalar:
        """Evaluate an expression that must be one column."""
        return self.as_scalar(self.value(node, names), node)

    def scalar_text(self, value: Value, node: ast.AST) -> Scalar:
        """Turn a value into one column of texts.

        Raises:
            Refusal: it is not known to be a text.
        """
        text = self.as_scalar(value, node)
        if not isinstance(text.shape, Str):
            raise self.unlike(node, value)
        return text

    def as_element(self, value: Value, node: ast.AST) -> Element:
        """Turn a list display into an array column."""
        return value if isinstance(value, Scalar | Record) else self.as_scalar(value, node)

    def as_scalar(self, value: Value, node: ast.AST) -> Scalar:
        """Turn a value into one column.

        Raises:
            Refusal: it is a tuple, a set, a dict, or a list of unlike items.
        """
        match value:
            case Scalar():
                return value
            case Generated():
                from migrate.columns.comprehensions import as_array

                return as_array(self, value, node)
            case Mixed():
                raise refusal(node, "its values are not of one type")
            case Settled(of=Unknown(reason)):
                raise refusal(node, reason)
            case Settled():
                raise refusal(node, "its items are known when the program starts: `in` alone reads it")
            case Generator():
                raise refusal(node, "a generator is no column")
            case Record():
                raise refusal(node, "a tuple cannot stand here: it is not one column")
            case Display(kind, items) if kind is list and items:
                columns = [self.as_scalar(item, node) for item in items]
                shape: Shape | None = columns[0].shape
                for item in columns[1:]:
                    shape = join_shapes(shape, item.shape) if shape is not None else None
                if shape is None or isinstance(shape, List | Json):
                    raise refusal(node, "the items are not of one type that an array column can hold")
                arguments = ", ".join(code.argument(item) for item in columns)
                array = code.build(f"F.array({arguments})", List(shape, len(columns)), *columns)
                return replace(array, written=Written("F.array", tuple(columns)))
        raise refusal(node, "an empty list, a set or a dict is no column")

    def unlike(self, node: ast.AST, value: Value) -> Refusal:
        """Return the refusal of an operation that is not covered for values of this shape."""
        return refusal(node, f"this is not covered for {describe(shape_of(value))}")

    def raising(self, scalar: Scalar, what: str | None = None) -> Scalar:
        """Mark a column as one that can raise.

        Args:
            scalar: the column.
            what: what it raises for although Python takes it, in words for the report.
        """
        if what is not None:
            self._raises[what] = None
        if not self.scope.guards.fail_as_python_does:  # where Python fails nothing need: steps may be skipped
            return scalar.may_raise
        token = next(self._tokens)
        self._frames[-1].add(token)
        return replace(scalar.may_raise, tokens=scalar.tokens | {token})

    def failing(
        self,
        what: str,
        bare: Callable[[], Scalar],
        guarded: Callable[[], Scalar],
        *,
        may_raise: bool = True,
        raises_in_ansi: bool = False,
    ) -> Scalar:
        """Return a column where Python fails for some values, and the column gives null or fails.

        Args:
            what: those values, in words for the report.
            bare: makes the column as it is.
            guarded: makes the column that fails as Python does.
            may_raise: whether the column as it is may fail, so that a condition before it must keep it away.
            raises_in_ansi: whether it is certain to fail for those values in ANSI mode.
        """
        if self.scope.guards.fail_as_python_does:
            if not (raises_in_ansi and self.scope.guards.left_to_spark):
                return guarded()
            self._ansi = True
            return self.raising(bare())
        only_without = raises_in_ansi and self.scope.guards.left_to_spark
        (self._gives_without_ansi if only_without else self._gives)[what] = None
        return bare().may_raise if may_raise else bare()

    def beyond(self, what: str, bare: Scalar, guarded: Callable[[], Scalar]) -> Scalar:
        """Return a column where Python gives for some values what no column holds.

        Args:
            what: those values, in words for the report.
            bare: the column, which fails for them in ANSI mode.
            guarded: makes the column that fails for them in any mode.
        """
        if not self.scope.guards.left_to_spark:
            return guarded()
        self._ansi = True
        return self.raising(bare, what)

    def branch(self, node: ast.AST, evaluate: Callable[[], V]) -> V:
        """Evaluate a branch of a condition, as `framed` does; Spark computes a part of it for all rows.

        It computes what it gives to a function of Python, whatever the condition says.
        """
        before, self.in_branch = self.in_branch, True
        try:
            return self.framed(node, evaluate)
        finally:
            self.in_branch = before

    def framed(self, node: ast.AST, evaluate: Callable[[], V]) -> V:
        """Evaluate what Python may skip (a branch, a body); nothing in it that may raise may be dropped.

        Raises:
            Refusal: a step that may raise does not always end in the result.
        """
        self._frames.append(set())
        try:
            value = evaluate()
            created = self._frames[-1]
        finally:
            self._frames.pop()
        return self._using(created, value, node)

    def using(self, before: Value, value: V, node: ast.AST) -> V:
        """What is made of a value, in which no step that may raise is left out.

        Raises:
            Refusal: one is.
        """
        return self._using(_tokens(before), value, node)

    def _using(self, steps: Set[int], value: V, node: ast.AST) -> V:
        if not steps <= _tokens(value):
            raise refusal(node, "it computes something that may raise and does not always use it")
        return value

    def required(self, scalar: Scalar, message: str, what: str | None = None) -> Scalar:
        """Return the column guarded: where it is null the query fails with the message."""
        name = self.helper("required")
        guarded = f"{name}({scalar.code}, {code.quote(message)})"
        return self.raising(scalar.with_code(guarded, calls=name), what)

    @covers(
        Production(
            "o.strip() of what may be None",
            "methods, len, in, items and slices, +, an order, int and float; for None both raise",
            (
                *(
                    "lambda o: o.strip()",
                    "lambda o: o.split(',')[0]",
                    "lambda o: len(o)",
                    "lambda o: 'a' in o",
                ),
                *("lambda o: o[1:]", "lambda o: o[0]", "lambda o: o + '!'", "lambda o: o > 'a'"),
                *(
                    "lambda o: int(o)",
                    "lambda o: float(o)",
                    "lambda s, o: o in s",
                    "lambda o: [o.strip(), o]",
                ),
                *("lambda o: o and o.strip()", "lambda o: len(o) if o else 0", "lambda o: (o, len(o or ''))"),
            ),
            partial=True,
            sensitive="a Column gives null for null",
        )
    )
    def present(self, value: V) -> V | Scalar:
        """Return a value where Python takes no None, and fails."""
        if isinstance(value, Scalar) and isinstance(value.shape, Maybe):
            if value.within is not None:
                from migrate.columns.json_values import present

                return present(self, value)
            known = replace(value, shape=value.shape.of)
            if self.scope.guards.fail_as_python_does:
                return self.required(known, f"{value.name or 'a value'} is None")
            self.gives_instead(MISSING)
            return known
        return value

    def gives_instead(self, *what: str) -> None:
        """Note that the code gives something for values for which Python fails, in words for the report."""
        self._gives.update(dict.fromkeys(what))

    def helper(self, name: str) -> str:
        """Note that the code calls a helper and return its name."""
        self._helpers[name] = None
        return helpers.spelled(name, self.scope.reserved)

    def pattern(self, regex: str) -> str:
        """Return the code of a regular expression for Java: a constant for all white space of Python's."""
        return self.helper(helpers.CONSTANT) if regex == helpers.WHITESPACE else code.pattern(regex)

    def split(self, text: Scalar, regex: str, more: str = "") -> str:
        """Return the code of the parts of a text between the matches of a regular expression for Java."""
        made = f"F.split({code.argument(text)}, {self.pattern(regex)}{more})"
        is_piece = text.column is not None and not self.pattern_reads(regex)
        return named(Piece(made, pattern=regex)) if is_piece else made

    def pattern_reads(self, regex: str) -> tuple[str, ...]:
        """Return the names that its code reads: that of the constant."""
        return (self.helper(helpers.CONSTANT),) if regex == helpers.WHITESPACE else ()

    def variable(self, wanted: str) -> str:
        """Return a free name for a lambda's parameter in emitted code."""
        taken = self.scope.reserved | self._variables | {"F", "lambda"} | set(self._helpers)
        name = wanted if wanted.isidentifier() else "item"
        while name in taken:
            name += "_"
        self._variables.add(name)
        return name

    def is_in(self, column: Scalar, container: Settled) -> Scalar:
        """Return whether a column is in a list that the program fills, held unless it reads variables."""
        self._asks_lists = True
        # `isin` takes a list or set as it is, but no frozenset, dict or view of one
        star = "" if container.kind is list and not container.is_view else "*"
        text = f"{code.column(column)}.isin({star}{container.variable})"
        if self._variables.isdisjoint(column.names):
            text = named(Piece(text, among=container.variable))
        return code.build(text, Bool(), column, reads=(container.variable.partition(".")[0],))

    def qualified(self, node: ast.expr, names: Names) -> str | None:
        """Return which builtin or library function an expression names (``operator.add``), or None."""
        if isinstance(node, ast.Name):
            if node.id in names or node.id in self.scope.constants or node.id in self.scope.functions:
                return None
            imported = self.scope.imports.get(node.id)
            own = node.id in self.scope.shadowed or (
                imported is None and self.scope.settled(node) is not None
            )
            return imported or (node.id if node.id in _BUILTINS and not own else None)
        if isinstance(node, ast.Attribute):
            owner = self.qualified(node.value, names)
            return f"{owner}.{node.attr}" if owner is not None else None
        return None

    def call_method(self, node: ast.AST, name: str, receiver: Value, arguments: Sequence[Value]) -> Value:
        """Call a method of a value."""
        shape = shape_of(receiver)
        if isinstance(shape, Unknown) and not isinstance(receiver, Display):
            raise refusal(node, f"it is not known what `.{name}` is called on: {shape.reason}")
        if isinstance(shape, Maybe) and (type(shape.of), name) in METHODS:
            receiver, shape = self.present(receiver), shape.of
        rule = METHODS.get((type(shape), name))
        if isinstance(receiver, Scalar) and isinstance(shape, Json) and rule is None and _is_of_text(name):
            from migrate.columns.json_values import as_text

            return self.call_method(node, name, as_text(self, receiver), arguments)
        if rule is None:
            raise refusal(node, f"`.{name}` of {describe(shape)} has no proven Column form")
        folded = constants.fold_method(node, name, receiver, arguments)
        return rule(self, node, receiver, arguments) if folded is None else folded

    def call_function(
        self,
        node: ast.AST,
        name: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value] = NONE,
    ) -> Value:
        """Call a builtin or a library function by its qualified name."""
        rule = FUNCTIONS.get(name)
        if rule is None:
            raise refusal(node, impurity(name) or f"`{name}` has no proven Column form")
        if name in PARAMETERS:
            arguments = _bound(node, PARAMETERS[name], arguments, keywords)
        elif keywords:
            raise refusal(node, f"`{name}` with keyword arguments has no Column form")
        return rule(self, node, arguments)


def _bound(
    node: ast.AST, parameters: Mapping[str, object], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> list[Value]:
    """The arguments for all parameters."""
    given = {**dict(zip(parameters, arguments, strict=False)), **keywords}
    needed = {name for name, default in parameters.items() if default is ...}
    if len(given) != len(arguments) + len(keywords) or not needed <= given.keys() <= parameters.keys():
        raise refusal(node, "its arguments are not those of the function")
    return [
        given[name] if name in given else constants.constant_value(default, node)
        for name, default in parameters.items()
    ]


def _is_of_text(name: str) -> bool:
    """Whether a method of texts is none of dicts and lists, of which JSON consists as well."""
    return (Str, name) in METHODS and not hasattr(dict, name) and not hasattr(list, name)


def _tokens(value: Value) -> frozenset[int]:
    if isinstance(value, Mixed):
        return value.truth.tokens
    if isinstance(value, Generator):
        return _tokens(value.items_of)
    if isinstance(value, Scalar | Generated):
        return value.tokens
    if isinstance(value, Settled):
        return frozenset()
    return frozenset().union(*(_tokens(item) for item in value.items))
