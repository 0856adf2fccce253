"""The name of the streaming DataFrame of a source: that of what the program reads of it.

``kvs = KafkaUtils.createDirectStream(...)`` gives pairs, and ``lines = kvs.map(lambda kv: kv[1])`` what is
read of them; the DataFrame has only that, and is called `lines`.
"""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.graph.program import Line
from migrate.plan.draft.draft import Draft
from migrate.plan.names.start_of_query import grows_too_long
from migrate.plan.names.variable_names import frame_name
from migrate.plan.new_code.code import Chain, Written


def name_source(draft: Draft, line: Line, target: str) -> None:
    """Call the only source by the name of a stream that it does all for, if nothing reads its own name.

    Args:
        draft: the plan.
        line: the line that binds the stream.
        target: the stream's variable.
    """
    ((name, statement),) = draft.query.sources
    is_read = draft.query.streaming == name and not draft.query.inputs
    if is_read and _may_have(draft, line, target, name) and not grows_too_long(draft, name, target):
        _rename(draft, statement, target)
        draft.query.read(target)


def name_one_of_several(draft: Draft, line: Line, target: str, name: str) -> bool:
    """Call one of several sources so, beside the batch function and in it.

    Args:
        draft: the plan.
        line: the line that binds the stream.
        target: the stream's variable.
        name: the name of the source.

    Returns:
        whether it is called so now.
    """
    query, body = draft.query, draft.body.statements
    statement = dict(query.sources).get(name)
    own = [one for one in body if isinstance(one.code, Chain) and one.code.target == name]
    if statement is None or name not in dict(query.inputs) or len(own) != 1:
        return False
    if not _may_have(draft, line, target, name):
        return False
    draft.outside.take_over(line.statement, [statement])
    _rename(draft, statement, target)
    query.inputs = [(target if one == name else one, columns) for one, columns in query.inputs]
    if query.streaming == name:
        query.read(target)
    body[body.index(own[0])] = _called(own[0], target)
    return True


def _may_have(draft: Draft, line: Line, target: str, name: str) -> bool:
    """Whether a source may have the name of a stream that is made of it, which says more."""
    statement, tree = dict(draft.query.sources)[name], draft.basis.program.tree
    facts = draft.basis.facts.of(statement)
    near = tree.block_of(statement) is tree.block_of(line.statement) and facts is draft.basis.facts
    loads = facts.loads.get(name, ())
    alone = all(tree.statement_of(load) is line.statement for load in loads)
    bound = all(isinstance(facts.only_binding(one), ast.Name) for one in (name, target))
    is_chain = isinstance(draft.outside.replaced[statement][-1].code, Chain)
    return near and alone and bound and is_chain and frame_name(target) == target  # DStream is no better


def _rename(draft: Draft, statement: ast.stmt, target: str) -> None:
    """Let the statement that makes a source bind another name."""
    sources, (*before, made) = draft.query.sources, draft.outside.replaced[statement]
    draft.query.sources = [(target if one is statement else name, one) for name, one in sources]
    draft.outside.replaced[statement] = [*before, _called(made, target)]


def _called(made: Written, target: str) -> Written:
    """A statement that binds another name."""
    assert isinstance(made.code, Chain)
    return replace(made, code=replace(made.code, target=target))
