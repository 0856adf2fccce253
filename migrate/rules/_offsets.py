"""``fromOffsets``: partitions that are assigned, each with the offset at which it starts."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence

from migrate.knowledge.connectors import KAFKA
from migrate.plan.step import Step
from migrate.syntax.quoting import quoted

_Offset = tuple[ast.expr, ast.expr, ast.expr]
"""A topic, a partition of it, and where to begin there."""


def assigned(step: Step, node: ast.expr) -> list[str]:
    """The options for a dict of `TopicAndPartition` to offset.

    The old stream read these partitions and no others, so they are assigned, not subscribed to.

    Raises:
        Blocked: the dict is not written out, or an offset is no place in a partition.
    """
    if not isinstance(node, ast.Dict) or not node.keys:
        raise step.blocked("its offsets are not written out, and TopicAndPartition is gone")
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
    return [
        _option(step, "assign", _assignment(grouped), literal),
        _option(step, "startingOffsets", _starts(grouped), literal),
    ]


def _place(step: Step, node: ast.expr | None) -> tuple[ast.expr, ast.expr]:
    """Topic and partition of ``TopicAndPartition(topic, partition)``."""
    if isinstance(node, ast.Call):
        name = (step.facts.qualified(node.func) or "").replace("compat.", "pyspark.", 1)
        given = dict(zip(("topic", "partition"), node.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg})
        plain = not any(isinstance(argument, ast.Starred) for argument in node.args)
        if name == f"{KAFKA}.TopicAndPartition" and plain and given.keys() == {"topic", "partition"}:
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


def _option(step: Step, name: str, value: ast.Dict, literal: bool) -> str:
    """An option of JSON: written out where all is known, else made where the program makes it."""
    if literal:
        return f"option(\"{name}\", '{json.dumps(ast.literal_eval(value))}')"
    step.imports("json")
    return f'option("{name}", json.dumps({_code(value)}))'


def _code(node: ast.expr) -> str:
    """Dicts and lists of ours; what is in them is the program's."""
    if isinstance(node, ast.List):
        return f"[{', '.join(map(_code, node.elts))}]"
    if isinstance(node, ast.Dict):
        keys = [quoted(key) for key in node.keys if key is not None]
        rows = [f"{key}: {_code(value)}" for key, value in zip(keys, node.values, strict=True)]
        return "{" + ", ".join(rows) + "}"
    return quoted(node)
