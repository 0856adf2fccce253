"""``transform``: its function's body on the batch, where it gives the same in any order of the elements."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.codemod.edits import Edit, apply_edits
from migrate.codemod.style import one_line
from migrate.columns import Refusal
from migrate.knowledge.rdd import NARROW, RDDS
from migrate.plan.callbacks import Callback, NotTheSame, callback_of, given, is_rdd
from migrate.plan.caught_errors import check_caught
from migrate.plan.every_interval import check_callback
from migrate.plan.program_frames import OTHER_SESSION, in_program_session
from migrate.plan.rdd_chain import frame_of
from migrate.plan.stages import Frame, Rdd, Stage
from migrate.plan.step import Step
from migrate.rules._rule import Example, Rule, register


@register
class Transform(Rule):
    """Sorting and the operators of a DStream on columns; else the function sees an RDD of the batch."""

    operator = "transform"
    summary = "transform becomes the body of its function, on the batch"
    examples = (
        Example(
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], ascending=False)).pprint()",
            "counts = (\n"
            '    batch.groupBy(F.col("value").alias("line"))\n'
            '    .agg(F.count("*").alias("count"))\n'
            ")\n"
            'counts.orderBy(F.desc("count")).show(10, truncate=False)',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        function = step.function("func")
        if len(frames) != 1 or not isinstance(function, ast.Lambda):
            raise Refusal("only the body of a lambda of one RDD is followed", function)
        try:
            callback = callback_of(function)
        except NotTheSame as why:
            raise Refusal(str(why), function) from None
        if callback.time is not None and any(callback.reads(callback.time)):
            raise Refusal(f"the batch time `{callback.time}` is used", function)
        made = frame_of(step, function.body, {callback.rdd: frames[0]})
        return replace(made, sure=_sure(frames[0], callback))

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        if len(rdds) != 1:
            raise step.blocked("it has no native form for several streams")
        called = given(step.function("func"), step.plan.facts)
        if called is None:
            shown = step.source(step.function("func"))
            raise step.blocked(f"`{shown}` is not a function of files that were read, defined once")
        try:
            callback = replace(called.callback(), repeated=step.repeats)
            check_caught(step, callback)
            check_callback(step, callback, rdds[0])
            if in_program_session(step, callback):
                raise NotTheSame(OTHER_SESSION)
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        if callback.unordered:
            step.reduced(callback.unordered, callback=callback)
        if called.name is not None:
            return self._called(step, callback, called.name, rdds[0])
        return self._inlined(step, callback, rdds[0])

    def _called(self, step: Step, callback: Callback, name: str, rdd: Rdd) -> Rdd:
        returns = [node.value for node in callback.walk() if isinstance(node, ast.Return)]
        if isinstance(callback.node, ast.Lambda):
            returns = [callback.node.body]
        if not returns or any(value is None or not is_rdd(value, callback.rdds) for value in returns):
            raise step.blocked("its function does not always return an RDD made of the batch's")
        time = f"{step.time(callback)}, " if callback.time is not None else ""
        return Rdd(
            f"{name}({time}{one_line(rdd.base, rdd.calls)})", (), sure=_sure(rdd, callback), exact=rdd.exact
        )

    def _inlined(self, step: Step, callback: Callback, rdd: Rdd) -> Rdd:
        assert isinstance(callback.node, ast.Lambda)
        body = callback.node.body
        names = list(callback.reads(callback.rdd))
        if len(names) != 1:
            raise step.blocked("its function reads the RDD more than once")
        text = step.plan.text
        start = text.start(body)
        chain = one_line(rdd.base, rdd.calls)
        replaced: dict[ast.AST, str] = {names[0]: chain}
        if callback.time is not None:
            replaced |= {node: step.time(callback) for node in callback.reads(callback.time)}
        edits = [Edit(text.start(old) - start, text.end(old) - start, new) for old, new in replaced.items()]
        code = apply_edits(text.of(body), edits)
        if "\n" in code:
            code = ast.unparse(ast.parse(f"({code})", mode="eval"))
        if is_rdd(body, callback.rdds) and code.startswith(chain + "."):
            return Rdd(rdd.base, (*rdd.calls, *_calls(code, chain)), _sure(rdd, callback), exact=rdd.exact)
        return Rdd(code, (), _sure(rdd, callback), exact=rdd.exact)


def _sure(stage: Stage, callback: Callback) -> bool | None:
    """Whether an empty batch still has a partition after what the function does."""
    if stage.sure or stage.sure is None:
        return stage.sure
    methods = {node.attr for node in callback.walk() if isinstance(node, ast.Attribute)}
    return None if methods & (RDDS - NARROW) else False


def _calls(code: str, chain: str) -> list[str]:
    """The method calls that follow a chain, one by one."""
    rest = ast.parse("x" + code[len(chain) :], mode="eval").body
    source = "x" + code[len(chain) :]
    calls: list[str] = []
    while isinstance(rest, ast.Call) and isinstance(rest.func, ast.Attribute):
        begin = rest.func.value.end_col_offset or 0
        calls.append(source.encode()[begin : rest.end_col_offset].decode().lstrip(". "))
        rest = rest.func.value
    return list(reversed(calls))
