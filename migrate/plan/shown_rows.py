"""Functions whose results ``pprint`` alone reads, or a callback that takes them as elements: these call them.

So what no column stands for needs no RDD: ``for line in batch.take(10): print(parse(line["value"]))``, or
``for record in [parse(line["value"]) for line in batch.collect()]:``. DStream calls it on the workers, and
for more elements than ``pprint`` prints, so it must do nothing else than to compute.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.graph.operations import Operation
from migrate.plan.code import Inner
from migrate.plan.row_functions import of_row
from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.proofs.facts import Facts
from migrate.proofs.loop_invariant import is_loop_invariant
from migrate.proofs.pure_functions import is_pure
from migrate.proofs.takes_elements import takes_elements_once
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

_IMPORTED = {
    "DataFrame",
    "F",
    "copy",
    "datetime",
    "deque",
    "json",
    "os",
    "reduce",
    "tempfile",
    "time",
    "traceback",
}
"""Names that new code may import and read in the batch function."""
SHOWN = "the loop that prints calls it, for the rows that it prints"
COLLECTED = "the callback calls it, for the rows that it collects or hands on"
_ELSEWHERE = "its result is read elsewhere than where it is printed, collected or handed on"
_SIMPLE = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)


def shown_rows(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame, of whose rows the driver reads what a function makes of them, and the maps that follow it.

    Raises:
        Refusal: more than ``pprint`` or such a callback reads that, or it may do more than to compute.
    """
    others, output = _following(step.operation)
    functions, is_printed = [function, *others], output.operator == "pprint"
    # records one by one go to a sink, which has no loop, and the exact text is that of an RDD's elements
    has_no_loop = step.options.trigger.is_by_record or (is_printed and step.options.pprint_exact)
    if has_no_loop or not all(may_come_late(one, step.facts) for one in functions):
        raise Refusal(_ELSEWHERE, function)
    if not is_printed and not takes_elements_once(output, functions, step.facts):
        raise Refusal(_ELSEWHERE, function)
    variable, shown, inner = _of_first(step, function, frame)
    for other in functions[1:]:
        shown, changes = _of_next(other, shown)
        inner |= changes
    step.need(inner=inner, reasons={step.operation.use: SHOWN if is_printed else COLLECTED})
    return changed(frame, shown=(variable, shown))


def _following(operation: Operation) -> tuple[list[ast.expr], Operation]:
    """The functions of the maps between a map and the output that alone reads the last of them, and that.

    Raises:
        Refusal: there is no such output.
    """
    found: list[ast.expr] = []
    while len(operation.consumers) == 1:
        (operation,) = operation.consumers
        if operation.operator in ("pprint", "foreachRDD"):
            return found, operation
        if operation.operator != "map" or len(operation.call.args) != 1 or operation.call.keywords:
            break
        found.append(operation.call.args[0])
    raise Refusal(_ELSEWHERE, operation.call)


def may_come_late(function: ast.expr, facts: Facts) -> bool:
    """Whether a function is the same in all batches and only computes, so that the print may call it."""
    return is_loop_invariant(function, facts) and is_pure(function, facts)


def _of_first(step: Step, function: ast.expr, frame: Frame) -> tuple[str, str, Inner]:
    """The variable for a row, what is printed of it, and changes inside of that.

    Raises:
        Refusal: the variable would hide another one.
    """
    code, inner = of_row(step, function, frame.element)
    if isinstance(function, ast.Lambda) and code == quoted(function):
        own = function.args.args[0]
        variable, shown = dict(inner.renamed).get(own, own.arg), quoted(function.body)
    elif code.startswith("lambda "):
        variable, _, shown = code.removeprefix("lambda ").partition(": ")
    else:
        variable = step.names.record
        shown = f"{code}({variable})"
    _check_free(variable, step, function)
    return variable, shown, inner


def _check_free(variable: str, step: Step, function: ast.expr) -> None:
    """Take a name for the variable of a loop, beside all others of the batch function.

    Raises:
        Refusal: it is one of these.
    """
    names = {value for value in vars(step.names).values() if value != step.names.record}
    given = step.known.names - step.known.loops
    if variable in names | given | _IMPORTED or variable in step.facts.bindings:
        raise Refusal(f"`{variable}` is a variable, too", function)
    step.need(names=frozenset({variable}), loops=frozenset({variable}))


def _of_next(function: ast.expr, given: str) -> tuple[str, Inner]:
    """What a function makes of an expression, and changes inside of that.

    Raises:
        Refusal: it would be evaluated twice, or in another scope.
    """
    if not isinstance(function, ast.Lambda):
        return f"{quoted(function)}({given})", Inner()
    name = function.args.args[0].arg
    nodes = list(walk(function.body))
    reads = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    if len(reads) != 1 or any(isinstance(node, ast.comprehension | ast.Lambda) for node in nodes):
        raise Refusal("it reads its argument more than once", function)
    return quoted(function.body), Inner(((reads[0], given),))
