"""The classes of PySpark that a program's objects are of, where that is certain."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from migrate.graph.session_expressions import makes_session, named
from migrate.knowledge.spark_members import MEMBERS
from migrate.model import Module
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.trace import Trace
from migrate.trace.scopes import Scope
from migrate.trace.values import Function, Made, Stream, Value

_PACKAGES = {
    "pyspark.SparkContext",
    "pyspark.SparkConf",
    "pyspark.sql.SparkSession",
    "pyspark.sql.SQLContext",
}
_GIVEN_RDDS = frozenset({"foreachRDD", "transform"})
_DEPTH = 20


class SparkClasses:
    """The classes of PySpark that expressions of a module are certain to be of."""

    def __init__(self, module: Module, trace: Trace) -> None:
        self.above = parents_of(module.tree)
        self._trace = trace
        self._variables: dict[tuple[Scope | None, str], str] = {}
        self._names = defaultdict[str, list[ast.Name]](list)
        for name in of_kinds(module.tree, ast.Name):
            self._names[name.id].append(name)
        attributes = Counter(one.attr for one in of_kinds(module.tree, ast.Attribute))
        self._rdds = {
            (trace.scopes.home(given[-1]), given[-1].arg)
            for function in _callbacks(trace)
            if (given := function.args.args)
            and (isinstance(function, ast.Lambda) or self._is_named_once(function.name, attributes))
        }

    def of(self, node: ast.expr, depth: int = _DEPTH) -> str:
        """The name of the class of an expression; empty if that is not known."""
        if not depth:
            return ""
        if values := self._trace.kinds.get(node):
            classes = {self._of_made(one) for one in values}
            return classes.pop() if len(classes) == 1 else ""
        if isinstance(node, ast.Call) and makes_session(node, self._trace):
            return self._session(node)
        match node:
            case ast.Name():
                variable = (self._trace.scopes.home(node), node.id)
                if variable not in self._variables:
                    self._variables[variable] = self._of_variable(node, depth)
                return self._variables[variable]
            case ast.Call(ast.Attribute(value, member)) | ast.Attribute(value, member):
                owner = self.of(value, depth - 1)
                return MEMBERS[owner].get(member, "") if owner else ""
        return ""

    def _of_made(self, value: Value) -> str:
        if not isinstance(value, Made):
            return "DStream" if isinstance(value, Stream) else ""
        made = named(value.node, self._trace) & _PACKAGES
        if not made:
            return self._session(value.node) if makes_session(value.node, self._trace) else ""
        return min(made).rpartition(".")[2]

    def _session(self, call: ast.Call) -> str:
        """The class of what makes a session: that of an SQLContext has more members."""
        parts = (one for one in ast.walk(call.func) if isinstance(one, ast.Name | ast.Attribute))
        names = {name for part in parts for name in named(part, self._trace)}
        return "SparkSession" if any("SparkSession" in name for name in names) else "SQLContext"

    def _of_variable(self, name: ast.Name, depth: int) -> str:
        home = self._trace.scopes.home(name)
        same = [one for one in self._names[name.id] if self._trace.scopes.home(one) is home]
        bound = [one for one in same if not isinstance(one.ctx, ast.Load)]
        if (home, name.id) in self._rdds:
            return "" if bound else "RDD"
        match [self.above[one] for one in bound]:
            case [ast.Assign([ast.Name()], value)] if home is not None:
                return self.of(value, depth - 1)
        return ""

    def _is_named_once(self, name: str, attributes: Counter[str]) -> bool:
        """Whether a function is named where it is given to a stream, and nowhere else."""
        return len(self._names[name]) + attributes[name] == 1


def _callbacks(trace: Trace) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]:
    """The functions that are given RDDs."""
    for use in (use for graph in trace.graphs for use in graph.uses):
        if use.name in _GIVEN_RDDS and use.call is not None and use.call.args:
            values = trace.kinds.get(use.call.args[0], frozenset())
            given = use.call.args[0]
            functions = [one.node for one in values if isinstance(one, Function)]
            yield from functions or ([given] if isinstance(given, ast.Lambda) else [])
