"""Kafka's brokers that a program names beside ZooKeeper: ``KAFKA_BROKERS``, those that a client is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from migrate.knowledge.producers import WITH_HOSTS
from migrate.model import Module
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.facts import Facts
from migrate.read.modules import Imports
from migrate.syntax.nodes import of_kinds, position, walk
from migrate.syntax.tree import is_main_guard

_CALLED = re.compile(r"bootstrap|broker|kafka", re.IGNORECASE)
_ZOOKEEPER = re.compile(r"zk|zoo", re.IGNORECASE)
_ADDRESSES = re.compile(r"[\w.-]+:(?!2181\b)\d+(,[\w.-]+:(?!2181\b)\d+)*")
_ENVIRONMENT = frozenset({"os.getenv", "os.environ.get", "getenv", "environ.get"})
_KEYS = ("bootstrap_servers", "bootstrap.servers", "metadata.broker.list", "kafka.bootstrap.servers")
"""The names by which Kafka's clients are given brokers."""


@dataclass(frozen=True)
class KnownBrokers:
    """Brokers as the program names them."""

    code: str
    """The expression, where the stream is made."""
    addresses: str

    @property
    def shown(self) -> str:
        """The same in words."""
        is_literal = self.code == f'"{self.addresses}"'
        return f"`{self.code}`" if is_literal else f"`{self.code}` ({self.addresses})"


def known_brokers(step: Step, node: ast.expr) -> KnownBrokers | None:
    """The brokers that the module of a receiver can name; None where it knows none, or different ones.

    Those that it gives another client of Kafka's are its brokers, whatever else it calls so.
    """
    module, facts = step.program.module_of(node), step.facts.of(node)
    scope, dropped = step.program.tree.scope_of(node), step.known.inner.dropped
    inside = not isinstance(scope, ast.Module)
    local = _constants(scope) if isinstance(scope, ast.FunctionDef) else ()
    constants = [
        *_own_constants(facts, _constants(facts.tree, main=not inside), None if inside else node, dropped),
        *_own_constants(facts, local, node, dropped),
        *_imported_constants(step, module, facts),
    ]
    given = _whole([*_arguments(facts)])
    if given is None:
        return _whole(constants)
    return next((one for one in constants if one.addresses == given.addresses), given)


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
) -> Iterator[KnownBrokers]:
    """The constants of a module, or function, by a place in it.

    Of those that go, and of those that get their value below, the addresses alone.
    """
    for name, value in constants:
        if facts.only_binding(name) is None:
            continue
        below = before is not None and position(value) >= position(before)
        if below and _default(value) is not value:
            continue  # it may have another value when the program runs
        goes = below or facts.statement_of(value) in dropped
        for one in _brokers(name, name, value, facts):
            yield KnownBrokers(f'"{one.addresses}"', one.addresses) if goes else one


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
    for name, value in _constants(module.tree) if module is not None else ():
        yield from _brokers(name, f"{called}.{name}", value)


def _taken(module: Module, alias: ast.alias, facts: Facts) -> Iterator[KnownBrokers]:
    """``from config import KAFKA_BROKERS``, ``from config import *``."""
    for name, value in _constants(module.tree):
        if alias.name == name:
            yield from _brokers(name, alias.asname or name, value)
        elif alias.name == "*" and name in facts.starred and name not in facts.bindings:
            yield from _brokers(name, name, value)


def _constants(tree: ast.Module | ast.FunctionDef, *, main: bool = False) -> Iterator[tuple[str, ast.expr]]:
    """The variables that one statement of a module or function gives a value, and nothing else.

    Args:
        tree: the module or function.
        main: whether the module runs as a program, and what is below ``if __name__ == "__main__":``.
    """
    nodes = walk(tree) if isinstance(tree, ast.FunctionDef) else of_kinds(tree, ast.Name)
    stores = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    block = [*tree.body]
    for statement in tree.body if main else ():
        if isinstance(statement, ast.If) and is_main_guard(statement):
            block += statement.body
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and stores.count(target.id) == 1:
                yield target.id, statement.value


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
    addresses = _addresses(value, facts)
    if addresses and not _ZOOKEEPER.search(name.split(" ")[-1]) and _CALLED.search(name):
        listed = not isinstance(value, ast.Constant)
        yield KnownBrokers(f'",".join({code})' if listed else code, addresses)


def _default(value: ast.expr) -> ast.expr:
    """What stands for a variable of the environment that is not set: ``os.getenv("BROKERS", "b:9092")``."""
    match value:
        case ast.Call(func=ast.Attribute() | ast.Name() as func, args=[_, default], keywords=[]):
            return default if ast.unparse(func) in _ENVIRONMENT else value
    return value


def _addresses(value: ast.expr, facts: Facts | None) -> str:
    """The addresses that a literal, or a list of variables, names, with commas; empty for anything else."""
    parts = [value]
    if isinstance(value, ast.List | ast.Tuple):
        parts = [_value(part, facts) for part in value.elts]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    joined = ",".join(texts).replace(" ", "")
    return joined if len(texts) == len(parts) and _ADDRESSES.fullmatch(joined) else ""


def _value(node: ast.expr, facts: Facts | None) -> ast.expr:
    """What the only statement that binds a variable gives it; any other expression as it is."""
    bound = facts.only_binding(node.id) if facts is not None and isinstance(node, ast.Name) else None
    value = facts.value_of(bound) if facts is not None and bound is not None else None
    return node if value is None else value


def _arguments(facts: Facts) -> Iterator[KnownBrokers]:
    """``KafkaProducer(bootstrap_servers="broker:9092")``, ``{"bootstrap.servers": "broker:9092"}``.

    A client of pykafka's calls them ``hosts``.
    """
    given = [node.value for node in of_kinds(facts.tree, ast.keyword) if node.arg in _KEYS]
    for node in of_kinds(facts.tree, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        given += [value for key, value in zip(keys, node.values, strict=True) if key in _KEYS]
    for call in of_kinds(facts.tree, ast.Call):
        if (hosts := _hosts(call)) is not None and facts.qualified(call.func) in WITH_HOSTS:
            given.append(hosts)
    for value in given:
        if addresses := _addresses(_value(value, facts), facts):
            yield KnownBrokers(f'"{addresses}"', addresses)


def _hosts(call: ast.Call) -> ast.expr | None:
    """The first argument of a call, or that for ``hosts``."""
    named = (word.value for word in call.keywords if word.arg == "hosts")
    return call.args[0] if call.args else next(named, None)
