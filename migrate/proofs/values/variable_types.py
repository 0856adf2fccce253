"""The types of variables that a program binds before it starts, and the lines until which they may change."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.columns import Refusal
from migrate.columns import Scope as ColumnScope
from migrate.knowledge.libraries import TRAINING
from migrate.proofs.analysis.binding_order import Change, Place
from migrate.proofs.analysis.called_functions import called_function, calls_of
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.attribute_types import AttributeTypes
from migrate.proofs.values.changed_elsewhere import only_looks
from migrate.proofs.values.constants import written_by_name
from migrate.proofs.values.left_alone import (
    is_attribute_left_alone,
    is_changeable,
    is_left_alone,
    keeps_items,
    makes_new,
)
from migrate.proofs.values.set_at_start import Setter, setter_of
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import parameter_names
from migrate.trace.values import Made
from migrate.typed.building import COLLECTING, Building
from migrate.typed.containers import CHANGING, changed, gone_through
from migrate.typed.parts import unpacked
from migrate.typed.qualified import qualified
from migrate.typed.types import (
    NEVER,
    DictOf,
    Items,
    Kind,
    ListOf,
    SetOf,
    Type,
    is_foreign,
    join,
    joined,
    kinds_of,
    one,
)

_ROUNDS = 4
"""How often the values of a variable are gone through until its type no longer grows."""
_CONTEXT = "pyspark.SparkContext"


@dataclass(frozen=True)
class Variable:
    """What is known of a variable.

    Attributes:
        type: the type of all its values.
        last: the last line on which it is bound or changed.
        end: the type of its value from then on.
        broadcast: whether it is a broadcast variable, whose value executors have as it was made.
        keeps_items: whether the lists that it holds stay as they are, too.
        is_ascii: whether it is a text of ASCII that the program writes out, or some of them.
    """

    type: Type
    last: int
    end: Type
    broadcast: bool = False
    keeps_items: bool = False
    is_ascii: bool = False


class VariableTypes:
    """The variables of one module, each found when it is asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._found: dict[tuple[ast.AST | None, str], Variable | None] = {}
        self._attributes: AttributeTypes | None = None

    def attribute(self, node: ast.Attribute, scope: ColumnScope) -> Variable | None:
        """What is known of an attribute that a constructor, a class body or a parser of arguments sets."""
        if self._attributes is None:
            self._attributes = AttributeTypes(
                self._facts,
                lambda value, home: _One(self._facts, self, home, "", scope).type_of(value),
                lambda function, given: Building(scope).apply(function, [given], {}),
            )
        found = self._attributes.of(node)
        return None if found is None else Variable(found.type, found.last, found.type)

    def broadcast_value(
        self, home: ast.AST | None, node: ast.Attribute, scope: ColumnScope
    ) -> Variable | None:
        """What is known of ``tags.value`` of a broadcast variable that nothing but looks at it reads."""
        facts = self._facts
        if not isinstance(node.value, ast.Name) or node.attr != "value":
            return None
        found = self.of(home, node.value.id, scope)
        if found is None or not found.broadcast:
            return None
        loads = (load for load in facts.loads.get(node.value.id, ()) if facts.home(load) is home)
        reads = [facts.above[load] for load in loads]
        if not all(isinstance(read, ast.Attribute) and only_looks(read, facts) for read in reads):
            return None
        (kind,) = found.end
        assert isinstance(kind, Items)
        return Variable(kind.types[0], found.last, kind.types[0], broadcast=True)

    def of(self, home: ast.AST | None, name: str, scope: ColumnScope) -> Variable | None:
        """What is known of a variable of a function, or of the module for None."""
        key = home, name
        if key not in self._found:
            self._found[key] = None  # while it is looked for: a variable that is made of itself
            with contextlib.suppress(Refusal):
                self._found[key] = _One(self._facts, self, home, name, scope).variable()
        return self._found[key]


