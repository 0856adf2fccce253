"""The new code of outputs and sources: a chain to run, a call of a callback, a reader."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import KW_ONLY, field

from migrate.columns import Element, Helper
from migrate.frozen import dataclass, replace
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame, Within
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call, Chain, Code, When, Written

PPRINT = '''def {name}(rdd, time, num=10):
    """Print the first records of a batch as DStream.pprint did."""
    taken = rdd.take(num + 1)
    print("-" * 43, f"Time: {{time}}", "-" * 43, *taken[:num], sep="\\n")
    print("...\\n" if len(taken) > num else "")'''


@dataclass(frozen=True)
class Direct:
    """A call of a function of the program that passes on the batch, and nothing else."""

    _: KW_ONLY
    function: str
    """Code of the function."""
    parameter: ast.arg
    """The parameter that the batch is passed as."""
    given: str
    """The variable that is passed."""
    name: str
    """The name of the parameter in new code."""
    node: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    """The function."""
    time: ast.arg | None = None
    """The parameter that the batch time is passed as, if there is one still."""
    rdd: Chain | None = None
    """What the function is given in place of a DataFrame."""
    read: ast.Name | None = None
    """Where its name is read, if nothing else calls it."""
    alone: bool = False
    """Whether nothing else calls the function."""


@dataclass(frozen=True)
class Printed:
    """A statement of the batch function."""

    code: Code
    _: KW_ONLY
    column: bool
    """Whether all of it is columns."""
    body: tuple[Code | Written, ...] = ()
    """The statements of its block, if it opens one."""
    uses: int = 1
    """The number of times that it computes its stream."""
    variable: str | None = None
    """The variable that must hold the stream before the statement.

    What computes it then stands in a statement of its own.
    """
    rows: bool = False
    """Whether that variable holds a DataFrame, of whose rows there is RDD code."""
    whole: bool = False
    """Whether it is certain to compute all of its stream, as a write does."""
    sortable: bool = False
    """Whether it can be sorted by the choice `sorts_state`, and then computes all of its stream."""
    takes_frame: tuple[ast.FunctionDef, ast.Name] | None = None
    """A function of the program that gets a DataFrame in place of an RDD, and the only read of its name."""
    direct: Direct | None = None
    """The call, if it is one whose function the query can be given."""
    when: When | None = None
    """A condition under which it runs, beside those of the output."""
    otherwise: Code | None = None
    """What runs where that does not hold."""
    sink: tuple[Call, ...] = ()
    """The calls of a writer that puts out the same, where the query has no batch function."""
    first: str = ""
    """Code of how many rows of a state that is to be given; empty if there are none."""


@dataclass(frozen=True)
class Input:
    """The streaming DataFrame of a source."""

    name: str
    """Its name, where the program has none for it."""
    calls: tuple[Call, ...]
    """Calls on the session, or on `united`, without dots."""
    element: Element | None
    """One element, on columns; None where it has none, and `fetch` or `rdd` gives an RDD."""
    before: tuple[str, ...] = field(default=())
    """Statements that must stand before it."""
    notes: tuple[str, ...] = ()
    timed: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    """For each event time that the source has, by its name: the calls that add it as a column."""
    beside: tuple[str, ...] = ()
    """More columns, which say where a record is."""
    places: tuple[str, ...] = ()
    """More columns, which a batch is sorted by to have its elements in the order of their arrival."""
    fetch: str = ""
    """The expression in the batch function that gives the batch, in place of the query's DataFrame."""
    rdd: tuple[Call, ...] = ()
    """Calls on the batch that make an RDD of the elements, where no columns hold them."""
    sure: bool = False
    """Whether DStream has a partition in a batch without input."""
    is_shared: bool = False
    """Whether one takes the place of all that a comprehension or a loop makes, as receivers of one group."""
    united: str = ""
    """The union of all that a comprehension or a loop makes, if it is that."""
    within: tuple[Within, ...] = ()
    """The functions that make the program's elements of it, which no column holds."""

    def with_time(self, column: str, step: Step) -> Input:
        """The source with an event time as a column.

        Raises:
            Blocked: it has no such event time.
        """
        if column not in self.timed:
            known = " or ".join(f"`{name}`" for name in self.timed) or "no event time at all"
            raise step.blocked(f"its source has no event time `{column}`, but {known}")
        return replace(self, calls=self.timed[column], beside=())


def console(number: str | None, *, is_limited: bool = False) -> tuple[Call, ...]:
    """The calls of a writer to the console, which shows as many rows as pprint prints.

    Args:
        number: code of how many these are.
        is_limited: whether it gets no more rows than that, and shows as many by itself.
    """
    if is_limited:
        return (Call("format", '"console"'), Call("option", '"truncate", False'))
    return (Call("format", '"console"'), Call("options", f"truncate=False, numRows={number or 10}"))


def own_variable(step: Step, other: str) -> str:
    """The program's variable for the stream that an output reads, if it holds no other; else another one."""
    target = step.target
    is_bound_once = target is not None and step.facts.of(step.operation.call).only_binding(target) is not None
    return target if target is not None and is_bound_once else other


def printed_elements(step: Step, rdd: Rdd, number: str | None) -> Printed:
    """A loop that prints the first elements."""
    variable = own_variable(step, step.names.rdd) if rdd.calls else rdd.base
    element = step.names.record
    head = f"for {element} in {variable}.take({number or 10}):"
    return Printed(head, body=(f"print({element})",), column=False, variable=variable)


def shown_elements(step: Step, frame: Frame, number: str | None) -> Printed:
    """A loop that prints what is made of the first rows."""
    loop = frame.shown
    assert loop is not None
    variable = own_variable(step, step.names.rows) if frame.calls else frame.base
    head = f"for {loop.target} in {variable}.take({number or 10}):"
    return Printed(head, body=loop.body(f"print({loop.made})"), column=True, variable=variable)


def exact_pprint(step: Step, rdd: Rdd, number: str | None) -> Printed:
    """A call of a helper that prints the same text as DStream.pprint."""
    name = step.helper_name("pprint")
    if "pprint" not in step.known.helpers:
        step.need(helpers={"pprint": Helper(name, PPRINT.format(name=name), of=PPRINT)})
    variable = own_variable(step, step.names.rdd) if rdd.calls else rdd.base
    printed = Chain(f"{name}({variable}, {step.batch_time()}{f', {number}' if number else ''})")
    return Printed(printed, column=False, variable=variable)
