"""Comprehensions: ``F.transform`` and ``F.filter``, the steps of a flatMap, or item by item.

The variable becomes the parameter of a lambda over Columns and keeps its name.
"""

from __future__ import annotations

import ast
from functools import partial

from migrate.columns import code
from migrate.columns.booleans import both, truth
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import (
    Display,
    Element,
    Generated,
    Generator,
    Loop,
    Record,
    Scalar,
    Value,
    gone_through,
    leaves,
)
from migrate.columns.json_values import as_learnt, bare_list
from migrate.columns.messages import refusal
from migrate.columns.names import is_telling
from migrate.columns.registry import Production, covers, syntax
from migrate.columns.shapes import Json, List
from migrate.columns.tells import under
from migrate.columns.tuples import unpack
from migrate.frozen import replace

Comprehension = ast.ListComp | ast.GeneratorExp


@syntax(ast.ListComp, ast.GeneratorExp)
@covers(
    Production(
        "[f(w) for w in words if c(w)]",
        "one `for` over a list; one column for each item, or a tuple in a flatMap",
        (
            "lambda words: [w + '!' for w in words]",
            "lambda s: [w for w in s.split(',') if w]",
            "lambda s: [int(w) for w in s.split(',') if w.startswith('1')]",
            "lambda s, t: [w + t for w in s.split()]",
            "lambda s, t: [w.strip() for w in (s, t)]",
        ),
    ),
    Production(
        "(f(w) for w in words)",
        "a list where something goes through it, once; a condition that always holds",
        (
            "lambda s: ','.join(w for w in s.split() if w)",
            "lambda s: [w + '!' for w in (v.strip() for v in s.split(','))]",
            "lambda s: 1 if (w for w in s.split() if w) else 0",
        ),
    ),
)
def _comprehension(compiler: Compiler, node: Comprehension, names: Names) -> Value:
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise refusal(node, "only one `for` is covered")
    generator = node.generators[0]
    source = gone_through(compiler.value(generator.iter, names))
    if isinstance(source, Record | Display):
        made: Generated | Display = _over_display(compiler, node, source, names)
    else:
        made = _over_array(compiler, node, source, names)
    return made if isinstance(node, ast.ListComp) else Generator(made)


def _over_array(compiler: Compiler, node: Comprehension, source: Value, names: Names) -> Generated:
    generator = node.generators[0]
    array = compiler.as_scalar(source, generator.iter)
    if isinstance(array.shape, Json) and array.shape.bare:
        array = bare_list(compiler, generator.iter, array)
    if not isinstance(array.shape, List):
        raise compiler.unlike(generator.iter, array)
    item = Scalar("", array.shape.of, columns=frozenset())
    variable = generator.target.id if isinstance(generator.target, ast.Name) else None

    def loop(item_code: str, column: str | None) -> Loop:
        name = variable if is_telling(variable) else None
        own = code.item_in(item, item_code, column)
        return _loop(compiler, node, replace(own, name=name), names)

    trial = loop(variable or "item", None)
    raises = any(leaf.partial for leaf in (trial.condition, *leaves(trial.element)))
    tokens = compiler.raising(array).tokens if raises else array.tokens
    return Generated(array, variable, loop, raises, tokens)


def _loop(compiler: Compiler, node: Comprehension, item: Scalar, names: Names) -> Loop:
    with compiler.assumed.told((), besides=item.code):
        return _loop_over(compiler, node, item, names)


def _loop_over(compiler: Compiler, node: Comprehension, item: Scalar, names: Names) -> Loop:
    generator = node.generators[0]
    inner = {**names, **unpack(compiler, generator.target, item)}
    condition = code.TRUE
    for test in generator.ifs:
        with compiler.assumed.told(condition.tells.holds):
            link = compiler.framed(test, partial(_passes, compiler, test, inner))
        condition = both(condition, link)
    with compiler.assumed.told(condition.tells.holds):
        element = compiler.framed(node, lambda: compiler.element(node.elt, inner))
    told = under(item, dict(condition.tells.holds))
    assert isinstance(told, Scalar)
    return Loop(told, condition, element)


def _passes(compiler: Compiler, test: ast.expr, names: Names) -> Scalar:
    compiler.assumed.tests(test)
    return truth(compiler, compiler.value(test, names), test)


def as_array(compiler: Compiler, generated: Generated, node: ast.AST) -> Scalar:
    """Return a comprehension's list as an array column.

    Raises:
        Refusal: its items are tuples or lists.
    """
    variable = compiler.variable(generated.variable or "item")
    loop = generated.loop(variable, None)
    array = generated.source
    if not loop.condition.is_constant:
        body = loop.condition.code
        text = f"F.filter({code.argument(array)}, lambda {variable}: {body})"
        array = code.build(text, List(loop.item.shape), array, loop.condition, skips=True)
    elif not loop.condition.constant:
        raise refusal(node, "it is always empty")
    made = as_learnt(compiler, compiler.as_scalar(loop.element, node), None)
    assert isinstance(made, Scalar)
    if isinstance(made.shape, List):
        raise refusal(node, "a list of lists has no Column form")
    if made.in_python or loop.condition.in_python:
        raise refusal(node, "Spark calls no function of Python for the items of a list")
    if made != loop.item:
        text = f"F.transform({code.argument(array)}, lambda {variable}: {made.code})"
        least = array.shape.at_least if isinstance(array.shape, List) else 0
        array = code.build(text, List(made.shape, least), array, made, skips=True)
    return replace(array, tokens=generated.tokens)


def _over_display(compiler: Compiler, node: Comprehension, source: Record | Display, names: Names) -> Display:
    generator = node.generators[0]
    if isinstance(source, Display) and source.kind is not list:
        raise refusal(node, "the order of a set or dict is not covered")
    items: list[Element] = []
    for item in source.items:
        inner = {**names, **unpack(compiler, generator.target, item)}
        tests = [truth(compiler, compiler.value(test, inner), test) for test in generator.ifs]
        if not all(test.is_constant for test in tests):
            raise refusal(node, "which items are left depends on the data")
        if all(test.constant for test in tests):
            items.append(compiler.element(node.elt, inner))
    return Display(list, tuple(items))
