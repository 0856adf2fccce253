"""The types of the compiler: elements, refusals, results, and the scope of a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from migrate.columns.guards import Guards
from migrate.columns.shapes import List, Nothing, Shape, Struct, Tuple, Unknown
from migrate.facts.learnt import Learnt
from migrate.frozen import dataclass, replace

ATOM = 100
"""The precedence of code that needs no parentheses anywhere: a call, a name, a literal."""


class Refusal(Exception):  # noqa: N818 (an answer, not an error)
    """No production covers this expression.

    Attributes:
        reason: which expression and why, in words for the user.
        node: the expression, for its position.
    """

    def __init__(self, reason: str, node: ast.AST) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node


class Origin(Enum):
    """Where the records come from that a frame holds, as far as its columns say it."""

    KAFKA = "kafka"
    FILES = "files"
    UNKNOWN = "unknown"


class _NotConstant:
    def __repr__(self) -> str:
        return "NOT_CONSTANT"


NOT_CONSTANT = _NotConstant()


@dataclass(frozen=True)
class Within:
    """The place of a part of a JSON value.

    Attributes:
        root: the column with the record that it is read from, as an argument.
        path: the path there.
        required: whether Python raises where it is missing.
        typed: the paths that are columns of the record, where it has some.
    """

    root: str
    path: str
    required: bool = False
    typed: frozenset[str] | None = None


@dataclass(frozen=True)
class Parse:
    """Code that parses JSON.

    Attributes:
        code: the code.
        explodes: whether it is an ``explode``, below which Spark does not parse again.
        bare: whether it gives a VARIANT alone, which Spark may parse again.
    """

    code: str
    explodes: bool
    bare: bool = False

    @property
    def once(self) -> str:
        """The same as one that Spark computes once for each row."""
        return self.code if self.explodes or self.bare else f"F.explode(F.array({self.code}))"


@dataclass(frozen=True)
class Tells:
    """What a condition says of values, by their code: their shapes where it holds, and where it fails."""

    holds: tuple[tuple[str, Shape], ...] = ()
    fails: tuple[tuple[str, Shape], ...] = ()


@dataclass(frozen=True)
class Written:
    """Of what code is written, where others write it in another way.

    Attributes:
        call: ``F.array``, ``F.concat``, ``F.sum``, an operator, ``[]`` for the item of an array, ``cast``,
            ``F.when`` for a condition and two values, or ``f-string``.
        parts: its arguments or operands, the array, or what is cast.
        place: which item it is.
        type: what it is cast to, as Spark calls it.
    """

    call: str
    parts: tuple[Scalar, ...]
    place: int = 0
    type: str = ""


@dataclass(frozen=True)
class Scalar:
    """A value in one column.

    Attributes:
        code: Python source of a Column. As input it binds like a call: put parentheses around an operator.
        shape: the type of the value, with its bounds.
        name: the best name for the column, or None.
        precedence: how tightly the outermost operator of `code` binds (Python's order; `ATOM` for none).
        constant: the Python value where it is known, else `NOT_CONSTANT`.
        partial: whether evaluating it can raise.
        tokens: marks of the raising steps that are evaluated whenever this value is.
        raises: the code of the steps that may raise, those of branches among them.
        columns: the columns that `code` reads; None where `code` is a reference or reads none.
        unread: whether nothing reads it, so that no column holds it.
        within: where it is, for a part of a JSON value.
        parse: how its code parses JSON, if it does.
        variable: the program's name for what is the same for all elements, if new code can read it.
        tells: what a condition says of the values that it asks about.
        counted: the text or list of which it is the length.
        in_python: whether a function of Python makes it, which Spark calls nowhere in a lambda of columns.
        aggregate: which aggregate of a group it is: ``count``, ``sum``, ``max``; empty for none.
        negated: the number of which it is the negative.
        column: the column that it is as it stands, as ``F.col`` names it; None where it is computed.
        written: of what `code` is written, where that matters.
        skips: whether some part of `code` may be left unevaluated: there is a branch, or a call of Python's.
        names: the names that `code` reads, beside ``F``: variables of the program and functions of ours.
    """

    code: str
    shape: Shape
    name: str | None = None
    precedence: int = ATOM
    constant: object = NOT_CONSTANT
    partial: bool = False
    tokens: frozenset[int] = frozenset()
    columns: frozenset[str] | None = None
    unread: bool = False
    within: Within | None = None
    parse: Parse | None = None
    variable: str = ""
    tells: Tells = Tells()
    counted: Scalar | None = None
    in_python: bool = False
    aggregate: str = ""
    negated: Scalar | None = None
    raises: frozenset[str] = frozenset()
    column: str | None = None
    written: Written | None = None
    skips: bool = False
    names: frozenset[str] = frozenset()

    @property
    def is_constant(self) -> bool:
        """Whether the value is known before the program runs."""
        return self.constant is not NOT_CONSTANT

    @property
    def is_plain(self) -> bool:
        """Whether it can stand next to a Column as the Python value that it is."""
        return self.is_constant or bool(self.variable)

    def with_code(self, code: str, precedence: int = ATOM, *, skips: bool = False, calls: str = "") -> Scalar:
        """The same value, computed by other code.

        Args:
            code: the code, of which the present one is a part.
            precedence: how tightly its outermost operator binds.
            skips: whether it may leave a part of that unevaluated.
            calls: the function of ours that it calls, if it does.
        """
        skips, names = skips or self.skips, self.names | ({calls} - {""})
        return replace(
            self, code=code, precedence=precedence, column=None, written=None, skips=skips, names=names
        )

    @property
    def may_raise(self) -> Scalar:
        """The same value, as one that may raise."""
        return replace(self, partial=True, raises=self.raises | {self.code})


@dataclass(frozen=True)
class Record:
    """A tuple: several columns. Items may be records themselves; it never becomes a struct column."""

    items: tuple[Element, ...]
    name: str | None = None
    fields: tuple[str, ...] = ()
    """The names of its items in Python, if it is a namedtuple or a Row."""
    only_framed: bool = False
    """Whether columns stand for it only where a DataFrame is made of it, whose columns are its items."""
    only_read: bool = False
    """Whether nothing is done with it but to read `fields` by their names, as of an object."""
    of_object: bool = False
    """Whether `fields` are attributes of an object, of which Spark takes those that have a column."""
    methods: tuple[ast.FunctionDef, ...] = ()
    """Its methods that get nothing but the object."""
    properties: tuple[ast.FunctionDef, ...] = ()
    """The functions of its properties."""


Element = Scalar | Record


@dataclass(frozen=True)
class Display:
    """A list, set or dict whose items are known one by one; becomes an array column only where it must."""

    kind: type[list[object]] | type[set[object]] | type[dict[object, object]]
    items: tuple[Element, ...]
    keys: tuple[object, ...] = ()
    """The constant keys of a dict, one for each item."""
    name: str | None = None
    variable: str = ""
    """The program's name for a list or set of constants, if new code can read it."""


@dataclass(frozen=True)
class Settled:
    """What the program binds before it starts, and never changes then; as a value, a list, set or dict.

    Attributes:
        variable: the program's name for it.
        of: what it is, or what the items of a list or set, or the keys of a dict, are.
        kind: the class of a list, set or dict; that of a regular expression that is compiled.
        pattern: the text of such an expression and its flags, if they are known.
        clean: whether UTF-8 holds its texts; making a literal of others raises.
        made: the qualified name of what gave an object of a library, if that is known.
        is_ascii: whether it is known to be a text of ASCII, or some of them.
        is_view: whether a list may be a view of a dict, ``counts.keys()``.
    """

    variable: str
    of: Shape
    kind: type | None = None
    clean: bool = True
    made: str = ""
    is_ascii: bool = False
    is_view: bool = False
    pattern: tuple[str, int] | None = None


@dataclass(frozen=True)
class Loop:
    """The body of a comprehension for one item of an array column.

    Attributes:
        item: the item, as the rest of the loop reads it.
        condition: the condition of its ``if``.
        element: the result for the item.
    """

    item: Scalar
    condition: Scalar
    element: Element


@dataclass(frozen=True)
class Generated:
    """A comprehension over an array column: a transformed array, or the steps after an explode.

    Attributes:
        source: the array.
        variable: the loop's variable, or None where it is a tuple.
        loop: returns the loop over an item, given the code for it, and the column that it is, if it is one.
        partial: whether a step of the loop can raise.
        tokens: as a Scalar's.
    """

    source: Scalar
    variable: str | None
    loop: Callable[[str, str | None], Loop]
    partial: bool = False
    tokens: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Generator:
    """A generator: it gives these items once; as a condition it is true."""

    items_of: Generated | Display


@dataclass(frozen=True)
class Mixed:
    """A value of one of several types, ``s and n > 2``: nothing but its truth is known.

    Attributes:
        truth: whether it is true.
        tuple: the tuple that it is where it is true, if it is None elsewhere.
        or_none: whether it is None where it is not true.
    """

    truth: Scalar
    tuple: Record | None = None
    or_none: bool = False


Value = Scalar | Record | Display | Settled | Generated | Generator | Mixed
"""The values of expressions inside a function; only an `Element` may leave it."""


def gone_through(value: Value) -> Value:
    """Return the list of items for a generator; any other value as it is."""
    return value.items_of if isinstance(value, Generator) else value


@dataclass(frozen=True)
class Helper:
    """A function that emitted code calls; it needs nothing but ``F``.

    Attributes:
        name: as the emitted code calls it.
        source: its definition, without a final newline.
        is_parse: whether it names the place of a record.
        is_function: whether it is a function, no assignment.
        of: its source by the names that it and those that it calls have where these are free: what it does.
        calls: the names of those of ours that it calls.
        comment: what is said behind it, or above it where there is no room; for an assignment.
    """

    name: str
    source: str
    is_parse: bool = False
    is_function: bool = True
    of: str = ""
    calls: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True)
