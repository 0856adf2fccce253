"""``saveAsTextFiles``: the batch time is in the path; native only where another may stand for it."""

from __future__ import annotations

import ast
import json
import re

from migrate.model import Options
from migrate.native.outputs import Printed
from migrate.native.stage import Frame, Stage, to_rdd
from migrate.native.step import Step
from migrate.rules._rule import Example, OutputRule, register
from migrate.rules._same import is_none

WHY = "the batch time is part of the path: --batch-time approximate puts the current time there"
_PLAIN = re.compile(r"[\w./:\- ]*")


@register
class SaveAsTextFiles(OutputRule):
    """With ``--batch-time approximate`` each batch is saved under the time at which it runs."""

    operator = "saveAsTextFiles"
    summary = f"saveAsTextFiles stays on compat: {WHY}"
    examples = (Example('counts.saveAsTextFiles("counts")', 'counts.saveAsTextFiles("counts")'),)

    def refuses_all(self, options: Options) -> str | None:
        return None if options.approximate_time else WHY

    def output(self, step: Step, stage: Stage) -> Printed:
        if not step.plan.options.approximate_time:
            raise step.blocked(WHY)
        found = step.arguments("prefix", "suffix")
        if "prefix" not in found:
            raise step.blocked("its prefix is missing")
        suffix = found.get("suffix")
        ending = None if is_none(suffix) else _text(suffix)
        if not is_none(suffix) and ending is None:
            raise step.blocked("its suffix is not written out")
        step.refused = "each batch is saved under the time at which it runs, with `saveAsTextFile` of its RDD"
        milliseconds = f"int({step.plan.time(step.operation.use)}.timestamp() * 1000)"
        path = _path(step, found["prefix"], ending, milliseconds)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        return Printed(rdd.base, (*rdd.calls, f"saveAsTextFile({path})"), column=False)


def _path(step: Step, prefix: ast.expr, ending: str | None, milliseconds: str) -> str:
    """``prefix-<milliseconds>.suffix``, as Spark's own `rddToFileName` puts it together."""
    end = "" if ending is None else f".{ending}"
    text = _text(prefix)
    if text is not None and _PLAIN.fullmatch(text + end):
        return f'f"{text}-{{{milliseconds}}}{end}"'
    escaped = json.dumps(f"%s-%d{end.replace('%', '%%')}", ensure_ascii=False)
    return f"{escaped} % ({step.argument(prefix)}, {milliseconds})"


def _text(node: ast.expr | None) -> str | None:
    """The value of a text that is written out."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None
