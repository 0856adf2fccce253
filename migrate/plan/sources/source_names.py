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
from migrate.plan.new_code.code import Chain


def name_source(draft: Draft, line: Line, target: str) -> None:
    """Call the only source by the name of a stream that it does all for, if nothing reads its own name.

    Args:
        draft: the plan.
        line: the line that binds the stream.
        target: the stream's variable.
    """
    basis, tree = draft.basis, draft.basis.program.tree
    ((name, statement),) = draft.query.sources
    *before, made = draft.outside.replaced[statement]
    facts = basis.facts.of(statement)
    near = tree.block_of(statement) is tree.block_of(line.statement) and facts is basis.facts
    loads = facts.loads.get(name, ())
    alone = all(tree.statement_of(load) is line.statement for load in loads)
    bound = all(isinstance(facts.only_binding(one), ast.Name) for one in (name, target))
    if not (near and alone and bound) or draft.query.streaming != name or draft.query.inputs:
        return
    if not isinstance(made.code, Chain) or frame_name(target) != target:
        return  # that says DStream, which is no better
    if grows_too_long(draft, name, target):
        return
    draft.query.sources = [(target, statement)]
    draft.query.read(target)
    named = replace(made, code=replace(made.code, target=target))
    draft.outside.replaced[statement] = [*before, named]