class Demands:
    """What code needs beside itself, and what is to be said of it; see the package's documentation."""

    notes: tuple[str, ...] = ()
    helpers: tuple[Helper, ...] = ()
    raises: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    gives_without_ansi: tuple[str, ...] = ()
    ansi: bool = False
    parsed: tuple[Parse, ...] = ()
    in_python: bool = False
    """Whether it calls a function of Python for each row."""
    asks_lists: bool = False
    """Whether it asks about lists that the program fills before it starts."""


@dataclass(frozen=True)
class Compiled:
    """A function applied to elements, as Columns."""

    element: Element
    demands: Demands = Demands()
    partial: bool = False


@dataclass(frozen=True)
class Exploded:
    """A flatMap: explode `array` as `name`, keep the rows where `condition` holds, select `element`."""

    array: Scalar
    name: str
    element: Element
    condition: Scalar | None = None
    kept: tuple[str, ...] = ()
    demands: Demands = Demands()
    partial: bool = False


def unsettled(_: ast.Name | ast.Attribute) -> None:
    """Nothing is known of a name, or of an attribute."""


def undefined(_: ast.expr) -> None:
    """An expression is no function that was read."""


@dataclass(frozen=True)
class Defined:
    """A function of the project that is not at the top of the module: of another module, or of a class.

    Attributes:
        node: the function.
        scope: what the names mean that it reads.
        bound: whether it is a method, whose object is its first argument.
    """

    node: ast.FunctionDef
    scope: Scope
    bound: bool


