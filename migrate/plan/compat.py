"""The outcome compat: whether a graph can run on `compat.streaming` as it is, and the edits of imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from migrate.codemod.edits import Edit, Text
from migrate.knowledge.connectors import BAHIR, CONNECTORS, EXTENSION, connector_of
from migrate.knowledge.streaming import CONTEXT, FACTORIES, STREAM
from migrate.model import Module
from migrate.read.reach import reached
from migrate.syntax.nodes import of_kinds, walk
from migrate.trace import Context, Graph, Use, canonical
from migrate.trace.values import External, Values

OLD = "pyspark.streaming"
NEW = "compat.streaming"
_KEPT = frozenset({"_sc"})
"""Internals of a StreamingContext that programs read, and that compat's has, too."""
_NAMED = re.compile(
    rf"streaming\s*(?:\.|import)\s*({'|'.join(name.rpartition('.')[2] for name in CONNECTORS)})\b"
)
"""What a module may name a connector by."""


def obstacles(
    graph: Graph, modules: dict[str, Module], kinds: Mapping[ast.AST, Values]
) -> Iterator[tuple[Use | None, str]]:
    """What keeps a graph from running on `compat.streaming`.

    Args:
        graph: the graph.
        modules: all that were read, by path.
        kinds: what is known of their expressions.

    Yields:
        One reason each, with the use that it is about.
    """
    unknown = [context.unknown for context in graph.contexts if context.unknown]
    for why in unknown:
        yield None, f"the StreamingContext is unknown: {why}"
    if not graph.contexts and not any(use.connector and use.name == "createRDD" for use in graph.uses):
        yield None, "the StreamingContext is unknown"
    libraries = [name for path in graph.files for name in _libraries(modules[path].tree)]
    for use in graph.uses:
        why_not = _use_obstacle(use, libraries)
        if why_not:
            yield use, why_not
    for escape in graph.escapes:
        if escape.chosen:
            continue
        yield None, f"`{escape.to}` receives a context or a stream, and its code was not read"
    for path in graph.files:
        module = modules[path]
        for name in (*_connector_imports(module.tree), *_internals(module.tree, kinds)):
            yield None, f"`{name}` is not in compat.streaming"
        if (shadow := shadowing(module)) is not None:
            yield None, f"the program would import its own `{shadow}` in place of the installed `compat`"


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
        return f"`{use.name}` is no member of pyspark.streaming; `{libraries[0]}` may add it to its classes"
    return None


def _libraries(tree: ast.Module) -> Iterator[str]:
    """Imports that may add members to PySpark's classes; without them an unknown member fails there too."""
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
    """Connectors that are imported, without what compat has of them."""
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
    """Whether compat has that name of a connector; the module itself is one."""
    names = CONNECTORS[module]
    return bool(names) and name in {module, *(f"{module}.{member}" for member in (*names, "*"))}


def _internals(tree: ast.Module, kinds: Mapping[ast.AST, Values]) -> Iterator[str]:
    """What a program takes of a connector that is not public: ``KafkaUtils._get_helper``."""
    for node in of_kinds(tree, ast.Attribute):
        if not isinstance(node.value, ast.Name | ast.Attribute):
            continue
        for value in kinds.get(node.value, ()):
            owner = canonical(value.name) if isinstance(value, External) else ""
            unknown = owner in CONNECTORS and node.attr not in CONNECTORS[owner]
            if unknown or (connector_of(owner) not in (None, owner) and node.attr.startswith("_")):
                yield f"{owner}.{node.attr}"


def connector_helpers(files: Sequence[str], modules: Mapping[str, Module]) -> tuple[str, ...]:
    """The paths of other modules that `files` import and that import a connector, which compat alone has."""
    naming = {path for path, module in modules.items() if path not in files and _NAMED.search(module.source)}
    if not naming:
        return ()
    found = reached(files, modules) & naming
    return tuple(sorted(path for path in found if any(_imports_connector(modules[path].tree))))


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
    folder = module.path.parent
    steps = len(PurePosixPath(module.relative).parts)
    for place in (folder, *folder.parents)[:steps]:
        # a package's folder is no place to import from, unless the module is run as a script
        if (place / "__init__.py").is_file() and not (place == folder and "__main__" in module.source):
            continue
        if (place / "compat.py").is_file():
            return _shown(place / "compat.py", module)
        package = place / "compat"
        if (package / "__init__.py").is_file() and not (package / "_structured").is_dir():
            return _shown(package, module)
    return None


