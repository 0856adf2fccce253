"""Queues of RDDs that are made of lists, as queues of DataFrames: ``spark.createDataFrame(words, "string")``.

All of a queue's RDDs are made by ``parallelize`` of lists whose items are known to be of one type.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from migrate.columns import (
    Element,
    Record,
    Refusal,
    Scalar,
    after_select,
    compile_expression,
    leaves,
    name_columns,
)
from migrate.columns.shapes import INT32_MAX, Int, Str, join
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.static_frames import list_element, schema_of_list, values_of
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.spark_types import type_name
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.lives import life_of
from migrate.syntax.quoting import quoted

NO_NAMES: Mapping[str, Scalar] = MappingProxyType({})


@dataclass(frozen=True)
class Queued:
    """The DataFrames of a queue."""

    element: Element
    inner: Inner
    """The calls that made RDDs, with those that make DataFrames."""
    empty: str
    """Code of a DataFrame without rows."""
    bound: dict[ast.stmt, str]
    """The statements that bind a variable to one of them, with its name."""


def queued_frames(step: Step, queue: ast.expr) -> Queued:
    """The DataFrames in place of the RDDs of a queue.

    Raises:
        Refusal: some elements are not known, or something else reads an RDD.
    """
    if step.choices.queues_of_rdds or step.program.carriers is not None:
        raise Refusal("its RDDs stay RDDs", queue)
    makers = list(dict.fromkeys(_makers(queue, step)))
    elements = [_element(maker, step) for maker in makers]
    whole = elements[0]
    for element in elements[1:]:
        whole = _joined(whole, element, queue)
    session = step.basis.session_at(step.operation.holder)
    ranges = {maker: given for maker in makers if (given := _range_of(maker.args[0], step)) is not None}
    if isinstance(whole, Scalar) and len(ranges) == len(makers):
        made = tuple((maker, _of_range(session, given)) for maker, given in ranges.items())
        numbers = after_select(name_columns(replace(whole, name="id")))
        return Queued(numbers, Inner(made), f"{session}.range(0)", _bound(makers, step.facts))
    named = name_columns(whole)
    types = ", ".join(f"{leaf.name} {type_name(leaf.shape)}" for leaf in leaves(named))
    schema = schema_of_list(named) if isinstance(named, Scalar) else f'"{types}"'
    replaced: tuple[tuple[ast.AST, str], ...] = tuple(
        (maker, f"{session}.createDataFrame({quoted(maker.args[0])}, {schema})") for maker in makers
    )
    empty = f"{session}.createDataFrame([], {schema})"
    return Queued(after_select(named), Inner(replaced), empty, _bound(makers, step.facts))


def _range_of(given: ast.expr, step: Step) -> ast.Call | None:
    """The call of ``range`` that a list is made of: ``list(range(9))``, ``[n for n in range(1, 9)]``."""
    match given:
        case ast.Call(ast.Name("list"), [made], []) if "list" not in step.facts.shadowed:
            return _range_of(made, step)
        case ast.ListComp(ast.Name(item), [ast.comprehension(ast.Name(same), made, [])]) if item == same:
            return _range_of(made, step)
        case ast.Call(ast.Name("range"), [_, *_], []) if "range" not in step.facts.shadowed:
            return given
    return None


def _of_range(session: str, given: ast.Call) -> str:
    """Code of a DataFrame of the numbers of a range."""
    return f"{session}.range({', '.join(map(quoted, given.args))})"


def _bound(makers: list[ast.Call], facts: Facts) -> dict[ast.stmt, str]:
    """The statements ``rdd = sc.parallelize(...)`` of such calls."""
    bound: dict[ast.stmt, str] = {}
    for maker in makers:
        match statement := facts.statement_of(maker):
            case ast.Assign([ast.Name(name)], value) if value is maker:
                bound[statement] = name
    return bound


def _makers(node: ast.expr, step: Step) -> Iterator[ast.Call]:
    """The calls that make the RDDs of a list of them."""
    facts = step.facts
    if isinstance(node, ast.List):
        for item in node.elts:
            yield from _maker(item, step)
    elif isinstance(node, ast.ListComp):
        yield from _maker(node.elt, step)
    elif isinstance(node, ast.Name):
        life = life_of(node, facts, step.program.tree)
        for binding in life.bindings:
            statement = facts.statement_of(binding)
            assert isinstance(statement, ast.Assign | ast.AugAssign)
            yield from _makers(statement.value, step)
        for load in life.loads:
            call = facts.above.get(facts.above[load])
            if isinstance(call, ast.Call) and isinstance(facts.above[load], ast.Attribute):
                yield from _maker(call.args[0], step)
    else:
        raise Refusal("the RDDs are not made by `parallelize`", node)


def _maker(node: ast.expr, step: Step) -> Iterator[ast.Call]:
    """The call that makes one RDD, maybe held by a variable that nothing but the queue reads."""
    if isinstance(node, ast.Name):
        facts = step.facts
        life = life_of(node, facts, step.program.tree)
        binding = life.bindings[0] if len(life.bindings) == 1 else None
        statement = facts.statement_of(binding) if binding is not None else None
        alone = life.loads == [node] and not facts.is_declared_elsewhere(node.id)
        if not (isinstance(statement, ast.Assign) and [*statement.targets] == [binding] and alone):
            raise Refusal(f"`{node.id}` is read by more than the queue", node)
        node = statement.value
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        raise Refusal("the RDDs are not made by `parallelize`", node)
    if node.func.attr != "parallelize" or not node.args or isinstance(node.args[0], ast.Starred):
        raise Refusal("the RDDs are not made by `parallelize`", node)
    yield node


def _element(maker: ast.Call, step: Step) -> Element:
    """An element of the list that a call makes an RDD of."""
    given = maker.args[0]
    named = {name: Scalar("F.lit(0)", shape) for name, shape in _indexes(maker, step)}
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "list":
        given = given.args[0] if len(given.args) == 1 else given
    given = _held(given, step)
    if (numbers := _numbers(given, step, named)) is not None:
        return Scalar("F.lit(None)", numbers)
    if isinstance(given, ast.ListComp) and len(given.generators) == 1:
        return _of_comprehension(given, given.generators[0], named, step)
    if isinstance(given, ast.Name) and (lists := _lists(given, maker, step)) is not None:
        element = list_element(lists[0], given)
        for values in lists[1:]:
            element = _joined(element, list_element(values, given), given)
        return element
    if isinstance(given, ast.List) and named:
        return _of_items(given.elts, named, step)
    return list_element(values_of(given, step), given)


def _held(given: ast.expr, step: Step) -> ast.expr:
    """The list that a variable holds which nothing else reads, where a comprehension makes it."""
    if not isinstance(given, ast.Name):
        return given
    life = life_of(given, step.facts, step.program.tree)
    value = step.facts.value_of(life.bindings[0]) if len(life.bindings) == 1 else None
    return value if isinstance(value, ast.ListComp) and life.loads == [given] else given


def _of_comprehension(
    made: ast.ListComp, loop: ast.comprehension, names: dict[str, Scalar], step: Step
) -> Element:
    """An element of ``[(tag, 0) for tag in tags]``: of a loop over a range, or a list that is written out."""
    numbers = _numbers(loop.iter, step)
    if numbers is not None:
        item: Element = Scalar("F.lit(0)", numbers)
    elif _holds_texts(loop.iter, step):
        item = Scalar('F.lit("")', Str())
    else:
        item = list_element(values_of(loop.iter, step), loop.iter)
    if not (isinstance(loop.target, ast.Name) and isinstance(item, Scalar)):
        raise Refusal("the list goes through more than numbers and texts", made)
    return _of_items([made.elt], {**names, loop.target.id: item}, step)


def _holds_texts(node: ast.expr, step: Step) -> bool:
    """Whether a variable is bound to a list of texts before the program starts, which nothing changes."""
    found = step.scope.settled(node) if isinstance(node, ast.Name) else None
    return found is not None and found.kind is list and isinstance(found.of, Str) and found.clean


def _of_items(items: list[ast.expr], names: dict[str, Scalar], step: Step) -> Element:
    """An element of a list of these items."""
    found = [compile_expression(item, names, step.scope).element for item in items]
    whole = found[0] if found else None
    for element in found[1:]:
        whole = _joined(whole, element, items[0])
    if whole is None:
        raise Refusal("the list is empty", step.operation.call)
    if isinstance(whole, Record) and any(isinstance(item, Record) for item in whole.items):
        raise Refusal("tuples in tuples are no columns of `createDataFrame`", items[0])
    return _bare(whole)


def _bare(element: Element) -> Element:
    """An element without the code that made it, which is Python's own."""
    if isinstance(element, Scalar):
        shape = element.shape
        return Scalar("F.lit(None)", Int(shape.low, shape.high) if isinstance(shape, Int) else shape)
    return Record(tuple(map(_bare, element.items)))


