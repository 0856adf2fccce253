"""Queries that the slide of their windows triggers: nothing else reads the batches of a shorter interval.

A window that holds the last three batches of ten seconds has the rows of six batches of five seconds, at the
end of each slide. Where something may show the shorter batches, the batch function counts slides instead.
"""

from __future__ import annotations

import ast
import re

from migrate.columns import Origin
from migrate.graph.program import Operation, upstream
from migrate.knowledge.streaming import ITSELF, ROWWISE, WINDOWS
from migrate.plan.draft.basis import Basis, origin_of
from migrate.plan.draft.step import Step
from migrate.plan.windows.multiples import times
from migrate.proofs.analysis.arguments import as_given
from migrate.proofs.values.durations import is_setting, seconds
from migrate.syntax.nodes import position, walk

BY_SLIDE = (
    "nothing but windows reads the batches, so their slide triggers the query: a window ends at a multiple "
    "of the slide, where DStream counts slides from its start, so that the first one may hold less"
)
TRIGGER = "the StreamingContext becomes a SparkSession; the slide of its windows becomes the trigger"
_SETTINGS = re.compile(r"""["']spark\.streaming\.""")
"""Settings of batches, as limits of what each reads."""
_EACH_ELEMENT = ROWWISE | ITSELF


def trigger_of(step: Step, length: ast.expr, slide: ast.expr) -> ast.expr | None:
    """The slide of a window as what can trigger the query; None where it cannot.

    Args:
        step: the window.
        length: its length.
        slide: its slide, another one than the batch interval.
    """
    basis = step.basis
    each, choices = basis.batch_interval, basis.choices
    if each is None or choices.slide is not None or choices.for_others:
        return None
    slide, _ = as_given(slide, basis.of_batch.program)
    in_figures = [seconds(node, step.facts) for node in (each, slide, length)]
    multiples = times(step, slide, each), times(step, length, slide)
    if not all(isinstance(one, int | None) for one in in_figures):
        return None
    if not all(one is not None and one >= 1 and one % 1 == 0 for one in multiples):
        return None
    return slide if _is_known_above(slide, step) and _shows_no_batches(basis) else None


def check_slide(step: Step, length: ast.expr, every: str) -> None:
    """Go back to the batch interval where another window of a query that a slide triggers slides otherwise.

    Args:
        step: the window.
        length: its length.
        every: its slide where that is another one; else empty.

    Raises:
        RatherError: it does, or is no whole number of slides long.
    """
    basis = step.basis
    if basis.slide is None:
        return
    slides = times(step, length, basis.slide)
    if every or slides is None or slides % 1:
        basis.need_batch_interval()


def slides_by_interval(step: Step) -> bool:
    """Whether a window without a slide of its own has one for each batch of the program."""
    return not any(one.operator in WINDOWS for one in upstream(step.operation) - {step.operation})


def _is_known_above(slide: ast.expr, step: Step) -> bool:
    """Whether a slide is written out, or made of variables that are bound once, above the context.

    Those may be of another module, and those that a function reads of its own may stand below it.
    """
    made, tree = step.program.construction, step.program.tree
    if tree.root_of(slide) is not tree.root_of(made):
        return False
    facts = step.facts.of(made)
    for node in walk(slide):
        if isinstance(node, ast.Name):
            bound = facts.only_binding(node.id)
            of_module = facts.home(node) is None and tree.scope_of(made) is not tree.root_of(made)
            if bound is None or not (of_module or position(bound) < position(made)):
                return False
            if tree.scope_of(node) is not tree.scope_of(made):
                return False
        elif isinstance(node, ast.Attribute):
            if not is_setting(node, facts):
                return False
        elif not isinstance(node, ast.Constant | ast.BinOp | ast.operator | ast.expr_context):
            return False
    return True


def _shows_no_batches(basis: Basis) -> bool:
    """Whether only windows read the batches, whose elements come one by one from one receiver or Kafka."""
    options, program = basis.options, basis.program
    if options.trigger.argument or options.pprint_exact or options.event_time or options.has_no_batch_time:
        return False
    if any(_SETTINGS.search(module.source) for module in program.modules):
        return False
    live = [one for one in program.operations if one in basis.live]
    sources = [one for one in live if one.is_source]
    if len(sources) != 1 or not _is_read_in_order(sources[0]):
        return False
    return all(_reads_windows(one) for one in live if not one.is_source)


def _is_read_in_order(source: Operation) -> bool:
    """Whether a source gives one row after the other, however many batches it is read in."""
    if source.repeated is not None:
        return False
    return source.operator == "socketTextStream" or origin_of(source) is Origin.KAFKA


def _reads_windows(operation: Operation) -> bool:
    """Whether an operator reads windows alone, or is one, or works on each element by itself before one."""
    below = {_is_below_window(parent) for parent in operation.parents}
    if below == {False}:
        return operation.operator in _EACH_ELEMENT | WINDOWS
    return below == {True}


def _is_below_window(operation: Operation) -> bool:
    return any(one.operator in WINDOWS for one in upstream(operation))
