"""The union of sources that a comprehension or a loop makes, which stays and makes streaming DataFrames."""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.graph.operations import Repeated
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.elements.unions import union_of
from migrate.plan.new_code.code import Chain, Code, Makes, links
from migrate.plan.sources.side_by_side import IN_ORDER
from migrate.syntax.quoting import quoted

NOTE = "one query reads all of `{}`, as their batches are cut together"


def united(draft: Draft, step: Step, source: Input, place: Repeated) -> Input:
    """The union of the sources, whose readers take the places of what made each stream.

    Raises:
        Blocked: their elements must stay in the order of arrival.
    """
    operation = step.operation
    if source.places or step.choices.in_order:
        raise step.blocked(IN_ORDER)
    step.note(NOTE.format(step.shown(place.streams)))
    session = draft.basis.session_at(operation.holder)
    reader = Chain(session, links(source.calls, (operation.call,)))
    streams = comprehended(reader.text, place) if isinstance(place.streams, ast.ListComp) else None
    if streams is None:
        streams = quoted(place.streams)
        statement = draft.basis.program.tree.statement_of(place.chain)
        written = _written(statement, reader, place)
        if written is None:
            draft.outside.arguments[place.chain] = reader.text
        else:
            draft.outside.write(statement, [written], makes=Makes.SOURCE)
        if source.before:
            draft.outside.before[place.statement] = source.before
            source = replace(source, before=())
    return replace(source, calls=(), united=union_of(step, streams))


def comprehended(made: str, place: Repeated) -> str | None:
    """A list of what is made with each of the values; None where a comprehension has more parts."""
    match place.target:
        case ast.Tuple(parts) if all(isinstance(part, ast.Name) for part in parts):
            each = ", ".join(map(ast.unparse, parts))
        case ast.Name(each):
            pass
        case _:
            return None
    assert place.values is not None
    return f"[{made} for {each} in {quoted(place.values)}]"


def _written(statement: ast.stmt, reader: Chain, place: Repeated) -> Code | None:
    """The statement of a list or a loop with the reader in the place of a stream; None for other ones."""
    match statement:
        case ast.Assign([ast.Name(name)], ast.ListComp()):
            made = comprehended(reader.text, place)
            return None if made is None else Chain(made, target=name)
        case ast.Assign([ast.Name(name)], value) if value is place.chain:
            return replace(reader, target=name)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value])) if value is place.chain:
            return f"{name}.append({reader.text})"
    return None
