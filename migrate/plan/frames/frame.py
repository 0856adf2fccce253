"""A stream inside the batch function as a DataFrame whose columns are known."""

from __future__ import annotations

import ast
from itertools import chain

from migrate.columns import (
    Element,
    Record,
    Scalar,
    after_select,
    has_unread,
    leaves,
    name_columns,
    projection,
)
from migrate.columns.code import quote
from migrate.columns.names import renamed
from migrate.columns.reduces import COUNT
from migrate.frozen import dataclass, replace
from migrate.plan.frames.averages import averaged
from migrate.plan.frames.in_batch import InBatch
from migrate.plan.frames.narrowed import narrowed
from migrate.plan.frames.numbered_columns import arguments
from migrate.plan.frames.tokens import carry_tokens
from migrate.plan.new_code.code import Call, Value, links
from migrate.plan.new_code.row_loop import RowLoop
from migrate.syntax.copies import changed
from migrate.typed import Type

COMPOSED = frozenset({"map", "flatMap", "filter", "mapValues", "flatMapValues"})
"""Operators whose functions the next typed function may call."""
LOOKING = COMPOSED | {
    *("count", "countByValue", "countByValueAndWindow", "foreachRDD", "pprint", "reduceByKey"),
    *("reduceByKeyAndWindow", "saveAsTextFiles", "updateStateByKey", "window"),
}
"""Those, and operators that look at the rows of such elements only, group by them, or call the functions."""
OF_JSON = frozenset({"map", "mapValues", "flatMap", "flatMapValues", "filter", "count", "union"})
"""Operators that do not compare, sort or group elements, which JSON columns do not bear."""


@dataclass(frozen=True)
class EventWindow:
    """A window over event time, which the next aggregate is grouped by."""

    column: str
    duration: str
    """Code of a text, as Spark spells it: ``"30 seconds"``."""
    slide: str
    delay: str | None
    """How late rows may be, for the watermark."""

    @property
    def code(self) -> str:
        """The column of windows."""
        slide = f", {self.slide}" if self.slide != self.duration else ""
        return f'F.window("{self.column}", {self.duration}{slide})'


WINDOW = "window"
"""Spark's name for the column of windows."""


@dataclass(frozen=True)
class Within:
    """A function of elements whose results no column holds, which the next typed function calls."""

    operator: str
    """One of `COMPOSED`."""
    call: ast.Call
    function: ast.expr
    given: Type
    """The type of what the next function is given."""
    decodes: bool = False
    """Whether it stands for reading JSON: the only column, or the key of a pair, has that of a value."""
    prints: bool = False
    """Whether it prints, which the driver is not to do for it."""
    is_decoder: bool = False
    """Whether it decodes the value of a message, and leaves the key beside it as it is."""


