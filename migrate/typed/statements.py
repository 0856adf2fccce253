"""The types of what functions return, through branches, loops, ``try``, and lists that are filled."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.columns.element import Refusal
from migrate.columns.inner_imports import is_followed
from migrate.columns.messages import refusal
from migrate.knowledge.libraries import computes
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names, yields_among
from migrate.typed import containers
from migrate.typed.asking import Names, Typing
from migrate.typed.narrowing import is_reached, narrowed
from migrate.typed.own_functions import check_followed, own_nodes
from migrate.typed.ownership import arguments_of_its_own, containers_of_its_own
from migrate.typed.parts import place_of, unpacked
from migrate.typed.qualified import qualified
from migrate.typed.turns import Turn, turns_of
from migrate.typed.types import (
    FOREIGN,
    JSON,
    NEVER,
    NOTHING,
    DictOf,
    Instance,
    Items,
    Iterating,
    Json,
    Kind,
    ListOf,
    Nothing,
    Opaque,
    Own,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Unset,
    Whole,
    join,
    joined,
    kinds_of,
    one,
    widened,
)
from migrate.typed.unshared import holds_items

TURNS = 12
"""How often a loop's body is gone through until the types of its variables no longer change."""


def returned(typing: Typing, function: ast.FunctionDef, names: Names) -> Type:
    """The type of what the statements of a function return.

    Raises:
        Refusal: it is decorated, or not all of its statements are known to do no more than to compute.
    """
    if any(ast.unparse(decorator) != "staticmethod" for decorator in function.decorator_list):
        raise Refusal(f"`{function.name}` is decorated", function)
    return _Body(typing, function).run(names)


def set_by(typing: Typing, constructor: ast.FunctionDef, names: Names) -> Names | None:
    """The types of variables and attributes at the end of a constructor; None where it always raises.

    Raises:
        Refusal: not all of its statements are known to do no more than to compute.
    """
    body = _Body(typing, constructor)
    return body.block(constructor.body, {**body.unbound, **names})


def key_of(variable: str, attribute: str) -> str:
    """What the type of an object's attribute stands by, beside those of variables."""
    return ast.dump(ast.Attribute(ast.Name(variable, ast.Load()), attribute, ast.Load()))


