"""The functions of operators as columns; no step that may raise in Python is lost."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from migrate.columns import (
    Compiled,
    Element,
    Exploded,
    Scalar,
    compile_filter,
    compile_flat_map,
    compile_map,
    leaves,
)
from migrate.columns.casts import DIGITS, NUMBERS
from migrate.columns.code import columns_read
from migrate.columns.compiler import MISSING
from migrate.columns.element import Demands
from migrate.columns.floats import WHAT as INTS_AS_FLOATS
from migrate.columns.functions import FunctionNode
from migrate.columns.integers import WHAT as INTS
from migrate.columns.json_values import LEARNT
from migrate.columns.lists import WHAT as INDEX
from migrate.columns.names import is_telling
from migrate.columns.objects import NOTE as JSON
from migrate.columns.slices import WHAT as OF_TEXT
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.letters_left_out import letters_left_out
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, renumbered, tokens_of
from migrate.plan.new_code.code import Call
from migrate.plan.session.ansi import is_named
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk

RARE = frozenset({DIGITS, INTS, INTS_AS_FLOATS, MISSING, NUMBERS})
"""Values that either Python or columns take, of which a note is enough: they hardly ever come."""
NOTHING: Mapping[str, str] = MappingProxyType({})


def map_columns(
    step: Step,
    function: FunctionNode,
    element: Element,
    place: int | None = None,
    parsed: Mapping[str, str] = NOTHING,
    texts: frozenset[str] = frozenset(),
) -> Element:
    """The result of a function on an element, as columns.

    Args:
        step: the operator.
        function: the function.
        element: what it is given.
        place: which item of the new elements the result is, if they are tuples of it and others.
        parsed: columns that hold JSON which the function parses, by the code that does it.
        texts: the texts that the program has as literals, where JSON may become columns of a schema.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_map(function, [element], changed(step.scope_of(place), parsed=parsed, texts=texts))
    return _noted(step, compiled, element, function)


def mapped(
    step: Step, frame: Frame, function: FunctionNode, *, has_bytes: bool = False
) -> tuple[Frame, Element]:
    """A frame and the result of a function on its elements, as columns of it.

    JSON of which the function reads several values, or one of a schema, is parsed first, into a column of its
    own.

    Args:
        step: the operator.
        frame: the elements.
        function: the function.
        has_bytes: whether the result may hold bytes, as the program makes a DataFrame of it.

    Raises:
        Refusal: the function has no Column form.
    """
    texts = step.basis.texts
    made = compile_map(function, [frame.element], changed(step.scope, texts=texts, has_bytes=has_bytes))
    step.by_ascii = letters_left_out(step, function, made.element)
    if step.by_ascii:
        made = compile_map(function, [frame.element], changed(step.scope, texts=texts, has_bytes=has_bytes))
    if sum(parse.explodes for parse in set(made.demands.parsed)) > 1:  # each would be exploded
        texts = frozenset()
        made = compile_map(function, [frame.element], changed(step.scope, has_bytes=has_bytes))
    parses = Counter(made.demands.parsed)
    again = next((parse for parse, times in parses.items() if times > 1 or parse.explodes), None)
    if again is None:
        return frame, _noted(step, made, frame.element, function)
    named = step.scope.functions.get(function.id) if isinstance(function, ast.Name) else function
    name = _name_of_json(named) if named is not None else "record"
    while name in (*frame.kept, *(leaf.name for leaf in leaves(frame.element))):
        name += "_"
    element = map_columns(step, function, frame.element, parsed={again.code: name}, texts=texts)
    used = frozenset().union(*(columns_read(leaf) for leaf in leaves(element))) - {name}
    kept = sorted({*frame.kept, *used})
    columns = ", ".join([*(f'"{one}"' for one in kept), f'{again.once}.alias("{name}")'])
    return frame.call(Call("select", columns)), element


def _name_of_json(function: ast.AST) -> str:
    """What a function calls the object that it parses: ``event = json.loads(line)``."""
    for node in walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(attr="loads"))) if is_telling(name):
                return name if name not in vars(builtins) else "record"
    return "record"


def condition_of(step: Step, function: ast.expr, element: Element) -> Scalar:
    """A predicate as a condition on columns.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_filter(function, [element], step.scope)
    if isinstance(compiled.element, Scalar) and compiled.element.is_constant:
        compiled = replace(compiled, demands=_not_looked_at(compiled.demands))
    condition = _noted(step, compiled, element, function)
    assert isinstance(condition, Scalar)
    return condition


def _not_looked_at(demands: Demands) -> Demands:
    """What is to be said of code that is left out: ``lambda line: line.split()[6].split("/")`` is true."""
    return Demands(notes=demands.notes, gives=(*demands.gives, *demands.gives_without_ansi))


def explode(step: Step, function: ast.expr, element: Element, place: int | None = None) -> Exploded:
    """The function of a flatMap as an explode; see `map_columns`.

    Raises:
        Refusal: the function has no Column form.
    """
    exploded = compile_flat_map(function, [element], step.scope_of(place), step.hint)
    step.by_ascii = letters_left_out(step, function, exploded.element, in_pieces=True)
    if step.by_ascii:
        exploded = compile_flat_map(function, [element], step.scope_of(place), step.hint)
    need_compiled(step, exploded.demands)
    check_kept(tokens_of(element), tokens_of(exploded.array), function, "`flatMap`")
    known = tokens_of(element)
    return replace(exploded, element=renumbered(exploded.element, known))


def _noted(step: Step, compiled: Compiled, before: Element, function: FunctionNode) -> Element:
    check_kept(tokens_of(before), tokens_of(compiled.element), function, f"`{step.operation.operator}`")
    need_compiled(step, compiled.demands)
    return renumbered(compiled.element, tokens_of(before))


def need_compiled(step: Step, demands: Demands) -> None:
    """Add what compiled code demands to the needs."""
    if JSON in demands.notes:
        step.unsafe()
    if LEARNT in demands.notes:
        step.learnt()
    step.parses |= any(helper.is_parse for helper in demands.helpers)
    own = frozenset({step.operation})
    functions = {helper.name: helper for helper in demands.helpers if helper.is_function}
    step.need(
        notes=demands.notes,
        helpers=functions,
        settings={one.name: one for one in demands.helpers if one.name not in functions},
        raises=demands.raises,
        gives=demands.gives,
        gives_without_ansi=demands.gives_without_ansi,
        ansi=demands.ansi,
        in_python=demands.in_python,
        asks_lists=demands.asks_lists,
        places=any(helper.is_parse for helper in demands.helpers),
        narrower=own if demands.raises else frozenset(),
        often=frozenset() if _rare(step).issuperset((*demands.raises, *demands.gives)) else own,
        looser=own if demands.gives or demands.gives_without_ansi else frozenset(),
    )


def _rare(step: Step) -> frozenset[str]:
    """Values that either Python or columns take, and that hardly ever come, or fail in ANSI mode."""
    is_on = step.options.spark.has_ansi and not is_named(step.basis.trace)
    return RARE | {INDEX, OF_TEXT} if is_on else RARE
