"""The outcome compat: whether a graph can run on `compat.streaming` as it is."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from migrate.knowledge.connectors import CONNECTORS, EXTENSION, connector_of
from migrate.knowledge.streaming import CONTEXT, FACTORIES, STREAM
from migrate.model import Module
from migrate.read.reach import reached
from migrate.syntax.nodes import of_kinds, walk
from migrate.trace import Context, Graph, Use, canonical
from migrate.trace.values import External, Values

_KEPT = frozenset({"_sc"})
"""Private attributes of a StreamingContext that programs read and that compat has, too."""
_NAMED = re.compile(
    rf"streaming\s*(?:\.|import)\s*({'|'.join(name.rpartition('.')[2] for name in CONNECTORS)})\b"
)
"""The ways in which a module may name a connector."""


def obstacles(
    graph: Graph, modules: dict[str, Module], kinds: Mapping[ast.AST, Values]
) -> Iterator[tuple[Use | None, str]]:
    """The obstacles that keep a graph from running on `compat.streaming`.

    Args:
        graph: the graph.
        modules: all that were read, by path.
        kinds: the values of their expressions.

    Yields:
        One reason each, with the use that it is about.
    """
    libraries = [name for path in graph.files for name in _libraries(modules[path].tree)]
    for use in graph.uses:
        why_not = _use_obstacle(use, libraries)
        if why_not:
            yield use, why_not
    for path in graph.files:
        module = modules[path]
        for name in (*_connector_imports(module.tree), *_internals(module.tree, kinds)):
            yield None, f"`{name}` is not in compat.streaming"
        if (shadow := shadowing(module)) is not None:
            yield None, f"the program would import its own `{shadow}` in place of the installed `compat`"


def unread(graph: Graph) -> Iterator[str]:
    """What a graph has to do with code that was not read, which may be on `pyspark.streaming` still."""
    for why in [one.unknown for one in graph.contexts if one.unknown and not one.undefined]:
        yield f"the StreamingContext is unknown: {why}"
    if not graph.contexts and not any(use.connector and use.name == "createRDD" for use in graph.uses):
        yield "the StreamingContext is unknown"
    for escape in graph.escapes:
        if not (escape.chosen or escape.undefined):
            yield f"`{escape.to}` receives a context or a stream, and its code was not read"


def _use_obstacle(use: Use, libraries: list[str]) -> str | None:
    if use.constructor:
        if use.name == "StreamingContext" and use.call is not None and _wraps_java(use.call):
            return "the StreamingContext wraps a Java one"
        return None
    if use.connector:
        if use.connector.startswith("pyspark.streaming."):
            return None  # its import says whether compat has it
        return f"`{use.connector}` receives a context, and its code was not read"
    if use.model:
        return None
    context = any(isinstance(owner, Context) for owner in use.owners)
    known = CONTEXT if context else STREAM
    if use.name.startswith("_") and not (context and use.name in _KEPT):
        return f"`{use.name}` is an internal of pyspark.streaming"
    if use.name not in known and not (context and use.name in FACTORIES) and libraries:
        why = f"`{use.name}` is no member of pyspark.streaming; `{libraries[0]}` may add it to its classes"
        recipe = _recipe(use)
        return f"{why}: {recipe}" if recipe else why
    return None


_CASSANDRA = 'format("org.apache.spark.sql.cassandra").options(keyspace={}, table={})'
_CONNECTOR = "of com.datastax.spark:spark-cassandra-connector"


def _recipe(use: Use) -> str:
    """What to write in the place of a member that Cassandra's library adds; empty for others.

    The library finds out at run time which column a part of an element is for, which a DataFrame has to say.
    """
    given = [*use.call.args[:2]] if use.call is not None else []
    named = {keyword.arg: keyword.value for keyword in use.call.keywords} if use.call is not None else {}
    given += [named[name] for name in ("keyspace", "table")[len(given) :] if name in named]
    if len(given) != 2:
        return ""
    source = _CASSANDRA.format(*map(ast.unparse, given))
    if use.name == "saveToCassandra":
        return (
            "make a DataFrame of the table's columns in a function for `foreachBatch`, and write "
            f'`rows.write.{source}.mode("append").save()`, with the source {_CONNECTOR}'
        )
    if use.name == "joinWithCassandraTable":
        return f"join with `spark.read.{source}.load()` in a function for `foreachBatch`, {_CONNECTOR}"
    return ""


def _libraries(tree: ast.Module) -> Iterator[str]:
    """Imports of packages that may add members to PySpark's classes.

    Without one of them an unknown member fails in the original, too."""
    for node in of_kinds(tree, ast.Import, ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            if name.split(".")[0] not in ("pyspark", "compat", "findspark") and EXTENSION.search(name):
                yield name


def _wraps_java(call: ast.Call) -> bool:
    return len(call.args) > 2 or any(keyword.arg == "jssc" for keyword in call.keywords)


def _connector_imports(tree: ast.Module) -> Iterator[str]:
    """Imported names of connectors that compat does not have."""
    for node in of_kinds(tree, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            candidates = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            candidates = [alias.name for alias in node.names]
        else:
            continue
        for candidate in candidates:
            module = connector_of(candidate)
            if module is not None and not _has(module, candidate):
                yield candidate


def _has(module: str, name: str) -> bool:
    """Whether compat has a name of a connector, or the connector itself."""
    names = CONNECTORS[module]
    return bool(names) and name in {module, *(f"{module}.{member}" for member in (*names, "*"))}


def _internals(tree: ast.Module, kinds: Mapping[ast.AST, Values]) -> Iterator[str]:
    """Private members of a connector that a program uses: ``KafkaUtils._get_helper``."""
    for node in of_kinds(tree, ast.Attribute):
        if type(node.value) is not ast.Name and type(node.value) is not ast.Attribute:
            continue
        for value in kinds.get(node.value, ()):
            owner = canonical(value.name) if isinstance(value, External) else ""
            unknown = owner in CONNECTORS and node.attr not in CONNECTORS[owner]
            if unknown or (node.attr.startswith("_") and connector_of(owner) not in (None, owner)):
                yield f"{owner}.{node.attr}"


def connector_helpers(files: Sequence[str], modules: Mapping[str, Module]) -> tuple[str, ...]:
    """The paths of other modules that `files` import and that import a connector, which compat alone has."""
    naming = {path for path, module in modules.items() if path not in files and _NAMED.search(module.source)}
    if not naming:
        return ()
    found = reached(files, modules) & naming
    return tuple(sorted(path for path in found if imports_connector(modules[path].tree)))


def imports_connector(tree: ast.Module) -> bool:
    """Whether a module imports a connector."""
    return any(_imports_connector(tree))


def _imports_connector(tree: ast.Module) -> Iterator[bool]:
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield from (
                connector_of(canonical(f"{node.module}.{alias.name}")) is not None for alias in node.names
            )
        elif isinstance(node, ast.Import):
            yield from (connector_of(canonical(alias.name)) is not None for alias in node.names)


def shadowing(module: Module) -> str | None:
    """A module called `compat` of the user's own that an import in `module` would find first."""
    # asked of every program, and `Path` takes several times as long
    is_file, is_folder = os.path.isfile, os.path.isdir
    folder = place = os.path.dirname(module.path) or "."  # noqa: PTH120
    for _ in range(module.relative.count("/") + 1):
        own = is_file(f"{place}/compat.py")
        package = is_file(f"{place}/compat/__init__.py") and not is_folder(f"{place}/compat/_structured")
        # a package's folder is no place to import from, unless the module is run as a script
        is_script = place == folder and "__main__" in module.source
        if (own or package) and (is_script or not is_file(f"{place}/__init__.py")):
            return _shown(Path(place, "compat.py" if own else "compat"), module)
        place = os.path.dirname(place) or "."  # noqa: PTH120
    return None


def _shown(path: Path, module: Module) -> str:
    root = module.path.parents[len(PurePosixPath(module.relative).parts) - 1]
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
