"""``flatMap``: an ``explode`` of the array that the function makes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from contextlib import suppress

from migrate.columns import Element, Exploded, Refusal, Scalar, after_select, leaves, name_columns, projection
from migrate.columns.code import argument
from migrate.columns.shapes import Str
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import explode, mapped
from migrate.plan.elements.row_functions import on_elements
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.tokens import carry_tokens
from migrate.plan.new_code.code import Call
from migrate.plan.typed.composed import composed, left_within
from migrate.plan.typed.typed_functions import deciding, typed_flat_map
from migrate.proofs.elements.result_shapes import value_shape_of_items
from migrate.rules._register import Example, Rule, register, to_console

ONE = "flatMap whose lists have one item becomes a select"
SAME = "flatMap that splits texts at what none of them has is left out"


@register
class FlatMap(Rule):
    """A list of each element becomes rows of its own."""

    operator = "flatMap"
    takes_rows = True
    summary = "flatMap becomes an explode"
    examples = (
        Example(
            'words = lines.flatMap(lambda line: line.split(" "))\nwords.pprint()',
            'words = lines.select(F.explode(F.split("value", " ")).alias("word"))\n' + to_console("words"),
        ),
        Example(
            'words = lines.flatMap(lambda line: line.title().split(" "))\nwords.pprint()',
            'word_udf = F.udf(lambda line: line.title().split(" "), "array<string>")\n'
            'words = batch.select(F.explode(word_udf("value")).alias("word"))\n'
            "words.show(10, truncate=False)",
        ),
        Example(
            "from collections import Counter\n"
            "\n"
            "counts = lines.flatMap(lambda line: Counter(line.split()).items())\n"
            "counts.reduceByKey(lambda a, b: a + b).pprint()",
            "count_udf = F.udf(\n"
            "    lambda line: list(Counter(line.split()).items()),\n"
            '    "array<struct<key string, value bigint>>",\n'
            ")\n"
            'counts = batch.select(F.explode(count_udf("value")).alias("item")).select("item.*")\n'
            'counts.groupBy("key").agg(F.sum("value").alias("value")).show(10, truncate=False)',
        ),
        Example(
            "lengths = lines.flatMap(lambda line: [len(line)])\nlengths.pprint()",
            'lengths = lines.select(F.length("value").alias("length"))\n' + to_console("lengths"),
        ),
        Example(
            'lines.flatMap(lambda line: [(line, 1), ("all", 1)]).reduceByKey(lambda a, b: a + b).pprint()',
            "(\n"
            '    batch.select(F.explode(F.array("value", F.lit("all"))).alias("key"))\n'
            '    .groupBy("key").count()\n'
            "    .show(10, truncate=False)\n"
            ")",
        ),
        Example(
            'rows = lines.flatMap(lambda line: line.split("\\n"))\nrows.pprint()',
            to_console("lines"),
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        function = step.function("f", "preservesPartitioning")
        if _keeps_texts(function, frame.element):
            step.need(reasons={step.operation.use: SAME}, idle=frozenset({step.operation}))
            return frame
        one = _with_one(function)
        if one is not None:
            step.need(reasons={step.operation.use: ONE})
            frame, element = mapped(step, frame, one)
            return frame.holding(element)
        step.hint = _hint(step, function)
        exploded = explode(step, function, frame.element)
        if exploded.name in frame.kept:
            raise Refusal("the new column would have the name of the event time", step.operation.call)
        if (made := _at_once(exploded, frame)) is not None:
            return made
        kept = [f'"{name}"' for name in (*frame.kept, *exploded.kept)]
        array = f'F.explode({argument(exploded.array)}).alias("{exploded.name}")'
        frame = frame.call(Call("select", ", ".join([*kept, array])), filtered=True, explodes=True)
        if exploded.condition is not None:
            decides = deciding(step, frame, exploded.condition)
            frame = frame.where(exploded.condition.code, conditions=decides)
        whole = isinstance(exploded.element, Scalar) and exploded.element.column == exploded.name
        return replace(frame, element=exploded.element, pending=bool(exploded.kept) or not whole)

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        function = step.function("f", "preservesPartitioning")
        step.hint = _hint(step, function)
        if frame.within:
            return composed(step, frame, function)
        with suppress(Refusal):
            return typed_flat_map(step, frame, function)
        return left_within(step, frame, function)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f", "preservesPartitioning")
        rdd, code = on_elements(step, rdds[0], function)
        return rdd.call(Call("flatMap", code), value=value_shape_of_items(function, step.facts))


def _at_once(exploded: Exploded, frame: Frame) -> Frame | None:
    """The frame with columns beside the new one, if it only names them or puts them in another order."""
    if exploded.condition is not None or not exploded.kept or frame.kept:
        return None
    named = name_columns(exploded.element, frame.hint)
    own = [*exploded.kept, exploded.name]
    parts = leaves(named)
    if Counter(leaf.column for leaf in parts) != Counter(own):
        return None
    array = f"F.explode({argument(exploded.array)})"
    columns = [
        f'{array}.alias("{leaf.name}")' if leaf.column == exploded.name else next(iter(projection(leaf)))
        for leaf in parts
    ]
    selected = carry_tokens(named, after_select(named))
    select = Call("select", ", ".join(columns))
    return frame.call(select, element=selected, pending=False, filtered=True, explodes=True)


def _with_one(function: ast.expr) -> ast.Lambda | None:
    """The function of the only item of each list that a function makes: ``lambda line: [line.split()]``."""
    match function:
        case ast.Lambda(arguments, ast.List([item]) | ast.Tuple([item])) if not isinstance(item, ast.Starred):
            return ast.copy_location(ast.Lambda(arguments, item), function)
    return None


def _keeps_texts(function: ast.expr, element: Element) -> bool:
    """Whether a function splits texts at what none of them can have, as lines at a line feed."""
    match function:
        case ast.Lambda(
            ast.arguments(args=[ast.arg(arg=name)]),
            ast.Call(ast.Attribute(ast.Name(id=text), "split"), [ast.Constant(str(separator))], []),
        ) if separator and text == name and isinstance(element, Scalar) and isinstance(element.shape, Str):
            return any(one not in element.shape.characters for one in separator)
    return False


def _hint(step: Step, function: ast.expr) -> str | None:
    """The name of the new stream, but where that says what becomes of it: ``counts``, of words."""
    words = _words(function)
    return words if step.hint is None or (words and _NUMBERS.search(step.hint)) else step.hint


_NUMBERS = re.compile("(?:counts?|totals?|sums?)$", re.IGNORECASE)


def _words(function: ast.expr) -> str | None:
    """The text that a function splits at white space."""
    body = function.body if isinstance(function, ast.Lambda) else None
    if isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute) and body.func.attr == "split":
        separator = body.args[0] if body.args else None
        if separator is None or (isinstance(separator, ast.Constant) and separator.value == " "):
            return "words"
    return None
