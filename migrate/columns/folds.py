"""State functions of ``updateStateByKey``: proves that one is a running sum or count, however it is written.

The function is run on symbols, once for each case that its conditions can tell apart: no new values or some;
no last state, a state of 0 or another one. It is a running sum if each case gives the sum of the new values
plus the state. (No new values and no state never meet: no key is called with neither.)
"""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Compiled, Element, Refusal, Scalar, Scope
from migrate.columns.entry import EMPTY
from migrate.columns.functions import FunctionNode
from migrate.columns.linear import LAST, LEN, SUM, Linear, Numbers, Opaque, State, Unsolved
from migrate.columns.reduces import SMALL, total
from migrate.columns.shapes import Int
from migrate.columns.state_functions import run_state_function
from migrate.frozen import dataclass


@dataclass(frozen=True)
class Fold(Compiled):
    """A running sum or count: `element` is the aggregate over all values of a key since the start."""

    kind: str = "sum"

    @property
    def aggregate(self) -> Scalar:
        """The aggregate, for ``agg``."""
        assert isinstance(self.element, Scalar)
        return self.element

    def merge(self, name: str, scope: Scope = EMPTY, *, other: bool = False) -> Compiled:
        """Return the aggregate over running values and others, united under one column name.

        Args:
            name: the column.
            scope: the names that the function may read.
            other: whether there are values that the fold did not make, of 64 bits each.
        """
        compiler = Compiler(scope)
        shape = Int() if other or self.demands.raises else Int(0, SMALL)
        summed = total(compiler, ast.Constant(0), Scalar(f"F.col({code.reference(name)})", shape, name))
        return compiler.compiled(summed)


def compile_update(function: FunctionNode, value: Element, scope: Scope = EMPTY) -> Fold:
    """Compile a state function over the values of a key.

    Args:
        function: a function of the list of new values and the last state, None at first.
        value: one value.
        scope: the names that the function may read.

    Raises:
        Refusal: it is not proven to be a running sum or count of ints, or the values are not ints.
    """
    compiler = Compiler(scope)
    if not isinstance(value, Scalar):
        raise Refusal("the state is no single number", function)
    kind = _kind(compiler, function)
    if kind == "count":
        value = replace(code.known(1), name=value.name)
    return Fold(**vars(compiler.compiled(total(compiler, function, value))), kind=kind)


_CASES: tuple[tuple[Linear, Linear, State, str], ...] = tuple(
    (added, length, last, f"{many} and {state}")
    for added, length, many in (
        (Linear.number(0), Linear.number(0), "no new values"),
        (Linear.symbol(SUM), Linear.symbol(LEN), "new values"),
    )
    for last, state in (
        (None, "no state"),
        (Linear.number(0), "a state of 0"),
        (Linear.symbol(LAST), "a state"),
    )
)


def _kind(compiler: Compiler, function: FunctionNode) -> str:
    kinds = {"sum", "count"}
    for added, length, last, case in _CASES:
        if length.known() == 0 and last is None:
            continue
        try:
            result = run_state_function(compiler, function, Numbers(added, length), last)
        except Unsolved as unsolved:
            raise Refusal(f"not proven to be a running sum: {unsolved}", function) from None
        if result is None:
            raise Refusal(f"it removes keys: with {case} it returns None", function)
        before = last if isinstance(last, Linear) else Linear.number(0)
        kinds &= {kind for kind, fresh in (("sum", added), ("count", length)) if result == before.plus(fresh)}
    if not kinds:
        raise Refusal("it is no running sum or count", function)
    return "sum" if "sum" in kinds else "count"


def keeps_state(function: FunctionNode, scope: Scope = EMPTY) -> bool:
    """Whether a state function is proven to return the last state where there are no new values.

    Args:
        function: a function of the list of new values and the last state.
        scope: the names that the function may read.
    """
    nothing = Numbers(Linear.number(0), Linear.number(0))
    try:
        return all(
            run_state_function(Compiler(scope), function, nothing, last) == last
            for last in (Opaque(truthy=True), Opaque(truthy=False))
        )
    except Unsolved:
        return False
