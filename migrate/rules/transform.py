"""``transform``: its function's body on the batch, where it gives the same in any order of the elements."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.knowledge.rdd import NARROW, RDDS, SAME_ELEMENTS
from migrate.plan.callbacks.empty_first_batch import skip_first_batch
from migrate.plan.callbacks.parts_of_time import parts_of_time
from migrate.plan.callbacks.program_frames import OTHER_SESSION, in_program_session
from migrate.plan.callbacks.rdd_chain import EQUAL, frame_of
from migrate.plan.checks.rdd_methods import INDEXED
from migrate.plan.draft.every_interval import check_callback
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import check_caught
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.inner import Inner
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.proofs.callbacks.roles import Callback, NotTheSame, check_returns_rdd, given, is_rdd
from migrate.rules._register import Example, Rule, register
from migrate.syntax.nodes import code_of, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names


@register
class Transform(Rule):
    """Sorting and the operators of a DStream on columns; else the function sees an RDD of the batch."""

    operator = "transform"
    summary = "transform becomes the body of its function, on the batch"
    examples = (
        Example(
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], ascending=False)).pprint()",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            'counts.orderBy(F.desc("count")).show(10, truncate=False)',
        ),
        Example(
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "numbered = counts.transform(lambda rdd: rdd.sortByKey().zipWithIndex())\n"
            "numbered.filter(lambda pair: pair[1] % 2).pprint()",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            "numbered = counts.rdd.map(tuple).sortByKey().zipWithIndex()\n"
            "rdd = numbered.filter(lambda pair: pair[1] % 2)\n"
            "for record in rdd.take(10):\n"
            "    print(record)",
        ),
        Example(
            "def first(rdd):\n"
            "    return rdd.sortBy(lambda kv: kv[0]).zipWithIndex().filter(lambda pair: pair[1] < 3)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.transform(first).map(lambda pair: pair[0]).pprint()",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            'counts.orderBy("line").limit(3).show(10, truncate=False)',
        ),
        Example(
            'blocked = sc.parallelize([("7", True), ("ERROR", False)])\n'
            "sizes = lines.map(lambda line: (line, len(line)))\n"
            "known = sizes.transform(lambda rdd: rdd.leftOuterJoin(blocked))\n"
            "known.filter(lambda x: x[1][1] is not True).map(lambda x: x[1][0]).pprint()",
            'sizes = batch.select(F.col("value").alias("line"), F.length("value").alias("value"))\n'
            'known = sizes.join(blocked, "line", "left")\n'
            'known.where(~F.col("blocked").eqNullSafe(True)).select("value").show(10, truncate=False)',
        ),
        Example(
            "def largest_first(rdd):\n"
            "    swapped = rdd.map(lambda pair: (pair[1], pair[0]))\n"
            "    return swapped.sortByKey(ascending=False)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.transform(largest_first).pprint()",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            'counts.orderBy(F.desc("count")).select("count", "line").show(10, truncate=False)',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        function = _function(step)
        if len(frames) != 1:
            raise Refusal("only a function of one RDD is followed", function)
        callback = _followed(step, function)
        parts = parts_of_time(step, callback)
        if callback.time is not None:
            known = {read for part in parts for read in walk(part)}
            reads = list(callback.reads(callback.time))
            if not known.issuperset(reads):
                raise Refusal(f"the batch time `{callback.time}` is used", function)
            step.need(inner=Inner(tuple((read, step.time(callback)) for read in reads)))
        inner, held = step.knowing(parts), {callback.rdd: frames[0]}
        has_keys = bool(frames[0].within)
        *before, result = _expressions(callback)
        for name, value in before:
            held[name] = frame_of(inner, value, held, within=has_keys)
        made = frame_of(inner, result[1], held, within=has_keys)
        return replace(made, sure=_sure(frames[0], callback))

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        if len(rdds) != 1:
            raise step.blocked("it has no native form for several streams")
        function = _function(step)
        called = given(function, step.facts)
        if called is None:
            shown = step.shown(function)
            raise step.blocked(f"`{shown}` is not a function of files that were read, defined once")
        try:
            callback = replace(called.callback(), repeated=step.repeats)
            check_returns_rdd(callback)
            check_caught(step, callback)
            check_callback(step, callback, rdds[0])
            if in_program_session(step, callback).replaced:
                raise NotTheSame(OTHER_SESSION)
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        if callback.unordered:
            behind = rdds[0].shuffled and not callback.shuffled
            reduce_in_order(step, callback.unordered, callback=callback, behind_shuffles=behind)
        skip_first_batch(step.within(callback.node), callback)
        for node in callback.walk():
            if isinstance(node, ast.Attribute) and node.attr == INDEXED:
                step.note(EQUAL.format(code_of(node)))
        if called.name is not None:
            return self._called(step, callback, rdds[0])
        return self._inlined(step, callback, rdds[0])

    def _called(self, step: Step, callback: Callback, rdd: Rdd) -> Rdd:
        returns = [node.value for node in callback.walk() if isinstance(node, ast.Return)]
        if isinstance(callback.node, ast.Lambda):
            returns = [callback.node.body]
        if not returns or any(value is None or not is_rdd(value, callback.rdds) for value in returns):
            raise step.blocked("its function does not always return an RDD made of the batch's")
        time = f"{step.time(callback)}, " if callback.time is not None else ""
        made = f"{quoted(_function(step))}({time}{rdd.chain.text})"
        sure = _sure(rdd, callback)
        return Rdd(made, (), sure, exact=rdd.exact, origin=rdd.origins, is_made=True)

    def _inlined(self, step: Step, callback: Callback, rdd: Rdd) -> Rdd:
        assert isinstance(callback.node, ast.Lambda)
        body = callback.node.body
        names = list(callback.reads(callback.rdd))
        if len(names) != 1:
            raise step.blocked("its function reads the RDD more than once")
        times = () if callback.time is None else callback.reads(callback.time)
        replaced = tuple((node, step.time(callback)) for node in times)
        sure = _sure(rdd, callback)
        if is_rdd(body, callback.rdds):
            step.need(inner=Inner(replaced))
            found = replace(rdd, calls=(*rdd.calls, *_links(body, rdd.origin)), sure=sure, origin=())
            return found if _methods(body) <= SAME_ELEMENTS else replace(found, value=None, element=None)
        made = rdd.chain
        of_frame = (names[0],) if made.makes_rdd else ()
        step.need(inner=Inner((*replaced, (names[0], made.text)), rdds=of_frame))
        return Rdd(quoted(body), (), sure, exact=rdd.exact, origin=rdd.origins, is_made=True)


def _function(step: Step) -> ast.expr:
    """The function that the operator is given: of ``lambda rdd: top(rdd)``, which only calls it, ``top``."""
    function = step.function("func")
    match function:
        case ast.Lambda(body=ast.Call(ast.Name() as name, handed, [])):
            called = given(name, step.facts)
            names = parameter_names(called.node) if called is not None else []
            read = [one.id if isinstance(one, ast.Name) else "" for one in handed]
            if len(names) == len(handed) and read == parameter_names(function):
                return name
    return function


def _followed(step: Step, function: ast.expr) -> Callback:
    """The function of the program whose body takes the place of the call.

    Raises:
        Refusal: it is not known, or does more than to make one RDD of another.
    """
    called = given(function, step.facts)
    if called is None or called.bound or step.facts.of(called.node).tree is not step.facts.tree:
        raise Refusal("only a function of this module is followed", function)
    try:
        callback = called.callback()
    except NotTheSame as why:
        raise Refusal(str(why), function) from None
    if not _expressions(callback):
        raise Refusal("only a function that does nothing but make one RDD of another is followed", function)
    return callback


def _expressions(callback: Callback) -> list[tuple[str, ast.expr]]:
    """The variables of a function with the RDDs that they hold, and last what it returns; empty for others.

    Each variable is read once: what is made of it twice would be computed twice.
    """
    if isinstance(callback.node, ast.Lambda):
        return [("", callback.node.body)]
    found: list[tuple[str, ast.expr]] = []
    *before, last = callback.node.body
    for statement in before:
        match statement:
            case ast.Expr(ast.Constant()) | ast.Global() | ast.Pass():
                continue
            case ast.Assign([ast.Name(name)], value) if name == callback.rdd or callback.only_binding(name):
                found.append((name, value))
            case _:
                return []
    if not isinstance(last, ast.Return) or last.value is None or callback.node.decorator_list:
        return []
    once = all(len(list(callback.reads(name))) == 1 for name, _ in found if name != callback.rdd)
    return [*found, ("", last.value)] if once else []


def _sure(stage: Stage, callback: Callback) -> bool | None:
    """Whether an empty batch still has a partition after what the function does."""
    if stage.sure or stage.sure is None:
        return stage.sure
    if _is_of_list(callback):
        return True
    methods = {node.attr for node in callback.walk() if isinstance(node, ast.Attribute)}
    return None if methods & (RDDS - NARROW) else False


def _is_of_list(callback: Callback) -> bool:
    """Whether a lambda makes its RDD of a list, which has partitions also if the list is empty."""
    match callback.node.body:
        case ast.Call(ast.Attribute(attr="parallelize")):
            return True
    return False


def _methods(body: ast.expr) -> set[str]:
    """The methods of a chain that a function makes of its RDD."""
    found: set[str] = set()
    while isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute):
        found.add(body.func.attr)
        body = body.func.value
    return found


def _links(body: ast.expr, origin: tuple[ast.Call, ...]) -> list[Call]:
    """The method calls of a chain that a function makes of its RDD, one by one."""
    links: list[Call] = []
    while isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute):
        given = [*map(_argument, body.args), *(_keyword(keyword) for keyword in body.keywords)]
        links.append(Call(body.func.attr, ", ".join(given), origin=(body,)))
        body = body.func.value
    links.reverse()
    return [replace(links[0], origin=(*origin, *links[0].origin)), *links[1:]] if links else []


def _argument(node: ast.expr) -> str:
    return f"*{quoted(node.value)}" if isinstance(node, ast.Starred) else quoted(node)


def _keyword(keyword: ast.keyword) -> str:
    return f"**{quoted(keyword.value)}" if keyword.arg is None else f"{keyword.arg}={quoted(keyword.value)}"