def _joined(one: Element | None, other: Element, node: ast.AST) -> Element:
    """An element that is one or the other."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        shape = join(one.shape, other.shape)
        if shape is not None:
            return replace(one, shape=shape)
    if isinstance(one, Record) and isinstance(other, Record) and len(one.items) == len(other.items):
        items = zip(one.items, other.items, strict=True)
        return Record(tuple(_joined(left, right, node) for left, right in items))
    raise Refusal("the elements are not of one type", node)


def _loops(node: ast.AST, step: Step) -> Iterator[ast.For | ast.comprehension]:
    """The loops around a node, the inner ones first."""
    above = step.facts.above.get(node)
    while above is not None:
        for loop in above.generators if isinstance(above, ast.ListComp) else [above]:
            if isinstance(loop, ast.For | ast.comprehension) and isinstance(loop.target, ast.Name):
                yield loop
        above = step.facts.above.get(above)


def _indexes(node: ast.AST, step: Step) -> Iterator[tuple[str, Int]]:
    """The variables of the loops over ranges around a node, and their numbers."""
    for loop in _loops(node, step):
        if (numbers := _numbers(loop.iter, step)) is not None:
            yield ast.unparse(loop.target), numbers


def _lists(name: ast.Name, node: ast.AST, step: Step) -> list[list[object]] | None:
    """The lists that the variable of a loop goes through: ``for words in [["a"], ["b"]]:``."""
    for loop in _loops(node, step):
        if ast.unparse(loop.target) != name.id:
            continue
        values = _items(loop.iter, step)
        lists = [value for value in values if isinstance(value, list)]
        if step.facts.loads.get(name.id) == [name] and lists and len(lists) == len(values):
            return lists
        raise Refusal(f"`{name.id}` is not known to be a list", name)
    return None


def _items(node: ast.expr, step: Step) -> list[Any]:
    """The items of a list that is written out, in a loop or in a variable that only loops read."""
    if not isinstance(node, ast.Name):
        return values_of(node, step)
    facts = step.facts
    binding = facts.only_binding(node.id)
    statement = facts.statement_of(binding) if binding is not None else None
    loops = [facts.above[load] for load in facts.loads.get(node.id, ())]
    only = all(
        isinstance(loop, ast.For | ast.comprehension) and isinstance(loop.iter, ast.Name) for loop in loops
    )
    if isinstance(statement, ast.Assign) and [*statement.targets] == [binding] and only:
        return values_of(statement.value, step)
    raise Refusal(f"`{node.id}` is not a list that is written out", node)


def _numbers(node: ast.expr, step: Step, names: Mapping[str, Scalar] = NO_NAMES) -> Int | None:
    """The numbers of a `range` whose ends are written out, or computed of the numbers of loops around it."""
    match node:
        case ast.Call(ast.Name("range"), [_, *_] as arguments, []) if "range" not in step.facts.shadowed:
            ends = _ends(arguments) or _computed_ends(arguments, step, names)
            return Int(*ends, 64) if ends and max(map(abs, ends)) < INT32_MAX else None
    return None


def _ends(arguments: list[ast.expr]) -> tuple[int, int] | None:
    """The least and the greatest number of a range whose ends are written out."""
    try:
        found = range(*map(ast.literal_eval, arguments))
    except (SyntaxError, TypeError, ValueError):
        return None
    return (min(found[0], found[-1]), max(found[0], found[-1])) if found else (0, 0)


def _computed_ends(
    arguments: list[ast.expr], step: Step, names: Mapping[str, Scalar]
) -> tuple[int, int] | None:
    """What no number of a range is below or above whose ends are computed of others."""
    bounds = [_bounds(argument, step, names) for argument in arguments]
    ends = [end for bound in bounds[:2] if bound is not None for end in bound]
    first = 0 if len(arguments) == 1 else min(ends, default=0)
    return None if None in bounds else (min(first, *ends), max(first, *ends))


def _bounds(node: ast.expr, step: Step, names: Mapping[str, Scalar]) -> tuple[int, int] | None:
    """The least and the greatest value of an int; None where they are not known."""
    try:
        shape = compile_expression(node, names, step.scope).element
    except Refusal:
        return None
    found = shape.shape if isinstance(shape, Scalar) else None
    if not isinstance(found, Int) or found.low is None or found.high is None:
        return None
    return found.low, found.high
