"""Streams of dicts that are saved to Cassandra, and that `compat.streaming` can hand to its connector.

Only dicts whose keys are written out have columns that are known before they are there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from shlex import quote

from migrate.graph.cassandra import CHECK, NEEDED, NEEDED_TOO, UNPUBLISHED, is_saved, other_members, saved_rdd
from migrate.graph.connectors import Told, reads
from migrate.knowledge.cassandra import (
    CONTEXTS,
    LIBRARY,
    NEWEST,
    SETTINGS,
    WRITE_OPTIONS,
    WRITTEN_FOR,
    coordinate,
    is_of_library,
    named_in,
)
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Module
from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.trace import Graph, Use

TYPES = (
    "see to it that each key of the dicts for {} has values of one type, or None: the connector gets a "
    "column of it, and the batch fails where there are ints and floats, or nothing but None, empty dicts or "
    "empty lists in the first 100 dicts"
)
TWICE = (
    "the first elements of a batch that is saved to {}, up to 100, are computed twice, for the types of its "
    "columns: what functions do beside their results, they do twice for these, unless the stream is persisted"
)
INSTEAD = "write `{}` in the place of `{}` where the program names that"
NAME = "to_cassandra"
"""The function that a program on compat has for them."""
_KEEPING = frozenset({"cache", "filter", "persist", "repartition", "window"})
"""Operators whose streams have the elements of the one before."""
_NAME = re.compile(r"\w+")
_ARGUMENTS = ("keyspace", "table")


@dataclass(frozen=True)
class SavedDicts:
    """A call of ``saveToCassandra`` on a stream of dicts."""

    use: Use
    call: ast.Call
    """The output: the call itself, or that of ``foreachRDD`` with a lambda that only makes it."""
    stream: ast.expr
    arguments: tuple[ast.expr, ...]
    """The keyspace and the table."""
    options: tuple[tuple[str, ast.expr], ...]
    """The settings on how to write, with their values."""
    columns: tuple[str, ...]

    def given(self, code: Callable[[ast.expr], str]) -> str:
        """All as arguments of a function: ``"shop", "prices", **{"spark.cassandra.output.ttl": 60}``.

        Args:
            code: gives the code of a value.
        """
        settings = ", ".join(f'"{name}": {code(value)}' for name, value in self.options)
        return ", ".join([*map(code, self.arguments), *([f"**{{{settings}}}"] if settings else [])])


def settings_of(saves: Iterable[SavedDicts]) -> str:
    """What stands behind the arguments of a function that writes dicts, if some outputs have settings."""
    return ", **settings" if any(one.options for one in saves) else ""


def saved_dicts(graph: Graph) -> list[SavedDicts]:
    """All that a graph saves to Cassandra, if that is dicts with keys that are written out; else nothing."""
    found = [_saved(use) for use in graph.uses if is_saved(use) or saved_rdd(use) is not None]
    saves = [one for one in found if one is not None]
    modules = list(graph.modules.values())
    tables = {tuple(map(code_of, one.arguments)) for one in saves}
    if len(saves) < len(found) or len(tables) < len(saves) or any(map(_needs_library, modules)):
        return []
    return [] if next(other_members(modules, graph), None) is not None else saves


def is_native_alone(graph: Graph) -> bool:
    """Whether a graph has an output that DataFrames have, and `compat.streaming` has not."""
    return any(map(is_saved, graph.uses)) and not saved_dicts(graph)


def library_imports(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
    """The names that a module imports of the library, or imports it by, with their statements."""
    for plain in of_kinds(tree, ast.Import):
        yield from ((plain, alias) for alias in plain.names if is_of_library(alias.name))
    for statement in of_kinds(tree, ast.ImportFrom):
        if is_of_library(statement.module or "") and not statement.level:
            yield from ((statement, alias) for alias in statement.names)


def own_contexts(tree: ast.Module) -> list[ast.expr]:
    """Where a module names the library's class of a SparkContext, to make one of it."""
    names: dict[str, str] = {}
    modules = set()
    for statement, alias in library_imports(tree):
        if isinstance(statement, ast.ImportFrom):
            names[alias.asname or alias.name] = f"{statement.module}.{alias.name}"
        elif alias.asname is None:
            modules.add(alias.name)
    found: list[ast.expr] = []
    for call in of_kinds(tree, ast.Call):
        match call.func:
            case ast.Name(name) if names.get(name) in CONTEXTS:
                found.append(call.func)
            case ast.Attribute(ast.Name(module), name) if (
                module in modules and f"{module}.{name}" in CONTEXTS
            ):
                found.append(call.func)
    return found


def told_of_dicts(graph: Graph, modules: Mapping[str, Module], spark: SparkVersion) -> Told:
    """What to know of a graph on compat that may save such dicts."""
    saves = saved_dicts(graph)
    if not saves:
        return Told()
    package, job = coordinate(spark), quote(graph.files[0])
    texts = (node.value for path in graph.files for node in of_kinds(modules[path].tree, ast.Constant))
    named = dict.fromkeys(old for text in texts if isinstance(text, str) for old in named_in(text))
    needed = (NEEDED_TOO if reads(KAFKA, graph) else NEEDED).format(package, job)
    must = [INSTEAD.format(package, old) for old in named] or [needed]
    for save in saves:
        table, columns = ".".join(map(_value, save.arguments)), ", ".join(f"`{one}`" for one in save.columns)
        must += [CHECK.format(f"`{table}`", columns, LIBRARY), TYPES.format(f"`{table}`")]
    version = ".".join(map(str, spark.release))
    notes = [TWICE.format(f"`{'.'.join(map(_value, save.arguments))}`") for save in saves]
    notes += [UNPUBLISHED.format(version, NEWEST)] if spark.release != WRITTEN_FOR else []
    return Told(tuple(must), tuple(notes))


