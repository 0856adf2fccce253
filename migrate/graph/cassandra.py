"""Streams that are saved to Cassandra by the library that adds members to PySpark's classes."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping

from migrate.graph.cassandra_tables import table_reads
from migrate.knowledge.cassandra import FORMAT, LIBRARY, MEMBERS, SAVE, is_of_library
from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.trace import Graph, Use

NEEDED = "start it with Cassandra's connector: spark-submit --packages {} {}"
NEEDED_TOO = f"name Cassandra's connector among the packages, in the place of `{LIBRARY}`: {{}}"
GONE = (
    "`{}` has no release for a Spark after 2.4: write otherwise what {} does, with a DataFrame of the "
    'table\'s columns and the source "{}"'
)
UNPUBLISHED = (
    "no connector for Cassandra is published for Spark {} yet: {} is the newest that is known to run on it"
)
CHECK = (
    "see to it that the table {} has the columns {} and no others: `{}` passed by a key that is no column, "
    "where the connector fails, and wrote null into the other columns, which the connector leaves alone"
)


def is_saved(use: Use) -> bool:
    """Whether a member of a stream is the output that the library adds, which its module imports."""
    return use.name == SAVE and use.call is not None and is_imported(use.module.tree)


def saved_rdd(use: Use) -> ast.Call | None:
    """``rdd.map(f).saveToCassandra("k", "t")``, if that is all that a lambda for ``foreachRDD`` does."""
    if use.name != "foreachRDD" or not is_imported(use.module.tree):
        return None
    match use.call:
        case ast.Call(args=[ast.Lambda(body=ast.Call(func=ast.Attribute(attr=name)) as call)], keywords=[]):
            return call if name == SAVE else None
    return None


def is_imported(tree: ast.Module) -> bool:
    """Whether a module imports the library."""
    named = [alias.name for node in of_kinds(tree, ast.Import) for alias in node.names]
    named += [node.module for node in of_kinds(tree, ast.ImportFrom) if node.module and not node.level]
    return any(map(is_of_library, named))


def needs_library(graph: Graph, modules: Mapping[str, Module]) -> str:
    """What to write where callbacks of a graph on compat use members of the library, which is for Spark 2.

    Returns:
        The line of the report; empty if none does.
    """
    outputs = {use.node for use in graph.uses if is_saved(use)}
    return library_left((modules[path].tree for path in graph.files), outputs)


def library_left(trees: Iterable[ast.Module], but: Container[ast.AST] = ()) -> str:
    """What to write where modules use members of the library; empty if none does.

    Args:
        trees: the modules.
        but: where such members do not count.
    """
    members = (node for tree in trees if is_imported(tree) for node in of_kinds(tree, ast.Attribute))
    used = [f"`{node.attr}`" for node in members if node.attr in MEMBERS and node not in but]
    return GONE.format(LIBRARY, ", ".join(dict.fromkeys(used)), FORMAT) if used else ""


def other_members(modules: Iterable[Module], graph: Graph, *, reads: bool = True) -> Iterator[ast.Attribute]:
    """Where modules name members of the library otherwise than for all that an output does.

    Args:
        modules: the modules.
        graph: the graph with the outputs.
        reads: whether tables count that the connector reads as well.
    """
    outputs: set[ast.expr] = {use.node for use in graph.uses if is_saved(use)}
    outputs |= {call.func for use in graph.uses if (call := saved_rdd(use)) is not None}
    for module in modules:
        outputs |= set() if reads else {one.member for one in table_reads(module.tree)}
        for node in of_kinds(module.tree, ast.Attribute):
            if node.attr in MEMBERS and node not in outputs:
                yield node