class _Body:
    """One call of a function."""

    def __init__(self, typing: Typing, function: ast.FunctionDef) -> None:
        self.typing = typing
        self.function = function
        self.own = containers_of_its_own(function)
        if typing.function is function:
            given = zip(parameter_names(function), typing.held, strict=False)
            self.own |= {name for name, held in given if held} & arguments_of_its_own(function)
        self.read_later = _read_later(function)
        self.results: list[Type] = []
        self.yielded: list[Type] = []
        self.is_generator = bool(yields_among([*own_nodes(function)]))
        self.breaks: list[Names] = []
        self.continues: list[Names] = []
        self.handled: list[list[Names]] = []
        """The types of variables wherever a statement may raise, for each ``try`` around it."""

    def run(self, names: Names) -> Type:
        end = self.block(self.function.body, {**self.unbound, **names})
        if self.is_generator:
            return one(Iterating(joined(self.yielded)))
        return join(*self.results, *([NOTHING] if end is not None else []))

    @property
    def unbound(self) -> Names:
        """The variables before anything is bound to them: to read one of them raises."""
        return dict.fromkeys(_stored(self.function), NEVER)

    def block(self, body: Sequence[ast.stmt], names: Names | None) -> Names | None:
        """The types of variables behind some statements; None where their end is never reached."""
        for statement in body:
            if names is None:
                return None
            for tries in self.handled:
                tries.append(names)
            names = self.statement(statement, names)
            if names is not None:
                for tries in self.handled:
                    tries.append(names)
        return names

    def statement(self, statement: ast.stmt, names: Names) -> Names | None:
        typing = self.typing
        match statement:
            case ast.Return(value):
                self.results.append(NOTHING if value is None else typing.type_of(value, names))
                return None
            case ast.If(test, body, orelse):
                typing.type_of(test, names)
                branches = [(body, narrowed(typing, test, names, True))]
                branches.append((orelse, narrowed(typing, test, names, False)))
                return _merged([self.block(*one) for one in branches if is_reached(names, one[1])])
            case ast.For(ast.Name(turned), iterated, body, orelse) if (
                turns := turns_of(turned, iterated, body, names, typing.scope)
            ) is not None:
                return self.turned(turned, turns, orelse, names)
            case ast.For(target, iterated, body, orelse):
                items = containers.gone_through(typing.type_of(iterated, names))
                if items is None:
                    raise refusal(iterated, "it is not known what going through it gives")
                return self.loop(statement, names, target, items, body, orelse)
            case ast.While(test, body, orelse):
                return self.loop(statement, names, None, None, body, orelse)
            case ast.Try(body, handlers, orelse, final):
                return self.tried(body, handlers, orelse, final, names)
            case ast.Assign(targets, value):
                found = typing.type_of(value, names)
                for target in targets:
                    names = self.assigned(target, found, names)
                return names
            case ast.AnnAssign(target, _, ast.expr() as value):
                return self.assigned(target, typing.type_of(value, names), names)
            case ast.AugAssign(target, operator, value) if isinstance(target, ast.Name | ast.Subscript):
                read = ast.copy_location(
                    ast.Name(target.id, ast.Load())
                    if isinstance(target, ast.Name)
                    else ast.Subscript(target.value, target.slice, ast.Load()),
                    target,
                )
                if isinstance(target, ast.Name) and any(
                    isinstance(kind, ListOf | DictOf) for kind in kinds_of(typing.type_of(read, names))
                ):
                    self.check_own(target)
                whole = ast.copy_location(ast.BinOp(read, operator, value), statement)
                return self.assigned(target, typing.type_of(whole, names), names)
            case ast.Expr(ast.Constant()) | ast.Pass():
                return names
            case ast.Import() | ast.ImportFrom() if is_followed(statement, typing.scope):
                return names
            case ast.Global(declared) | ast.Nonlocal(declared) if not {*declared} & {*_stored(self.function)}:
                return names
            case ast.Delete([ast.Subscript() as target]):
                return self.emptied(target, names)
            case ast.FunctionDef(name):
                check_followed(statement, self.function)
                return self.bound(names, {name: one(Own(statement))})
            case ast.Expr(ast.Yield(value)):
                self.yielded.append(NOTHING if value is None else typing.type_of(value, names))
                return names
            case ast.With([ast.withitem(entered, ast.Name() as target)], body):
                found = typing.type_of(entered, names)
                if found != one(Opaque("file")):
                    raise refusal(statement, f"this statement in `{self.function.name}` is not followed")
                return self.block(body, self.assigned(target, found, names))
            case ast.Expr(ast.Call(ast.Attribute(attr="close")) as call):
                typing.type_of(call, names)
                return names
            case ast.Expr(ast.Call(function) as call) if computes(
                qualified(function, names, typing.scope) or ""
            ):
                typing.type_of(call, names)
                return names
            case ast.Expr(ast.Call(ast.Attribute(ast.Name() as target, method), arguments, [])):
                return self.changed(target, method, arguments, names)
            case ast.Expr(ast.Call() as call):
                typing.type_of(call, names)
                return names
            case ast.Raise(raised):
                if raised is not None:
                    self.check_raised(raised, names)
                return None
            case ast.Continue() | ast.Break():
                (self.breaks if isinstance(statement, ast.Break) else self.continues).append(names)
                return None
            case ast.Assert(test):
                typing.type_of(test, names)
                return narrowed(typing, test, names, True)
        raise refusal(statement, f"this statement in `{self.function.name}` is not followed")

    def check_raised(self, raised: ast.expr, names: Names) -> None:
        if isinstance(raised, ast.Call):
            for argument in raised.args:
                self.typing.type_of(argument, names)
            raised = raised.func
        if not isinstance(raised, ast.Name) or not raised.id.endswith(("Error", "Exception")):
            raise refusal(raised, "it is not known what this raises")

    # --- variables ------------------------------------------------------------------------------------------

    def assigned(self, target: ast.expr, value: Type, names: Names) -> Names:
        if isinstance(target, ast.Subscript):
            return self.filled(target, value, names)
        match target:
            case ast.Attribute(ast.Name(name), attribute) if names.get(name) == one(Unset()):
                return {**names, key_of(name, attribute): value}
            case ast.Attribute(ast.Name(name), attribute) if attribute in _OF_LEXERS and all(
                isinstance(kind, Iterating) for kind in names.get(name, JSON)
            ):
                return names  # it says how words are found; other iterators have no such attribute
        return self.bound(names, unpacked(target, value))

    def bound(self, names: Names, found: Names) -> Names:
        """The types of variables with those of some that have other values now.

        Raises:
            Refusal: an iterator, ``map(lambda n: n + step, numbers)``, may read what has another type then.
        """
        retyped = {name for name, kind in found.items() if names.get(name, NEVER) not in (NEVER, kind)}
        if retyped & self.read_later and any(map(_holds_iterator, names.values())):
            raise Refusal("an iterator may read a variable that has another type by then", self.function)
        return {**_forgotten(names, found), **found}

    def filled(self, target: ast.Subscript, value: Type, names: Names) -> Names:
        """``counts[word] = n``."""
        if not isinstance(target.value, ast.Name):
            raise refusal(target, "it changes a part of a value")
        self.check_own(target.value)
        key = self.typing.type_of(target.slice, names)
        name = target.value.id
        found: list[Type] = []
        for kind in names[name]:
            match kind:
                case DictOf(keys, values):
                    found.append(one(DictOf(join(keys, key), join(values, value))))
                case ListOf():
                    found.append(one(containers.with_item(kind, place_of(key), value)))
                case Json() if all(map(_is_in_json, (*value, *key))):
                    found.append(one(kind))
                case _:
                    raise refusal(target, "it is not known what this changes")
        return self.bound(names, {name: joined(found)})

    def emptied(self, target: ast.Subscript, names: Names) -> Names:
        """``del counts[word]``."""
        if not isinstance(target.value, ast.Name):
            raise refusal(target, "it changes a part of a value")
        self.check_own(target.value)
        self.typing.type_of(target.slice, names)
        name = target.value.id
        found: list[Type] = []
        for kind in names[name]:
            match kind:
                case DictOf(keys, values):
                    found.append(one(DictOf(keys, values)))
                case Json():
                    found.append(one(kind))
                case _:
                    raise refusal(target, "it is not known what this changes")
        return self.bound(names, {name: joined(found)})

    def changed(self, target: ast.Name, method: str, arguments: Sequence[ast.expr], names: Names) -> Names:
        """``found.append(word)``."""
        given = [self.typing.type_of(argument, names) for argument in arguments]
        if target.id not in names or method not in containers.CHANGING:
            raise refusal(target, f"`.{method}` is called for what it does, which is not followed")
        self.check_own(target)
        found: list[Type] = []
        for kind in names[target.id]:
            after = containers.changed(kind, method, given)
            if after is None:
                raise refusal(target, f"it is not known what `.{method}` changes")
            found.append(one(after[0]))
        return self.bound(names, {target.id: joined(found)})

    def check_own(self, target: ast.Name) -> None:
        """Check that a variable holds a list, set or dict that the function made, under no other name.

        Raises:
            Refusal: it may be seen elsewhere.
        """
        typing = self.typing
        if target.id not in self.own and not holds_items(target.id, self.function, typing.held, typing.scope):
            raise refusal(target, "it changes a value that may be seen elsewhere")

    # --- loops and handlers ---------------------------------------------------------------------------------

    def loop(
        self,
        statement: ast.For | ast.While,
        names: Names,
        target: ast.expr | None,
        items: Type | None,
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
    ) -> Names | None:
        outer = self.breaks, self.continues
        before = names
        for turn in range(TURNS):
            self.breaks, self.continues = [], []
            inner = before
            if target is not None and items is not None:
                inner = self.assigned(target, items, before)
            elif isinstance(statement, ast.While):
                self.typing.type_of(statement.test, before)
                inner = narrowed(self.typing, statement.test, before, True)
            after = _merged([names, self.block(body, inner), *self.continues])
            assert after is not None
            if turn:
                after = {
                    name: widened(before[name], kind) if name in before else kind
                    for name, kind in after.items()
                }
            if after == before:
                break
            before = after
        else:
            raise refusal(statement, "the types of its variables change with every turn")
        breaks = self.breaks
        self.breaks, self.continues = outer
        endless = isinstance(statement, ast.While) and _is_true(statement.test)
        end = None if endless else self.block(orelse, before)
        return _merged([end, *breaks])

    def turned(
        self, variable: str, turns: Sequence[Turn], orelse: Sequence[ast.stmt], names: Names
    ) -> Names | None:
        """The types of variables behind a loop over constants, each turn of which is followed by itself."""
        outer = self.breaks, self.continues
        self.breaks = []
        end: Names | None = names
        for turn in turns:
            if end is None:
                break
            self.continues = []
            end = self.bound(end, {variable: turn.type})
            end = _merged([self.block(turn.body, end), *self.continues])
        breaks = self.breaks
        self.breaks, self.continues = outer
        return _merged([self.block(orelse, end), *breaks])

    def tried(
        self,
        body: Sequence[ast.stmt],
        handlers: Sequence[ast.ExceptHandler],
        orelse: Sequence[ast.stmt],
        final: Sequence[ast.stmt],
        names: Names,
    ) -> Names | None:
        if final:
            raise refusal(final[0], "a `finally` is not followed")
        raised: list[Names] = [names]
        self.handled.append(raised)
        end = self.block(body, names)
        self.handled.pop()
        ends = [self.block(orelse, end)]
        start = _merged(raised)
        assert start is not None
        for handler in handlers:
            if handler.name is not None and _reads_more_than_prints(handler, handler.name):
                raise refusal(handler, "it reads the error")
            caught = {} if handler.name is None else {handler.name: FOREIGN}
            end = self.block(handler.body, {**start, **caught})
            ends.append(None if end is None else {**end, **dict.fromkeys(caught, NEVER)})
        return _merged(ends)


