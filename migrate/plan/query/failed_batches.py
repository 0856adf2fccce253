"""A batch that fails: DStreams go on with the next one, where nobody waits for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.program import Operation, Program
from migrate.knowledge.sessions import CHANGES_VIEWS
from migrate.model import Tier
from migrate.plan.draft.draft import Draft
from migrate.plan.elements.caught_errors import only_prints, takes_all
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import given
from migrate.proofs.values.constants import constant

UNSEEN = (
    "{where}: a batch that fails ends the query, where DStream went on with the next one, and this loop would"
    " go on without it, told of nothing: leave the loop where `{query}.isActive` is False"
)
_TEXTS = frozenset({"socketTextStream"})
"""Sources whose rows are read without an error: a file may be gone."""


_LAZY = frozenset(
    {"alias", "distinct", "drop", "filter", "limit", "orderBy", "select", "sort", "toDF", "where"}
    | {"withColumnRenamed"}
)
"""Methods of DataFrames, and ``rdd.toDF()``, that compute no row."""


_SHOWN = (
    ast.Constant,
    ast.Name,
    ast.expr_context,
    ast.Call,
    ast.BinOp,
    ast.Mod,
    ast.JoinedStr,
    ast.FormattedValue,
)
"""Parts of what is printed that fail for no value of a batch."""


def goes_on(draft: Draft) -> bool:
    """Whether the batch function catches what fails, as nobody waits for the query, which would end.

    A state or a window lacks the batch that failed: DStream tries it again, so such a query ends. Only the
    RDDs of a window are whole, and RDD code fails for an empty window, as after any time without input.
    """
    basis, windows = draft.basis, draft.needs.windows.values()
    of_rdds = Tier.RDD in draft.tiers.values() and not any(one.value or one.negative for one in windows)
    if windows and not of_rdds:
        return False
    if basis.program.is_waited_for or basis.state is not None or basis.kept:
        return False
    if draft.query.sinks or not may_fail(draft):
        return False
    if not _records_may_fail(draft) and _sleep(basis.program, basis.facts) is not None:
        return False  # the wait in the place of the sleep raises what is wrong with the source
    bound = basis.facts.bindings.get("traceback", ())
    return all(isinstance(node, ast.alias) and basis.facts.imported(node) == "traceback" for node in bound)


def may_fail(draft: Draft) -> bool:
    """Whether a batch may fail by what is in it: not if columns that take everything are printed."""
    texts = all(source.operator in _TEXTS for source in draft.basis.program.sources)
    return not texts or _records_may_fail(draft) or bool(draft.needs.gives and _computing(draft))


def _records_may_fail(draft: Draft) -> bool:
    """Whether new code may raise for what a record is, once it is read."""
    needs, outputs = draft.needs, _computing(draft)
    printed = all(output.operator == "pprint" for output in outputs)
    columns = not {Tier.PYTHON, Tier.RDD} & {*draft.tiers.values()}
    fails = needs.ansi or bool(needs.raises or needs.gives_without_ansi or needs.helpers)
    return bool(outputs) and (fails or not (printed and columns))


def _computing(draft: Draft) -> list[Operation]:
    """The outputs that compute rows, as RDD code does where it makes columns of an RDD."""
    basis, has_rdds = draft.basis, Tier.RDD in draft.tiers.values()
    return [output for output in basis.program.outputs if has_rdds or not only_names(output, basis.facts)]


def ends_no_query(draft: Draft) -> bool:
    """Whether no batch ends the query by what is in it: its outputs compute no row, or let no error out."""
    # to make an RDD of columns may compute them, and a state is computed beside the outputs
    if Tier.RDD in draft.tiers.values() or draft.body.states or draft.body.states_of_functions:
        return False
    facts = draft.basis.facts
    return all(
        only_names(one, facts) or _lets_no_error_out(one, facts) for one in draft.basis.program.outputs
    )


def _lets_no_error_out(output: Operation, facts: Facts) -> bool:
    """Whether a callback is a ``try`` whose handler takes all errors and prints, but for prints above."""
    if output.operator != "foreachRDD" or not output.call.args:
        return False
    facts = facts.of(output.call)
    called = given(output.call.args[0], facts)
    match called.node if called is not None else None:
        case ast.Lambda(body=ast.Call(func=ast.Name() as function)):
            called = given(function, facts)
    match called.node if called is not None else None:
        case ast.FunctionDef(body=[*above, ast.Try(handlers=[handler], orelse=[], finalbody=[])]):
            return takes_all(handler) and only_prints(handler, facts) is not None and all(map(_prints, above))
    return False


def _prints(statement: ast.stmt) -> bool:
    """Whether a statement prints texts and names, or is a docstring."""
    match statement:
        case ast.Expr(ast.Call(ast.Name("print"), arguments, [])):
            parts = [part for argument in arguments for part in ast.walk(argument)]
            calls = [part.func for part in parts if isinstance(part, ast.Call)]
            named = all(isinstance(function, ast.Name) and function.id == "str" for function in calls)
            return named and all(isinstance(part, _SHOWN) for part in parts)
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def only_names(output: Operation, facts: Facts) -> bool:
    """Whether an output makes a view and computes no row: ``lambda rdd: rdd.toDF().createTempView("a")``."""
    if output.operator != "foreachRDD" or not output.call.args:
        return False
    called = given(output.call.args[0], facts.of(output.call))
    match called.node if called is not None else None:
        case ast.Lambda(body=made) | ast.FunctionDef(body=[ast.Expr(made)]):
            while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):
                if made.func.attr not in _LAZY | CHANGES_VIEWS:
                    return False
                made = made.func.value
            return isinstance(made, ast.Name)
    return False


def ends_unseen(draft: Draft) -> Iterator[str]:
    """What must change where a loop without end would not see that a batch has ended the query."""
    program = draft.basis.program
    loop = program.waits_never
    if loop is not None and not goes_on(draft) and may_fail(draft):
        where = program.graph.told(program.module_of(loop)).where(loop.lineno)
        yield UNSEEN.format(where=where, query=draft.basis.names.query)


def sleep_of(draft: Draft) -> ast.Expr | None:
    """The statement ``time.sleep(60)`` in which a program lets its streams run, told of no error there.

    The query is waited for in its place, for as long: a batch that fails would end it without a word.
    """
    if goes_on(draft) or len(draft.query.sinks) > 1:
        return None
    return _sleep(draft.basis.program, draft.basis.facts)


def _sleep(program: Program, facts: Facts) -> ast.Expr | None:
    start = program.start
    if start is None or program.is_waited_for:
        return None
    statement = program.tree.statement_of(start.node)
    block = program.tree.block_of(statement)
    below = block[block.index(statement) + 1 :]
    own = {program.tree.statement_of(use.node) for use in program.lifecycle}
    for one in below:
        if one in own:
            return None
        if isinstance(one, ast.Expr) and _sleeps(one.value, facts.of(one)):
            return one
    return None


def _sleeps(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is ``time.sleep`` for a time above 0, as `awaitTermination` wants it."""
    if not isinstance(node, ast.Call) or facts.qualified(node.func) != "time.sleep":
        return False
    if len(node.args) != 1 or node.keywords:
        return False
    seconds: object = None
    match node.args[0]:
        case ast.Constant(value):
            seconds = value
        case ast.Name(name):
            _, seconds = constant(name, node.lineno, facts)
    return isinstance(seconds, int | float) and seconds > 0
