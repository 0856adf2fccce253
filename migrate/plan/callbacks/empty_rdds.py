"""DataFrames that RDD code makes of RDDs without elements, for which `createDataFrame` fails.

DStreams log the error and go on with the next batch, as long as the program does not wait for them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.frozen import replace
from migrate.knowledge.rdd import AS_EMPTY, RDDS
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.draft.waiting import logs_errors
from migrate.plan.new_code.code import When, Written
from migrate.plan.new_code.inner import Inner, Put
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.roles import Callback, made_of
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.tree import own_nodes, tries_around

SKIPPED = (
    "a batch without rows ends before its DataFrame is made: `createDataFrame` failed for it, and DStream"
    " went on with the next batch{} (--strict keeps the error)"
)
UNTIL = ", until `awaitTermination` raised the error"
FAILS = "# createDataFrame fails without a row"
_OF_FRAMES = frozenset({"createDataFrame", "toDF"})


@dataclass(frozen=True)
class Made:
    """A DataFrame that a callback makes of an RDD, with types that Spark takes from the first element."""

    call: ast.Call
    rdd: str
    """The variable of an RDD that has elements if, and only if, that one has."""


def made_of_empty(step: Step, callback: Callback) -> Made | None:
    """The first DataFrame that a callback makes of an RDD, if its error without elements ends no program.

    None where the program waits for its streams, and ends by the error; where a handler of the callback
    takes it; and where no variable tells whether there are elements.
    """
    if step.basis.guards.fail_as_python_does or not logs_errors(step.basis):
        return None
    own, rows = {one for part in callback.body for one in own_nodes(part)}, Rows(callback)
    for node in callback.walk():
        source = _source(node, step.facts) if isinstance(node, ast.Call) and node in own else None
        if source is None or not isinstance(node, ast.Call):
            continue
        if only_with_rows(node, rows, callback.parents) or any(tries_around(node, callback.parents)):
            return None
        name = _variable(source, callback)
        return Made(node, name) if name else None
    return None


def guarded(step: Step, made: Made, variable: str, printed: Printed) -> Printed:
    """An output that does nothing without elements: ``if rdd.isEmpty(): return``, or a condition.

    Args:
        step: the output, within the callback that makes the DataFrame.
        made: the DataFrame.
        variable: what is asked for elements.
        printed: the output without that.
    """
    is_empty = f"{variable}.isEmpty()"
    step.note(SKIPPED.format(UNTIL if step.basis.program.is_waited_for else ""))
    if isinstance(step.callback, ast.Lambda):
        return replace(printed, when=When(f"not {is_empty}", opposite=is_empty, comment=FAILS))
    leaves = Put(f"if {is_empty}:", body=(Written("return"),), looks=True, returns=True, comment=FAILS)
    step.need(inner=Inner(before=((step.facts.statement_of(made.call), leaves),)))
    return printed


def _source(call: ast.Call, facts: Facts) -> ast.expr | None:
    """The RDD, or list, that a call makes a DataFrame of by the types of its first element."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _OF_FRAMES:
        return None
    given = [*call.args, *(one.value for one in call.keywords if one.arg in ("data", "schema"))]
    if call.func.attr == "toDF":
        given.insert(0, call.func.value)
    if not 1 <= len(given) <= 2 or not all(_are_names(one, facts) for one in given[1:]):
        return None
    return given[0]


def _are_names(schema: ast.expr, facts: Facts) -> bool:
    """Whether a schema is a list of names, without types."""
    if isinstance(schema, ast.Name):
        made = facts.value_of(facts.only_binding(schema.id))
        return made is not None and not isinstance(made, ast.Name) and _are_names(made, facts)
    return isinstance(schema, ast.List | ast.Tuple) and all(
        isinstance(one, ast.Constant) for one in schema.elts
    )


def _variable(rdd: ast.expr, callback: Callback) -> str:
    """The variable of the RDD that says whether one has elements: the callback's own, or one made of it."""
    source = made_of(rdd, AS_EMPTY)
    if not isinstance(source, ast.Name):
        return ""
    if source.id == callback.rdd:
        return "" if callback.rebound or callback.binds(source.id) else source.id
    made = _value(source, callback)
    if made is None:
        return ""
    return _variable(made, callback) or (source.id if _is_made(made, callback) else "")


def _is_made(rdd: ast.expr, callback: Callback) -> bool:
    """Whether an RDD is made of the callback's own."""
    source = made_of(rdd, RDDS)
    if not isinstance(source, ast.Name):
        return False
    made = _value(source, callback)
    return source.id == callback.rdd or (made is not None and _is_made(made, callback))


def _value(name: ast.Name, callback: Callback) -> ast.expr | None:
    """What the only assignment of a local variable gives it."""
    bound = callback.only_binding(name.id)
    made = callback.parents.get(bound) if bound is not None else None
    return made.value if isinstance(made, ast.Assign) and made.targets == [bound] else None
