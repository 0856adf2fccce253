"""What calls give, and what they hand to the functions that were read."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from migrate.knowledge.builtins import COLLECTS
from migrate.knowledge.connectors import CONNECTOR_SOURCES, EXTENSION, connector_of
from migrate.knowledge.methods import FILLS
from migrate.knowledge.models import MODEL
from migrate.knowledge.streaming import CONTEXT, FACTORIES, STREAM, Gives
from migrate.trace.members import Members, decorators
from migrate.trace.scopes import Scope
from migrate.trace.uses import CONSTRUCTOR, Escape, Use, canonical
from migrate.trace.values import (
    NOTHING,
    Bag,
    Bound,
    Class,
    Context,
    External,
    Function,
    Instance,
    Made,
    Member,
    Stream,
    Traced,
    Value,
    Values,
)


class Calls(Members):
    """Follows calls; what their arguments are, `migrate.trace.expressions.Expressions` says."""

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """What `node` can be; the expressions' part fills this in."""
        raise NotImplementedError

    def _call(self, node: ast.Call, called: Values, scope: Scope) -> Values:
        positional = [self.evaluate(argument, scope) for argument in node.args]
        named = [(keyword.arg, self.evaluate(keyword.value, scope)) for keyword in node.keywords]
        result: set[Value] = set()
        if not called and isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(scope)
        for value in called:
            result |= self._call_of(value, node, positional, named, scope)
        if isinstance(node.func, ast.Attribute) and node.func.attr in FILLS:
            self._fill(node, positional, scope)
        if not called:
            result |= self._call_of_unread(node, positional, named, scope)
        return frozenset(result)

    def _super(self, scope: Scope) -> Values:
        """``super()``: the object, as an instance of the classes that its own derives from."""
        step: Scope | None = scope
        while step is not None and not isinstance(step.node, ast.ClassDef):
            step = step.parent
        cls = step.node if step is not None else None
        bases = self.bases.get(cls, []) if isinstance(cls, ast.ClassDef) else []
        return frozenset(Instance(base) for values in bases for base in values if isinstance(base, Class))

    def _fill(self, node: ast.Call, positional: list[Values], scope: Scope) -> None:
        assert isinstance(node.func, ast.Attribute)
        if not positional or not isinstance(node.func.value, ast.Name):
            return
        for owner in self.lookup(node.func.value.id, scope):
            if isinstance(owner, Bag):
                added = positional[-1]
                self.put(owner, self.contents(added) if node.func.attr == "extend" else added)

    def _call_of(
        self,
        value: Value,
        node: ast.Call,
        positional: list[Values],
        named: list[tuple[str | None, Values]],
        scope: Scope,
    ) -> Values:
        if isinstance(value, Member):
            if isinstance(value.owner, Made):
                return self._call_of_model(
                    value.owner, value.name, node, [*positional, *dict(named).values()], scope
                )
            return self._call_of_member(value.owner, value.name, node, positional, named)
        if isinstance(value, External):
            return self._call_of_external(value, node, positional, named, scope)
        if isinstance(value, Function):
            self._pass(value.node, positional, named)
            return self.scopes[value.node].returns
        if isinstance(value, Bound):
            self._pass(value.function.node, [frozenset({value.receiver}), *positional], named)
            return self.scopes[value.function.node].returns
        if isinstance(value, Class):
            instance = Instance(value)
            for init in self._of_class(value, "__init__"):
                if isinstance(init, Function):
                    self._pass(init.node, [frozenset({instance}), *positional], named)
            return frozenset({instance})
        return NOTHING

    def receive_in_methods(self, cls: Class) -> None:
        """Methods may be called from anywhere; their first parameter is an instance all the same."""
        instance = Instance(cls)
        for values in list(self.scopes[cls.node].ever.values()):
            for value in values:
                if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
                    continue
                if not decorators(value.node) & {"staticmethod", "classmethod"}:
                    self._receive(value.node, instance)

    def _pass(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        positional: Sequence[Values],
        named: Sequence[tuple[str | None, Values]],
    ) -> None:
        """Parameters can be what a call gives for them."""
        ever = self.scopes[node].ever
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        for position, value in enumerate(positional):
            if position < len(names):
                self._grow(ever, names[position], value)
            elif node.args.vararg is not None:
                bag = Bag(node.args.vararg)
                self.put(bag, value)
                self._grow(ever, node.args.vararg.arg, frozenset({bag}))
        for keyword, value in named:
            if keyword is not None and keyword in self.scopes[node].names:
                self._grow(ever, keyword, value)

    def _call_of_model(
        self, model: Made, name: str, node: ast.Call, arguments: list[Values], scope: Scope
    ) -> Values:
        """A member of a model of MLlib; the stream that it is given is what it hangs on."""
        if MODEL[name] is Gives.ITSELF:
            return frozenset({model})
        given = self.traced(frozenset().union(*arguments))
        if given:
            self.uses[node.func] = Use(node.func, node, name, given, scope.module, model=model.name)
        if MODEL[name] is not Gives.STREAM or not given:
            return NOTHING
        stream = Stream(node)
        for value in given:
            self._link(stream, value)
        return frozenset({stream})

    def _call_of_member(
        self,
        owner: Traced,
        name: str,
        node: ast.Call,
        positional: list[Values],
        named: list[tuple[str | None, Values]],
    ) -> Values:
        for value in (*positional, *(value for _, value in named)):
            for other in self.traced(value):
                self._link(owner, other)
        gives = (CONTEXT if isinstance(owner, Context) else STREAM).get(name, Gives.NOTHING)
        if gives is Gives.ITSELF:
            return frozenset({owner})
        if gives is Gives.STREAM:
            stream = Stream(node)
            self._link(owner, stream)
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
            for left, right in self.links:
                other = right if left == value else left if right == value else None
                if other is not None and other not in seen:
                    seen.add(other)
                    pending.append(other)
        return {value for value in seen if isinstance(value, Context)}

    def _call_of_external(
        self,
        external: External,
        node: ast.Call,
        positional: list[Values],
        named: list[tuple[str | None, Values]],
        scope: Scope,
    ) -> Values:
        name = canonical(external.name)
        arguments = [*positional, *(value for _, value in named)]
        if name == CONSTRUCTOR:
            return self._constructed(external, node, scope, "StreamingContext", [])
        factory = name.removeprefix(CONSTRUCTOR + ".")
        if factory in FACTORIES:
            return self._constructed(external, node, scope, factory, arguments)
        given = self.traced(frozenset().union(*arguments))
        if name.rsplit(".", 1)[-1] in CONNECTOR_SOURCES and (given or connector_of(name)):
            if not given and not name.endswith(".createRDD") and node.args:
                self._name_unknown(node.args[0], scope)
            stream = Stream(node)
            for value in given:
                self._link(stream, value)
            self.uses[node.func] = Use(
                node.func,
                node,
                name.rsplit(".", 1)[-1],
                frozenset({stream}),
                scope.module,
                connector=name,
            )
            return frozenset({stream})
        if given:
            self._call_back(arguments)
            if not name.startswith("pyspark.") and not self._knows_no_spark(external.name, given):
                self.escapes[node] = Escape(node, external.name, given, scope.module)
        return frozenset({Made(name, node)}) if name.startswith("pyspark.") else NOTHING

    @staticmethod
    def _knows_no_spark(name: str, given: frozenset[Traced]) -> bool:
        """Whether a package takes a stream for any object, as ``json`` and ``pprint`` do.

        One that extends Spark may ask what it is, and with a context any may make other streams.
        """
        return not EXTENSION.search(name) and not any(isinstance(value, Context) for value in given)

    def _constructed(
        self, external: External, node: ast.Call, scope: Scope, name: str, arguments: list[Values]
    ) -> Values:
        contexts: set[Value] = set()
        for values in arguments:
            for value in values:
                if isinstance(value, Function):
                    contexts |= {v for v in self.scopes[value.node].returns if isinstance(v, Context)}
        own = Context(node, "the context is made somewhere else" if name == "getActive" else None)
        made = {value for value in contexts if isinstance(value, Context)} or {own}
        for value in made:
            self._link(own, value)
            if external.origin is not None:
                self.origins.setdefault(value, set()).add(external.origin.relative)
        self.uses[node.func] = Use(node.func, node, name, frozenset(made), scope.module, constructor=True)
        return frozenset(made)

    def _call_of_unread(
        self,
        node: ast.Call,
        positional: list[Values],
        named: list[tuple[str | None, Values]],
        scope: Scope,
    ) -> Values:
        """A builtin, or something that is not traced."""
        arguments = [*positional, *(value for _, value in named)]
        given = self.traced(frozenset().union(*arguments))
        if not given:
            return NOTHING
        self._call_back(arguments)
        builtin = isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)
        if builtin and isinstance(node.func, ast.Name) and node.func.id in COLLECTS:
            bag = Bag(node)
            for value in arguments:
                self.put(bag, self.contents(value))
            return frozenset({bag})
        held = isinstance(node.func, ast.Attribute) and node.func.attr in FILLS
        if not (builtin or held) and any(isinstance(value, Context) for value in given):
            # whatever it is, it may make streams of the context by pyspark.streaming's own connectors
            named_so = self._named_so(node.func.attr) if isinstance(node.func, ast.Attribute) else ()
            to = ast.unparse(node.func)
            self.escapes[node] = Escape(node, to, given, scope.module, chosen=bool(named_so))
            results = [self._call_of(value, node, positional, named, scope) for value in named_so]
            return frozenset().union(*results)
        return NOTHING

    def _named_so(self, name: str) -> list[Function | Class]:
        """What modules of the project define under a name: ``getattr(pipelines, kind).Pipeline(ssc)``."""
        found: list[Function | Class] = []
        for top in self.tops.values():
            for statement in top.module.tree.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == name:
                    found.append(Function(statement))
                elif isinstance(statement, ast.ClassDef) and statement.name == name:
                    found.append(Class(statement))
        return found

    def _call_back(self, arguments: list[Values]) -> None:
        """``functools.reduce(f, streams)`` and the like call `f` with what the other arguments hold."""
        held = frozenset().union(*(self.contents(values) for values in arguments))
        if not self.traced(held):
            return
        for values in arguments:
            for value in values:
                if isinstance(value, Function):
                    count = len(value.node.args.args)
                    self._pass(value.node, [held] * count, [])