def _shown(path: Path, module: Module) -> str:
    root = module.path.parents[len(PurePosixPath(module.relative).parts) - 1]
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def import_edits(module: Module, *, bahir: bool) -> list[Edit]:
    """The edits that make every import of `pyspark.streaming` in a module one of `compat.streaming`.

    A module that already imports compat needs none. With `bahir` the module ``mqtt`` is Apache Bahir's.
    """
    text = Text(module.source)
    edits: list[Edit] = []
    dotted = False
    for node in walk(module.tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            if node.module and (node.module == OLD or node.module.startswith(OLD + ".")):
                start = module.source.index(OLD.split(".")[0], text.start(node) + len("from"))
                edits.append(_module_name(module.source, start))
            elif node.module == BAHIR and bahir:
                start = module.source.index(BAHIR, text.start(node) + len("from"))
                edits.append(Edit(start, start, f"{NEW}."))
            elif node.module == "pyspark" and any(alias.name == "streaming" for alias in node.names):
                edits += _from_pyspark(node, text)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == OLD or alias.name.startswith(OLD + "."):
                    dotted = dotted or alias.asname is None
                    edits.append(_module_name(module.source, text.start(alias)))
    edits += _dotted_uses(module, text) if dotted else _uses_of_pyspark(module, text)
    return edits


def _module_name(source: str, start: int) -> Edit:
    """``pyspark`` at `start` becomes ``compat``; white space around the dots is the user's."""
    return Edit(start, start + len("pyspark"), "compat")


def _from_pyspark(node: ast.ImportFrom, text: Text) -> Iterator[Edit]:
    """``from pyspark import streaming``, alone or among other names."""
    if len(node.names) == 1:
        start = text.source.index("pyspark", text.start(node) + len("from"))
        yield _module_name(text.source, start)
        return
    position = next(i for i, alias in enumerate(node.names) if alias.name == "streaming")
    alias = node.names[position]
    if position + 1 < len(node.names):
        yield Edit(text.start(alias), text.start(node.names[position + 1]), "")
    else:
        yield Edit(text.end(node.names[position - 1]), text.end(alias), "")
    indent = text.indent(node.lineno)
    yield Edit(text.end(node), text.end(node), f"{text.newline}{indent}from compat import {text.of(alias)}")


def _uses_of_pyspark(module: Module, text: Text) -> Iterator[Edit]:
    """``pyspark.streaming.X`` where ``import pyspark`` is all that there is: it imports the rest itself."""
    imports = [
        (node, alias.asname or alias.name)
        for node in walk(module.tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "pyspark"
    ]
    names = {name for _, name in imports}
    ours = [
        node.value
        for node in walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "streaming" and isinstance(node.value, ast.Name)
    ]
    ours = [name for name in ours if name.id in names]
    for name in ours:
        yield Edit(text.start(name), text.end(name), "compat")
    for node in {statement: None for statement, name in imports if name in {use.id for use in ours}}:
        where = text.line_start(node.lineno)
        yield Edit(where, where, f"{text.indent(node.lineno)}import compat.streaming{text.newline}")


def _dotted_uses(module: Module, text: Text) -> Iterator[Edit]:
    """``pyspark.streaming.X`` where ``import pyspark.streaming`` bound ``pyspark``.

    Other uses keep the name.
    """
    ours: set[ast.Name] = set()
    others = False
    for node in walk(module.tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "pyspark"
        ) and node.attr == "streaming":
            ours.add(node.value)
            yield _module_name(module.source, text.start(node.value))
    imported = False
    for node in walk(module.tree):
        if isinstance(node, ast.Name) and node.id == "pyspark" and node not in ours:
            others = True
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.asname is None]
            imported = imported or any(
                name.split(".")[0] == "pyspark" and not name.startswith(OLD) for name in names
            )
    if others and not imported:
        first = next(
            node
            for node in walk(module.tree)
            if isinstance(node, ast.Import) and any(alias.name.startswith(OLD) for alias in node.names)
        )
        where = text.line_start(first.lineno)
        yield Edit(where, where, f"{text.indent(first.lineno)}import pyspark{text.newline}")
