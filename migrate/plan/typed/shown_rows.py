"""Functions whose results ``pprint`` alone reads, or a callback that takes them as elements: these call them.

So what no column stands for needs no RDD: ``for line in batch.take(10): print(parse(line["value"]))``, or
``for record in [parse(line["value"]) for line in batch.collect()]:``. DStream calls it on the workers, and
for more elements than ``pprint`` prints, so it must do nothing else than to compute.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from keyword import iskeyword
from typing import TypeGuard

from migrate.columns import Element, Refusal, Scalar, leaves
from migrate.columns.shapes import Bytes, Maybe
from migrate.graph.operations import Operation
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.elements.element_functions import only_read
from migrate.plan.elements.row_functions import NewLambda, row_function
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import check_not_read, check_not_within
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.row_loop import RowLoop
from migrate.plan.typed.composed import loop_of, rows_left, texts_of
from migrate.plan.typed.json_items import has_items, of_items
from migrate.plan.typed.new_values import scope_of_new
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.takes_elements import HANDING, element_methods
from migrate.proofs.functions.pure_functions import is_pure
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.typed import type_of, type_of_result

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


def shown_rows(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame for a map whose function, and those of the maps after it, the driver calls for each row.

    Raises:
        Refusal: more than ``pprint`` or such a callback reads that, or it may do more than to compute.
    """
    check_not_read(frame)
    others, output = _following(step.operation)
    functions, is_printed = [function, *others], output.operator == "pprint"
    if len({step.facts.of(one) for one in functions}) > 1:
        raise Refusal("they are functions of several modules", function)
    # records one by one go to a sink, which has no loop, and the exact text is that of an RDD's elements
    has_no_loop = step.options.trigger.is_by_record or (is_printed and step.options.pprint_exact)
    methods = [] if is_printed else element_methods(output, functions, step.facts)
    # what is handed on is made once, and where it was, whatever the functions do
    typed = _hands_on(methods) or _are_typed(functions, frame, step)
    if has_no_loop or not all(may_come_late(one, step.facts, typed=typed) for one in functions):
        raise Refusal(_ELSEWHERE, function)
    if is_printed and not _are_seen(functions, output, step):
        raise Refusal("the loop that prints does not see it", function)
    if not is_printed and (not methods or not (typed or _is_once(methods))):
        raise Refusal(_ELSEWHERE, function)
    tell_caller(step)
    loop = _loop(step, frame, functions)
    if loop.above and "foreach" in methods and step.basis.foreach is None:
        raise Refusal("a lambda has no lines", function)
    return changed(frame, shown=loop)


def is_handed_on(step: Step, function: ast.expr) -> bool:
    """Whether a callback only hands each element that a map makes to a function, and may call the map's.

    It may ask before whether there are elements, or how many.
    """
    try:
        others, output = _following(step.operation)
    except Refusal:
        return False
    if output.operator != "foreachRDD":
        return False
    methods = element_methods(output, [function, *others], step.facts)
    return _is_once(methods) and not HANDING.isdisjoint(methods)


def _hands_on(methods: Sequence[str]) -> bool:
    return len(methods) == 1 and methods[0] in HANDING


def _is_once(methods: Sequence[str]) -> bool:
    """Whether elements are made once, and looked at before at most: the clock may give others each time."""
    return len([method for method in methods if method not in ("count", "isEmpty")]) == 1


def _are_seen(functions: Sequence[ast.expr], output: Operation, step: Step) -> bool:
    """Whether an output that stands in another function sees all that functions read."""
    scope_of, facts = step.program.tree.scope_of, step.facts
    if scope_of(output.call) is scope_of(step.operation.call):
        return True
    around: set[ast.AST | None] = {None}
    above = step.facts.of(output.call).above
    node: ast.AST | None = output.call
    while node is not None:
        around.add(node)
        node = above.get(node)
    own = {node for function in functions for node in walk(function)}
    names = (node for node in own if isinstance(node, ast.Name))
    return all(home in own or home in around for home in map(facts.home, names))


def tell_caller(step: Step) -> None:
    """Say in the report who calls the function of a map for the rows that the driver reads."""
    _, output = _following(step.operation)
    why = SHOWN if output.operator == "pprint" else COLLECTED
    step.need(reasons={step.operation.use: why}, in_python=True)


def shown_within(step: Step, frame: Frame) -> Frame:
    """The frame for an output, whose rows the loop that prints, or a callback, hands to the functions within.

    Raises:
        RatherError: they are not only maps and filters, or may do more than to compute, or the callback does.
    """
    functions = [part.function for part in frame.within if not part.decodes]
    if any(part.prints for part in frame.within):
        check_not_within(frame)
    if has_items(frame) and all(may_come_late(one, step.facts, typed=True) for one in functions):
        with suppress(Refusal):
            frame = step.attempt(lambda tried: of_items(tried, frame))
            functions = []
    is_printed = step.operation.operator == "pprint"
    has_no_loop = step.options.trigger.is_by_record or (is_printed and step.options.pprint_exact)
    methods = [] if is_printed else element_methods(step.operation, functions, step.facts)
    takes_apart = "foreach" not in methods or step.basis.foreach is not None  # as no lambda does
    if not is_printed and not (methods and takes_apart):
        check_not_within(frame)
    if has_no_loop or not all(may_come_late(one, step.facts, typed=True) for one in functions):
        check_not_within(frame)
    try:
        loop = loop_of(step, frame, holds=is_printed)
        for name in loop.names:
            _check_free(name, step, frame.within[0].function)
        rows = rows_left(step, frame)
    except Refusal:
        check_not_within(frame)
        raise
    return changed(rows, shown=loop)


