"""Reads a graph as a straight line of streams and outputs, whatever functions it is built in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import Called, CallGraph
from migrate.graph.carrying import find_carriers
from migrate.graph.cassandra import is_saved
from migrate.graph.existing_session import existing_session, held_later
from migrate.graph.joined import Joined
from migrate.graph.nodes import Nodes
from migrate.graph.other_cells import other_cells
from migrate.graph.place import candidates
from migrate.graph.program import Program
from migrate.graph.reading import Reading
from migrate.graph.recovery import check_recovery
from migrate.graph.statements import Statements
from migrate.knowledge.streaming import CONTEXT, FACTORIES, STREAM
from migrate.syntax.tree import Construction, Tree, is_single, target_of
from migrate.trace import Graph, Trace, Use


def read(graph: Graph, trace: Trace) -> Iterator[Program]:
    """The graph as a straight line, in each form that it can be given: the best first.

    Raises:
        Blocked: it is built in branches or loops, more than once or by several files, or something else
            reaches its streams.
    """
    for use in graph.uses:
        if (
            not (use.constructor or use.connector or use.model)
            and use.name not in STREAM
            and use.name not in CONTEXT
            and not is_saved(use)
        ):
            why = "it is no member of pyspark.streaming: the program fails there as it is"
            if use.name.startswith("_"):
                why = "it is no public member of pyspark.streaming"
            raise Blocked(why, use, operator=use.name)
    constructor = _constructor(graph)
    joined, calls, root, construction = _followed(graph, trace, constructor)
    tree = calls.tree
    nodes = Nodes(graph, trace, tree)
    reading = Statements(nodes, calls).read(root, constructor)
    goes_on = None
    for use in graph.uses:
        if use.call in calls.recovering:
            goes_on = check_recovery(use, reading, calls)
    start = _start(reading)
    if start is not None and len(reading.lines) > reading.before_start:
        raise Blocked("streams are made after `start`: a started context takes no more", start)
    other = other_cells(tree, construction, trace)
    session = existing_session(tree, construction, trace) if other is None else None
    named = session or held_later(construction, tree, trace)
    for scope in candidates(reading, tree, start) or _own_scope(construction, tree):
        yield Program(
            graph,
            joined.modules,
            joined.of_callbacks,
            tree,
            construction,
            constructor,
            scope,
            reading,
            find_carriers(reading, tree, construction, named, joined),
            joined.called_by_others(),
            calls.recovering,
            goes_on,
            session,
            other,
        )


def _followed(
    graph: Graph, trace: Trace, constructor: Use
) -> tuple[Joined, CallGraph, ast.Module | Called, Construction]:
    """The modules and calls of a graph, what leads to all of it, and where its context is made."""
    joined = Joined(graph, trace)
    while True:
        calls = CallGraph(graph, trace, joined)
        construction = _construction(constructor, calls.tree, is_alone=len(graph.uses) == 1)
        try:
            root = calls.root(calls.tree.scope_of(construction))
        except Blocked:
            if not joined.grow():
                raise
        else:
            return joined, calls, root, construction


def _own_scope(construction: ast.stmt, tree: Tree) -> list[ast.Module | ast.FunctionDef]:
    scope = tree.scope_of(construction)
    return [scope] if isinstance(scope, ast.Module | ast.FunctionDef) else []


def _constructor(graph: Graph) -> Use:
    factories = [use for use in graph.uses if use.constructor and use.name in FACTORIES]
    static = [use for use in graph.uses if use.connector and use.name == "createRDD"]
    if static:
        raise Blocked("`createRDD`: what it reads is no stream, and it stays on compat", static[0])
    made = [use for use in graph.uses if use.constructor and use.name not in FACTORIES]
    constructors = [use for use in made if use.name == "StreamingContext"]
    if len(constructors) != 1 or len(made) != 1:
        raise _several(made)
    others = [use for use in factories if use.name != "getOrCreate"]
    if others or len(factories) > 1:
        raise Blocked("the context may be another one, which is active already", (others or factories)[0])
    chosen = [escape.to for escape in graph.escapes if escape.chosen]
    if chosen:
        raise Blocked(f"`{chosen[0]}` is chosen when the program runs; it is taken for all that are named so")
    return constructors[0]


def _several(made: list[Use]) -> Blocked:
    """Why a graph of several contexts, as that of a program and its unit test, is not native."""
    paths = list(dict.fromkeys(use.module.relative for use in made))
    if len(paths) <= 1:
        return Blocked("the graph has more than one StreamingContext", made[-1] if made else None)
    return Blocked(
        f"{' and '.join(paths)} make a StreamingContext each and share functions of streams, of which each "
        "would need another form: let them share functions of elements or of one batch's DataFrame"
    )


def _construction(use: Use, tree: Tree, *, is_alone: bool) -> Construction:
    """The statement that makes the context, which no variable needs to hold if nothing else is done with it.

    Raises:
        Blocked: it is another one.
    """
    statement = tree.statement_of(use.node)
    plain = (
        isinstance(statement, ast.Assign | ast.AnnAssign)
        and statement.value is use.call
        and is_single(statement)
        and isinstance(target_of(statement), ast.Name | ast.Attribute)
    )
    is_dropped = is_alone and isinstance(statement, ast.Expr) and statement.value is use.call
    if not (plain or is_dropped):
        raise Blocked("the StreamingContext is not simply assigned to a name: write `ssc = ...`", use)
    assert isinstance(statement, Construction)
    for node in tree.path(statement):
        if isinstance(node, ast.ClassDef | ast.AsyncFunctionDef):
            break
        if isinstance(node, ast.For | ast.While):
            raise Blocked("the graph is built in a loop", use)
        if isinstance(node, ast.FunctionDef):
            break
    return statement


def _start(reading: Reading) -> Use | None:
    """The call of ``start``; None for a context that the code never starts, nor waits for."""
    starts = [use for use in reading.lifecycle if use.name == "start"]
    if len(starts) > 1:
        raise Blocked("the context is started more than once", starts[-1])
    waits = [use for use in reading.lifecycle if use.name != "stop"]
    if not starts and waits:
        raise Blocked("the context is never started", waits[0])
    return starts[0] if starts else None
