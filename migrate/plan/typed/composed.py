"""Functions of elements whose results no column holds, called by the next function that makes columns.

``stream.map(json.loads).flatMap(tags)`` is one typed function of the text: ``tags(json.loads(value))``. Where
a function reads more than once what the one before it made, or a filter stands between two, it has a line for
each.
"""

from __future__ import annotations

import ast
from contextlib import suppress

from migrate.columns import Record, Refusal, Scalar
from migrate.columns.code import constant
from migrate.columns.element import Scope
from migrate.frozen import replace
from migrate.knowledge.streaming import OF_VALUES
from migrate.plan.draft.step import Step
from migrate.plan.frames.conditions import behind_conditions
from migrate.plan.frames.frame import Frame, Within
from migrate.plan.frames.stages import check_not_read, check_not_within
from migrate.plan.new_code.row_loop import RowLoop
from migrate.plan.typed.composed_body import ONE_EACH, Body, method_of
from migrate.plan.typed.json_items import has_items, of_items
from migrate.plan.typed.new_values import scope_of_new
from migrate.plan.typed.typed_calls import PRINTS, may_print
from migrate.plan.typed.typed_functions import made_of_items, made_once, tuple_of
from migrate.plan.typed.typed_names import part_read
from migrate.typed import (
    Type,
    pair_of,
    prints,
    result_of_filter,
    result_of_flat_map,
    result_of_map,
    result_of_type,
    type_left,
    type_of,
    type_of_items,
    type_of_result,
)
from migrate.typed.types import (
    ANY_TEXT,
    TEXT,
    DictOf,
    Foreign,
    Items,
    Iterating,
    Json,
    ListOf,
    Nothing,
    Opaque,
    Own,
    Real,
    SetOf,
    Text,
    Truth,
    Whole,
)

PART = "it becomes a part of the next typed function"


