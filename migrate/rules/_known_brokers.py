"""Kafka's brokers that a program names beside ZooKeeper: ``KAFKA_BROKERS``, those that a client is given."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from migrate.model import KafkaClient, Module
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.facts import Facts
from migrate.read.modules import Imports
from migrate.syntax.kafka_clients import addresses_of, computed_text, constants, given_servers
from migrate.syntax.nodes import of_kinds, position, walk
from migrate.syntax.quoting import quoted

_CALLED = re.compile(r"bootstrap|broker|kafka", re.IGNORECASE)
_ZOOKEEPER = re.compile(r"zk|zoo", re.IGNORECASE)
_ENVIRONMENT = frozenset({"os.getenv", "os.environ.get", "getenv", "environ.get"})


@dataclass(frozen=True)
class KnownBrokers:
    """Brokers as the program names them."""

    code: str
    """The expression, where the stream is made."""
    addresses: str = ""
    """The addresses; empty where the program computes them when it runs."""
    where: str = "the program names no others"
    """Why these are the brokers, for the report."""
    is_computed: bool = False
    """Whether a client beside the receiver gets them by an expression."""
    text: str = ""
    """The expression as the program has it, where the code stands for that."""
    below: ast.Assign | None = None
    """The statement below the stream that names them, which may as well stand above it."""

    @property
    def shown(self) -> str:
        """The same in words."""
        is_literal = self.code == f'"{self.addresses}"' or not self.addresses
        return f"`{self.text or self.code}`" if is_literal else f"`{self.code}` ({self.addresses})"


def known_brokers(step: Step, node: ast.expr) -> KnownBrokers | None:
    """The brokers that the module of a receiver can name; None where it knows none, or different ones.

    Those that it gives another client of Kafka's are its brokers, whatever else it calls so.
    """
    module, facts = step.program.module_of(node), step.facts.of(node)
    scope, dropped = step.program.tree.scope_of(node), step.known.inner.dropped
    moved = {put.moved for _, put in step.known.inner.before}
    inside = not isinstance(scope, ast.Module)
    local = constants(scope) if isinstance(scope, ast.FunctionDef) else ()
    named = [
        *_own_constants(
            facts, constants(facts.tree, main=not inside), None if inside else node, dropped, moved
        ),
        *_own_constants(facts, local, node, dropped, moved),
        *_imported_constants(step, module, facts),
    ]
    given = _whole([*_arguments(facts)]) or _computed(step, facts, node)
    if given is None:
        return _whole(named) or _of_others(step, facts, node)
    return next((one for one in named if one.addresses == given.addresses), given)


def _whole(found: Sequence[KnownBrokers]) -> KnownBrokers | None:
    """The brokers of which all others are a part; None if there are none, or different ones."""
    named = [{*one.addresses.split(",")} for one in found]
    whole = (one for one, own in zip(found, named, strict=True) if all(own >= part for part in named))
    return next(whole, None)


def _own_constants(
    facts: Facts,
    constants: Iterable[tuple[str, ast.expr]],
    before: ast.expr | None,
    dropped: Container[ast.stmt],
    moved: Container[ast.stmt | None],
) -> Iterator[KnownBrokers]:
    """The constants of a module, or function, by a place in it.

    Of those that go, and of those that get their value below, the addresses alone. Those that were moved
    stand above a stream already.
    """
    for name, value in constants:
        if facts.only_binding(name) is None:
            continue
        below = before is not None and position(value) >= position(before)
        if below and _default(value) is not value:
            continue  # it may have another value when the program runs
        statement = facts.statement_of(value)
        goes = (below or statement in dropped) and statement not in moved
        late = statement if below and goes and statement not in dropped else None
        for one in _brokers(name, name, value, facts):
            literal = KnownBrokers(f'"{one.addresses}"', one.addresses, below=_movable(late))
            yield literal if goes else one


def _movable(statement: ast.stmt | None) -> ast.Assign | None:
    """A statement that only gives a variable a text, if it is one."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(str())):
            return statement
    return None


def _imported_constants(step: Step, module: Module, facts: Facts) -> Iterator[KnownBrokers]:
    """The constants of modules of the project that this one imports."""
    imports = Imports(step.trace.modules)
    for statement in of_kinds(facts.tree, ast.Import):
        for alias in statement.names:
            yield from _members(imports.find(alias.name, module), alias.asname or alias.name)
    for taken in of_kinds(facts.tree, ast.ImportFrom):
        package = taken.module or ""
        for alias in taken.names:
            inner = imports.find(f"{package}.{alias.name}".lstrip("."), module, taken.level)
            if inner is not None:
                yield from _members(inner, alias.asname or alias.name)
            elif (other := imports.find(package, module, taken.level)) is not None:
                yield from _taken(other, alias, facts)


def _members(module: Module | None, called: str) -> Iterator[KnownBrokers]:
    """``config.KAFKA_BROKERS``."""
    for name, value in constants(module.tree) if module is not None else ():
        yield from _brokers(name, f"{called}.{name}", value)


def _taken(module: Module, alias: ast.alias, facts: Facts) -> Iterator[KnownBrokers]:
    """``from config import KAFKA_BROKERS``, ``from config import *``."""
    for name, value in constants(module.tree):
        if alias.name == name:
            yield from _brokers(name, alias.asname or name, value)
        elif alias.name == "*" and name in facts.starred and name not in facts.bindings:
            yield from _brokers(name, name, value)


