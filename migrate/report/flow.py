"""The pipeline of a program as steps and what flows between them: as it was, and as new code has it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from migrate.form import Place
from migrate.model import GraphResult, Site

BUILDERS = frozenset({"readStream", "read", "writeStream", "write"})
QUIET = frozenset({"persist", "unpersist", "cache", "isEmpty", "sparkSession", "options", "schema"})
"""Members of a DataFrame that are no step of their own."""
STARTERS = frozenset({"load", "start", "save", "text", "json", "csv", "parquet", "table", "toTable", "kafka"})


@dataclass(frozen=True)
class Step:
    """A step of a pipeline."""

    label: str
    detail: str
    kind: str
    """How it is coloured: the name of a tier, or ``structured``."""


@dataclass
class Flow:
    """Steps, and pairs of their positions between which data flows."""

    steps: list[Step] = field(default_factory=list)
    edges: dict[tuple[int, int], None] = field(default_factory=dict)

    def add(self, step: Step, parents: Iterable[int] = ()) -> int:
        """Add a step that reads `parents`; its position."""
        self.steps.append(step)
        position = len(self.steps) - 1
        self.edges.update({(parent, position): None for parent in sorted(set(parents))})
        return position


def before(graph: GraphResult, sites: Sequence[Site]) -> Flow:
    """The streams of a graph and its outputs; `sites` are those of the graph, in its order."""
    flow = Flow()
    used = sorted({end for edge in graph.edges for end in edge})
    positions: dict[int, int] = {}
    for index in used:
        site = sites[index]
        several = "" if len({other.path for other in sites}) == 1 else f"{site.path}, "
        place = Place(site.cell, site.line, site.column)
        positions[index] = flow.add(Step(site.operator, f"{several}{place}", site.tier.value))
    flow.edges.update({(positions[left], positions[right]): None for left, right in graph.edges})
    return flow


def after(codes: Iterable[str]) -> Flow:
    """The DataFrames of new code; nothing for code that cannot be parsed."""
    reader = _Reader()
    for code in codes:
        try:
            tree = ast.parse(code)
        except SyntaxError:
            continue
        reader.module(tree)
    return reader.flow


class _Reader:
    """Follows DataFrames through assignments and calls of methods, statement by statement."""

    def __init__(self) -> None:
        self.flow = Flow()
        self._functions: dict[str, ast.FunctionDef] = {}
        self._names: dict[str, int] = {}
        self._open: dict[int, bool] = {}
        """Steps whose options are still being given, and whether they write."""

    def module(self, tree: ast.Module) -> None:
        self._functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self._block(tree.body)
        while self._functions:  # what no query calls
            self._block(self._functions.popitem()[1].body)

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                value = self._value(statement.value)
                if value is not None and isinstance(statement.targets[0], ast.Name):
                    self._names[statement.targets[0].id] = value
            elif isinstance(statement, ast.Expr):
                self._value(statement.value)
            elif not isinstance(statement, ast.FunctionDef):
                for name in ("body", "orelse", "finalbody"):
                    self._block(getattr(statement, name, []))

    def _value(self, node: ast.expr) -> int | None:
        """The step that makes a DataFrame, or None for everything else."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, ast.Attribute):
            return self._member(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._call(node, node.func)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            read = [value for argument in node.args if (value := self._value(argument)) is not None]
            return self._step(node.func.id, read) if read else None
        return None

    def _step(self, label: str, read: Sequence[int]) -> int:
        """A step that reads others; what reads an RDD is one, until it is a DataFrame again."""
        rdd = self.flow.steps[read[0]].kind == "rdd" and label not in ("toDF", "createDataFrame")
        return self.flow.add(Step(label, "", "rdd" if rdd else "structured"), read)

    def _member(self, node: ast.Attribute) -> int | None:
        value = self._value(node.value)
        if value is not None and node.attr == "rdd":
            return self.flow.add(Step("rdd", "", "rdd"), [value])
        if node.attr not in BUILDERS or (value is None and not node.attr.startswith("read")):
            return value
        if value is None and isinstance(node.value, ast.Call):
            return None
        step = self.flow.add(Step(node.attr, "", "structured"), [] if value is None else [value])
        self._open[step] = not node.attr.startswith("read")
        return step

    def _call(self, node: ast.Call, method: ast.Attribute) -> int | None:
        base = self._value(method.value)
        read = [value for argument in node.args if (value := self._value(argument)) is not None]
        if base is None:
            return self._step(method.attr, read) if read else None
        if base in self._open:
            return self._option(base, node, method.attr)
        if method.attr in QUIET:
            return base
        last = self.flow.steps[base]
        if last.label == "groupBy" and method.attr in ("agg", "count", "sum"):
            self.flow.steps[base] = Step(f"groupBy.{method.attr}", "", "structured")
            return base
        return self._step(method.attr, [base, *read])

    def _option(self, step: int, node: ast.Call, name: str) -> int | None:
        """A call while a source or an output is described."""
        old = self.flow.steps[step]
        writes = self._open[step]
        argument = node.args[0] if node.args else None
        if name == "foreachBatch" and isinstance(argument, ast.Name):
            self.flow.steps[step] = Step("foreachBatch", argument.id, "structured")
            self._enter(argument.id, step)
        elif name in ("format", "outputMode") and isinstance(argument, ast.Constant):
            detail = ", ".join(part for part in (old.detail, str(argument.value)) if part)
            self.flow.steps[step] = Step(old.label, detail, old.kind)
        elif name in STARTERS:
            if name not in ("load", "start", "save"):
                self.flow.steps[step] = Step(old.label, name, old.kind)
            del self._open[step]
            return None if writes else step
        return step

    def _enter(self, name: str, step: int) -> None:
        """A batch function begins with what its query gives it."""
        function = self._functions.pop(name, None)
        if function is not None and function.args.args:
            outer = dict(self._names)
            writes = self._open.pop(step)
            self._names[function.args.args[0].arg] = step
            self._block(function.body)
            self._names = outer
            self._open[step] = writes
