"""``fromOffsets``: partitions that are assigned, each with the offset at which it starts."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence, Set

from migrate.knowledge.connectors import KAFKA
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.inner import Inner
from migrate.proofs.values.constants import only_read
from migrate.syntax.nodes import children, of_kinds, position, walk
from migrate.syntax.quoting import quoted

_Offset = tuple[ast.expr, ast.expr, ast.expr]
"""A topic, a partition of it, and where to begin there."""
NOT_WRITTEN = "its offsets are not written out, and TopicAndPartition is gone"
_LOOPS = (ast.comprehension, ast.For)
_WHOLE = frozenset({"int", "len", "long", "range", "str"})
"""Builtins that give the same for the same."""


def assigned(step: Step, node: ast.expr) -> tuple[list[Call], int | None]:
    """The options for a dict of `TopicAndPartition` to offset, and the number of partitions, if it is known.

    The old stream read these partitions and no others, so they are assigned, not subscribed to. A variable
    that only holds the dict goes, as does one that holds a key of it.

    Raises:
        Blocked: the dict is not written out, or an offset is no place in a partition.
    """
    node = _held(step, node)
    if isinstance(node, ast.DictComp):
        return _of_each(step, node), None
    if not isinstance(node, ast.Dict) or not node.keys:
        raise step.blocked(NOT_WRITTEN)
    places: list[_Offset] = []
    for key, value in zip(node.keys, node.values, strict=True):
        negative = isinstance(value, ast.UnaryOp)
        if negative or (isinstance(value, ast.Constant) and type(value.value) is not int):
            raise step.blocked("an offset is not a number from 0 on")
        places.append((*_place(step, key), value))
    literal = all(isinstance(part, ast.Constant) for place in places for part in place)
    # a topic may be written out twice, once for each of its partitions
    by_topic: dict[str, dict[str, _Offset]] = {}
    for place in places:
        by_topic.setdefault(ast.unparse(place[0]), {})[ast.unparse(place[1])] = place
    grouped = [list(of_topic.values()) for of_topic in by_topic.values()]
    assign = _option(step, "assign", _assignment(grouped), literal)
    return [assign, _option(step, "startingOffsets", _starts(grouped), literal)], len(node.keys)


def drop_unread(step: Step) -> None:
    """Leave out variables of partitions that nothing reads, as they are left where an argument is not given.

    start = TopicAndPartition("pages", 0)
    messages = KafkaUtils.createDirectStream(ssc, ["pages"], params)  # fromOffsets={start: 0}
    """
    facts = step.facts
    gone: list[ast.stmt] = []
    for statement in sorted(of_kinds(facts.tree, ast.Assign), key=position, reverse=True):
        match statement:
            case ast.Assign([ast.Name(name) as target], value) if _are_places(step, value):
                inside = {inner for one in gone for inner in walk(one)}
                unread = facts.bindings[name] == [target] and inside.issuperset(facts.loads.get(name, ()))
                if unread and not {*facts.program.tree.block_of(statement)} <= {*gone, statement}:
                    gone.append(statement)
    step.need(inner=Inner(dropped=tuple(gone)))


def _are_places(step: Step, node: ast.expr) -> bool:
    """Whether an expression makes partitions, or offsets of them, and does nothing else."""
    calls = [one for one in walk(node) if isinstance(one, ast.Call)]
    places = [one for one in calls if _is_place(step, one)]
    plain = (isinstance(one.func, ast.Name) and one.func.id in _WHOLE for one in calls if one not in places)
    keys = node.keys if isinstance(node, ast.Dict) else []
    made = [step.facts.value_of(step.facts.only_binding(getattr(key, "id", ""))) for key in keys]
    named = bool(made) and all(isinstance(one, ast.Call) and _is_place(step, one) for one in made)
    return all(plain) and (bool(places) or named)


def _of_each(step: Step, node: ast.DictComp) -> list[Call]:
    """The options for the partitions of one topic, or for one partition of each of some topics.

    Raises:
        Blocked: topics and partitions vary together, or what they are taken of may be used up.
    """
    topic, partition = _place(step, node.key)
    loop, *others = node.generators
    variable = loop.target.id if isinstance(loop.target, ast.Name) else None
    if others or variable is None or not _is_repeatable(step, loop.iter):
        raise step.blocked(NOT_WRITTEN)
    if not all(_gives_the_same(step, part, {variable}) for part in (topic, partition, *loop.ifs)):
        raise step.blocked(NOT_WRITTEN)
    each = " ".join([f"for {variable} in {quoted(loop.iter)}", *(f"if {quoted(test)}" for test in loop.ifs)])
    name, number, offset = quoted(topic), quoted(partition), quoted(node.value)
    if isinstance(topic, ast.Name) and topic.id == variable and not _reads(partition, variable):
        assign, starts = f"{name}: [{number}] {each}", f"{name}: {{{number}: {offset}}} {each}"
    elif not _reads(topic, variable):
        assign, starts = f"{name}: [{number} {each}]", f"{name}: {{{number}: {offset} {each}}}"
    else:
        raise step.blocked(NOT_WRITTEN)
    step.imports("json")
    options = {"assign": assign, "startingOffsets": starts}
    return [Call("option", f'"{key}", json.dumps({{{code}}})') for key, code in options.items()]


def _is_repeatable(step: Step, node: ast.expr) -> bool:
    """Whether a loop may run twice over the same: over a list, a range, or a name of one."""
    facts = step.facts
    if isinstance(node, ast.Name):
        held = facts.value_of(facts.only_binding(node.id))
        inside = {*walk(step.operation.call)}
        others = [load for load in facts.loads[node.id] if load is not node and load not in inside]
        looks = all(isinstance(facts.above[load], _LOOPS) or only_read(load, facts) for load in others)
        return looks and held is not None and not isinstance(held, ast.Name) and _is_repeatable(step, held)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "range" and "range" not in facts.shadowed
    splits = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    return splits or isinstance(node, ast.List | ast.Tuple)


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in walk(node))


def _held(step: Step, node: ast.expr) -> ast.expr:
    """The value of a variable that nothing else reads, whose statement goes; else the expression itself."""
    facts = step.facts
    if not isinstance(node, ast.Name) or facts.loads[node.id] != [node]:
        return node
    binding = facts.only_binding(node.id)
    value = facts.value_of(binding)
    if binding is None or value is None or not facts.visible(binding) or not _is_fixed(step, value):
        return node
    step.need(inner=Inner(dropped=(facts.statement_of(value),)))
    return value


def _is_fixed(step: Step, node: ast.expr) -> bool:
    """Whether an expression gives the same where the stream is made as above it."""
    names = (one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return _gives_the_same(step, node, frozenset(names))


def _gives_the_same(step: Step, node: ast.AST, loops: Set[str]) -> bool:
    """The same, where the variables of loops inside are known."""
    match node:
        case ast.Name(name):
            return name in loops or step.facts.unchanging(node)
        case ast.Attribute():
            return step.facts.unchanging(node)
        case ast.Call(func=ast.Name(name)) if name in _WHOLE - step.facts.shadowed:
            return all(_gives_the_same(step, part, loops) for part in node.args)
        case ast.Call() if not _is_place(step, node):
            return False
        case ast.Call():
            return all(_gives_the_same(step, part, loops) for part in children(node) if part is not node.func)
        case ast.Subscript():
            return False
    return all(_gives_the_same(step, part, loops) for part in children(node))


def _is_place(step: Step, call: ast.Call) -> bool:
    """Whether a call makes a ``TopicAndPartition``."""
    name = (step.facts.qualified(call.func) or "").replace("compat.", "pyspark.", 1)
    return name == f"{KAFKA}.TopicAndPartition"


def _place(step: Step, node: ast.expr | None) -> tuple[ast.expr, ast.expr]:
    """Topic and partition of ``TopicAndPartition(topic, partition)``."""
    node = _held(step, node) if node is not None else None
    if isinstance(node, ast.Call) and _is_place(step, node):
        given = dict(zip(("topic", "partition"), node.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg})
        plain = not any(isinstance(argument, ast.Starred) for argument in node.args)
        if plain and given.keys() == {"topic", "partition"}:
            return given["topic"], given["partition"]
    raise step.blocked("the partitions of its offsets are not written out")


def _assignment(offsets: Sequence[Sequence[_Offset]]) -> ast.Dict:
    """The dict of each topic's partitions."""
    return ast.Dict(
        [places[0][0] for places in offsets],
        [ast.List([partition for _, partition, _ in places], ast.Load()) for places in offsets],
    )


def _starts(offsets: Sequence[Sequence[_Offset]]) -> ast.Dict:
    """The dict of each topic's dict of partition to offset."""
    return ast.Dict(
        [places[0][0] for places in offsets],
        [
            ast.Dict([partition for _, partition, _ in places], [offset for _, _, offset in places])
            for places in offsets
        ],
    )


def _option(step: Step, name: str, value: ast.Dict, literal: bool) -> Call:
    """An option of JSON: written out where all is known, else made where the program makes it."""
    if literal:
        return Call("option", f"\"{name}\", '{json.dumps(ast.literal_eval(value))}'")
    step.imports("json")
    return Call("option", f'"{name}", json.dumps({_code(value)})')


def _code(node: ast.expr) -> str:
    """Dicts and lists of ours; what is in them is the program's."""
    if isinstance(node, ast.List):
        return f"[{', '.join(map(_code, node.elts))}]"
    if isinstance(node, ast.Dict):
        keys = [quoted(key) for key in node.keys if key is not None]
        rows = [f"{key}: {_code(value)}" for key, value in zip(keys, node.values, strict=True)]
        return "{" + ", ".join(rows) + "}"
    return quoted(node)