def left_within(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame whose columns stay as they are, with one more function that the next one is to call.

    Raises:
        Refusal: the function is not proven to be pure, or reads the clock.
    """
    check_not_read(frame)
    operator = method_of(step)
    made, items = _type(step, frame, function)
    given = made if items is None else items
    if step.callback is None:
        step.need(reasons={step.operation.use: PART})
    does_print = prints(function, _given(frame), _scope(step, frame, function))
    if does_print:
        step.note(PRINTS)
    part = Within(operator, step.operation.call, function, given, prints=does_print)
    left = replace(frame, within=(*frame.within, part))
    if operator == "flatMap" and len(step.operation.consumers) > 1 and has_items(left):
        with suppress(Refusal):  # the rows are made once, for all that read them
            return step.attempt(lambda tried: of_items(tried, left))
    return _as_columns(step, left) if operator == "filter" else left


def _as_columns(step: Step, frame: Frame) -> Frame:
    """The elements that a filter leaves, as columns where these hold them: tuples that are not None."""
    *before, part = frame.within
    if not before or part.given == before[-1].given:
        return frame
    try:
        found = result_of_type(part.given, part.function)
    except Refusal:
        return frame
    body = Body(step, frame)
    for one in frame.within:
        body.add(one)
    after = _behind(frame)
    return made_of_items(step, after, part.function, found, lambda type_: body.left(type_, found))


def _behind(frame: Frame) -> Frame:
    """The frame of the columns that the functions within it are given, which one typed function calls."""
    python = frame.python | {part.call for part in frame.within}
    return replace(frame, within=(), python=python, late=frame.late or bool(frame.conditions))


def composed(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame after a function of what the functions within it make: of columns, or with one more within.

    Raises:
        Refusal: the function is not proven to be pure, or to return what columns hold.
    """
    if method_of(step) != "map" or _beside_constants(function) is None:
        return _composed(step, frame, function)
    return step.either(
        lambda one: _with_constants(one, frame, function), lambda one: _composed(one, frame, function)
    )


def _composed(step: Step, frame: Frame, function: ast.expr) -> Frame:
    operator = method_of(step)
    try:
        if operator in OF_VALUES:
            made, items = _type(step, frame, function)
            found = result_of_type(made if items is None else items, function)
        else:
            given, scope = [_given(frame)], _scope(step, frame, function)
            if operator == "flatMap":
                found = result_of_flat_map(function, given, scope)
            else:
                found = result_of_map(function, given, scope, may_print=may_print(step))
    except Refusal:
        return left_within(step, frame, function)
    body = Body(step, frame)
    for part in frame.within:
        body.add(part)
    after = _behind(replace(frame, python=frame.python | {step.operation.call}))
    if {operator, *(part.operator for part in frame.within)} <= ONE_EACH:
        return made_once(step, after, function, found, lambda type_: body.call(function, type_, found))
    if operator in ONE_EACH and found.checked:
        found = replace(found, checked=f"[{found.checked}]")
    return made_of_items(step, after, function, found, lambda type_: body.call(function, type_, found))


def _beside_constants(function: ast.expr) -> tuple[ast.Tuple, ast.expr] | None:
    """The tuple of one thing and constants that a lambda returns, ``(m["place"], 1)``, and that one thing."""
    items = tuple_of(function)
    made = [item for item in items.elts if not isinstance(item, ast.Constant)] if items is not None else []
    return (items, made[0]) if items is not None and len(made) == 1 < len(items.elts) else None


def _with_constants(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame after such a lambda, with a typed function of the one thing alone.

    Raises:
        Refusal: its type is not known, or no column holds it or a constant.
    """
    found = _beside_constants(function)
    assert found is not None and isinstance(function, ast.Lambda)
    items, item = found
    hint, step.hint = step.hint, part_read(item) or step.hint
    try:
        after = _composed(step, frame, ast.copy_location(ast.Lambda(function.args, item), item))
    finally:
        step.hint = hint
    if after.within or not isinstance(after.element, Scalar):
        raise Refusal("it is no column", function)
    parts = [constant(one.value) if isinstance(one, ast.Constant) else after.element for one in items.elts]
    known = tuple(part for part in parts if part is not None)
    if len(known) < len(parts):
        raise Refusal("no column holds one of its constants", function)
    made = Record(known)
    return replace(after, element=made) if after.pending else after.holding(made)


def texts_of(step: Step, frame: Frame) -> Frame:
    """The texts of the elements that the functions within make, as ``str`` has them, in a column.

    Raises:
        Refusal: they may be bytes, or of a type that is not known, or `str` may be something else.
    """
    last = frame.within[-1]
    if "str" in step.facts.shadowed or not _have_texts(last.given):
        raise Refusal("the texts of its elements are not known to be those of `str`", last.call)
    inner = step.inner(last.call)
    inner.hint = "text"
    found = result_of_type(TEXT if _is_clean(last.given) else ANY_TEXT, last.function)
    body = Body(inner, frame)
    for part in frame.within:
        body.add(part)
    make = made_once if {part.operator for part in frame.within} <= ONE_EACH else made_of_items
    made = make(inner, _behind(frame), last.function, found, lambda type_: body.text(type_, found))
    assert isinstance(made.element, Scalar)
    return replace(made, element=replace(made.element, name="text")) if made.pending else made


def saved_within(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame whose columns stay as they are, with a function whose results are saved as texts.

    Raises:
        Refusal: they are texts, which a column holds; or as `left_within`.
    """
    left = left_within(step, frame, function)
    if all(isinstance(kind, Text) for kind in left.within[-1].given):
        raise Refusal("its results are texts", function)
    return left


def _have_texts(given: Type) -> bool:
    """Whether ``str`` gives the texts that are saved: bytes are saved as they are."""
    return not any(kind == Opaque("bytes") or isinstance(kind, Foreign | Iterating | Own) for kind in given)


def _is_clean(given: Type, *, inside: bool = False) -> bool:
    """Whether the text of values has no lone surrogates: lists, dicts and tuples show texts escaped."""
    for kind in given:
        match kind:
            case Whole() | Real() | Truth() | Nothing() | Text(clean=True):
                pass
            case Text() | Json() if inside:
                pass
            case ListOf(of) | SetOf(of) if _is_clean(of, inside=True):
                pass
            case DictOf(keys, values) if _is_clean(keys | values, inside=True):
                pass
            case Items(types) if all(_is_clean(one, inside=True) for one in types):
                pass
            case _:
                return False
    return True


def rows_left(step: Step, frame: Frame) -> Frame:
    """The rows that the filters within leave, of columns as they are; what maps make is not looked at.

    Raises:
        RatherError: there are functions within that make several elements of one, or of values alone.
        Refusal: the function of a filter cannot be moved.
    """
    if has_items(frame):
        try:
            frame = of_items(step, frame)
        except Refusal:
            check_not_within(frame)
    if not {part.operator for part in frame.within} <= {"map", "filter"}:
        check_not_within(frame)
    places = [place for place, part in enumerate(frame.within) if part.operator == "filter"]
    left = replace(frame, within=())
    if not places:
        return left
    parts = frame.within[: places[-1] + 1]
    frame = behind_conditions(replace(frame, within=parts), step.choices)
    body = Body(step, frame)
    for part in parts[:-1]:
        body.add(part)
    condition = body.condition(
        parts[-1].function, result_of_filter(parts[-1].function, [parts[-2].given], step.scope)
    )
    python = frame.python | {part.call for part in parts}
    return left.where(condition.code, filtered=True, python=python, conditions=python)


def loop_of(step: Step, frame: Frame, *, holds: bool) -> RowLoop:
    """The loop over rows in which the functions within make something of each.

    Args:
        step: the output.
        frame: the rows.
        holds: whether a variable has what a filter was given.

    Raises:
        Refusal: rows have other columns than the functions read.
    """
    return Body(step, frame).loop(holds=holds)


def _type(step: Step, frame: Frame, function: ast.expr) -> tuple[Type, Type | None]:
    """The type of what an operator makes of each element; that of one of several, if it makes several."""
    operator, given, scope = method_of(step), _given(frame), _scope(step, frame, function)
    if operator not in OF_VALUES:
        # rows are made of all that a flatMap returns, so that Spark calls it for all
        made = type_of_result(function, given, scope, may_print=operator == "flatMap" or may_print(step))
        if operator == "flatMap":
            return made, type_of_items(function, made)
        return (type_left(function, given, step.scope) if operator == "filter" else made), None
    key, value = pair_of(given, function)
    made = type_of_result(function, value, step.scope)
    if operator == "mapValues":
        return frozenset({Items((key, made))}), None
    return made, frozenset({Items((key, type_of_items(function, made)))})


def _scope(step: Step, frame: Frame, function: ast.expr) -> Scope:
    """The scope of the next function, which may change what it is given if only filters had it before."""
    makers = [part for part in frame.within if part.operator != "filter"]
    if any(part.operator != "map" or part.decodes for part in makers):
        return step.scope
    return scope_of_new(step.scope, function, [part.function for part in makers], step.facts)


def _given(frame: Frame) -> Type:
    """The type of the elements that the next function is given."""
    return frame.within[-1].given if frame.within else type_of(frame.element)