def texts_shown(step: Step, frame: Frame) -> Frame:
    """The frame for a ``pprint`` of the texts of what functions within make, which the driver may not call.

    Raises:
        Refusal: there are no such texts, or a name of the loop would hide another one.
    """
    texts, name = texts_of(step, frame), "text"
    _check_free(name, step, frame.within[0].function)
    return changed(texts.materialised(), shown=RowLoop((name,), name, takes_apart=True))


def bytes_shown(step: Step, frame: Frame) -> Frame:
    """The frame for a ``pprint`` of bytes, which a table shows as hexadecimal digits: a loop prints them.

    Raises:
        RatherError: the batch function has to print them.
    """
    columns = leaves(frame.element)
    is_plain = frame.shown is None and not (frame.kept or frame.beside or step.options.pprint_exact)
    if not is_plain or not any(leaf.shape in (Bytes(), Maybe(Bytes())) for leaf in columns):
        return frame
    if step.basis.prints:
        raise RatherError(Choices(in_batches=True))
    rows = frame.materialised()
    names = tuple(leaf.name or "" for leaf in leaves(rows.element))
    if not all(name.isidentifier() and not iskeyword(name) for name in names):
        return frame
    with suppress(Refusal):
        made = _written(rows.element, iter(names))
        for name in names:
            _check_free(name, step, step.operation.call)
        return changed(rows, shown=RowLoop(names, made, takes_apart=True))
    return frame


def _written(element: Element, names: Iterator[str]) -> str:
    """An element as code, by the variables of its columns.

    Raises:
        Refusal: Python prints it otherwise than as a tuple.
    """
    if isinstance(element, Scalar):
        return next(names)
    if element.fields:
        raise Refusal("it is no plain tuple", ast.Constant(None))
    items = [_written(item, names) for item in element.items]
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _loop(step: Step, frame: Frame, functions: Sequence[ast.expr]) -> RowLoop:
    """The loop that prints what functions make of the rows, one after the other.

    Raises:
        Refusal: a name of the loop would hide another one.
    """
    held = [one.args.args[0].arg for one in functions[1:] if _is_held(one, step.facts)]
    variable, shown, inner = _of_first(step, functions[0], frame, held)
    above: list[tuple[str, str]] = []
    for other in functions[1:]:
        if not isinstance(other, ast.Lambda):
            shown = f"{quoted(other)}({shown})"
            continue
        read = only_read(other, step.facts)
        if read is None:
            name = other.args.args[0].arg
            _check_free(name, step, other)
            above.append((name, shown))
        else:
            inner |= Inner(((read, shown),))
        shown = quoted(other.body)
    step.need(inner=inner)
    return RowLoop((variable,), shown, tuple(above))


def _is_held(function: ast.expr, facts: Facts) -> TypeGuard[ast.Lambda]:
    """Whether what a function is given gets a variable, as it reads that often, or not for certain."""
    return isinstance(function, ast.Lambda) and only_read(function, facts) is None


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


def may_come_late(function: ast.expr, facts: Facts, *, typed: bool = False) -> bool:
    """Whether a function is the same in all batches, and `typed` or known to be pure, so that others call it.

    Types are found of nothing else than what only computes.
    """
    return is_loop_invariant(function, facts) and (typed or is_pure(function, facts))


def _are_typed(functions: Sequence[ast.expr], frame: Frame, step: Step) -> bool:
    """Whether the types of all values in functions are known, each given the result of the one before."""
    try:
        given = type_of(frame.element)
        for place, function in enumerate(functions):
            scope = scope_of_new(step.scope, function, functions[:place], step.facts)
            given = type_of_result(function, given, scope)
    except Refusal:
        return False
    return True


def _of_first(step: Step, function: ast.expr, frame: Frame, others: Sequence[str]) -> tuple[str, str, Inner]:
    """The variable for a row, what is printed of it, and changes inside of that.

    Args:
        step: the operator.
        function: the first function.
        frame: the rows.
        others: the variables of what the functions make, of which the row is to have none.

    Raises:
        Refusal: the variable would hide another one.
    """
    names = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    is_twice = isinstance(function, ast.Lambda) and function.args.args[0].arg in others
    wanted = "row" if is_twice and "row" not in {*names, *others} else ""
    made, inner = row_function(step, function, frame.element, variable=wanted)
    if isinstance(made, NewLambda):
        (variable,), shown = made.parameters, made.body
    elif isinstance(function, ast.Lambda) and made == quoted(function):
        own = function.args.args[0]
        variable, shown = dict(inner.renamed).get(own, own.arg), quoted(function.body)
    else:
        variable = step.names.record
        shown = f"{made}({variable})"
    _check_free(variable, step, function)
    return variable, shown, inner


def _check_free(variable: str, step: Step, function: ast.expr) -> None:
    """Take a name for the variable of a loop, beside all others of the batch function.

    Raises:
        Refusal: it is one of these.
    """
    names = {value for value in vars(step.names).values() if value != step.names.record}
    given = step.known.names - step.known.loops
    bound = step.facts.bindings.get(variable, ())
    if variable in names | given | _IMPORTED or any(_is_seen(one, step) for one in bound):
        raise Refusal(f"`{variable}` is a variable, too", function)
    step.need(names=frozenset({variable}), loops=frozenset({variable}))


def _is_seen(binding: ast.AST, step: Step) -> bool:
    """Whether the batch function sees a variable; it does not see those of other functions."""
    facts, home = step.facts, None
    if isinstance(binding, ast.arg):
        home = facts.above[facts.above[binding]]
    elif isinstance(binding, ast.Name):
        home = facts.home(binding)
    return home is None or step.program.scope in walk(home)
