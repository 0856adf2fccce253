"""Clients of Kafka in the files of a project, for programs that name ZooKeeper alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from migrate.model import KafkaClient, Module
from migrate.read.parse import parse
from migrate.read.scan import SourceFile, Tree
from migrate.read.walk import Met, files_below
from migrate.syntax.kafka_clients import addresses_of, computed_text, constants, given_servers
from migrate.syntax.nodes import of_kinds, walk

_RECEIVER = re.compile(rb"\bKafkaUtils\s*\.\s*createStream\b")
_SPEAKS = re.compile(rb"bootstrap.servers|metadata\.broker\.list|KafkaClient|SimpleClient")


def kafka_clients(tree: Tree, roots: Sequence[Path]) -> tuple[KafkaClient, ...]:
    """The clients in the Python files below some directories, if a program of a run has a receiver."""
    if not any(_RECEIVER.search(source.data) for group in tree.groups for source in group.sources):
        return ()
    found: dict[Path, KafkaClient] = {}
    for root in roots:
        for path in files_below(root, lambda name: name.endswith(".py"), Met()):
            if path not in found and (client := _client(path)) is not None:
                found[path] = client
    return tuple(found.values())


def _client(path: Path) -> KafkaClient | None:
    """The client of a file, if all that it has are given the same brokers."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    module = parse(SourceFile(path, path.name, data)) if _SPEAKS.search(data) else None
    clients = {*_of(module)} if isinstance(module, Module) else set()
    return clients.pop() if len(clients) == 1 else None


def _of(module: Module) -> Iterator[KafkaClient]:
    """A value for each client, with what it is given."""
    tree, imported = module.tree, _imported(module.tree)
    parameters = {node.arg for node in of_kinds(tree, ast.arg)}
    known = {name: value for name, value in constants(tree, main=True) if name not in parameters}
    literals = (node.value for node in of_kinds(tree, ast.Constant) if isinstance(node.value, str))
    texts = frozenset(literals)

    def resolve(node: ast.expr) -> ast.expr:
        return known.get(node.id, node) if isinstance(node, ast.Name) else node

    def qualified(node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            above = qualified(node.value)
            return None if above is None else f"{above}.{node.attr}"
        return imported.get(node.id) if isinstance(node, ast.Name) else None

    for given in given_servers(tree, qualified):
        value = resolve(given)
        addresses = addresses_of(value, resolve)
        if addresses:
            yield KafkaClient(module.path, texts, addresses)
        elif (computed := computed_text(value, qualified)) is not None:
            names = {node.id for node in walk(computed) if isinstance(node, ast.Name)} - {"str"}
            if names and names <= known.keys():
                bound = tuple((name, ast.unparse(known[name])) for name in sorted(names))
                yield KafkaClient(module.path, texts, "", _code(computed, module), bound)


def _code(node: ast.expr, module: Module) -> str:
    """An expression as its file has it, on one line."""
    text = ast.get_source_segment(module.source, node) or ""
    return text if text and "\n" not in text else ast.unparse(node)


def _imported(tree: ast.Module) -> dict[str, str]:
    """The full names of what a module imports."""
    names: dict[str, str] = {}
    for statement in of_kinds(tree, ast.Import):
        whole = {alias.asname: alias.name for alias in statement.names if alias.asname}
        first = (alias.name.split(".")[0] for alias in statement.names if not alias.asname)
        names |= {**whole, **{name: name for name in first}}
    for taken in of_kinds(tree, ast.ImportFrom):
        if taken.module and not taken.level:
            names |= {alias.asname or alias.name: f"{taken.module}.{alias.name}" for alias in taken.names}
    return names
