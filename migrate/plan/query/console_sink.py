"""An output that only prints records or a running state: a query with the console sink, no batch function.

It shows the rows that ``batch.show()`` does. But it computes all rows of a batch and brings them to the
driver, where ``pprint`` stops at those that it prints: no record may fail that DStream might never have seen,
and no backfill may be one batch. Of a state it computes all rows, too, which updates all of it, and gets
those that are printed: ``counts.limit(10)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns.helpers import MAY_FAIL
from migrate.graph.program import Line, Operation, Program, upstream
from migrate.knowledge.streaming import ITSELF
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.frame import Frame
from migrate.plan.query.foreach_sink import is_row_by_row
from migrate.syntax.nodes import of_kinds


def only_prints(basis: Basis) -> bool:
    """Whether the graph's only output prints records, each made of one of the source or of a state.

    Args:
        basis: the graph, with its states.
    """
    program, choices, options = basis.program, basis.choices, basis.options
    outputs = program.outputs
    if choices.in_batches or choices.every_interval or options.trigger.name or options.pprint_exact:
        return False
    if len(outputs) != 1 or outputs[0].operator != "pprint" or basis.several or basis.kept:
        return False
    if basis.event_time is not None or not all(map(is_row_by_row, _made_of(outputs[0], basis.state))):
        return False
    if not all(_is_outside(line, program) for line in program.lines):
        return False
    return _prints_where_spark_does(program)


def _made_of(output: Operation, state: Operation | None) -> Iterator[Operation]:
    """The streams that an output is made of; those since the query's state, but for what may sort it."""
    for one in upstream(output) - {output}:
        if state is None or not (one in upstream(state) or one.operator == "transform"):
            yield one


def _is_outside(line: Line, program: Program) -> bool:
    """Whether what a line makes can stand where it does: in no branch, and in no function of streams."""
    return all(one.is_source for one in line.operations) or not (line.when or line.scope is not program.scope)


def _prints_where_spark_does(program: Program) -> bool:
    """Whether Python prints to the standard output of Spark's JVM: no cell of a notebook does."""
    return not any(module.form.has_cells or _changes_output(module.tree) for module in program.modules)


def _changes_output(tree: ast.Module) -> bool:
    """Whether a module puts another standard output in the place of the process's."""
    stored = (node for node in of_kinds(tree, ast.Attribute) if isinstance(node.ctx, ast.Store))
    members = (node for node in of_kinds(tree, ast.Attribute) if node.attr == "redirect_stdout")
    imports = (alias for alias in of_kinds(tree, ast.alias) if alias.name == "redirect_stdout")
    return any(node.attr == "stdout" for node in stored) or any((*members, *imports))


def shows_whole_state(draft: Draft, frame: Frame) -> bool:
    """Whether a limit behind these calls takes the first rows of the query's state.

    It does of rows that no sort has put in order, and of those that the last call sorts.
    """
    return draft.query.output_mode == "complete" and (frame.is_sorted_last or not frame.whole)


def may_raise(draft: Draft, frame: Frame) -> bool:
    """Whether a record that ``pprint`` does not look at may fail; a state and a sort look at all."""
    basis, needs = draft.basis, draft.needs
    since = [*_made_of(basis.program.outputs[0], basis.state)]
    if basis.state is not None and (frame.is_sorted_last or all(one.operator in ITSELF for one in since)):
        return False
    raises = needs.raises or needs.gives_without_ansi or needs.helpers.keys() & MAY_FAIL
    return needs.ansi or bool(raises or frame.python)
