"""Files that both Pythons can run, beside others that only Python 2 can: what may have been another value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from migrate.model import FileResult, Outcome, Result
from migrate.read.python2.functions import future, hidden_hashes
from migrate.read.python2.kinds import kinds_of
from migrate.read.python2.notes import listed
from migrate.read.python2.recognition import is_for_3
from migrate.syntax.nodes import of_kinds, parsed, position

BESIDE = "`{}` beside `{}` is in Python 2: if that ran this one, too, it may have given something else for {}"


def with_neighbours(result: Result) -> Result:
    """A result with the notes on files that lie beside others in Python 2."""
    of_2 = {_folder(file): file for file in reversed(result.files) if file.python == 2}
    if not of_2:
        return result
    said = {
        file.path: note
        for file in result.files
        if file.python == 3 and file.graphs and (note := _note(file, of_2.get(_folder(file))))
    }
    graphs = (
        graph
        if graph.outcome is Outcome.MANUAL
        else replace(graph, notes=(*graph.notes, *filter(None, map(said.get, graph.files))))
        for graph in result.graphs
    )
    return replace(result, graphs=tuple(graphs)) if said else result


def _folder(file: FileResult) -> PurePosixPath:
    return PurePosixPath(file.path).parent


def _note(file: FileResult, other: FileResult | None) -> str:
    """The note on a file; empty for a notebook, and for one that only Python 3 can run."""
    if other is None or not file.path.endswith(".py"):
        return ""
    tree = parsed(file.old)
    found = () if is_for_3(file.old, tree) else tuple(_given_otherwise(tree))
    return BESIDE.format(other.path, file.path, listed([*dict.fromkeys(found)])) if found else ""


def _given_otherwise(tree: ast.Module) -> Iterator[str]:
    """Where Python 2 may give another value without an error."""
    kinds = kinds_of(tree, true_division=future(tree, "division"))
    hidden = hidden_hashes(tree)
    nodes: Sequence[ast.BinOp | ast.Call] = of_kinds(tree, ast.BinOp, ast.Call)
    for node in sorted(nodes, key=position):
        match node:
            case ast.Call(ast.Name("hash" | "repr" | "round")):
                is_other = node not in hidden
            case ast.Call(ast.Name("str"), [value]):
                is_other = not kinds.shows_the_same(value)
            case ast.BinOp(left, ast.Div(), right):
                is_other = not (kinds.true_division or kinds.is_no_int(left) or kinds.is_no_int(right))
            case _:
                is_other = False
        if is_other:
            yield f"line {node.lineno}: `{ast.unparse(node)}`"
