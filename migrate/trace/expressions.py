"""What an expression evaluates to, and which members of contexts and streams it uses."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from migrate.imports import Imports
from migrate.model import Module
from migrate.nodes import children
from migrate.surface import CONNECTOR_SOURCES, CONNECTORS, CONTEXT, FACTORIES, SOURCES, STAR, STREAM, Gives
from migrate.trace.scopes import COMPREHENSIONS, Scope, parameters
from migrate.trace.values import (
    NOTHING,
    Bag,
    Bound,
    Class,
    Context,
    External,
    Function,
    Instance,
    Items,
    Made,
    Member,
    ModuleValue,
    Stream,
    Traced,
    Value,
    Values,
)

_K = TypeVar("_K")

CONSTRUCTOR = "pyspark.streaming.StreamingContext"
LONGEST_NAME = 8
"""Dots in a qualified name; ``node = node.next`` would make it longer without end."""
_LEFT = {ast.Attribute: "value", ast.Call: "func", ast.Subscript: "value", ast.BinOp: "left"}
_COLLECTORS = frozenset({"list", "tuple", "set", "sorted", "reversed"})


@dataclass(frozen=True)
class Use:
    """A member of a traced value, or a constructor, where the program names it."""

    node: ast.expr
    """The attribute, or for a constructor the expression that is called."""
    call: ast.Call | None
    """None for a bare reference."""
    name: str
    owners: frozenset[Traced]
    module: Module
    constructor: bool = False


@dataclass(frozen=True)
class Escape:
    """A traced value handed to code that was not read."""

    node: ast.Call
    to: str
    values: frozenset[Traced]
    module: Module


def canonical(name: str) -> str:
    """One name for one thing: compat's modules and PySpark's submodules count as ``pyspark.streaming``."""
    if name == "compat.streaming" or name.startswith("compat.streaming."):
        name = "pyspark" + name.removeprefix("compat")
    for part in ("context", "dstream", "listener"):
        if name.startswith(f"pyspark.streaming.{part}."):
            return "pyspark.streaming." + name.removeprefix(f"pyspark.streaming.{part}.")
    return name


class Expressions:
    """Evaluates expressions; the statements are `Interpreter`'s."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.imports = Imports(modules)
        self.scopes: dict[ast.AST, Scope] = {}
        self.tops: dict[str, Scope] = {}
        self.bases: dict[ast.ClassDef, list[Values]] = {}
        self.uses: dict[ast.AST, Use] = {}
        self.escapes: dict[ast.AST, Escape] = {}
        self.links: set[tuple[Traced, Traced]] = set()
        self.kinds: dict[ast.AST, Values] = {}
        """What each name, attribute and call can be, wherever that is anything known."""
        self.origins: dict[Traced, set[str]] = {}
        """The modules whose import statements a context came through."""
        self.changed = False
        self.naming_unknown = False
        self._held: dict[ast.AST, Values] = {}
        self._attributes: dict[tuple[ast.ClassDef, str], Values] = {}
        self._unknown: dict[tuple[str, str], Context] = {}

    # --- facts that only grow -------------------------------------------------------------------------------

    def bind(self, name: str, value: Values, scope: Scope) -> None:
        """`name` is `value` from here on, in the scope that it belongs to."""
        if isinstance(scope.node, COMPREHENSIONS):
            scope.names.add(name)
        home = scope
        if name in scope.outer:
            home = (scope.parent.home(name) if scope.parent else None) or self.tops[scope.module.relative]
        home.now[name] = value
        self._grow(home.ever, name, value)

    def give_back(self, scope: Scope, value: Values) -> None:
        """A function returns `value`."""
        if not value <= scope.returns:
            scope.returns |= value
            self.changed = True

    def put(self, bag: Bag, value: Values) -> None:
        """A list, set or dict holds `value`."""
        self._grow(self._held, bag.node, value)

    def set_attribute(self, owner: Instance | Class, name: str, value: Values) -> None:
        """``owner.name = value``."""
        cls = owner.of if isinstance(owner, Instance) else owner
        self._grow(self._attributes, (cls.node, name), value)

    def _grow(self, table: dict[_K, Values], key: _K, value: Values) -> None:
        before = table.get(key, NOTHING)
        if not value <= before:
            table[key] = before | value
            self.changed = True
        elif key not in table:
            table[key] = value

    def _link(self, left: Traced, right: Traced) -> None:
        if (left, right) not in self.links:
            self.links.add((left, right))
            self.changed = True

    def contents(self, values: Values) -> Values:
        """What iterating over any of `values` gives."""
        found: set[Value] = set()
        for value in values:
            if isinstance(value, Items):
                found.update(*(self.item(value, position) for position in range(len(value.node.elts))))
            elif isinstance(value, Bag):
                found |= self._held.get(value.node, NOTHING)
        return frozenset(found)

    def item(self, whole: Items, position: int) -> Values:
        """What stands at a position of a tuple."""
        return self._held.get(whole.node.elts[position], NOTHING)

    def traced(self, values: Values, depth: int = 3) -> frozenset[Traced]:
        """The contexts and streams among `values`, also inside containers."""
        found = {value for value in values if isinstance(value, Context | Stream)}
        if depth and any(isinstance(value, Items | Bag) for value in values):
            found |= self.traced(self.contents(values), depth - 1)
        return frozenset(found)

    # --- names ----------------------------------------------------------------------------------------------

    def lookup(self, name: str, scope: Scope) -> Values:
        """What `name` can be where it is read."""
        home = scope.home(name)
        if home is None:
            return self._from_star(name, scope)
        if home.active and name in home.now:
            return home.now[name]
        return home.ever.get(name, NOTHING)

    def _from_star(self, name: str, scope: Scope) -> Values:
        step: Scope | None = scope
        while step is not None:
            for package in step.stars:
                if name in STAR.get(canonical(package), ()):
                    return frozenset({External(f"{package}.{name}", scope.module)})
            step = step.parent
        return NOTHING

    def attribute_of_module(self, module: Module, name: str) -> Values:
        """``module.name`` for a module that was read."""
        top = self.tops[module.relative]
        return top.ever.get(name) or self._from_star(name, top)

    # --- expressions ----------------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """What `node` can be. Long chains lean to the left, so they are walked, not recursed into."""
        spine: list[ast.expr] = []
        while type(node) in _LEFT:
            spine.append(node)
            node = getattr(node, _LEFT[type(node)])
        value = self._leaf(node, scope)
        for position in range(len(spine) - 1, -1, -1):
            step = spine[position]
            if isinstance(step, ast.Attribute):
                above = spine[position - 1] if position else None
                value = self._attribute(step, value, above if isinstance(above, ast.Call) else None, scope)
            elif isinstance(step, ast.Call):
                value = self._call(step, value, scope)
            elif isinstance(step, ast.Subscript):
                value = self._subscript(step, value, scope)
            elif isinstance(step, ast.BinOp):
                value = self._binary(step, value, scope)
            if value:
                self.kinds[step] = self.kinds.get(step, NOTHING) | value
        return value

    def _leaf(self, node: ast.expr, scope: Scope) -> Values:
        if isinstance(node, ast.Name):
            value = self.lookup(node.id, scope) or self._known_unknown(node, scope)
            if value:
                self.kinds[node] = self.kinds.get(node, NOTHING) | value
            return value
        if isinstance(node, ast.Lambda):
            self.defaults(node, scope)
            return frozenset({Function(node)})
        if isinstance(node, ast.Tuple):
            for item in node.elts:
                value = self.evaluate(item, scope)
                self._grow(self._held, item, self.contents(value) if isinstance(item, ast.Starred) else value)
            return frozenset({Items(node)})
        if isinstance(node, ast.List | ast.Set | ast.Dict):
            return self._display(node, scope)
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node, scope)
        if isinstance(node, ast.IfExp):
            self.evaluate(node.test, scope)
            return self.evaluate(node.body, scope) | self.evaluate(node.orelse, scope)
        if isinstance(node, ast.BoolOp):
            return frozenset().union(*(self.evaluate(value, scope) for value in node.values))
        if isinstance(node, ast.NamedExpr):
            value = self.evaluate(node.value, scope)
            self.bind(node.target.id, value, scope)
            return value
        if isinstance(node, ast.Starred | ast.Await):
            return self.evaluate(node.value, scope)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, scope)
        return NOTHING

    def defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        """Parameters can be what their defaults are."""
        inner = self.scopes[node]
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(reversed(positional), reversed(node.args.defaults), strict=False):
            self._grow(inner.ever, argument.arg, self.evaluate(default, scope))
        for argument, optional in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if optional is not None:
                self._grow(inner.ever, argument.arg, self.evaluate(optional, scope))

    def _display(self, node: ast.List | ast.Set | ast.Dict, scope: Scope) -> Values:
        items = node.values if isinstance(node, ast.Dict) else node.elts
        if isinstance(node, ast.Dict):
            for key in node.keys:
                if key is not None:
                    self.evaluate(key, scope)
        bag = Bag(node)
        for item in items:
            value = self.evaluate(item, scope)
            spread = isinstance(item, ast.Starred) or (isinstance(node, ast.Dict) and item in _spread(node))
            self.put(bag, self.contents(value) if spread else value)
        return frozenset({bag})

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> Values:
        inner = self.scopes[node]
        inner.active = True
        for generator in node.generators:
            item = self.contents(self.evaluate(generator.iter, inner))
            self.assign(generator.target, item, inner)
            for condition in generator.ifs:
                self.evaluate(condition, inner)
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inner)
        result = self.evaluate(node.value if isinstance(node, ast.DictComp) else node.elt, inner)
        inner.active = False
        bag = Bag(node)
        self.put(bag, result)
        return frozenset({bag})

    def assign(self, target: ast.expr, value: Values, scope: Scope) -> None:
        """Give `value` to a target; the statements' part fills this in."""
        raise NotImplementedError

    def _subscript(self, node: ast.Subscript, value: Values, scope: Scope) -> Values:
        self.evaluate(node.slice, scope)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        found: set[Value] = set()
        for whole in value:
            size = len(whole.node.elts) if isinstance(whole, Items) else 0
            if isinstance(whole, Items) and isinstance(index, int) and -size <= index < size:
                found |= self.item(whole, index)
            else:
                found |= self.contents(frozenset({whole}))
        return frozenset(found)

    def _binary(self, node: ast.BinOp, left: Values, scope: Scope) -> Values:
        right = self.evaluate(node.right, scope)
        return frozenset(value for value in left | right if isinstance(value, Items | Bag))

    # --- members --------------------------------------------------------------------------------------------

    def _known_unknown(self, node: ast.expr, scope: Scope) -> Values:
        found = self._unknown.get((scope.module.relative, ast.unparse(node))) if self._unknown else None
        return frozenset({found}) if found else NOTHING

    def _attribute(self, node: ast.Attribute, value: Values, call: ast.Call | None, scope: Scope) -> Values:
        if not value and isinstance(node.value, ast.Name | ast.Attribute):
            if self.naming_unknown and node.attr in SOURCES and call is not None:
                self._name_unknown(node.value, scope)
            value = self._known_unknown(node.value, scope)
        owners = {owner for owner in value if isinstance(owner, Context | Stream)}
        if owners and isinstance(node.ctx, ast.Load):
            self.uses[node] = Use(node, call, node.attr, frozenset(owners), scope.module)
        result: set[Value] = set()
        for owner in value:
            result |= self._member(owner, node.attr)
        return frozenset(result)

    def _name_unknown(self, node: ast.expr, scope: Scope) -> None:
        text = ast.unparse(node)
        key = (scope.module.relative, text)
        if key in self._unknown:
            return
        if not isinstance(node, ast.Name):
            why = f"what `{text}` is cannot be decided from the files that were read"
        elif scope.home(text) is None:
            why = f"`{text}` is never defined in the files that were read"
        else:
            why = f"`{text}` gets its value outside the files that were read"
        self._unknown[key] = Context(node, why)
        self.changed = True

    def _member(self, owner: Value, name: str) -> Values:
        if isinstance(owner, Context | Stream):
            return frozenset({Member(owner, name)})
        if isinstance(owner, External):
            if owner.name.count(".") >= LONGEST_NAME:
                return NOTHING
            return frozenset({External(f"{owner.name}.{name}", owner.origin)})
        if isinstance(owner, ModuleValue):
            inner = self.imports.find(f"{owner.name}.{name}", owner.module)
            if inner is not None:
                return frozenset({ModuleValue(inner, f"{owner.name}.{name}")})
            return self.attribute_of_module(owner.module, name)
        if isinstance(owner, Instance):
            return self._of_instance(owner, owner.of, name)
        if isinstance(owner, Class):
            return self._of_class(owner, name)
        return NOTHING

    def _of_class(self, cls: Class, name: str) -> Values:
        scope = self.scopes[cls.node]
        found = self._attributes.get((cls.node, name), NOTHING) | scope.ever.get(name, NOTHING)
        for base in self.bases.get(cls.node, []):
            for parent in base:
                if isinstance(parent, Class) and parent != cls and not found:
                    found |= self._of_class(parent, name)
        return found

    def _of_instance(self, instance: Instance, cls: Class, name: str) -> Values:
        result: set[Value] = set()
        for value in self._of_class(cls, name):
            if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
                result.add(value)
            elif "property" in (decorators := _decorators(value.node)) or "cached_property" in decorators:
                self._receive(value.node, instance)
                result |= self.scopes[value.node].returns
            elif "staticmethod" in decorators:
                result.add(value)
            else:
                result.add(Bound(value, instance))
        return frozenset(result)

    def _receive(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, instance: Instance) -> None:
        first = next(parameters(node.args), None)
        if first is not None:
            self._grow(self.scopes[node].ever, first.arg, frozenset({instance}))

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, called: Values, scope: Scope) -> Values:
        positional = [self.evaluate(argument, scope) for argument in node.args]
        named = [(keyword.arg, self.evaluate(keyword.value, scope)) for keyword in node.keywords]
        result: set[Value] = set()
        if not called and isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(scope)
        for value in called:
            result |= self._call_of(value, node, positional, named, scope)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "add", "extend", "insert"):
            self._fill(node, positional, scope)
        if not called:
            result |= self._call_of_unread(node, positional, named)
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
            return self._call_of_member(value, node, positional, named)
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
                if not _decorators(value.node) & {"staticmethod", "classmethod"}:
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

    def _call_of_member(
        self, member: Member, node: ast.Call, positional: list[Values], named: list[tuple[str | None, Values]]
    ) -> Values:
        owner = member.owner
        for value in (*positional, *(value for _, value in named)):
            for other in self.traced(value):
                self._link(owner, other)
        gives = (CONTEXT if isinstance(owner, Context) else STREAM).get(member.name, Gives.NOTHING)
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
        if name.rsplit(".", 1)[-1] in CONNECTOR_SOURCES and (given or _connector(name)):
            stream = Stream(node)
            for value in given:
                self._link(stream, value)
            self.uses[node.func] = Use(
                node.func, node, name.rsplit(".", 1)[-1], frozenset({stream}), scope.module, True
            )
            return frozenset({stream})
        if given:
            self._call_back(arguments)
            if not name.startswith("pyspark."):
                self.escapes[node] = Escape(node, external.name, given, scope.module)
        return frozenset({Made(name, node)}) if name.startswith("pyspark.") else NOTHING

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
        self, node: ast.Call, positional: list[Values], named: list[tuple[str | None, Values]]
    ) -> Values:
        """A builtin, or a method of something that is not traced."""
        arguments = [*positional, *(value for _, value in named)]
        if not any(self.traced(value) for value in arguments):
            return NOTHING
        self._call_back(arguments)
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in _COLLECTORS
            and hasattr(builtins, node.func.id)
        ):
            bag = Bag(node)
            for value in arguments:
                self.put(bag, self.contents(value))
            return frozenset({bag})
        return NOTHING

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


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    if isinstance(node, ast.Lambda):
        return set()
    return {ast.unparse(decorator).rsplit(".", 1)[-1] for decorator in node.decorator_list}


def _connector(name: str) -> bool:
    return any(name.startswith(f"pyspark.streaming.{part}") for part in CONNECTORS)


def _spread(node: ast.Dict) -> list[ast.expr]:
    return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
