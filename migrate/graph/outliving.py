"""Whether Spark's session outlives a query that fails: then what the query has persisted stays, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.program import Program
from migrate.trace import Use

_ENDING = frozenset({"KeyboardInterrupt", "SystemExit"})
"""Exceptions that no failing batch raises."""
_COMING_BACK = frozenset({"sleep", "print", "stop", "close"})
"""Functions and methods."""
_WAITS = frozenset({"awaitTermination", "awaitTerminationOrTimeout"})


def outlives_query(program: Program, sleep: ast.Expr | None = None) -> bool:
    """Whether the process may go on after a batch has failed.

    So it is in notebooks, where nobody waits for the query, and where somebody catches what that raises.
    Otherwise a script ends, and with it the session; so it does where next to nothing is below the start.

    Args:
        program: the program.
        sleep: a statement that sleeps, where the query is waited for in its place.
    """
    waits: list[ast.AST] = [use.node for use in program.lifecycle if use.name in _WAITS]
    waits += [] if sleep is None else [sleep]
    if any(module.form.has_cells for module in program.modules):
        return True
    if not waits:
        return not _ends_below_start(program)
    return any(_is_caught(node, program, set()) for node in waits)


def _ends_below_start(program: Program) -> bool:
    """Whether all that the script does below the start is to sleep, to print and to stop."""
    if program.start is None:
        return False
    tree = program.tree
    above: ast.AST = tree.statement_of(program.start.node)
    while isinstance(above, ast.stmt):
        block = tree.block_of(above)
        if not all(map(_passes, block[block.index(above) + 1 :])):
            return False
        above = tree.above[above]
        if not isinstance(above, ast.Module | ast.If):
            return False
    return True


def _passes(statement: ast.stmt) -> bool:
    """Whether a statement is a call of a function that comes back, by its name."""
    match statement:
        case ast.Expr(ast.Call(ast.Name(name) | ast.Attribute(attr=name))):
            return name in _COMING_BACK
    return isinstance(statement, ast.Pass)


def _is_caught(node: ast.AST, program: Program, seen: set[ast.AST]) -> bool:
    """Whether what a node raises may be caught; a function of which no call is known may be called anywhere.

    Args:
        node: a part of the program.
        program: the program.
        seen: functions that were gone through.
    """
    above, child = program.tree.above, node
    while (step := above.get(child)) is not None:
        if isinstance(step, ast.Try) and child in step.body:
            if _stops_session(step.finalbody, program):
                return False
            catching = filter(_catches, step.handlers)
            if any(not _stops_session(handler.body, program) for handler in catching):
                return True
        if isinstance(step, ast.With | ast.AsyncWith) and child in step.body:
            return True
        if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and step not in seen:
            seen.add(step)
            name = getattr(step, "name", "")
            reads = list(_reads(name, program)) if name else []
            return not reads or any(_is_caught(read, program, seen) for read in reads)
        child = step
    return False


def _stops_session(block: list[ast.stmt], program: Program) -> bool:
    """Whether a block stops the streams and the session with them."""
    stops = filter(stops_session, program.lifecycle)
    return any(program.tree.statement_of(use.node) in block for use in stops)


def stops_session(use: Use) -> bool:
    """Whether a use of a context is a call of `stop` that stops the session with the streams."""
    if use.name != "stop" or use.call is None:
        return False
    named = (word.value for word in use.call.keywords if word.arg == "stopSparkContext")
    given = [*use.call.args[:1], *named]
    return not any(isinstance(one, ast.Constant) and one.value is False for one in given)


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may catch the error of a query."""
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(one, ast.Name) or one.id not in _ENDING for one in types)


def _reads(name: str, program: Program) -> Iterator[ast.AST]:
    """The places where a function, or another one of its name, is called or handed on."""
    yield from (node for node in program.tree.of_kinds(ast.Name) if node.id == name)
    yield from (node for node in program.tree.of_kinds(ast.Attribute) if node.attr == name)