@dataclass(frozen=True)
class Frame(InBatch):
    """A DataFrame, and the element of the stream that a row holds."""

    base: str
    """The variable, or the expression, that the chain starts from."""
    calls: tuple[Call, ...]
    """Method calls on it."""
    element: Element
    """One element of the stream, over the frame's columns.

    Its tokens mark what must not be dropped unevaluated.
    """
    sure: bool | None
    """Whether DStream has a partition here even in a batch without input, as after a shuffle.

    None where that depends on more than the program says, like ``spark.default.parallelism``.
    """
    pending: bool = False
    """Whether `element` still needs a ``select`` to become the columns of the frame."""
    hint: str | None = None
    """The program's name for the stream or an element of it; a lone column gets it."""
    kept: tuple[str, ...] = ()
    """Columns beside the element's: the event time before a window over it, and the window after it."""
    window: EventWindow | None = None
    """The window that the next aggregate is over."""
    python: frozenset[ast.Call] = frozenset()
    """The operators since the last aggregate that are typed Python functions."""
    conditions: frozenset[ast.Call] = frozenset()
    """Operators with typed Python functions that decide which rows are left."""
    late: bool = False
    """Whether columns of the rows that such conditions left are made by what may raise."""
    origin: tuple[ast.Call, ...] = ()
    """The calls of the program since the last method call that stands for one."""
    explodes: bool = False
    """Whether rows were made of arrays since the source, as ``explode`` does."""
    shuffles: bool = False
    """Whether one of `calls` reads all of the batch: it groups, sorts, or deals out."""
    whole: bool = False
    """Whether such a call made it of the batch, since when variables may have held it."""
    filtered: bool = False
    """Whether one of `calls` may have another number of rows than what it is called on, or none."""
    as_read: bool = True
    """Whether all of `calls` only leave rows out."""
    order: tuple[str, ...] = ()
    """The columns that the rows are sorted by, as ``orderBy`` takes them."""
    is_sorted_last: bool = False
    """Whether the sort is the last of `calls`: in other plans ``limit`` may take others than the first."""
    beside: tuple[str, ...] = ()
    """Columns beside the element's that say where a record is, as long as the rows are as they were read."""
    columns: tuple[tuple[str, str | None], ...] = ()
    """The code and name of all columns that it has while `pending`; none if they are not known."""
    apart: bool = False
    """Whether no other DataFrame can have the same plan."""
    shown: RowLoop | None = None
    """What the driver makes of each row, and ``pprint`` prints, if that is no column."""
    only: Value | None = None
    """Its only element, where nothing but prints of it are made: ``batch.count()``."""
    only_some: bool = False
    """Whether that is a number, and there is none where it is 0."""
    within: tuple[Within, ...] = ()
    """Functions that make the elements of the stream of `element`, if no columns hold them."""
    framed: tuple[ast.Call, ...] = ()
    """The operators whose elements are columns as `createDataFrame` makes them, and for nothing else."""
    groups: tuple[Element, Element] | None = None
    """The keys and the aggregates of the last two of `calls`, where these are a ``groupBy().agg()``."""
    is_made: bool = False
    """Whether its base is an expression that makes it anew, and no variable that holds it."""
    spread: str = ""
    """The struct whose fields the last of `calls` takes, and nothing else: ``select("parsed.*")``."""

    def call(self, *calls: Call, **changes: object) -> Frame:
        """The frame after more method calls; the first of them stands for the program's calls in `origin`."""
        made = (*self.calls, *links(calls, self.origin))
        if not calls:
            return changed(self, **changes)
        whole = self.whole or bool(changes.get("shuffles"))
        others = {"as_read": False, "beside": (), "columns": (), "apart": False, "whole": whole, "only": None}
        others |= {"groups": None, "order": (), "is_sorted_last": False, "spread": ""}
        return changed(self, calls=made, origin=(), **{**others, **changes})

    def where(self, condition: str, **changes: object) -> Frame:
        """The frame's rows for which a condition holds."""
        same = {"as_read": self.as_read, "beside": self.beside, "columns": self.columns}
        same |= {"order": self.order}
        return self.call(Call("where", condition), **{**same, **changes})

    def ordered_by(self, *columns: str) -> Frame:
        """The frame's rows in an order."""
        call = Call("orderBy", ", ".join(columns))
        return self.call(call, shuffles=True, columns=self.columns, order=columns, is_sorted_last=True)

    def checkpointed(self, comment: str = "", **changes: object) -> Frame:
        """The same rows, computed once, with a plan that begins anew."""
        return self.call(Call("localCheckpoint", "", comment=comment), apart=True, **changes)

    def holding(self, element: Element) -> Frame:
        """The frame with another element of the stream in its rows; nothing is to do for the same columns."""
        if isinstance(self.element, Scalar) and isinstance(element, Scalar) and _is_reference(self.element):
            element = self.element if element.code == self.element.code else element  # not for a name alone
        own = self.columns if self.pending else _columns(self.element)
        same = own == _columns(element) and all(_is_reference(leaf) for leaf in leaves(element))
        late = self.late or (bool(self.conditions) and any(leaf.partial for leaf in leaves(element)))
        pending = bool(self.kept) or not same
        columns = own if pending and not (self.kept or self.beside) else ()
        return changed(self, element=element, pending=pending, late=late, columns=columns)

    def in_any_order(self) -> Frame:
        """The frame with its element as columns, for a call that reads them by their names."""
        named = name_columns(self.element, self.hint, self.kept)
        if (
            self.pending
            and self.columns
            and sorted(map(str, self.columns)) == sorted(map(str, _columns(named)))
        ):
            return changed(self, element=named)
        return self.materialised()

    def materialised(self, hint: str | None = None) -> Frame:
        """The same frame with its element as columns."""
        named = name_columns(self.element, hint or self.hint, self.kept)
        if not self.pending and all(_is_reference(leaf) for leaf in leaves(named)):
            return changed(self, element=named)
        selected = carry_tokens(named, after_select(named))
        if (groups := self._renamed_groups(named)) is not None:
            return changed(self._of_groups(*groups), element=selected, pending=False, origin=())
        explodes = self.explodes or any(leaf.parse is not None for leaf in leaves(named))
        select, before = self.select(named, arguments(named, self.kept)), self
        if self.calls and (both := narrowed(self.calls[-1], select)) is not None:
            before = changed(self, calls=self.calls[:-1], origin=(*self.calls[-1].origin, *self.origin))
            select = both
        return before.call(select, element=selected, pending=False, explodes=explodes)

    def with_what_differs(self, *, keys: bool = False) -> Frame:
        """The frame with its element as columns, but for numbers that are the same in each row.

        Args:
            keys: whether the keys of pairs are columns in any case.
        """
        named = name_columns(self.element, self.hint, self.kept)
        key = named.items[0] if keys and isinstance(named, Record) else None
        always = leaves(key) if key is not None else []
        columns = [leaf for leaf in leaves(named) if not leaf.is_constant or leaf in always]
        if self.kept or not self.pending or not columns or len(columns) == len(leaves(named)):
            return self.in_any_order()
        select = Call("select", arguments(Record(tuple(columns))))
        own = tuple(chain.from_iterable(_columns(after_select(leaf)) for leaf in columns))
        explodes = self.explodes or any(leaf.parse is not None for leaf in columns)
        left = _but_constants(named)
        if key is not None and isinstance(left, Record):
            left = changed(left, items=(after_select(key), *left.items[1:]))
        element = carry_tokens(named, left)
        if self.columns == own and all(map(_is_reference, columns)):
            return changed(self, element=element)  # it has no others
        return self.call(select, element=element, columns=own, explodes=explodes)

    def select(self, element: Element, columns: str) -> Call:
        """The call that gives an element by the code of its columns; ``toDF`` where they have other names."""
        ones = any(leaf.constant == 1 for leaf in leaves(element))
        return self._with_other_names(element) or Call("select", columns, has_ones=ones)

    def _with_other_names(self, element: Element) -> Call | None:
        """``toDF("word", "n")``, if an element is all columns of the frame in order, by other names."""
        new = leaves(element)
        own = [name for _, name in (self.columns if self.pending else _columns(self.element))]
        if self.kept or self.beside or [leaf.column for leaf in new] != own or has_unread(element):
            return None
        return Call("toDF", ", ".join(quote(leaf.name or "value") for leaf in new))

    def _renamed_groups(self, element: Element) -> tuple[Element, Element] | None:
        """The keys and aggregates that give an element by themselves, by other names or as an average."""
        if self.groups is None or self.kept or has_unread(element):
            return None
        keys, values = self.groups
        if (average := averaged(keys, values, element)) is not None:
            return average
        own, new = [*leaves(keys), *leaves(values)], leaves(element)
        if [one.name for one in own] != [one.column for one in new]:
            return None
        names = iter([one.name for one in new])
        return renamed(keys, names), renamed(values, names)

    def _of_groups(self, keys: Element, values: Element) -> Frame:
        """The frame with other names in the ``groupBy().agg()`` that made it."""
        group, aggregate = self.calls[-2:]
        calls = (
            replace(group, arguments=", ".join(projection(keys))),
            replace(_aggregate(values), origin=(*aggregate.origin, *self.origin)),
        )
        return changed(self, calls=(*self.calls[:-2], *calls), groups=(keys, values))

    def grouped_by(self, *columns: str) -> Frame:
        """The frame grouped by columns, and by its window if it has one."""
        if self.window is None:
            calls = [Call("groupBy", ", ".join(columns))] if columns else []
            return self.call(*calls, kept=(), python=frozenset(), shuffles=True)
        delay = self.window.delay
        late = [] if delay is None else [Call("withWatermark", f'"{self.window.column}", "{delay}"')]
        groups = Call("groupBy", ", ".join([self.window.code, *columns]))
        return self.call(*late, groups, window=None, kept=(WINDOW,), shuffles=True)

    def aggregated(self, values: Element, **changes: object) -> Frame:
        """The grouped frame with one row for each group."""
        return self.call(_aggregate(values), **changes)

    def by_groups(self, keys: Element, values: Element) -> Frame:
        """The frame with a row for each group: its keys, then its aggregates."""
        is_alone = self.window is None
        made = self.grouped_by(*projection(keys)).aggregated(values, sure=True)
        return changed(made, groups=(keys, values)) if is_alone else made

    @property
    def taken(self) -> tuple[str, ...]:
        """Names that the columns of an aggregate must leave free."""
        return () if self.window is None else (WINDOW,)

    def elements_only(self) -> Frame:
        """The frame without columns beside the element's."""
        return changed(self, kept=(), beside=(), pending=True) if self.kept or self.beside else self

    def without_times(self) -> Frame:
        """The frame without event times and windows beside the element; places stay."""
        return changed(self, kept=(), pending=True) if self.kept else self

    def named(self, variable: str) -> Frame:
        """The same frame, held by a variable, as its only element is."""
        if self.only:
            return changed(self, only=Value(variable, is_variable=True), origin=())
        gone = {"shuffles": False, "filtered": False, "apart": False, "is_sorted_last": False, "groups": None}
        return changed(self, base=variable, calls=(), origin=(), spread="", is_made=False, **gone)


