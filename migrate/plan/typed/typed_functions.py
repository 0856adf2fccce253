"""Python functions of known types as Spark's typed functions: ``F.udf(parse_line, "string")``.

The code stays as it is, so its results do; only their types must be known. Spark converts a result of another
type without a word, or makes it null, and so it does with an int beyond 64 bits, unless it runs over Arrow.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from migrate.columns import (
    Element,
    Record,
    Refusal,
    Scalar,
    Scope,
    after_select,
    compile_map,
    leaves,
    named_items,
)
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.elements.summed_next import are_summed
from migrate.plan.frames.conditions import behind_conditions
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import renumbered, tokens_of
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.spark_types import inner_name, type_name, type_of
from migrate.plan.typed.joined_filters import may_move, with_next
from migrate.plan.typed.result_checks import wraps_of
from migrate.plan.typed.typed_calls import (
    TypedCall,
    call_of,
    declared,
    item_function,
    may_print,
    names_of,
    placed,
    quoted_name,
)
from migrate.plan.typed.typed_names import function_name, own_name, with_names
from migrate.proofs.elements.names_read import names_read
from migrate.proofs.values.record_classes import OF_TUPLES
from migrate.typed import Result, result_of_filter, result_of_flat_map, result_of_map


def typed_map(
    step: Step,
    frame: Frame,
    function: ast.expr,
    beside: Element | None = None,
    named_so: Sequence[str] = (),
) -> Frame:
    """The frame after a function of its elements.

    Args:
        step: the operator.
        frame: a frame whose element is its columns.
        function: the function.
        beside: the key that stays, if the function is given the value of a pair.
        named_so: the names of the items of a tuple that a lambda makes, if they have some.

    Raises:
        Refusal: its result is of no known type.
    """
    frame = replace(frame, late=frame.late or bool(frame.conditions))
    element = frame.element if beside is None else _value(frame)
    scope = step.scope_of(None if beside is None else 1)
    python = frame.python | {step.operation.call}
    body = tuple_of(function) if not step.in_python else None
    if isinstance(function, ast.Lambda) and body is not None:
        written = _WrittenTuple(step, frame, function, element)
        parts = written.items(body, scope, named_so)
        parts = named_items(parts, named_so) if len(named_so) == len(parts.items) else parts
        made = parts if beside is None else Record((beside, parts))
        return _read_once(
            step, replace(frame, element=made, pending=True, python=python), written.reads_clock
        )
    found = result_of_map(function, [element], scope, may_print=may_print(step))

    def call(type_: str) -> TypedCall:
        return call_of(step, function, frame, element, type_, found)

    return made_once(step, replace(frame, python=python), function, found, call, beside)


def made_once(
    step: Step,
    frame: Frame,
    function: ast.expr,
    found: Result,
    call: Callable[[str], TypedCall],
    beside: Element | None = None,
    *,
    flat: bool = False,
) -> Frame:
    """The frame with what a typed function makes of each element; see `typed_map`.

    Args:
        step: the operator.
        frame: the frame of its arguments.
        function: the function that names the result.
        found: what is known of that.
        call: gives the call of the function, by the type of its result.
        beside: the key that stays, if there is one.
        flat: whether the function returns the parts of inner tuples beside the others.
    """
    element = frame.element if beside is None else _value(frame)
    framed = _framed(step, function, found.element, beside)
    if isinstance(found.element, Scalar):
        called, name = call(type_name(found.element.shape)), own_name(step, function, element)
        column = _column(called, found, name, element)
        made: Element = column if beside is None else Record((beside, column))
        return _read_once(step, replace(frame, element=made, pending=True), found.reads_clock)
    named = with_names(step, function, framed, () if beside is None else names_of(beside))
    kept = [*frame.kept, *(() if beside is None else names_of(beside))]
    made = after_select(named)
    fields = Record(tuple(leaves(named))) if flat else named
    rows = spread(frame, call(type_of(fields)).code, kept, fields, "result")
    rows = replace(rows, spread="") if flat else rows
    return replace(
        rows, element=made if beside is None else Record((after_select(beside), made)), pending=False
    )


def _column(call: TypedCall, found: Result, name: str | None, element: Element) -> Scalar:
    """The value of a typed function of an element, in one column."""
    assert isinstance(found.element, Scalar)
    return Scalar(
        call.code,
        found.element.shape,
        name,
        tokens=tokens_of(element),
        skips=True,
        names=frozenset({call.name}),
    )


def _framed(step: Step, function: ast.expr, made: Element, beside: Element | None) -> Element:
    """The columns of what a function makes, if that may be Rows or namedtuples with some.

    Raises:
        Refusal: more is done with Rows than to make a DataFrame, or with namedtuples than to read fields.
    """
    if not isinstance(made, Record):
        return made
    if made.only_framed and (beside is not None or step.choices.named_in_python):
        raise Refusal("its results are Rows, of which columns are only those of a DataFrame", function)
    if any(isinstance(item, Record) and item.fields for item in made.items):
        raise Refusal("a part of its results is a namedtuple", function)
    if not made.fields or made.only_framed:
        return made
    is_followed = beside is None and step.operation.consumers and not step.choices.named_in_python
    read = names_read(step.operation, step.facts) if is_followed else None
    if read is None or not read <= {*made.fields} - OF_TUPLES:
        raise Refusal("its results are namedtuples, of which more is read than their fields", function)
    return _attributes(made, read, function) if made.of_object else replace(made, only_read=True)


def _attributes(made: Record, read: Set[str], function: ast.expr) -> Record:
    """The columns of an object's attributes that are read.

    Raises:
        Refusal: no column holds one of them.
    """
    columns = [(name, one) for name, one in zip(made.fields, made.items, strict=True) if name in read]
    if not columns or any(isinstance(one, Scalar) and one.unread for _, one in columns):
        raise Refusal("an attribute of its results is of no type that a column holds", function)
    names, items = zip(*columns, strict=True)
    return replace(made, items=items, fields=names, only_read=True)


def _read_once(step: Step, frame: Frame, reads_clock: bool) -> Frame:
    """The frame, with columns of its own where the clock is read: two readings of one would differ.

    Spark takes no such function in the arguments of an aggregate either.
    """
    if not reads_clock:
        return frame
    return frame.with_what_differs() if are_summed(step.operation, step.facts) else frame.materialised()


def typed_flat_map(step: Step, frame: Frame, function: ast.expr, beside: Element | None = None) -> Frame:
    """The frame after a function that returns a list of new elements; see `typed_map`."""
    frame = replace(frame, late=frame.late or bool(frame.conditions))
    element = frame.element if beside is None else _value(frame)
    found = result_of_flat_map(function, [element], step.scope_of(None if beside is None else 1))
    frame = replace(frame, python=frame.python | {step.operation.call})

    def call(type_: str) -> TypedCall:
        return call_of(step, function, frame, element, type_, found, wrap="list")

    return made_of_items(step, frame, function, found, call, beside)


def made_of_items(
    step: Step,
    frame: Frame,
    function: ast.expr,
    found: Result,
    call: Callable[[str], TypedCall],
    beside: Element | None = None,
    *,
    flat: bool = False,
) -> Frame:
    """The frame with a row for each item of the lists that a typed function makes; see `made_once`."""
    kept = [*frame.kept, *(() if beside is None else names_of(beside))]
    framed = _framed(step, function, found.element, beside)
    named = with_names(step, function, framed, tuple(kept))
    fields = Record(tuple(leaves(named))) if flat else named
    item_type = type_name(fields.shape) if isinstance(fields, Scalar) else type_of(fields)
    code = f"F.explode({call(f'array<{item_type}>').code})"
    made = after_select(named)
    if isinstance(named, Scalar):
        columns = ", ".join([*map(quoted_name, kept), f'{code}.alias("{named.name}")'])
        after = frame.call(Call("select", columns), filtered=True)
    else:
        after = replace(spread(frame, code, kept, fields, "item"), filtered=True)
        after = replace(after, spread="") if flat else after
    return replace(
        after,
        element=made if beside is None else Record((after_select(beside), made)),
        pending=False,
        explodes=True,
    )


def typed_filter(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame after a condition of its elements; see `typed_map`."""
    found = result_of_filter(function, [frame.element], step.scope)
    frame = behind_conditions(frame, step.choices)
    both = with_next(step, frame, function, found)
    if both is not None:
        reader, made = both
        step.need(joined=frozenset({reader}))
        name = declared(step, function, made, "boolean", found, moves=may_move(reader))
        condition = f"{name}({quoted_name(names_of(frame.element)[0])})"
    else:
        condition = call_of(step, function, frame, frame.element, "boolean", found, wrap="bool").code
    python = frame.python | {step.operation.call}
    return frame.where(condition, filtered=True, python=python, conditions=python)


