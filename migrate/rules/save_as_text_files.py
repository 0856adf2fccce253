"""``saveAsTextFiles``: each batch is saved under its time."""

from __future__ import annotations

import ast
import json
import re

from migrate.plan.outputs import Printed
from migrate.plan.stages import Frame, Stage, to_rdd
from migrate.plan.step import Step
from migrate.rules._rule import Example, OutputRule, register
from migrate.rules._same import is_none

_PLAIN = re.compile(r"[\w./:\- ]*")


@register
class SaveAsTextFiles(OutputRule):
    """Each batch has a directory of its own, whose name holds the batch time in milliseconds."""

    operator = "saveAsTextFiles"
    summary = "saveAsTextFiles becomes saveAsTextFile under the batch time"
    examples = (
        Example(
            'lines.saveAsTextFiles("out/lines")',
            "batch_time = next(times)\n"
            "if batch_id == 0 and batch.isEmpty():  # before the first batch time\n"
            "    return\n"
            "batch.rdd.map(lambda row: row[0]).saveAsTextFile(\n"
            '    f"out/lines-{batch_time.timestamp() * 1000:.0f}"\n'
            ")",
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
            raise step.blocked("two outputs are saved under one name, of which a query's second one fails")
        step.need(saved=frozenset({saved}))
        step.refused = "each batch is saved under its time, with `saveAsTextFile` of its RDD"
        milliseconds = f"{step.batch_time()}.timestamp() * 1000"
        path = _path(step, found["prefix"], ending, milliseconds)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        return Printed(rdd.call(f"saveAsTextFile({path})").chain, column=False)


def _path(step: Step, prefix: ast.expr, ending: str | None, milliseconds: str) -> str:
    """``prefix-<milliseconds>.suffix``, as Spark's own `rddToFileName` puts it together."""
    end = "" if ending is None else f".{ending}"
    text = _text(prefix)
    if text is not None and _PLAIN.fullmatch(text + end):
        return f'f"{text}-{{{milliseconds}:.0f}}{end}"'
    escaped = json.dumps(f"%s-%.0f{end.replace('%', '%%')}", ensure_ascii=False)
    return f"{escaped} % ({step.argument(prefix, 'prefix')}, {milliseconds})"


def _text(node: ast.expr | None) -> str | None:
    """The value of a text that is written out."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None
