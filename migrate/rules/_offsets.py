"""``fromOffsets``: partitions that are assigned, each with the offset at which it starts."""

from __future__ import annotations

import ast
import json

from migrate.knowledge.connectors import KAFKA
from migrate.plan.step import Step


def assigned(step: Step, node: ast.expr) -> list[str]:
    """The options for a dict of `TopicAndPartition` to offset.

    The old stream read these partitions and no others, so they are assigned, not subscribed to.

    Raises:
        Blocked: the dict is not written out, or an offset is no place in a partition.
    """
    if not isinstance(node, ast.Dict) or not node.keys:
        raise step.blocked("its offsets are not written out, and TopicAndPartition is gone")
    offsets: dict[str, dict[str, str]] = {}
    literal = True
    for key, value in zip(node.keys, node.values, strict=True):
        topic, partition = _place(step, key)
        negative = isinstance(value, ast.UnaryOp)
        if negative or (isinstance(value, ast.Constant) and type(value.value) is not int):
            raise step.blocked("an offset is not a number from 0 on")
        literal = literal and all(isinstance(part, ast.Constant) for part in (topic, partition, value))
        offsets.setdefault(step.source(topic), {})[step.source(partition)] = step.source(value)
    return [
        _option(step, "assign", _assignment(offsets), literal),
        _option(step, "startingOffsets", _starts(offsets), literal),
    ]


def _place(step: Step, node: ast.expr | None) -> tuple[ast.expr, ast.expr]:
    """Topic and partition of ``TopicAndPartition(topic, partition)``."""
    if isinstance(node, ast.Call):
        name = (step.plan.facts.qualified(node.func) or "").replace("compat.", "pyspark.", 1)
        given = dict(zip(("topic", "partition"), node.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg})
        plain = not any(isinstance(argument, ast.Starred) for argument in node.args)
        if name == f"{KAFKA}.TopicAndPartition" and plain and given.keys() == {"topic", "partition"}:
            return given["topic"], given["partition"]
    raise step.blocked("the partitions of its offsets are not written out")


def _assignment(offsets: dict[str, dict[str, str]]) -> str:
    rows = [f"{topic}: [{', '.join(partitions)}]" for topic, partitions in offsets.items()]
    return "{" + ", ".join(rows) + "}"


def _starts(offsets: dict[str, dict[str, str]]) -> str:
    rows = []
    for topic, partitions in offsets.items():
        each = ", ".join(f"{partition}: {offset}" for partition, offset in partitions.items())
        rows.append(f"{topic}: {{{each}}}")
    return "{" + ", ".join(rows) + "}"


def _option(step: Step, name: str, code: str, literal: bool) -> str:
    """An option of JSON: written out where all is known, else made where the program makes it."""
    if literal:
        return f"option(\"{name}\", '{json.dumps(ast.literal_eval(code))}')"
    step.plan.imports.add("json")
    return f'option("{name}", json.dumps({code}))'
