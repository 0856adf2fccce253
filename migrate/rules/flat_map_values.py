"""``flatMapValues``: an ``explode`` of the array that the function makes of the value, beside the key."""

from __future__ import annotations

from migrate.columns import Record, Refusal, Scalar, leaves
from migrate.columns.code import argument
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import explode
from migrate.plan.elements.pairs import pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.typed.composed import composed
from migrate.plan.typed.typed_functions import typed_flat_map
from migrate.rules._register import Example, Rule, register, to_console


@register
class FlatMapValues(Rule):
    """Each item of the list stands beside the key."""

    operator = "flatMapValues"
    summary = "flatMapValues becomes an explode beside the key's columns"
    examples = (
        Example(
            "pairs = lines.map(lambda line: (len(line), line))\n"
            'words = pairs.flatMapValues(lambda text: text.split(" "))\n'
            "words.pprint()",
            'pairs = lines.select(F.length("value").alias("key"), F.col("value").alias("line"))\n'
            'words = pairs.select("key", F.explode(F.split("line", " ")).alias("word"))\n'
            + to_console("words"),
        ),
        Example(
            "pairs = lines.map(lambda line: (len(line), line))\n"
            "pairs.flatMapValues(lambda text: text.title().split()).pprint()",
            'split_udf = F.udf(lambda text: text.title().split(), "array<string>")\n'
            'pairs = batch.select(F.length("value").alias("key"), F.col("value").alias("line"))\n'
            'pairs.select("key", F.explode(split_udf("line")).alias("value")).show(10, truncate=False)',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        key, value = pair(frame.element, step)
        exploded = explode(step, step.function("f"), value, place=1)
        keys = [leaf.name or "" for leaf in leaves(key)]
        if exploded.name in (*keys, *frame.kept):
            raise Refusal("the new column would have the name of another one", step.operation.call)
        kept = [f'"{name}"' for name in dict.fromkeys([*frame.kept, *keys, *exploded.kept])]
        items = f'F.explode({argument(exploded.array)}).alias("{exploded.name}")'
        frame = frame.call(
            Call("select", ", ".join([*kept, items])),
            filtered=True,
            explodes=True,
        )
        if exploded.condition is not None:
            frame = frame.where(exploded.condition.code)
        whole = isinstance(exploded.element, Scalar) and exploded.element.column == exploded.name
        pending = bool(exploded.kept) or not whole
        return replace(frame, element=Record((key, exploded.element)), pending=pending)

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        if frame.within:
            return composed(step, frame, step.function("f"))
        key, _ = pair(frame.element, step)
        return typed_flat_map(step, frame, step.function("f"), key)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        return rdds[0].call(Call("flatMapValues", step.argument(step.function("f"))))