_OF_LEXERS = frozenset(
    {"commenters", "escape", "escapedquotes", "quotes", "whitespace", "whitespace_split", "wordchars"}
)
"""Attributes of ``shlex.shlex(line)`` that are set before it is gone through."""
_LATER = (ast.Lambda, ast.GeneratorExp, ast.FunctionDef)


def _is_in_json(kind: Kind) -> bool:
    """Whether values of a kind are parts of JSON."""
    match kind:
        case Text() | Whole() | Real() | Truth() | Nothing() | Json():
            return True
        case ListOf(of):
            return all(map(_is_in_json, of))
        case DictOf(keys, values):
            return all(isinstance(key, Text) for key in keys) and all(map(_is_in_json, values))
    return False


def _stored(function: ast.FunctionDef) -> Iterator[str]:
    """The variables that a function's own statements bind."""
    for node in own_nodes(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def _read_later(function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function's lambdas, generators and functions read, maybe when an iterator goes on.

    What a generator goes through first is read where it stands.
    """
    later = [node for node in own_nodes(function) if isinstance(node, _LATER)]
    first = [node.generators[0].iter for node in later if isinstance(node, ast.GeneratorExp)]
    at_once = {node for iterated in first for node in _evaluated(iterated)}
    names = (node for scope in later for node in walk(scope) if isinstance(node, ast.Name))
    return frozenset(name.id for name in names if name not in at_once)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are evaluated where it stands."""
    yield node
    if not isinstance(node, _LATER):
        for child in ast.iter_child_nodes(node):
            yield from _evaluated(child)


def _holds_iterator(found: Type) -> bool:
    """Whether a value is an iterator, or holds some."""
    for kind in found:
        match kind:
            case Iterating():
                return True
            case ListOf(of) | SetOf(of) if _holds_iterator(of):
                return True
            case DictOf(_, values) if _holds_iterator(values):
                return True
            case Items(types=types) | Instance(types=types) if any(map(_holds_iterator, types)):
                return True
    return False


def _merged(found: Sequence[Names | None]) -> Names | None:
    """The types of variables where several ways meet; one that is not bound on all of them is forgotten."""
    ways = [names for names in found if names is not None]
    if not ways:
        return None
    shared = set(ways[0]).intersection(*ways[1:])
    return {name: joined(names[name] for names in ways) for name in ways[0] if name in shared}


def _forgotten(names: Names, bound: object) -> Names:
    """The types without what was narrowed by way of variables that are bound anew."""
    assert hasattr(bound, "__iter__")
    marks = [f"Name(id={name!r}" for name in bound]
    return {name: kind for name, kind in names.items() if not any(mark in name for mark in marks)}


def _reads_more_than_prints(handler: ast.ExceptHandler, name: str) -> bool:
    """Whether a handler does more with the error that it caught than to print it."""
    shown = {
        inner
        for node in walk(handler)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        for inner in walk(node)
    }
    return any(isinstance(node, ast.Name) and node.id == name and node not in shown for node in walk(handler))


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)