def is_part(frame: Frame) -> bool:
    """Whether the next function calls the one that makes the elements, so that nothing holds them."""
    return bool(frame.within) and not frame.within[-1].decodes


def makes_each(frame: Frame) -> bool:
    """Whether the functions within a frame make one element of each row, and do not print."""
    return all(part.operator == "map" and not part.prints and not part.decodes for part in frame.within)


def is_plain(frame: Frame) -> bool:
    """Whether a `select` would only put columns and constants side by side: ``word -> (word, 1)``.

    Its conditions may as well stand above that, so that a ``groupBy`` below still counts.
    """
    parts = leaves(frame.element)
    plain = all(_is_reference(leaf) or leaf.is_constant for leaf in parts)
    return frame.pending and plain and any(map(_is_reference, parts))


def _but_constants(element: Element) -> Element:
    """The element as the columns that a ``select`` of all but its constants gives."""
    if isinstance(element, Scalar):
        return element if element.is_constant else after_select(element)
    return changed(element, items=tuple(map(_but_constants, element.items)))


def _aggregate(values: Element) -> Call:
    """The method call that aggregates groups; Spark calls a number of rows ``count`` by itself."""
    named = [(leaf.aggregate, leaf.name) for leaf in leaves(values)]
    is_number = named == [(COUNT, "count")]
    return Call("count", "") if is_number else Call("agg", ", ".join(projection(values)))


def _columns(element: Element) -> tuple[tuple[str, str | None], ...]:
    """The code and name of each column of an element."""
    return tuple((leaf.code, leaf.name) for leaf in leaves(element))


def _is_reference(leaf: Scalar) -> bool:
    return leaf.column is not None and leaf.column == leaf.name


# --- what may raise must not be dropped ---------------------------------------------------------------------
