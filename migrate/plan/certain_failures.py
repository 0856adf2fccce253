"""Functions that fail for every element, by its type: ``lambda new, last: new + (last or 0)`` of a state.

So do those that reduce two values to one wherever there are two: ``reduceByKey(lambda x: int(x))``.

On DStreams the jobs of such outputs failed each time, and those of others ran, if no `awaitTermination`
raised the error. A query ends at the first batch that fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns import Refusal
from migrate.graph.operations import Operation, upstream
from migrate.knowledge.streaming import OF_ELEMENTS, OF_VALUES, REDUCING
from migrate.model import Tier
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.frame import Frame
from migrate.plan.query.failed_batches import goes_on
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.values.column_names import column_scope
from migrate.typed.applied import applied
from migrate.typed.results import type_of
from migrate.typed.types import (
    FOREIGN,
    NEVER,
    Items,
    ListOf,
    Nothing,
    Real,
    Truth,
    Type,
    Whole,
    kinds_of,
    one,
)

FAILS = "{where}: `{operator}` fails {when}, by the {reason} `{function}`: {then}; mend it, or leave it out"
ALWAYS = "for every element"
KEY_TWICE = "wherever a key comes twice"
TWO = "wherever there are two elements"
ENDS = "the first batch that has some ends the query"
SKIPS = "each batch that has some ends there"
AS_BEFORE = ", as its error ended the old program"
BESIDE = ", where DStream went on with what does not need it ({others})"
_FLAT = frozenset({"flatMap", "flatMapValues"})
_NO_ITEMS = Whole | Real | Truth | Nothing
_STATE = "updateStateByKey"
_PARTITIONS = 2
"""The arguments of `updateStateByKey` up to `numPartitions`; the next one gives keys their first states."""
_NOT_COLUMNS = frozenset({Tier.PYTHON, Tier.RDD})


def certain_failures(draft: Draft) -> Iterator[str]:
    """What must change where a function fails for every element.

    Args:
        draft: the plan of all lines; what became columns has been compiled, and does not fail so.
    """
    program = draft.basis.program
    for operation in program.operations:
        wanted = operation in draft.basis.live and draft.tiers.get(operation.use) in _NOT_COLUMNS
        if not (wanted and operation.call.args and _fails(operation, draft)):
            continue
        others = _lost_beside(operation, draft)
        lines = ", ".join(f"`{one.operator}` in {_where(one, draft)}" for one in others)
        then = AS_BEFORE if program.is_waited_for else BESIDE.format(others=lines) if others else ""
        yield FAILS.format(
            where=_where(operation, draft),
            operator=operation.operator,
            when=_when(operation),
            reason="types in" if _takes(operation, draft) else "arguments of",
            function=draft.basis.shown(operation.call.args[0]),
            then=(SKIPS if goes_on(draft) else ENDS) + then,
        )


def _when(operation: Operation) -> str:
    """What an operator's function is called for."""
    if operation.operator not in REDUCING:
        return ALWAYS
    return KEY_TWICE if "Key" in operation.operator else TWO


def _lost_beside(operation: Operation, draft: Draft) -> list[Operation]:
    """The outputs that do not need an operator and run no more; those above it do if the query goes on."""
    outputs = draft.basis.program.outputs
    needs = [operation in upstream(one) for one in outputs]
    first = needs.index(True) if goes_on(draft) and any(needs) else 0
    return [one for one, reads in zip(outputs[first:], needs[first:], strict=True) if not reads]


def _where(operation: Operation, draft: Draft) -> str:
    program = draft.basis.program
    return program.graph.told(program.module_of(operation.call)).where(operation.use.line)


def _fails(operation: Operation, draft: Draft) -> bool:
    """Whether the function of an operator raises for all elements of its stream."""
    given = _given(operation, draft)
    if not given or NEVER in given:  # what makes the elements has failed before
        return False
    if not _takes(operation, draft):
        return True
    found = _result(operation, given, draft)
    flat = operation.operator in _FLAT and all(isinstance(kind, _NO_ITEMS) for kind in found)
    return _is_never(found) or flat


def _is_never(found: Type) -> bool:
    """Whether a function returns nothing, or a tuple or list of which an item is never made."""
    return all(
        (isinstance(kind, Items) and any(map(_is_never, kind.types)))
        or (isinstance(kind, ListOf) and any(map(_is_never, kind.known)))
        for kind in kinds_of(found)
    )


def _takes(operation: Operation, draft: Draft) -> bool:
    """Whether an operator's function may be called with as many arguments as the operator gives it."""
    function = operation.call.args[0]
    count = len(_given(operation, draft))
    called = called_function(function, draft.basis.facts.of(operation.call))
    node = function if isinstance(function, ast.Lambda) else called.node if called is not None else None
    if node is None or (called is not None and node.decorator_list):  # type: ignore[union-attr]
        return True
    own = node.args
    if own.vararg is not None or any(default is None for default in own.kw_defaults):
        return True
    names = len(own.posonlyargs) + len(own.args) - (called is not None and called.bound)
    return names - len(own.defaults) <= count <= names


def _given(operation: Operation, draft: Draft) -> list[Type]:
    """The types of the arguments of an operator's function; of a state's for the first values of a key."""
    if operation.operator not in OF_ELEMENTS | OF_VALUES | REDUCING | {_STATE}:
        return []
    element = _element(operation.parents[0], draft)
    if operation.operator in OF_ELEMENTS:
        return [element]
    value = element if _when(operation) == TWO else _pair(element)[1]
    if operation.operator in OF_VALUES:
        return [value]
    if operation.operator in REDUCING:
        return [value, value]
    begins = len(operation.call.args) > _PARTITIONS or any(
        word.arg != "numPartitions" for word in operation.call.keywords
    )
    return [] if begins else [one(ListOf(value)), one(Nothing())]


def _element(operation: Operation, draft: Draft) -> Type:
    """The type of a stream's elements, as far as it is known."""
    stage = draft.stages.get(operation)
    try:
        if isinstance(stage, Frame) and not (stage.within or stage.shown is not None):
            return type_of(stage.element)
    except Refusal:
        return FOREIGN
    if operation.operator == "filter":
        return _element(operation.parents[0], draft)
    if operation.operator == "map":
        return _result(operation, _given(operation, draft), draft)
    if operation.operator == "mapValues":
        key, _ = _pair(_element(operation.parents[0], draft))
        return one(Items((key, _result(operation, _given(operation, draft), draft))))
    return FOREIGN


def _result(operation: Operation, given: list[Type], draft: Draft) -> Type:
    """The type of what an operator's function returns; of any type where it is not known."""
    facts = draft.basis.facts.of(operation.call)
    scope = column_scope(operation.use.node.lineno, facts)
    try:
        return applied(operation.call.args[0], given, scope).type
    except Refusal:
        return FOREIGN


def _pair(element: Type) -> tuple[Type, Type]:
    """The types of a key and its value."""
    match [*kinds_of(element)]:
        case [Items((key, value))]:
            return key, value
    return FOREIGN, FOREIGN