def deciding(step: Step, frame: Frame, condition: Scalar) -> frozenset[ast.Call]:
    """The operators by whose functions of Python rows are left out, once a condition of columns is asked.

    Raises:
        Refusal: the condition calls one itself, and must not be moved.
    """
    if not condition.in_python:
        return frame.conditions | frame.python
    call = step.operation.call
    if call in step.choices.pinned:
        raise Refusal("Spark would ask a later condition first, which may raise", call)
    return frame.conditions | frame.python | {call}


# --- tuples that are written out ----------------------------------------------------------------------------


@dataclass
class _WrittenTuple:
    """``lambda line: (parse(line), 1)``: each item by itself, as a column where it has such a form."""

    step: Step
    frame: Frame
    function: ast.Lambda
    element: Element
    reads_clock: bool = False
    """Whether one of the items that were made reads the clock."""

    def items(self, body: ast.Tuple, scope: Scope, named_so: Sequence[str] = ()) -> Record:
        """The items of the tuple, or of one inside it.

        Args:
            body: the tuple.
            scope: what its items may read.
            named_so: the names of the items, if they have some.

        Raises:
            Refusal: one of them is of no known type.
        """
        items = []
        for place, item in enumerate(body.elts):
            learnt = scope.learnt.place(place) if scope.learnt is not None else None
            column = named_so[place] if len(named_so) == len(body.elts) else ""
            items.append(self._item(item, replace(scope, learnt=learnt), column))
        return Record(tuple(items))

    def _item(self, item: ast.expr, scope: Scope, column: str) -> Element:
        step, element = self.step, self.element
        alone = ast.copy_location(ast.Lambda(self.function.args, item), item)
        try:
            compiled = compile_map(alone, [element], scope)
        except Refusal:
            pass
        else:
            need_compiled(step, compiled.demands)
            return renumbered(compiled.element, tokens_of(element))
        if isinstance(item, ast.Tuple):
            return self.items(item, scope)
        found = result_of_map(alone, [element], scope, may_print=may_print(step))
        if not isinstance(found.element, Scalar):
            raise Refusal("an item of its tuple is a tuple, which would be a struct", item)
        self.reads_clock |= found.reads_clock
        made = item_function(step, self.function, item, element, wraps_of(step, found))
        checked, arguments = placed(step, self.frame, found, *made)
        wanted = "" if found.reads_clock else function_name(step, item, column)
        name = declared(step, item, checked, type_name(found.element.shape), found, wanted)
        return _column(TypedCall(name, tuple(arguments)), found, own_name(step, alone, element), element)


