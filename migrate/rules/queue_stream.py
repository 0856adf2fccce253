"""``queueStream``: the batch function takes the next batch from the queue; a query without input wakes it."""

from __future__ import annotations

import ast
from contextlib import suppress

from migrate.columns import Refusal
from migrate.knowledge.rdd import RDDS
from migrate.knowledge.sessions import MAKES_RDDS
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.elements.queued_frames import queued_frames
from migrate.plan.new_code.code import Call
from migrate.proofs.analysis.lives import life_of
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.nodes import position
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

_TAKES = "the batch function takes the {} from a list"
_ALONE = (
    f"a source of one row wakes the query in each interval; {_TAKES}; "
    "an interval that is missed because a batch took too long is not made up for"
)


EMPTY = "its queue is an empty list: PySpark asks for its first RDD, and raises an IndexError there as it is"


@register
class QueueStream(SourceRule):
    """RDDs of known lists become DataFrames; others are the program's own, in the same partitions."""

    operator = "queueStream"
    summary = "queueStream becomes a list that the batch function takes the next DataFrame or RDD from"
    examples = (
        Example(
            "queue = [sc.parallelize([1, 2]), sc.parallelize([3])]\n"
            "numbers = ssc.queueStream(queue)\n"
            "numbers.foreachRDD(lambda rdd: print(rdd.collect()))",
            'ticks = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()\n'
            "\n"
            "def process_batch(batch, batch_id):\n"
            '    numbers = queue.pop(0) if queue else spark.createDataFrame([], "bigint")\n'
            '    print([row["value"] for row in numbers.collect()])',
        ),
        Example(
            'rdds = [sc.textFile(f"{day}.txt") for day in range(1, 8)]\n'
            "lines = ssc.queueStream(rdds)\n"
            "lines.foreachRDD(lambda rdd: print(rdd.collect()))",
            'ticks = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()\n'
            "\n"
            "def process_batch(batch, batch_id):\n"
            "    lines = rdds.pop(0) if rdds else spark.sparkContext.parallelize([], 1)\n"
            "    print(lines.collect())",
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments("rdds", "oneAtATime", "default")
        if "rdds" not in found:
            raise step.blocked("its queue is missing")
        one = found.get("oneAtATime")
        if one is not None and not (isinstance(one, ast.Constant) and one.value is True):
            raise step.blocked("it does not take one RDD at a time")
        if not is_none(found.get("default")):
            raise step.blocked("it has a default RDD")
        node = found["rdds"]
        if _is_empty(node, step):
            raise step.blocked(EMPTY)
        if not _is_list_of_rdds(node, step):
            raise step.blocked("its queue is not known to be a list of RDDs")
        own = isinstance(node, ast.Name) and _is_only_filled(node, step)
        queue = node.id if own and isinstance(node, ast.Name) else step.fresh("queue")
        step.need(queues={queue: node})
        listed = f"list({quoted(node)})" if isinstance(node, ast.Name) else quoted(node)
        name = "ticks"
        made = (Call("format", '"rate-micro-batch"'), Call("option", '"rowsPerBatch", 1'))
        calls = (Call("readStream"), *made, Call("load", ""))
        taken = _TAKES if step.basis.beside_queues else _ALONE
        before = () if own else (f"{queue} = {listed}",)
        with suppress(Refusal):
            queued = queued_frames(step, node)
            step.need(inner=queued.inner, frames=queued.bound | (_bound(node, step) if own else {}))
            fetch = f"{queue}.pop(0) if {queue} else {queued.empty}"
            told = (taken.format("DataFrames"),)
            return Input(name, calls, queued.element, before, notes=told, fetch=fetch)
        context = f"{step.basis.session_at(step.operation.holder)}.sparkContext"
        fetch = f"{queue}.pop(0) if {queue} else {context}.parallelize([], 1)"
        return Input(name, calls, None, before, notes=(taken.format("RDDs"),), fetch=fetch)


def _bound(queue: ast.expr, step: Step) -> dict[ast.stmt, str]:
    """The statements that bind the variable of a queue."""
    assert isinstance(queue, ast.Name)
    return {step.facts.statement_of(binding): queue.id for binding in _bindings(queue, step)}


def _is_empty(node: ast.expr, step: Step) -> bool:
    """Whether a queue is a list without items, to which nothing adds any."""
    if isinstance(node, ast.Name) and step.facts.loads.get(node.id) == [node]:
        value = step.facts.value_of(step.facts.only_binding(node.id))
        return isinstance(value, ast.List) and not value.elts
    return isinstance(node, ast.List) and not node.elts


def _is_list_of_rdds(node: ast.expr, step: Step) -> bool:
    if isinstance(node, ast.List):
        return bool(node.elts) and all(_is_rdd(item, step) for item in node.elts)
    if isinstance(node, ast.ListComp):
        return _is_rdd(node.elt, step)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "randomSplit"
    if not isinstance(node, ast.Name):
        return False
    facts = step.facts
    filled = False
    for binding in _bindings(node, step):
        statement = facts.statement_of(binding)
        if not isinstance(statement, ast.Assign | ast.AugAssign) or not isinstance(binding, ast.Name):
            return False
        empty = isinstance(statement.value, ast.List) and not statement.value.elts
        if not empty and not _is_list_of_rdds(statement.value, step):
            return False
        filled = filled or not empty
    for load in life_of(node, facts, step.program.tree).loads:
        member = facts.above[load]
        if not isinstance(member, ast.Attribute):
            continue
        call = facts.above[member]
        appended = isinstance(call, ast.Call) and member.attr == "append" and _is_rdd(call.args[0], step)
        if not appended:
            return False
        filled = True
    return filled


def _is_only_filled(name: ast.Name, step: Step) -> bool:
    """Whether a list is filled beside the stream that is made of it, and nothing reads it later."""
    facts, tree, program = step.facts, step.program.tree, step.program
    bindings = facts.bindings.get(name.id, ())
    loads = [load for load in facts.loads.get(name.id, ()) if load is not name]
    here = all(tree.scope_of(node) is program.scope for node in (name, *bindings, *loads))
    before = all(position(node) < position(name) for node in (*bindings, *loads))
    lasting = (load for load in life_of(name, facts, tree).loads if load is not name)
    filled = all(isinstance(facts.above[load], ast.Attribute) for load in lasting)
    exported = name.id in step.trace.taken.of_module(program.module_of(name))
    return here and before and filled and not exported and not facts.is_declared_elsewhere(name.id)


def _bindings(name: ast.Name, step: Step) -> list[ast.AST]:
    """The bindings of a name that is read, without locals and parameters of other functions."""
    facts, tree = step.facts, step.program.tree
    found = life_of(name, facts, tree).bindings
    if facts.is_declared_elsewhere(name.id):
        return found
    here = [binding for binding in found if tree.scope_of(binding) is tree.scope_of(name)]
    return here or [binding for binding in found if isinstance(tree.scope_of(binding), ast.Module)]


def _is_rdd(node: ast.expr, step: Step) -> bool:
    """``sc.parallelize(...).map(f)``, or a name that is bound to such a call and to nothing else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        made = node.func.attr in MAKES_RDDS
        return made or (node.func.attr in RDDS and _is_rdd(node.func.value, step))
    if not isinstance(node, ast.Name):
        return False
    facts = step.facts
    bindings = _bindings(node, step)
    statements = [facts.statement_of(binding) for binding in bindings]
    return bool(bindings) and all(
        isinstance(statement, ast.Assign)
        and [*statement.targets] == [binding]
        and isinstance(statement.value, ast.Call)
        and _is_rdd(statement.value, step)
        for statement, binding in zip(statements, bindings, strict=True)
    )