def unmade(_: ast.expr) -> None:
    """An expression is no class that was read."""


@dataclass(frozen=True)
class Objects:
    """A class of the project whose objects do nothing but hold values.

    Attributes:
        names: their attributes.
        parameters: a function with the parameters of the constructor.
        sets: the constructor, which sets the attributes; None where they are its arguments.
        are_tuples: whether its objects are tuples, too.
    """

    names: tuple[str, ...]
    parameters: ast.FunctionDef
    sets: ast.FunctionDef | None
    are_tuples: bool


@dataclass(frozen=True)
class Scope:
    """The proven values of the names that a function reads but does not bind.

    Attributes:
        constants: captured names whose value is fixed before the program starts: None, bool, int, float, str,
            and tuples, lists, sets and dicts of these that nothing changes.
        functions: pure functions of the same project, to be inlined.
        imports: local names of imported modules and their members, with their qualified name:
            ``{"operator": "operator", "plus": "operator.add"}``.
        shadowed: names of builtins that the program binds to something else.
        reserved: names that helpers and lambda parameters in emitted code must not take.
        namedtuples: the fields of classes that `namedtuple` makes, by the names of the classes.
        with_defaults: those of them that have a field which may be left out.
        json: the schema that the user gives for JSON, as DDL, and what an object of it is.
        has_variant: whether JSON of unknown types can be a column.
        bare_variants: whether nothing was learnt of it, and its uses alone say the types.
        parse_json_fails: whether Spark fails by itself on JSON with lone surrogates.
        parsed: columns that hold JSON which a function parses, by the code that does it.
        learnt: what was learnt of the function's result.
        learnt_calls: what was learnt of JSON, by the expressions that are called (``json.loads``).
        texts: the texts that the program has as literals, among them the keys that it reads.
        origin: where the elements come from.
        has_json: whether the user gives schemas for JSON, or types were learnt, so that a value may be
            checked and not proven.
        guards: what code does where Python fails, or gives what no column holds.
        per_batch: expressions with the same value for all elements of a batch, as columns.
        readable: the constants and modules that new code can read by their names.
        settled: what a name or an attribute stands for that the program binds before it starts, to a value
            of a known type.
        given: the same for a parameter of the callback that columns stand in.
        settled_type: the type of such a value, as `migrate.typed` has it, for functions that stay Python.
        defined: the function that an expression names, of another module or of a class, for these.
        objects: the class that an expression names, if its objects do nothing but hold values, for these.
        by_ascii: calls of ``lower`` and ``upper`` whose texts are left out later where they are not ASCII.
        has_bytes: whether bytes may be a column, as a DataFrame is made of it that holds them too.
        new: how much of the arguments of a function nothing else holds, see `migrate.typed.unshared`.
        as_lists: the names of ``tuple`` in calls whose results are read by their places alone, as lists are.
        applied: what was found of the results of functions, by these and the types of their arguments.
    """

    constants: Mapping[str, object] = field(default_factory=dict)
    functions: Mapping[str, ast.Lambda | ast.FunctionDef] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    shadowed: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    namedtuples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    with_defaults: frozenset[str] = frozenset()
    json: tuple[str, Struct] | None = None
    has_variant: bool = False
    bare_variants: bool = False
    parse_json_fails: bool = True
    parsed: Mapping[str, str] = field(default_factory=dict)
    learnt: Learnt | None = None
    learnt_calls: Mapping[ast.expr, Learnt] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    origin: Origin = Origin.UNKNOWN
    has_json: bool = False
    guards: Guards = Guards.STRICT
    by_ascii: frozenset[ast.AST] = frozenset()
    has_bytes: bool = False
    as_lists: frozenset[ast.AST] = frozenset()
    per_batch: Mapping[ast.expr, Scalar] = field(default_factory=dict)
    readable: frozenset[str] = frozenset()
    settled: Callable[[ast.Name | ast.Attribute], Settled | None] = unsettled
    given: Callable[[ast.Name | ast.Attribute], Settled | None] = unsettled
    settled_type: Callable[[ast.Name | ast.Attribute], frozenset[Any] | None] = unsettled
    defined: Callable[[ast.expr], Defined | None] = undefined
    objects: Callable[[ast.expr], Objects | None] = unmade
    new: tuple[int, ...] = ()
    applied: dict[Hashable, object] = field(default_factory=dict, compare=False, repr=False)


def leaves(element: Element) -> tuple[Scalar, ...]:
    """Return the columns of an element, from left to right."""
    if isinstance(element, Scalar):
        return () if element.unread else (element,)
    return tuple(leaf for item in element.items for leaf in leaves(item))


UNREAD = Scalar("", Unknown("it is not read from the source"), unread=True)
"""A part of an element that no column holds, as nothing reads it."""


def has_unread(element: Element) -> bool:
    """Whether no column holds a part of an element."""
    if isinstance(element, Scalar):
        return element.unread
    return any(map(has_unread, element.items))


def shape_of(value: Value) -> Shape:
    """Return the shape of a value; a list display of different shapes is a list of its first item's."""
    match value:
        case Scalar():
            return value.shape
        case Record(items):
            return Tuple(tuple(shape_of(item) for item in items))
        case Display(kind, items) if kind is dict:
            return Unknown("it is a dict")
        case Display(items=items):
            return List(shape_of(items[0]) if items else Nothing(), len(items))
        case Settled():
            return Unknown("its items are known when the program starts")
        case Mixed():
            return Unknown("it is of one of several types")
        case Generator():
            return Unknown("it is a generator")
        case Generated():
            return List(shape_of(value.loop("item", None).element))
