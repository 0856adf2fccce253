"""Calls: of functions and classes that were read, of PySpark, and of what is not known."""

from __future__ import annotations

import ast
import builtins

from migrate.knowledge.builtins import COLLECTS
from migrate.knowledge.methods import FILLS
from migrate.trace.arguments import Arguments
from migrate.trace.findings import Findings
from migrate.trace.importing import Importing
from migrate.trace.members import Members
from migrate.trace.passing import Passing
from migrate.trace.scopes import Scope
from migrate.trace.spark_calls import SparkCalls
from migrate.trace.unknown import undefined
from migrate.trace.uses import Escape
from migrate.trace.values import (
    NOTHING,
    Bag,
    Bound,
    Class,
    Context,
    External,
    Function,
    Globals,
    Instance,
    Member,
    Value,
    Values,
)


class Calls:
    """Finds what a call gives, once its function and its arguments are evaluated."""

    def __init__(self, findings: Findings, members: Members, passing: Passing, spark: SparkCalls) -> None:
        self.findings = findings
        self.members = members
        self.passing = passing
        self.spark = spark
        self._importing = Importing(findings)

    def call(self, node: ast.Call, called: Values, given: Arguments, scope: Scope) -> Values:
        """What a call of any of `called` gives."""
        if not called and isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(scope)
        if not called and isinstance(node.func, ast.Name) and node.func.id == "globals":
            return frozenset({Globals(scope.module, scope.module.relative)})
        imported = self._importing.by_call(node, called, scope)
        if imported:
            return imported
        results = [self._call_of(value, node, given, scope) for value in called]
        if isinstance(node.func, ast.Attribute) and node.func.attr in FILLS:
            self._fill(node.func, given, scope)
        return NOTHING.union(*results) if called else self._call_of_unread(node, given, scope)

    def _super(self, scope: Scope) -> Values:
        """``super()``: the object, as an instance of the classes that its own derives from."""
        step: Scope | None = scope
        while step is not None and not isinstance(step.node, ast.ClassDef):
            step = step.parent
        cls = step.node if step is not None else None
        bases = self.findings.bases.get(cls, []) if isinstance(cls, ast.ClassDef) else []
        return frozenset(Instance(base) for values in bases for base in values if isinstance(base, Class))

    def _fill(self, function: ast.Attribute, given: Arguments, scope: Scope) -> None:
        """``streams.append(stream)``."""
        if not given.positional or not isinstance(function.value, ast.Name):
            return
        for owner in self.findings.lookup(function.value.id, scope):
            if isinstance(owner, Bag):
                added = given.positional[-1]
                self.findings.put(
                    owner, self.findings.contents(added) if function.attr == "extend" else added
                )

    def _call_of(self, value: Value, node: ast.Call, given: Arguments, scope: Scope) -> Values:
        if isinstance(value, Member):
            return self.spark.member(value, node, given, scope)
        if isinstance(value, External):
            return self.spark.external(value, node, given, scope)
        if isinstance(value, Function):
            return self.passing.call(value.node, given.positional, given.named)
        if isinstance(value, Bound):
            receiver = frozenset({value.receiver})
            return self.passing.call(value.function.node, [receiver, *given.positional], given.named)
        if isinstance(value, Class):
            instance: Values = frozenset({Instance(value)})
            for init in self.members.of_class(value, "__init__"):
                if isinstance(init, Function):
                    self.passing.call(init.node, [instance, *given.positional], given.named)
            return instance
        return NOTHING

    def _call_of_unread(self, node: ast.Call, arguments: Arguments, scope: Scope) -> Values:
        """A builtin, or something that is not traced."""
        values = arguments.values
        given = self.findings.traced(values) if values else None
        if not given:
            return NOTHING
        self.passing.call_back(arguments.all)
        builtin = isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)
        if builtin and isinstance(node.func, ast.Name) and node.func.id in COLLECTS:
            bag = Bag(node)
            for value in arguments.all:
                self.findings.put(bag, self.findings.contents(value))
            return frozenset({bag})
        held = isinstance(node.func, ast.Attribute) and node.func.attr in FILLS
        if not (builtin or held) and any(isinstance(value, Context) for value in given):
            # whatever it is, it may make streams of the context by pyspark.streaming's own connectors
            named_so = self._named_so(node.func.attr) if isinstance(node.func, ast.Attribute) else ()
            to = ast.unparse(node.func)
            self.findings.escapes[node] = Escape(
                node, to, given, scope.module, chosen=bool(named_so), undefined=undefined(node.func, scope)
            )
            results = [self._call_of(value, node, arguments, scope) for value in named_so]
            return frozenset().union(*results)
        return NOTHING

    def _named_so(self, name: str) -> list[Function | Class]:
        """What modules of the project define under a name: ``getattr(pipelines, kind).Pipeline(ssc)``."""
        found: list[Function | Class] = []
        for top in self.findings.tops.values():
            for statement in top.module.tree.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == name:
                    found.append(Function(statement))
                elif isinstance(statement, ast.ClassDef) and statement.name == name:
                    found.append(Class(statement))
        return found