def _brokers(name: str, code: str, value: ast.expr, facts: Facts | None = None) -> Iterator[KnownBrokers]:
    """A constant, or an item of a dict, that holds addresses of brokers.

    Args:
        name: what it is called.
        code: the code that reads it.
        value: its value.
        facts: the names of its module, if other variables of that may hold parts of it.
    """
    if isinstance(value, ast.Dict):
        for key, item in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from _brokers(f"{name} {key.value}", f'{code}["{key.value}"]', item, facts)
        return
    value = _default(value)
    addresses = addresses_of(value, lambda part: _value(part, facts))
    if addresses and not _ZOOKEEPER.search(name.split(" ")[-1]) and _CALLED.search(name):
        listed = not isinstance(value, ast.Constant)
        yield KnownBrokers(f'",".join({code})' if listed else code, addresses)


def _default(value: ast.expr) -> ast.expr:
    """What stands for a variable of the environment that is not set: ``os.getenv("BROKERS", "b:9092")``."""
    match value:
        case ast.Call(func=ast.Attribute() | ast.Name() as func, args=[_, default], keywords=[]):
            return default if ast.unparse(func) in _ENVIRONMENT else value
    return value


def _value(node: ast.expr, facts: Facts | None) -> ast.expr:
    """What the only statement that binds a variable gives it; any other expression as it is."""
    bound = facts.only_binding(node.id) if facts is not None and isinstance(node, ast.Name) else None
    value = facts.value_of(bound) if facts is not None and bound is not None else None
    return node if value is None else value


def _arguments(facts: Facts) -> Iterator[KnownBrokers]:
    """The addresses that clients of a module are given."""
    for value in given_servers(facts.tree, facts.qualified):
        if addresses := addresses_of(_value(value, facts), lambda part: _value(part, facts)):
            yield KnownBrokers(f'"{addresses}"', addresses)


def _computed(step: Step, facts: Facts, node: ast.expr) -> KnownBrokers | None:
    """The text that the only client of a module gets, where the receiver can have the same."""
    given = {ast.dump(value): value for value in given_servers(facts.tree, facts.qualified)}
    value = next(iter(given.values()), None)
    if value is None or len(given) > 1:
        return None
    computed = computed_text(_value(value, facts), facts.qualified)
    if computed is None:
        return None
    code = value if isinstance(value, ast.Name) else computed
    if not _can_have(step, facts, code, node):
        return None
    return KnownBrokers(quoted(code), is_computed=True, text=step.shown(code))


def _can_have(step: Step, facts: Facts, code: ast.expr, node: ast.expr) -> bool:
    """Whether each name of an expression is one of an import, or has its only value before a receiver."""
    names = {name.id for name in walk(code) if isinstance(name, ast.Name)} - {"str"}
    return all(_is_there(step, facts, name, node) for name in names)


def _is_there(step: Step, facts: Facts, name: str, node: ast.expr) -> bool:
    binding, scope = facts.only_binding(name), step.program.tree.scope_of(node)
    if binding is None or isinstance(binding, ast.alias):
        return binding is not None
    statement = facts.statement_of(binding)
    of_module = dict(constants(facts.tree, main=isinstance(scope, ast.Module)))
    local = dict(constants(scope)) if isinstance(scope, ast.FunctionDef) else {}
    is_before = name in local or isinstance(scope, ast.Module)
    if is_before and position(statement) > position(node):
        return False
    return name in {**of_module, **local} and statement not in step.known.inner.dropped


def _of_others(step: Step, facts: Facts, node: ast.expr) -> KnownBrokers | None:
    """The brokers that clients in other files of the project use for the topics of a receiver.

    Those that they read from the same settings, or the addresses that they name.
    """
    topics = {*_topics(step, facts)}
    clients = [one for one in step.options.clients if not topics.isdisjoint(one.texts)]
    own = step.program.module_of(node).path.absolute()
    clients = [one for one in clients if one.path.absolute() != own]
    settings = [one for one in clients if not one.addresses and _has_same(step, facts, one, node)]
    if len({one.code for one in settings}) == 1:
        return KnownBrokers(settings[0].code, "", _said(settings[0], own))
    literal = [
        KnownBrokers(f'"{one.addresses}"', one.addresses, _said(one, own)) for one in clients if one.addresses
    ]
    return _whole(literal)


def _said(client: KafkaClient, own: Path) -> str:
    """Which file names the brokers, as one gets there from the receiver's."""
    place = Path(os.path.relpath(client.path.absolute(), own.parent)).as_posix()
    return f"`{place}` has them for that topic"


def _topics(step: Step, facts: Facts) -> Iterator[str]:
    """The names of topics that the call of a receiver has, itself or by variables."""
    call = step.operation.call
    for argument in (*call.args, *(word.value for word in call.keywords)):
        for part in walk(argument):
            value = _value(part, facts) if isinstance(part, ast.expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def _has_same(step: Step, facts: Facts, client: KafkaClient, node: ast.expr) -> bool:
    """Whether a module has all variables of another one's expression, with the same values."""
    return all(
        (binding := facts.only_binding(name)) is not None
        and (value := facts.value_of(binding)) is not None
        and ast.unparse(value) == code
        and _is_there(step, facts, name, node)
        for name, code in client.bound
    )
