"""The common parts of the rules for MLlib's models on streams.

A model learns from floats, whose sums depend on their order, and a `StreamingKMeans` forgets in batches
without input, too. So native code is the user's choice, by ``--unsafe``.
"""

from __future__ import annotations

import ast
from typing import ClassVar

from migrate.knowledge.models import INITIAL
from migrate.model import Options
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.rules._register import Rule
from migrate.trace.values import Made

KMEANS = "pyspark.mllib.clustering.StreamingKMeans"
WHY = (
    "what a model learns depends on the order of the values, and for StreamingKMeans on batches without "
    "input (--unsafe makes it native)"
)
NOTE = (
    "a model learns in the batch function: sums of floats may differ in their last digits, and "
    "StreamingKMeans no longer forgets in an interval without input"
)


def refuses_all(options: Options) -> str | None:
    """Why no call becomes native under these options."""
    return None if options.unsafe else WHY


def model(step: Step) -> str:
    """The variable of the model, if native code may use it.

    Raises:
        Blocked: the user did not allow it, or it is not known what the model is, or when it is read.
    """
    if not step.options.unsafe:
        raise step.blocked(WHY)
    receiver = step.operation.holder
    facts = step.facts
    if not isinstance(receiver, ast.Name) or not isinstance(facts.only_binding(receiver.id), ast.Name):
        raise step.blocked("its model is not a variable that is bound once")
    home = step.program.tree.scope_of(receiver)
    if any(step.program.tree.scope_of(load) is not home for load in facts.loads.get(receiver.id, ())):
        # PySpark pickles functions before a batch trains the model, native code after it
        raise step.blocked(f"`{receiver.id}` is read in other functions, whose time is not followed")
    if not _is_initial(step):
        raise step.blocked("its model is not seen to get its first centers or weights")
    step.unsafe()
    step.note(NOTE)
    return receiver.id


def made(step: Step) -> ast.Call:
    """The call of the model's constructor.

    Raises:
        Blocked: there are several.
    """
    kinds = step.trace.kinds.get(step.operation.holder, frozenset())
    found = [value.node for value in kinds if isinstance(value, Made)]
    if len(found) != 1:
        raise step.blocked("its model is made in several places")
    return found[0]


def setters(step: Step) -> dict[str, ast.Call]:
    """The calls that set something of the model, by their names; the last of each."""
    kinds, constructor = step.trace.kinds, made(step)
    return {
        call.func.attr: call
        for call in step.program.tree.of_kinds(ast.Call)
        if isinstance(call.func, ast.Attribute)
        and any(isinstance(v, Made) and v.node is constructor for v in kinds.get(call.func.value, ()))
    }


def fitted(step: Step) -> str:
    """The variable of the batch function that holds the model as it was before the batch."""
    name = model(step)
    known = step.known.models
    if name not in known:
        variable = step.fresh("fitted")
        latest = f"{name}.latestModel()"
        if step.operation.use.model == KMEANS:
            latest = f"{_copy(step)}({latest})"  # training changes the one that there is
        # outputs run one after the other, and one of them may train the model
        step.need(models={name: variable}, first=(f"{variable} = {latest}",))
        return variable
    return known[name]


def _copy(step: Step) -> str:
    facts = step.facts
    bound = facts.only_binding("copy")
    if facts.bindings.get("copy") and not (isinstance(bound, ast.alias) and facts.imported(bound) == "copy"):
        raise step.blocked("`copy` is the name of something else than the module in this file")
    step.imports("copy")
    return "copy.copy"


class Predicting(Rule):
    """PySpark pickles the model when a batch is made, before any output of the batch trains it."""

    method: ClassVar[str]
    """The operator of RDDs that does the same with a function."""

    def refuses_all(self, options: Options) -> str | None:
        return refuses_all(options)

    def column(self, step: Step, *frames: Frame) -> Frame:
        model(step)
        return super().column(step, *frames)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        step.refused = "the model as it was before the batch is asked, in RDD code"
        return rdds[0].call(Call(self.method, f"lambda features: {fitted(step)}.predict(features)"))


def _is_initial(step: Step) -> bool:
    return bool(INITIAL & setters(step).keys())