def _value(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else code_of(node)


def _saved(use: Use) -> SavedDicts | None:
    """A call by what it saves; None if something of that is not known."""
    inner, tree = saved_rdd(use), use.module.tree
    call = inner or use.call
    if (
        call is None
        or use.call is None
        or not isinstance(use.call.func, ast.Attribute)
        or any(isinstance(one, ast.Starred) for one in call.args)
        or (inner is not None and not _saves_all(inner, use.call))
    ):
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = [*call.args, *(named[name] for name in _ARGUMENTS[len(call.args) :] if name in named)]
    options = [(name, named[name]) for name in WRITE_OPTIONS if name in named]
    if len(given) != len(_ARGUMENTS) or len(call.args) + len(call.keywords) != len(given) + len(options):
        return None
    if not all(_is_number(value, tree) for _, value in options):
        return None
    if inner is not None and not all(_is_constant(one, tree) for one in given):
        return None  # it is evaluated for each batch
    stream = use.call.func.value
    made = _function(stream, tree)
    columns = _keys(made, tree) if made is not None else ()
    is_plain = len({name.lower() for name in columns}) == len(columns) and all(map(_NAME.fullmatch, columns))
    settings = tuple((WRITE_OPTIONS[name], value) for name, value in options)
    found = SavedDicts(use, use.call, stream, tuple(given), settings, columns)
    return found if columns and is_plain else None


def _is_constant(node: ast.expr, tree: ast.Module) -> bool:
    """Whether an expression is a constant, or a variable that is one in all of the module."""
    return isinstance(node, ast.Constant) or isinstance(_only_value(node, tree), ast.Constant)


def _is_number(node: ast.expr, tree: ast.Module) -> bool:
    """The same of a whole number above 0."""
    value = node if isinstance(node, ast.Constant) else _only_value(node, tree)
    return isinstance(value, ast.Constant) and type(value.value) is int and value.value > 0


def _saves_all(call: ast.Call, output: ast.Call) -> bool:
    """Whether a lambda for ``foreachRDD`` saves its RDD as it is."""
    match call.func, output.args:
        case ast.Attribute(ast.Name(rdd)), [ast.Lambda(ast.arguments(args=[ast.arg(name)]))]:
            return rdd == name
    return False


def _function(stream: ast.expr, tree: ast.Module) -> ast.expr | None:
    """The function of the `map` that makes the elements of a stream, whose variables are bound once."""
    for _ in range(len(of_kinds(tree, ast.Assign)) + 1):
        while isinstance(stream, ast.Call) and isinstance(stream.func, ast.Attribute):
            if stream.func.attr == "map" and stream.args:
                return stream.args[0]
            if stream.func.attr not in _KEEPING:
                return None
            stream = stream.func.value
        value = _only_value(stream, tree)
        if value is None:
            return None
        stream = value
    return None


def _only_value(stream: ast.expr, tree: ast.Module) -> ast.expr | None:
    """What a variable is bound to, if that is one value in all of the module."""
    if not isinstance(stream, ast.Name):
        return None
    stores = _stores(stream.id, tree)
    others = any(one.arg == stream.id for one in of_kinds(tree, ast.arg))
    made = [one for one in of_kinds(tree, ast.Assign) if stores[:1] == one.targets]
    return made[0].value if len(stores) == 1 and made and not others else None


def _stores(name: str, tree: ast.Module) -> list[ast.Name]:
    found = (one for one in of_kinds(tree, ast.Name) if not isinstance(one.ctx, ast.Load))
    return [one for one in found if one.id == name]


def _keys(function: ast.expr, tree: ast.Module) -> tuple[str, ...]:
    """The keys of the dicts that a function always returns; nothing if they are not written out."""
    returned: list[ast.expr | None] = [function.body] if isinstance(function, ast.Lambda) else []
    if isinstance(function, ast.Name):
        named = [one for one in of_kinds(tree, ast.FunctionDef) if one.name == function.id]
        if len(named) == 1 and not _stores(function.id, tree):
            returned = _returned(named[0])
    keys = {_keys_of(node) for node in returned}
    return keys.pop() if len(keys) == 1 else ()


def _returned(function: ast.FunctionDef) -> list[ast.expr | None]:
    """What a function returns that does so at its end; nothing where that is another one's, or yielded."""
    inner = [one for one in walk(function) if one is not function]
    others = any(isinstance(one, ast.FunctionDef | ast.Yield | ast.YieldFrom) for one in inner)
    if others or function.decorator_list or not isinstance(function.body[-1], ast.Return):
        return []
    return [one.value for one in inner if isinstance(one, ast.Return)]


def _keys_of(node: ast.expr | None) -> tuple[str, ...]:
    keys = node.keys if isinstance(node, ast.Dict) else []
    names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return tuple(sorted(names)) if len(names) == len(keys) else ()


def _needs_library(module: Module) -> bool:
    """Whether a module reads a name of the library, or what its connector would take otherwise."""
    names = {(alias.asname or alias.name).split(".")[0] for _, alias in library_imports(module.tree)}
    contexts = {one for context in own_contexts(module.tree) for one in walk(context)}
    loaded = {one.id for one in of_kinds(module.tree, ast.Name) if one not in contexts}
    taken = any(word in module.source for word in (SETTINGS, "Decimal", NAME))
    return bool(names & loaded) or taken
