"""Sources of the same files: the query reads them once, as DStream finds the same new files for both.

    left = ssc.textFileStream(directory)
    right = ssc.textFileStream(directory)

A query lists the files of its sources one after the other. Those that come between the two listings would be
in other batches of one than of the other, and a join would not find them.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from migrate.graph.program import Line, Operation, Program
from migrate.knowledge.streaming import TEXT_FILES
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.nodes import code_of

SUMMARY = "textFileStream of a directory that is read already is the same stream"
_JOINS = frozenset({"os.path.join", "posixpath.join"})


def equal_sources(
    program: Program, live: Container[Operation], facts: Facts
) -> Mapping[Operation, Operation]:
    """The sources of files that an earlier one reads, too, each with the first of them.

    Args:
        program: the graph.
        live: what some output needs.
        facts: the names of the module.
    """
    first: dict[tuple[str, ...], Operation] = {}
    found: dict[Operation, Operation] = {}
    for line in program.lines:
        for source in line.operations:
            once = source.repeated is None and _is_plain(line, program)
            if source.operator == TEXT_FILES and source in live and once:
                given = _arguments(source.call, facts)
                if given and first.setdefault(given, source) is not source:
                    found[source] = first[given]
    return found


def _is_plain(line: Line, program: Program) -> bool:
    """Whether a statement runs once, where the batch function stands."""
    return line.scope is program.scope and line.argument is None and not line.all_when


def _arguments(call: ast.Call, facts: Facts) -> tuple[str, ...]:
    """The code of a call's arguments; none of them where one may have another value later."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return tuple(map(code_of, given)) if all(_lasts(node, facts) for node in given) else ()


def _lasts(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression has the same value each time."""
    match node:
        case ast.BinOp(left, _, right):
            return _lasts(left, facts) and _lasts(right, facts)
        case ast.JoinedStr(parts):
            return all(_lasts(part, facts) for part in parts)
        case ast.FormattedValue(value=value, format_spec=None):
            return _lasts(value, facts)
        case ast.Call(function, parts, []):
            return facts.qualified(function) in _JOINS and all(_lasts(part, facts) for part in parts)
    return is_loop_invariant(node, facts)