def tuple_of(function: ast.expr) -> ast.Tuple | None:
    """The tuple that a lambda of one parameter writes out."""
    if not isinstance(function, ast.Lambda) or not isinstance(function.body, ast.Tuple):
        return None
    if len(function.args.args) != 1 or function.args.defaults:
        return None
    items = function.body.elts
    return function.body if items and not any(isinstance(item, ast.Starred) for item in items) else None


def _value(frame: Frame) -> Element:
    assert isinstance(frame.element, Record)
    return frame.element.items[1]


def spread(frame: Frame, call: str, kept: list[str], named: Element, wanted: str) -> Frame:
    """Two selects: a struct, and its fields as columns beside those that stay."""
    name = wanted
    while name in (*kept, *names_of(named)):
        name += "_"
    before = [*map(quoted_name, kept), f'{call}.alias("{name}")']
    after = [*map(quoted_name, kept), *_fields(named, name)]
    alone = not kept and _is_flat(named)
    selects = (Call("select", ", ".join(before)), Call("select", ", ".join(after)))
    return frame.call(*selects, spread=name if alone else "")


def _is_flat(named: Element) -> bool:
    return isinstance(named, Record) and all(isinstance(item, Scalar) for item in named.items)


def _fields(named: Element, path: str) -> list[str]:
    assert isinstance(named, Record)
    if _is_flat(named):
        return [quoted_name(f"{path}.*")]
    found: list[str] = []
    for place, item in enumerate(named.items):
        if isinstance(item, Scalar):
            found.append(quoted_name(f"{path}.{item.name}"))
        else:
            found += _fields(item, f"{path}.{inner_name(named, place)}")
    return found