class _One:
    """One variable, while its type is found."""

    def __init__(
        self, facts: Facts, every: VariableTypes, home: ast.AST | None, name: str, scope: ColumnScope
    ) -> None:
        self._facts = facts
        self._every = every
        self._home = home
        self._place = Place(facts, home)
        self._name = name
        self._scope = scope
        self._itself: Type = NEVER
        self._setter: Setter | None = None
        """The function that binds and changes it, a variable of the module, before the query is built."""

    def variable(self) -> Variable | None:
        """What is known of it.

        Raises:
            Refusal: the type of what it is bound to, or changed by, is not known.
        """
        facts, name = self._facts, self._name
        elsewhere = name in facts.starred or name in written_by_name(facts)
        bindings = [node for node in facts.bindings.get(name, ()) if self._is_ours(node)]
        if elsewhere or not bindings:
            return None
        if facts.is_declared_elsewhere(name):
            self._setter = setter_of(bindings, facts) if self._home is None else None
            if self._setter is None:
                return None
        loads = [load for load in facts.loads.get(name, ()) if facts.home(load) is self._home]
        if (value := self._broadcast(bindings)) is not None:
            return self._shared(value, bindings[0], loads)
        changes = {load: change for load in loads if (change := self._change(load)) is not None}
        last = max(map(self._place.last_line, (*bindings, *changes.values())))
        if self._setter is not None:
            if last >= self._setter.builds:
                return None
            last = 0
        steps = self._place.in_order(bindings, changes, loads)
        if steps is not None:
            found, end = self._after_each(steps)
            anew = (facts.statement_of(step) for step in steps if isinstance(step, ast.Name))
            bound = max(
                (self._place.last_line(one) for one in anew if not isinstance(one, ast.AugAssign)), default=0
            )
            loads = [load for load in loads if load.lineno > bound or load in changes]
        else:
            found = end = self._at_any_time(bindings, changes)
        if is_foreign(end):
            if not all(map(self._is_called, loads)):
                return None
            before = [load for load in loads if self._place.function_of(load) is self._home]
            last = max((last, *map(self._place.last_line, before)))
        others = [load for load in loads if load not in changes and not self._is_broadcast(load)]
        if (
            is_changeable(end)
            and not is_foreign(end)
            and not all(is_left_alone(one, facts) or self._is_copied(one) for one in others)
        ):
            return None
        values = [facts.value_of(binding) for binding in bindings]
        keeps = (
            not changes
            and all(map(_is_new_within, values))
            and all(keeps_items(one, facts) for one in others)
        )
        return Variable(
            found, last, end, keeps_items=keeps, is_ascii=not changes and all(map(_is_ascii, values))
        )

    def _broadcast(self, bindings: Sequence[ast.AST]) -> ast.expr | None:
        """The value of a broadcast variable: that of ``tags = sc.broadcast(value)``."""
        made = self._facts.value_of(bindings[0]) if len(bindings) == 1 else None
        match made:
            case ast.Call(ast.Attribute(context, "broadcast"), [value], []) if self._is_context(context):
                return value
        return None

    def _is_context(self, node: ast.expr) -> bool:
        """Whether an expression is the SparkContext: ``sc``, ``spark.sparkContext``."""
        if isinstance(node, ast.Attribute) and node.attr == "sparkContext":
            return True
        values = self._facts.trace.kinds.get(node, frozenset())
        if bool(values) and all(isinstance(one, Made) and one.name == _CONTEXT for one in values):
            return True
        if isinstance(node, ast.Call):
            return self._facts.qualified(node.func) == f"{_CONTEXT}.getOrCreate"
        if not isinstance(node, ast.Name):
            return False
        value = self._facts.value_of(self._facts.only_binding(node.id))
        if isinstance(value, ast.Attribute | ast.Call):
            return self._is_context(value)
        return node.id == "sc" and self._facts.is_unbound("sc")

    def _shared(self, value: ast.expr, binding: ast.AST, loads: Sequence[ast.Name]) -> Variable | None:
        """A broadcast variable, of which only the value is read; None for any other.

        What the driver does with the value, executors do not see.
        """
        facts, found = self._facts, self.type_of(value)
        for load in (load for load in loads if self._place.function_of(load) is not self._home):
            read = facts.above[load]
            if not isinstance(read, ast.Attribute) or read.attr != "value":
                return None
            method = facts.above[read]
            changes = isinstance(method, ast.Attribute) and method.attr in TRAINING | CHANGING
            if is_foreign(found) and (changes or not isinstance(method, ast.Attribute)):
                return None
        kind = one(Items((found,), ("value",)))
        return Variable(kind, self._place.last_line(binding), kind, broadcast=True)

    def _after_each(self, steps: Sequence[ast.Name | Change]) -> tuple[Type, Type]:
        """The type of all its values, and that of the last one, after bindings and changes in their order."""
        found: Type = NEVER
        for step in steps:
            if isinstance(step, ast.Name):
                self._itself = self._bound(step)
            else:
                self._itself = joined(self._changed(kind, step) for kind in kinds_of(self._itself))
            found = join(found, self._itself)
        return found, self._itself

    def _at_any_time(self, bindings: Sequence[ast.AST], changes: Mapping[ast.Name, Change]) -> Type:
        """The type of all its values, whatever binds or changes it first.

        Raises:
            Refusal: it grows without end.
        """
        for _ in range(_ROUNDS):
            found = joined(map(self._bound, bindings))
            for change in changes.values():
                found = joined(self._changed(kind, change) for kind in kinds_of(found))
            if found == self._itself:
                return found
            self._itself = found
        raise Refusal(f"the type of `{self._name}` grows", bindings[0])

    def _is_ours(self, binding: ast.AST) -> bool:
        """Whether it binds this variable.

        Raises:
            Refusal: it is a def, an import or the like, of which no type is known.
        """
        if isinstance(binding, ast.Name):
            return self._facts.home(binding) is self._home
        if isinstance(binding, ast.arg):
            return self._facts.above[self._facts.above[binding]] is self._home
        if self._place.function_of(binding) is not self._home:
            return False
        raise Refusal(f"`{self._name}` is bound by more than assignments", binding)

    # --- types ----------------------------------------------------------------------------------------------

    def type_of(self, node: ast.expr) -> Type:
        """The type of an expression that is evaluated before the program starts.

        Raises:
            Refusal: it is not known.
        """
        return self._building().type_of(node, self._names_in(node))

    def _building(self) -> Building:
        return Building(self._scope, self._of_attribute, self._is_context)

    def _of_attribute(self, node: ast.Attribute) -> Type | None:
        found = self._every.attribute(node, self._scope)
        return None if found is None else found.type

    def _of_name(self, name: ast.Name) -> Type | None:
        home = self._facts.home(name)
        if (home, name.id) == (self._home, self._name):
            return self._itself
        if home is not None and not self._is_at_home(home):
            return None  # of a comprehension, or of a function that holds this one
        found = self._every.of(home, name.id, self._scope)
        return None if found is None else found.type

    def _bound(self, binding: ast.AST) -> Type:
        """The type of what a binding gives the variable."""
        if isinstance(binding, ast.arg):
            return self._given(binding)
        target: ast.AST = binding
        while isinstance(above := self._facts.above[target], ast.Tuple | ast.List):
            target = above
        assert isinstance(target, ast.expr)
        match above:
            case ast.Assign(_, value) | ast.AnnAssign(value=ast.expr() as value):
                given = self.type_of(value)
                if is_changeable(unpacked(target, given)[self._name]):
                    part = value if target is binding else self._facts.part_of(binding)
                    self._check_new(part or ast.Constant(None))
            case ast.AugAssign(_, operator, value):
                read = ast.copy_location(ast.Name(self._name, ast.Load()), target)
                whole = ast.copy_location(ast.BinOp(read, operator, value), target)
                names = {**self._names_in(value), self._name: self._itself}
                given = self._building().type_of(whole, names)
            case ast.For(_, iterated):
                items = gone_through(self.type_of(iterated))
                if items is None:
                    raise Refusal(f"it is not known what `{self._name}` goes through", target)
                given = items
            case ast.withitem(entered):
                given = self.type_of(entered)  # a file, which is no value of a column
            case _:
                raise Refusal(f"`{self._name}` is bound by more than assignments", target)
        return unpacked(target, given)[self._name]

    def _names_in(self, node: ast.expr) -> dict[str, Type]:
        loads = [name for name in walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)]
        found = ((name.id, self._of_name(name)) for name in loads)
        return {name: kind for name, kind in found if kind is not None}

    def _given(self, parameter: ast.arg) -> Type:
        """The type of what the program's calls give a parameter."""
        facts, function = self._facts, self._facts.above[self._facts.above[parameter]]
        if not isinstance(function, ast.FunctionDef) or self._name not in (
            names := parameter_names(function)
        ):
            raise Refusal(f"`{self._name}` is no plain parameter", parameter)
        calls = calls_of(function, facts)
        if calls is None:
            raise Refusal(f"`{function.name}` is not only called", parameter)
        is_method = isinstance(facts.above[function], ast.ClassDef)
        if is_method and names[0] == self._name:
            raise Refusal(f"`{self._name}` is an object", parameter)
        return joined(self._argument(call, names[is_method:], function) for call in calls)

    def _argument(self, call: ast.Call, names: Sequence[str], function: ast.FunctionDef) -> Type:
        """The type of an argument; a list or set is not changed after the call."""
        place = names.index(self._name)
        given: ast.expr | None = call.args[place] if place < len(call.args) else None
        given = next((word.value for word in call.keywords if word.arg == self._name), given)
        starred = any(isinstance(argument, ast.Starred) for argument in call.args)
        if starred or any(word.arg is None for word in call.keywords):
            raise Refusal(f"it is not known what `{self._name}` is given", call)
        if given is None:
            given = dict(zip(reversed(names), reversed(function.args.defaults), strict=False)).get(self._name)
            if not isinstance(given, ast.Constant):
                raise Refusal(f"it is not known what `{self._name}` is given", call)
        around = _One(self._facts, self._every, self._outer_function(call), "", self._scope)
        found = around.type_of(given)
        if isinstance(given, ast.Name) and is_changeable(found):
            variable = self._every.of(self._facts.home(given), given.id, self._scope)
            if variable is None or variable.last >= call.lineno:
                raise Refusal(f"`{given.id}` is changed after the call", given)
        elif is_changeable(found):
            around._check_new(given)
        return found

    def _outer_function(self, call: ast.Call) -> ast.AST | None:
        """The function that a call is in, but for lambdas: ``foreachRDD(lambda rdd: save(rdd, limit))``."""
        function = self._place.function_of(call)
        while isinstance(function, ast.Lambda):
            function = self._place.function_of(self._facts.above[function])
        return function

    # --- changes --------------------------------------------------------------------------------------------

    def _is_at_home(self, function: ast.AST | None) -> bool:
        """Whether a function, or the module for None, is the one that binds the variable."""
        return function is (self._setter.function if self._setter is not None else self._home)

    def _change(self, load: ast.Name) -> Change | None:
        """What changes it in the variable's own function: ``tags.append(tag)``, ``counts[tag] = 1``."""
        facts = self._facts
        method, call = facts.above[load], facts.above[facts.above[load]]
        is_item = isinstance(method, ast.Subscript) and method.value is load
        if is_item and isinstance(call, ast.Assign) and call.targets == [method]:
            if self._is_at_home(self._place.function_of(call)):
                return call
            raise Refusal(f"`{self._name}[...] = ...` changes it elsewhere", load)
        if not isinstance(method, ast.Attribute) or method.attr not in CHANGING:
            return None
        whole = isinstance(call, ast.Call) and call.func is method and isinstance(facts.above[call], ast.Expr)
        if whole and self._is_at_home(self._place.function_of(call)):
            assert isinstance(call, ast.Call)
            return call
        raise Refusal(f"`{self._name}.{method.attr}` changes it elsewhere", load)

    def _changed(self, kind: Kind, change: Change) -> Type:
        if isinstance(change, ast.Assign):
            (target,) = change.targets
            if not isinstance(kind, DictOf) or not isinstance(target, ast.Subscript):
                raise Refusal(f"it is not known what `{self._name}` holds", change)
            keys, values = self.type_of(target.slice), self.type_of(change.value)
            return join(one(kind), one(DictOf(keys, values)))
        assert isinstance(change.func, ast.Attribute)
        after = changed(kind, change.func.attr, [self.type_of(argument) for argument in change.args])
        if after is None:
            raise Refusal(f"it is not known what `{self._name}` holds", change)
        return join(one(kind), one(after[0]))

    def _is_copied(self, load: ast.Name) -> bool:
        """Whether another list or set takes its items: ``words.extend(more)``, ``words |= more``."""
        match self._facts.above[load]:
            case ast.Call(ast.Attribute(ast.Name() as taker, "extend" | "update"), [given]) | ast.AugAssign(
                ast.Name() as taker, value=given
            ) if given is load:
                home = self._facts.home(taker)
                bound = [
                    one
                    for one in self._facts.bindings.get(taker.id, ())
                    if not isinstance(one, ast.Name) or self._facts.home(one) is home
                ]
                anew = (one for one in bound if not isinstance(self._facts.above[one], ast.AugAssign))
                values = [self._facts.value_of(one) for one in anew]
                with contextlib.suppress(Refusal):
                    kinds = [kind for value in values if value is not None for kind in self.type_of(value)]
                    lists = all(isinstance(kind, DictOf | ListOf | SetOf) for kind in kinds)
                    return lists and bool(values) and None not in values
        return False

    def _is_called(self, load: ast.Name) -> bool:
        """Whether a method of a library's object is called, in a function one that only computes.

        Or a function of the program is given it, which does no more with it; or it is the value of a
        broadcast variable, which is a copy.
        """
        above = self._facts.above[load]
        if isinstance(above, ast.Call):
            return self._is_broadcast(load) or self._only_calls(above, load)
        return self._is_method(load)

    def _is_broadcast(self, load: ast.Name) -> bool:
        """Whether it is the value of a broadcast variable, which is a copy."""
        match self._facts.above[load]:
            case ast.Call(ast.Attribute(context, "broadcast"), [value], []) if value is load:
                return self._is_context(context)
        return False

    def _is_method(self, load: ast.Name) -> bool:
        method, call = self._facts.above[load], self._facts.above[self._facts.above[load]]
        if not (isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method):
            return False
        return self._place.function_of(load) is self._home or method.attr not in TRAINING | CHANGING

    def _only_calls(self, call: ast.Call, given: ast.Name) -> bool:
        """Whether a function of this module calls methods of an argument, and does nothing else with it."""
        called = called_function(call.func, self._facts)
        if called is None or called.bound:
            return False
        names = parameter_names(called.node)
        if given not in call.args or any(isinstance(one, ast.Starred) for one in call.args):
            return False
        place = call.args.index(given)
        if called.node not in self._facts.above or place >= len(names):
            return False
        nodes = [node for node in walk(called.node) if isinstance(node, ast.Name) and node.id == names[place]]
        return all(isinstance(node.ctx, ast.Load) and self._is_method(node) for node in nodes)

    def _check_new(self, value: ast.expr) -> None:
        """Check that an expression makes a list or set that nothing else holds.

        Raises:
            Refusal: it may give one that is there already.
        """
        if makes_new(value, self._facts):
            return
        match value:
            case ast.Attribute(attr="argv") if self._is_library(value) and self._keeps_arguments():
                return
            case ast.Attribute() if self._every.attribute(value, self._scope) is not None:
                return  # it is left alone by all names that it has
            case ast.Call(ast.Attribute(attr=method)) if method in COLLECTING:
                return
            case ast.Call(function, arguments):
                given = [*arguments, *([function.value] if isinstance(function, ast.Attribute) else [])]
                if not any(is_changeable(self.type_of(one)) for one in given if not self._is_library(one)):
                    return
        raise Refusal(f"`{self._name}` may have a second name", value)

    def _keeps_arguments(self) -> bool:
        """Whether all that is done with ``sys.argv`` is to read it, and to give it further names."""
        reads = (
            (node, self._facts.of(node))
            for module in self._facts.trace.modules
            for node in of_kinds(module.tree, ast.Attribute)
            if node.attr == "argv"
        )
        return all(is_attribute_left_alone(node, facts) for node, facts in reads)

    def _is_library(self, node: ast.expr) -> bool:
        """Whether an expression is a module: ``csv`` in ``csv.reader(file)``."""
        return qualified(node, self._names_in(node), self._scope) is not None


def _is_new_within(value: ast.expr | None) -> bool:
    """Whether nothing else holds the lists within a list: one of literals, or one that was collected."""
    match value:
        case ast.Call(ast.Attribute(attr=method)):
            return method in COLLECTING
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return all(map(_is_new_within, items))
    return isinstance(value, ast.Constant)


def _is_ascii(value: ast.expr | None) -> bool:
    """Whether an expression is a text of ASCII, or a list of some, be it one that was parallelized."""
    match value:
        case ast.Call(ast.Attribute(ast.Call(ast.Attribute(attr="parallelize"), [given, *_]), "collect"), []):
            return _is_ascii(given)
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return all(map(_is_ascii, items))
        case ast.Constant(str(text)):
            return text.isascii()
    return False
