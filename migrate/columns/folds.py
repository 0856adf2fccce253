"""State functions of ``updateStateByKey``: proves that one is a running sum or count, however it is written.

The function is run on symbols, once for each case that its conditions can tell apart: no new values or some;
no last state, a state of 0 or another one. It is a running sum if each case gives the sum of the new values
plus the state. (No new values and no state never meet: no key is called with neither.) A tuple of such is a
state of several sums.

Floats are summed where a batch has one value for each key, as after ``reduceByKey``: that and the last state
are two numbers, whose sum is the same in either order. They are, too, where Spark adds up those of a batch in
the order of the new values, as the function does, which then adds the last state to what they give.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Compiled, Element, Record, Refusal, Scalar, Scope, leaves
from migrate.columns.entry import EMPTY
from migrate.columns.functions import FunctionNode
from migrate.columns.linear import (
    LAST,
    LEN,
    SUM,
    ZERO,
    Derived,
    Fails,
    Items,
    Linear,
    Numbers,
    Opaque,
    State,
    Tuples,
    Unsolved,
    numbers_of,
    symbols,
)
from migrate.columns.reduces import SMALL, total
from migrate.columns.shapes import Float, Int
from migrate.columns.state_arithmetic import Arithmetic
from migrate.columns.state_functions import run_state_function
from migrate.frozen import dataclass, replace


@dataclass(frozen=True)
class Derivation:
    """An item of a state that is made of its sums: ``total / count``.

    Attributes:
        place: which item it is.
        node: the expression.
        of: the sums that its variables stand for, by their places among the sums.
    """

    place: int
    node: ast.expr
    of: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Fold(Compiled):
    """Running sums and counts: `element` has the aggregates over all values of a key since the start.

    Attributes:
        parts: for each sum of the state, the item of a value that it is the sum of; None for a count.
        derived: what the state has beside its sums.
        is_value: whether the state after one value is that value.
        fails_at_first: whether the function raises an error for a key that has no state.
        whole_zero: whether a sum of floats that is 0.0 may be a 0 where it is, as ``last or 0`` makes it.
        begins_as_float: whether a sum of ints is a float, as it begins with 0.0.
        adds_floats: whether several floats of a batch are added up, in their order.
        uses_sum: whether `sum` adds these up.
        onto_last: whether they are added to the last state one by one.
    """

    parts: tuple[int | None, ...] = (0,)
    derived: tuple[Derivation, ...] = ()
    is_value: bool = True
    fails_at_first: bool = False
    whole_zero: bool = False
    begins_as_float: bool = False
    adds_floats: bool = False
    uses_sum: bool = False
    onto_last: bool = False

    @property
    def sums(self) -> bool:
        """Whether it counts nothing."""
        return None not in self.parts

    def merge(
        self, names: Iterable[str], scope: Scope = EMPTY, *, other: bool = False, below: bool = False
    ) -> Compiled:
        """Return the aggregates over running values and others, united under the names of columns.

        Args:
            names: the columns.
            scope: the names that the function may read.
            other: whether there are values that the fold did not make, of 64 bits each.
            below: whether some of those are below 0.
        """
        compiler = Compiler(scope)
        large = other or bool(self.demands.raises)

        def merged(name: str, of: Scalar) -> Scalar:
            shape = of.shape
            if isinstance(shape, Int):
                shape = Int() if large else Int(-SMALL if below or shape.low < 0 else 0, SMALL)
            column = code.column_named(name, shape)
            return total(compiler, ast.Constant(0), column, floats=True)

        made = tuple(merged(name, of) for name, of in zip(names, leaves(self.element), strict=True))
        return compiler.compiled(made[0] if isinstance(self.element, Scalar) else Record(made))


def compile_update(
    function: FunctionNode,
    value: Element,
    scope: Scope = EMPTY,
    *,
    one_each: bool = False,
    in_order: bool = False,
) -> Fold:
    """Compile a state function over the values of a key.

    Args:
        function: a function of the list of new values and the last state, None at first.
        value: one value: a number, or a tuple of numbers.
        scope: the names that the function may read.
        one_each: whether a batch has at most one value for each key, so that floats have one order.
        in_order: whether Spark adds up a batch's values of a key in the order of the list, before all else.

    Raises:
        Refusal: it is not proven to be running sums or counts, or the values cannot be summed in any order.
    """
    items = (value,) if isinstance(value, Scalar) else value.items
    numbers = [item for item in items if isinstance(item, Scalar)]
    if not numbers or len(numbers) < len(items):
        raise Refusal("its values are no tuples of numbers", function)
    given = _Values(value, tuple(numbers), one_each=one_each, in_order=in_order)
    try:
        return _compiled(function, given, scope)
    except Refusal:
        tried = (_begun(function, given, scope, frozenset(places)) for places in given.choices)
        found = next((one for one in tried if one is not None), None)
        if found is None:
            raise
        return found


def _begun(function: FunctionNode, values: _Values, scope: Scope, begun: frozenset[int]) -> Fold | None:
    """The fold whose sums of these items of ints begin with 0.0; None if the function is none such."""
    try:
        return _compiled(function, values, scope, begun)
    except Refusal:
        return None


@dataclass(frozen=True)
class _Values:
    """The values of a key; see `compile_update`."""

    value: Element
    numbers: tuple[Scalar, ...]
    one_each: bool
    in_order: bool

    @property
    def floats(self) -> frozenset[int]:
        """The items that are floats and added up in the order of the list."""
        in_order = self.one_each or self.in_order
        return frozenset(
            place for place, number in enumerate(self.numbers) if in_order and isinstance(number.shape, Float)
        )

    @property
    def choices(self) -> Iterator[tuple[int, ...]]:
        """The items that are ints, whose sums may begin with 0.0: some or all of them."""
        ints = [place for place, number in enumerate(self.numbers) if isinstance(number.shape, Int)]
        for many in range(1, min(len(ints), _MOST) + 1):
            yield from itertools.combinations(ints, many)


def _compiled(
    function: FunctionNode, values: _Values, scope: Scope, begun: frozenset[int] = frozenset()
) -> Fold:
    """The fold that a state function is.

    Args:
        function: the state function.
        values: the values of a key.
        scope: the names that the function may read.
        begun: the items of ints whose sums begin with 0.0.

    Raises:
        Refusal: see `compile_update`.
    """
    compiler, numbers, floats = Compiler(scope), values.numbers, values.floats
    arithmetic = Arithmetic(floats | begun, several=not values.one_each)
    arity = None if isinstance(values.value, Scalar) else len(numbers)
    trial = _Trial(compiler, function, arity, arithmetic, begun)
    width, fails_at_first = trial.state()
    parts, derived = trial.parts(width, fails_at_first=fails_at_first)

    def summed(part: int | None) -> Scalar:
        of = replace(code.known(1), name=numbers[0].name) if part is None else numbers[part]
        if part in begun and of.constant != 1:
            of = _as_float(of)
        made = total(compiler, function, of, floats=bool(arithmetic.floats))
        return _as_float(made) if part in begun and isinstance(made.shape, Int) else made

    totals = tuple(map(summed, parts))
    if derived and trial.whole_zero:
        raise Refusal("something is made of a sum that is a 0 where it may be 0.0", function)
    made = compiler.compiled(totals[0] if width is None else Record(totals))
    alike = parts == tuple(range(len(numbers))) and (width is None) is (arity is None)
    return Fold(
        **vars(made),
        parts=parts,
        derived=derived,
        is_value=alike and not (derived or begun),
        fails_at_first=fails_at_first,
        whole_zero=trial.whole_zero,
        begins_as_float=not begun.isdisjoint(parts),
        adds_floats=not values.one_each and not floats.isdisjoint(parts),
        uses_sum=arithmetic.uses_sum,
        onto_last=arithmetic.onto_last,
    )


def _as_float(number: Scalar) -> Scalar:
    """A column of ints as floats."""
    return code.build(f'{code.column(number)}.cast("double")', Float(finite=True), number, name=number.name)


_MOST = 4
"""As many numbers in a state as are looked at: for each it may matter whether it is 0."""


class _Trial:
    """Runs a state function on symbols.

    Attributes:
        compiler: knows the names that it may read.
        function: the state function.
        arity: the number of items of a value; None for one that is no tuple.
        arithmetic: knows which items are floats.
        begun: the items of ints whose sums are to begin with 0.0.
        whole_zero: whether a sum of floats that is 0.0 became 0.
    """

    def __init__(
        self,
        compiler: Compiler,
        function: FunctionNode,
        arity: int | None,
        arithmetic: Arithmetic,
        begun: frozenset[int],
    ) -> None:
        self.compiler = compiler
        self.function = function
        self.arity = arity
        self.arithmetic = arithmetic
        self.floats = arithmetic.floats
        self.begun = begun
        self.whole_zero = False

    def state(self) -> tuple[int | None, bool]:
        """Return the number of items of a state, None for a number, and whether a key's first call fails.

        Raises:
            Refusal: the function makes no state of numbers.
        """
        new = self._new(some=True)
        try:
            return _width(self._run(new, None), self.function), False
        except Refusal:
            if self.arity is not None:
                raise
            return None, False  # other cases may tell better why it is none
        except Fails:
            widths = [width for width in range(1, _MOST + 1) if self._takes(new, width)]
            if not widths:
                raise Refusal("it raises an error for a key that has no state", self.function) from None
            return widths[0], True

    def _takes(self, new: Numbers | Tuples, width: int) -> bool:
        """Whether the function makes a tuple of new values and a state of so many numbers."""
        try:
            return isinstance(self._run(new, symbols(LAST, width)), Items)
        except Fails:
            return False

    def parts(
        self, width: int | None, *, fails_at_first: bool
    ) -> tuple[tuple[int | None, ...], tuple[Derivation, ...]]:
        """Return the item of values that each sum of the state sums, None for a count, and what else it has.

        Raises:
            Refusal: some number is not proven to be a running sum or count, or to be made of some.
        """
        found: list[set[int | None]] = [{*range(self.arity or 1), None} for _ in range(width or 1)]
        derived: dict[int, list[tuple[Derived, State]]] = {}
        whole: set[int] = set()
        for some in (False, True):
            for last, state in self._states(width):
                if last is None and (fails_at_first or not some):
                    continue
                case = f"{'new values' if some else 'no new values'} and {state}"
                new = self._new(some=some)
                try:
                    result = self._run(new, last)
                except Fails:
                    raise Refusal(f"it raises an error: with {case}", self.function) from None
                if result is None:
                    raise Refusal(f"it removes keys: with {case} it returns None", self.function)
                if _width(result, self.function) != width:
                    raise Refusal("its states are not of one form", self.function)
                if not some and result == last:
                    continue
                for place, number in enumerate(_items(result)):
                    before = Linear.number(0) if last is None else numbers_of(last)[place]
                    if isinstance(number, Derived):
                        derived.setdefault(place, []).append((number, result))
                        found[place] = set()
                    elif isinstance(number, Linear):
                        fits = {
                            part
                            for part in found[place]
                            if self._is_sum(number, before, new, part)
                            and (
                                part not in self.begun
                                or self._is_float(number, before, is_first=last is None)
                            )
                        }
                        found[place] = fits
                        whole.add(place)
        sums = [place for place in range(width or 1) if place not in derived]
        made = [_derivation(place, cases, sums) for place, cases in sorted(derived.items())]
        if not sums or not all(found[place] for place in sums) or None in made or whole & derived.keys():
            raise Refusal("it is no running sum or count", self.function)
        parts = (min((part for part in found[place] if part is not None), default=None) for place in sums)
        return tuple(parts), tuple(one for one in made if one is not None)

    def _is_sum(self, number: Linear, before: Linear, new: Numbers | Tuples, part: int | None) -> bool:
        if part not in self.floats and ZERO in before.factors:
            return True  # no sum of ints is a float
        if part is None:
            return number == before.plus(new.length)
        added = new.total if isinstance(new, Numbers) else new.totals[part]
        if part not in self.floats:
            return number == before.plus(added)
        self.whole_zero |= not number.factors and ZERO in before.factors
        return number.without(ZERO) == before.plus(added).without(ZERO)

    @staticmethod
    def _is_float(number: Linear, before: Linear, *, is_first: bool) -> bool:
        """Whether a sum of ints is a float, as it began with 0.0; no last state is a whole 0 then."""
        is_whole_zero = not is_first and not before.factors
        return is_whole_zero or ZERO in number.factors or any(one.kind == LAST for one in number.factors)

    def _states(self, width: int | None) -> Iterator[tuple[State, str]]:
        """The last states that conditions can tell apart, and what they are called."""
        zeros = [Linear.number(0), *([Linear({ZERO: 1})] if self.floats else [])]
        yield None, "no state"
        if width is None:
            yield from ((zero, "a state of 0") for zero in zeros)
            yield Linear.symbol(LAST), "a state"
            return
        choices = ([*zeros, other] for other in numbers_of(symbols(LAST, width)))
        for numbers in itertools.product(*choices):
            yield Items(numbers), "a state"

    def _new(self, *, some: bool) -> Numbers | Tuples:
        length = Linear.symbol(LEN) if some else Linear.number(0)
        if self.arity is None:
            return Numbers(Linear.symbol(SUM) if some else Linear.number(0), length)
        sums = numbers_of(symbols(SUM, self.arity))
        return Tuples(tuple(one if some else Linear.number(0) for one in sums), length)

    def _run(self, new: Numbers | Tuples, last: State) -> State:
        try:
            return run_state_function(self.compiler, self.function, new, last, arithmetic=self.arithmetic)
        except Unsolved as unsolved:
            raise Refusal(f"not proven to be a running sum: {unsolved}", self.function) from None


def _items(state: State) -> Sequence[State]:
    """The items of a state that is a tuple; one that is none is its only item."""
    return state.items if isinstance(state, Items) else (state,)


def _derivation(place: int, cases: Sequence[tuple[Derived, State]], sums: Sequence[int]) -> Derivation | None:
    """What an item of a state is made of, if that is the same sums in all cases.

    Args:
        place: which item it is.
        cases: the item in each case, and the state.
        sums: which items are sums.
    """
    (first, _), *_ = cases
    found = {name: {*range(len(sums))} for name, _ in first.of}
    for one, state in cases:
        if one.code != first.code or len(one.of) != len(found):
            return None
        items = _items(state)
        for name, number in one.of:
            found[name] &= {position for position, at in enumerate(sums) if items[at] == number}
    if not all(found.values()):
        return None
    return Derivation(place, first.node, tuple((name, min(places)) for name, places in found.items()))


def _width(state: State, function: FunctionNode) -> int | None:
    """The number of items of a state; None for one that is a number.

    Raises:
        Refusal: it is neither.
    """
    if isinstance(state, Linear):
        return None
    if not isinstance(state, Items) or not all(isinstance(item, Linear | Derived) for item in state.items):
        raise Refusal("it is no running sum or count", function)
    if not 0 < len(state.items) <= _MOST:
        raise Refusal("its state has too many numbers", function)
    return len(state.items)


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
    except (Fails, Unsolved):
        return False
