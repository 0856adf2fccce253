"""Joins by key of pairs, as joins of DataFrames."""

from __future__ import annotations

from migrate.columns import Element, Record, Refusal, Scalar, after_select, leaves
from migrate.columns.names import name_of_one
from migrate.columns.shapes import Bool, Date, Int, Maybe, Shape, Str, Timestamp, join
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import pair
from migrate.plan.elements.static_frames import renamed
from migrate.plan.frames.conditions import behind_conditions
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import carry_tokens, tokens_of
from migrate.plan.new_code.code import Call

JOINS = {
    "join": "",
    "leftOuterJoin": "left",
    "rightOuterJoin": "right",
    "fullOuterJoin": "outer",
    "subtractByKey": "left_anti",
}
"""Methods of RDDs of pairs, with Spark's name for the join of DataFrames."""
_NAMELESS = "key"
"""What a key is called that the program has no name for."""
LEFT_OUT = "values of keys that a join leaves out"


def joined(step: Step, left: Frame, right: Frame, method: str) -> Frame:
    """The join of two frames of pairs: a key and a pair of both values.

    Args:
        step: the operator.
        left: the frame whose method is called.
        right: the other one.
        method: a key of `JOINS`.

    Raises:
        Refusal: the elements are not known to be pairs, or Spark does not match their keys as Python does.
    """
    node = step.operation.call
    if left.kept or right.kept or left.window or right.window:
        raise Refusal("windows over event time are not joined", node)
    left, right = (_behind_conditions(step, one).materialised() for one in (left, right))
    left = _named_alike(step, left, right)
    key, value = pair(left.element, step)
    other_key, other = pair(right.element, step)
    kinds = [_kind(leaf, node_of=step) for leaf in leaves(key)]
    if not kinds or kinds != [_kind(leaf, node_of=step) for leaf in leaves(other_key)]:
        raise Refusal("the keys of both sides are not known to be of the same types", node)
    how = JOINS[method]
    if tokens_of(value) | tokens_of(other):
        if step.basis.guards.fail_as_python_does:
            raise Refusal("a value may raise whose key the join leaves out", node)
        step.need(gives=(LEFT_OUT,))
    step.need(shuffles=True)
    keys = [str(leaf.name) for leaf in leaves(key)]
    by = f'"{keys[0]}"' if len(keys) == 1 else f"[{', '.join(map(_quoted, keys))}]"
    taken = {str(leaf.name).lower() for leaf in leaves(left.element)}
    hint = None if right.is_made else name_of_one(right.base)
    names = [*keys, *_free(leaves(other), taken, hint)]
    same = names == [leaf.name for leaf in leaves(right.element)] or renamed(step, right, names)
    text = right.chain.text if same else f"{right.chain.text}.toDF({', '.join(map(_quoted, names))})"
    call = Call("join", f"{text}, {by}{f', {_quoted(how)}' if how else ''}")
    element: Element = left.element
    if how != "left_anti":
        named = iter(names[len(keys) :])
        other = _renamed(other, named)
        sides = _none(value, node_of=step) if how in ("right", "outer") else value
        others = _none(other, node_of=step) if how in ("left", "outer") else other
        key = _of_both(key, other_key) if how in ("right", "outer") else key
        element = Record((key, Record((sides, others))))
    left = left.after(*right.origins)
    made = left.call(call, sure=True, shuffles=True, filtered=True, element=element, pending=False)
    return replace(made, hint=None)


def _behind_conditions(step: Step, frame: Frame) -> Frame:
    """The frame, to whose conditions Spark adds that keys, which functions may make, are not null."""
    may_raise = frame.late or any(leaf.partial for leaf in leaves(frame.element))
    return behind_conditions(frame, step.choices) if may_raise else frame


def _named_alike(step: Step, left: Frame, right: Frame) -> Frame:
    """The left frame, with the name of the other key if its own says less and nothing else reads it."""
    own, other = leaves(left.element), leaves(pair(right.element, step)[0])
    if not own or own[0].name != _NAMELESS or len(other) != 1 or other[0].name in {leaf.name for leaf in own}:
        return left
    names = [str(other[0].name), *(str(leaf.name) for leaf in own[1:])]
    if not renamed(step, left, names):
        return left
    return replace(left, element=_renamed(left.element, iter(names)))


def _kind(leaf: Scalar, node_of: Step) -> type[Shape]:
    """The type of a key; None never comes, so that nothing is to be said of it."""
    if not isinstance(leaf.shape, Str | Int | Bool | Date | Timestamp):
        raise Refusal(
            "the keys are not known to be texts, ints, truth values or dates", node_of.operation.call
        )
    return type(leaf.shape)


def _free(columns: tuple[Scalar, ...], taken: set[str], hint: str | None) -> list[str]:
    """Names for columns that are joined to others; `hint` is for a lone one."""
    found = []
    for column in columns:
        name, number = str(column.name), 2
        if name.lower() in taken and hint is not None and len(columns) == 1:
            name = hint
        while name.lower() in taken:
            name, number = f"{column.name}{number}", number + 1
        taken.add(name.lower())
        found.append(name)
    return found


def _renamed(element: Element, names: object) -> Element:
    if isinstance(element, Scalar):
        return carry_tokens(element, after_select(replace(element, name=next(names))))  # type: ignore[call-overload]
    return replace(element, items=tuple(_renamed(item, names) for item in element.items))


def _of_both(element: Element, other: Element) -> Element:
    """The key of one side where it may be that of the other: with all values that either has."""
    if isinstance(element, Scalar):
        assert isinstance(other, Scalar)
        return replace(element, shape=join(element.shape, other.shape) or element.shape)
    assert isinstance(other, Record)
    return replace(element, items=tuple(map(_of_both, element.items, other.items)))


def _none(element: Element, node_of: Step) -> Element:
    """The value of one side of an outer join: None where it has no such key."""
    if not isinstance(element, Scalar):
        raise Refusal("a tuple is None where its side has no such key", node_of.operation.call)
    shape = element.shape
    return element if isinstance(shape, Maybe) else replace(element, shape=Maybe(shape))


def _quoted(name: str) -> str:
    return f'"{name}"'
