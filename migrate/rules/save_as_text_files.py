"""``saveAsTextFiles``: each batch is saved under its time."""

from __future__ import annotations

import ast
import json
import re

from migrate.knowledge.streaming import ITSELF, ROWWISE
from migrate.plan.draft.batch_time import TIMES
from migrate.plan.draft.every_interval import has_every_interval, wants_every_interval
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.elements.element_texts import FILES, as_texts
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, to_rdd
from migrate.plan.new_code.code import Call
from migrate.proofs.values.durations import seconds
from migrate.rules._register import Example, OutputRule, register
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

NO_DIRECTORY = "an interval without input has no directory; DStreams made an empty one"
_PLAIN = re.compile(r"[\w./:\- ]*")


@register
class SaveAsTextFiles(OutputRule):
    """Each batch has a directory of its own, whose name holds the batch time in milliseconds.

    A late batch may have the time of the next: their files stand side by side.
    """

    operator = "saveAsTextFiles"
    summary = "saveAsTextFiles becomes write.text under the batch time"
    examples = (
        Example(
            'lines.saveAsTextFiles("out/lines")',
            "batch_ms = int(time.time()) * 1000  # end of the interval, in ms\n"
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            'batch.write.mode("append").text(f"out/lines-{batch_ms}")',
        ),
        Example(
            'lines.map(lambda line: (line, len(line))).saveAsTextFiles("out/lines", "txt")',
            "batch_ms = int(time.time()) * 1000  # end of the interval, in ms\n"
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            'batch.select(tuple_text("value", F.length("value"))).write.mode("append").text(\n'
            '    f"out/lines-{batch_ms}.txt"\n'
            ")",
        ),
        Example(
            'lines.map(lambda line: {"text": line}).saveAsTextFiles("out/lines")',
            'text_udf = F.udf(lambda line: str({"text": line}), "string")\n'
            "batch_ms = int(time.time()) * 1000  # end of the interval, in ms\n"
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            'batch.select(text_udf("value")).write.mode("append").text(f"out/lines-{batch_ms}")',
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        found = step.arguments("prefix", "suffix")
        if "prefix" not in found:
            raise step.blocked("its prefix is missing")
        suffix = found.get("suffix")
        ending = None if is_none(suffix) else _text(suffix)
        if not is_none(suffix) and ending is None:
            raise step.blocked("its suffix is not written out")
        saved = (ast.unparse(found["prefix"]), ending)
        if saved in step.known.saved:
            raise step.blocked("two outputs are saved under one name, of which DStreams kept the last")
        step.need(saved=frozenset({saved}))
        if not has_every_interval(step.basis, step.known):
            if step.repeats and step.basis.event_time is None:
                wants_every_interval(step)  # a state is saved again
            step.note(NO_DIRECTORY)
        else:
            step.need(first_guard=True)
        path = _path(step, found["prefix"], ending, *_milliseconds(step))
        frame = as_texts(step, stage) if isinstance(stage, Frame) else None
        if frame is None:
            step.refused = "each batch is saved under its time, with `saveAsTextFile` of its RDD"
            rdd = stage if isinstance(stage, Rdd) else to_rdd(stage)
            return Printed(rdd.call(Call("saveAsTextFile", path)).chain, column=False, whole=True)
        step.note(FILES)
        asked = _partitions_asked(step)
        if asked is not None:
            frame = frame.call(Call("coalesce", "1") if asked == 1 else Call("repartition", str(asked)))
        frame = frame.call(Call("write"), Call("mode", '"append"'), Call("text", path))
        return Printed(frame.chain, column=True, whole=True)


def _partitions_asked(step: Step) -> int | None:
    """The number of partitions that the program asks for in the last shuffle, if it is written out."""
    operation = step.operation.parents[0]
    while operation.operator in ROWWISE | ITSELF:
        operation = operation.parents[0]
    named = {keyword.arg: keyword.value for keyword in operation.call.keywords}
    node = named.get("numPartitions")
    place = {"reduceByKey": 1, "updateStateByKey": 1}.get(operation.operator)
    if node is None and place is not None and place < len(operation.call.args):
        node = operation.call.args[place]
    known = isinstance(node, ast.Constant) and isinstance(node.value, int)
    return node.value if known and operation.operator != "repartition" else None  # type: ignore[union-attr]


def _milliseconds(step: Step) -> tuple[str, str]:
    """The batch time in milliseconds, and the format of a whole number that it may need."""
    interval = step.basis.interval
    each = None if interval is None else seconds(interval, step.facts)
    named = not isinstance(interval, ast.Constant)
    whole = isinstance(each, int) or not named  # a float would stand in the path with its point
    if each is None or each * 1000 % 1 or not whole or step.options.has_no_batch_time:
        return f"{step.batch_time(kept=True)}.timestamp() * 1000", ".0f"
    step.note(TIMES)
    return step.milliseconds("" if named else f"{each * 1000:.0f}"), "d"


def _path(step: Step, prefix: ast.expr, ending: str | None, milliseconds: str, whole: str) -> str:
    """``prefix-<milliseconds>.suffix``, as Spark's own `rddToFileName` puts it together."""
    shown = milliseconds if whole == "d" else f"{milliseconds}:{whole}"
    end = "" if ending is None else f".{ending}"
    text = _text(prefix)
    if text is not None and _PLAIN.fullmatch(text + end):
        return f'f"{text}-{{{shown}}}{end}"'
    given = step.argument(prefix, "prefix")
    root = prefix.value if isinstance(prefix, ast.Attribute) else prefix
    fits = isinstance(root, ast.Name) or given != quoted(prefix)
    if fits and _PLAIN.fullmatch(end):
        return f'f"{{{given}}}-{{{shown}}}{end}"'
    escaped = json.dumps(f"%s-%{whole}{end.replace('%', '%%')}", ensure_ascii=False)
    return f"{escaped} % ({given}, {milliseconds})"


def _text(node: ast.expr | None) -> str | None:
    """The value of a text that is written out."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None
