"""Cells of a notebook that are another program than the one with the streams."""

from __future__ import annotations

import ast

from migrate.frozen import dataclass
from migrate.graph.existing_session import is_stopped, sessions_above
from migrate.graph.session_expressions import SessionExpressions
from migrate.syntax.cells import borders
from migrate.syntax.nodes import code_of, of_kinds, position
from migrate.syntax.tree import Tree
from migrate.trace import Trace
from migrate.trace.values import Made

_PREPARES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class OtherCells:
    """The cells above those of a program, which run without it: Spark refuses a second SparkContext."""

    session: ast.Assign
    """The last statement in them that makes a session or a SparkContext."""
    begin: int
    """The line of the border below them."""


def other_cells(tree: Tree, construction: ast.stmt, trace: Trace) -> OtherCells | None:
    """The cells that make a session, or a SparkContext, above the cell which makes that of the program."""
    module = tree.root_of(construction)
    made = _made_context(construction, trace)
    lines = borders(module)
    if made is None or not lines or made not in tree.above or tree.root_of(made) is not module:
        return None
    values = SessionExpressions(Tree(module), trace)
    above = [
        session
        for name, session in sessions_above(construction, tree, values, trace)
        if not is_stopped(name, session, construction, module, trace) and session.lineno < made.lineno
    ]
    above += _contexts_above(made, module, trace)
    last = max(above, key=position, default=None)
    if last is None or not any(last.lineno < line < made.lineno for line in lines):
        return None
    return OtherCells(last, _begin(module, last, made))


def _made_context(construction: ast.stmt, trace: Trace) -> ast.Call | None:
    """The call ``SparkContext(...)`` that makes what a StreamingContext is given: the last one above it."""
    call = construction.value if isinstance(construction, ast.Assign | ast.AnnAssign) else None
    if not isinstance(call, ast.Call):
        return None
    named_so = (keyword.value for keyword in call.keywords if keyword.arg == "sparkContext")
    argument = next(iter((*call.args[:1], *named_so)), None)
    found = trace.kinds.get(argument, ()) if argument is not None else ()
    made = [one.node for one in found if isinstance(one, Made) and one.name == "pyspark.SparkContext"]
    above = [node for node in made if position(node) < position(call)]
    return max(above, key=position, default=None) if len(made) == len(found) else None


def _contexts_above(made: ast.Call, module: ast.Module, trace: Trace) -> list[ast.Assign]:
    """The statements that make a SparkContext above another one, without a ``stop()`` between the two."""
    stops = [position(call) for call in of_kinds(module, ast.Call) if code_of(call.func).endswith(".stop")]
    found = []
    for node in module.body:
        value = node.value if isinstance(node, ast.Assign) else None
        kinds = trace.kinds.get(value, ()) if isinstance(value, ast.Call) else ()
        makes = any(isinstance(one, Made) and one.node is value for one in kinds)
        if isinstance(node, ast.Assign) and makes and position(node) < position(made):
            named = [one.name for one in kinds if isinstance(one, Made)]
            stopped = any(position(node) < stop < position(made) for stop in stops)
            if named == ["pyspark.SparkContext"] and value is not made and not stopped:
                found.append(node)
    return found


def _begin(module: ast.Module, last: ast.Assign, made: ast.Call) -> int:
    """The border above the cell that makes the context, and above those before it that only prepare it."""
    lines = [line for line in borders(module) if last.lineno < line < made.lineno]
    begin = lines.pop()
    while lines and all(
        isinstance(statement, _PREPARES) for statement in module.body if lines[-1] < statement.lineno < begin
    ):
        begin = lines.pop()
    return begin
