"""Calls of members of PySpark: constructors, sources, operators, connectors, models of MLlib."""

from __future__ import annotations

import ast
import sys

from migrate.knowledge.cassandra import CONTEXTS
from migrate.knowledge.connectors import CONNECTOR_SOURCES, EXTENSION, connector_of
from migrate.knowledge.models import MODEL
from migrate.knowledge.streaming import CONTEXT, FACTORIES, STREAM, Gives
from migrate.trace.arguments import Arguments
from migrate.trace.findings import Findings
from migrate.trace.passing import Passing
from migrate.trace.scopes import Scope
from migrate.trace.unknown import Unknown
from migrate.trace.uses import CONSTRUCTOR, Escape, Use, canonical
from migrate.trace.values import (
    NOTHING,
    Context,
    External,
    Function,
    Made,
    Member,
    Stream,
    Traced,
    Value,
    Values,
)


class SparkCalls:
    """Finds the contexts and streams that calls of PySpark make, and links what belongs to one graph."""

    def __init__(self, findings: Findings, unknown: Unknown, passing: Passing) -> None:
        self.findings = findings
        self.unknown = unknown
        self.passing = passing

    def member(self, member: Member, node: ast.Call, given: Arguments, scope: Scope) -> Values:
        """What calling a member of a context, a stream or a model gives."""
        if isinstance(member.owner, Made):
            if member.owner.finds_itself(member.name):
                return frozenset({member.owner})
            return self._model(member.owner, member.name, node, given, scope)
        return self._operator(member.owner, member.name, node, given)

    def _model(self, model: Made, name: str, node: ast.Call, arguments: Arguments, scope: Scope) -> Values:
        """A member of a model of MLlib belongs to the graph of the stream that it is given."""
        if MODEL[name] is Gives.ITSELF:
            return frozenset({model})
        given = self.findings.traced(arguments.values)
        if given:
            self.findings.uses[node.func] = Use(node.func, node, name, given, scope.module, model=model.name)
        if MODEL[name] is not Gives.STREAM or not given:
            return NOTHING
        stream = Stream(node)
        for value in given:
            self.findings.link(stream, value)
        return frozenset({stream})

    def _operator(self, owner: Traced, name: str, node: ast.Call, arguments: Arguments) -> Values:
        for value in arguments.all:
            for other in self.findings.traced(value):
                self.findings.link(owner, other)
        gives = (CONTEXT if isinstance(owner, Context) else STREAM).get(name, Gives.NOTHING)
        if gives is Gives.ITSELF:
            return frozenset({owner})
        if gives is Gives.STREAM:
            stream = Stream(node)
            self.findings.link(owner, stream)
            return frozenset({stream})
        if gives is Gives.CONTEXT:
            return frozenset(self._contexts_of(owner))
        return NOTHING

    def _contexts_of(self, start: Traced) -> set[Context]:
        """The contexts that a stream hangs on."""
        seen: set[Traced] = {start}
        pending = [start]
        while pending:
            value = pending.pop()
            for left, right in self.findings.all_links():
                other = right if left == value else left if right == value else None
                if other is not None and other not in seen:
                    seen.add(other)
                    pending.append(other)
        return {value for value in seen if isinstance(value, Context)}

    def external(self, external: External, node: ast.Call, arguments: Arguments, scope: Scope) -> Values:
        """What calling something of a package gives: PySpark's, or one that is handed a stream."""
        name = canonical(external.name)
        if name == CONSTRUCTOR:
            return self._constructed(external, node, scope, "StreamingContext", Arguments())
        factory = name.removeprefix(CONSTRUCTOR + ".")
        if factory in FACTORIES:
            return self._constructed(external, node, scope, factory, arguments)
        given = self.findings.traced(arguments.values)
        if name.rsplit(".", 1)[-1] in CONNECTOR_SOURCES and (given or connector_of(name)):
            if not given and not name.endswith(".createRDD") and node.args:
                self.unknown.name(node.args[0], scope)
            stream = Stream(node)
            for value in given:
                self.findings.link(stream, value)
            self.findings.uses[node.func] = Use(
                node.func,
                node,
                name.rsplit(".", 1)[-1],
                frozenset({stream}),
                scope.module,
                connector=name,
            )
            return frozenset({stream})
        if given:
            self.passing.call_back(arguments.all)
            if not name.startswith("pyspark.") and not self._knows_no_spark(external.name, given):
                self.findings.escapes[node] = Escape(node, external.name, given, scope.module)
        is_made = name.startswith("pyspark.") or name in CONTEXTS
        return frozenset({Made(name, node)}) if is_made else NOTHING

    @staticmethod
    def _knows_no_spark(name: str, given: frozenset[Traced]) -> bool:
        """Whether a package takes a stream for any object, as ``json`` and ``pprint`` do.

        One that extends Spark may ask what it is, and with a context any may make other streams, but for the
        standard library, which at most hands it on: ``Thread(target=run, args=(ssc,))``.
        """
        if name.split(".")[0] in sys.stdlib_module_names:
            return True
        return not EXTENSION.search(name) and not any(isinstance(value, Context) for value in given)

    def _constructed(
        self, external: External, node: ast.Call, scope: Scope, name: str, arguments: Arguments
    ) -> Values:
        contexts: set[Value] = set()
        for values in arguments.all:
            for value in values:
                if isinstance(value, Function):
                    contexts |= {
                        v
                        for v in self.findings.scopes[value.node].results.ask(None)
                        if isinstance(v, Context)
                    }
        own = Context(node, "the context is made somewhere else" if name == "getActive" else None)
        made = {value for value in contexts if isinstance(value, Context)} or {own}
        for value in made:
            self.findings.link(own, value)
            if external.origin is not None:
                self.findings.origins.setdefault(value, set()).add(external.origin.relative)
        self.findings.uses[node.func] = Use(
            node.func, node, name, frozenset(made), scope.module, constructor=True
        )
        return frozenset(made)
