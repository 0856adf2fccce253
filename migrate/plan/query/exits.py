"""Callbacks that end the program: ``sys.exit()``.

DStream fails the batch for any exception of a callback, and `awaitTermination` raises. A batch function is
called through Py4J, which answers for an `Exception` alone: Spark waits for `SystemExit` without end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from migrate.graph.program import Program
from migrate.graph.stopping_callbacks import callbacks
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Written, block
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import children, code_of, of_kinds
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import tries_around

HANDLER = block(
    "except SystemExit as error:",
    'raise RuntimeError("the program ends") from error',
    comment="# Spark would wait for an answer without end",
)
RAISED = (
    "`{}` in a callback failed its batch as any error does; of a batch function that raises SystemExit Spark"
    " waits for an answer without end: it raises RuntimeError, which fails the batch"
)
_WORDS = ("exit", "quit", "SystemExit")
_BUILTINS = frozenset({"exit", "quit"})
_CATCHING = frozenset({"", "BaseException", "SystemExit"})
"""The classes of handlers that catch it; empty for a bare ``except:``."""
_DEFINING = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Exit:
    """A call or a ``raise`` in a callback, or in a function that it calls on the driver."""

    node: ast.Call | ast.Raise
    function: ast.AST
    facts: Facts
    """The names of its module."""

    @property
    def shown(self) -> str:
        """Its code."""
        return code_of(self.node) if isinstance(self.node, ast.Call) else ast.unparse(self.node)

    @property
    def message(self) -> str:
        """Code of what an exception says in its place: what it would print, or else its own code."""
        call = self.node.exc if isinstance(self.node, ast.Raise) else self.node
        given = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if given is None or (isinstance(given, ast.Constant) and not isinstance(given.value, str)):
            return f'"{self.shown}"'
        return quoted(given)


def leave_exits(draft: Draft) -> None:
    """Let callbacks that end the program raise an exception that Spark is told of."""
    exits = draft.basis.facts.once(_exits)
    if exits:
        draft.note(RAISED.format("`, `".join(dict.fromkeys(one.shown for one in exits))))
    if not needs_handler(draft.basis):
        for one in exits:
            why = f"# {one.shown} would hang the query"
            raised = Written(f"raise RuntimeError({one.message})", comment=why)
            draft.outside.replaced[one.facts.statement_of(one.node)] = [raised]


def needs_handler(basis: Basis) -> bool:
    """Whether the batch function must catch what ends the program, since its own code may not change."""
    return any(not _may_change(one, basis) for one in basis.facts.once(_exits))


def _exits(facts: Facts) -> list[Exit]:
    """What ends the program in the code of callbacks that runs on the driver."""
    if not any(word in module.source for module in facts.trace.modules for word in _WORDS):
        return []
    functions = {*callbacks(facts.program.graph, facts.trace), *_lambdas(facts.program)}
    given = sorted(functions, key=lambda node: getattr(node, "lineno", 0))
    return [
        Exit(node, summary.node, summary.facts)
        for summary in Reached(given, facts, handed=False).code
        for node in _own(summary.node)
        if _ends(node, summary.facts) and not _is_caught(node, summary.facts.above)
        if isinstance(node, ast.Call | ast.Raise)
    ]


def _lambdas(program: Program) -> Iterator[ast.Lambda]:
    """The lambdas that outputs are given."""
    given = (argument for output in program.outputs for argument in output.call.args[:1])
    return (one for one in given if isinstance(one, ast.Lambda))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's own code: functions inside may run elsewhere."""
    pending = [*children(function)]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _DEFINING):
            pending += children(node)


def _ends(node: ast.AST, facts: Facts) -> bool:
    match node:
        case ast.Call(func=ast.Name(name)) if name in _BUILTINS and facts.is_unbound(name):
            return True
        case ast.Call(func=func):
            return facts.qualified(func) == "sys.exit"
        case ast.Raise(exc=ast.Name("SystemExit") | ast.Call(func=ast.Name("SystemExit"))):
            return True
    return False


def _is_caught(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether its function goes on behind it."""
    handlers = chain.from_iterable(one.handlers for one in tries_around(node, above))
    return any(not _CATCHING.isdisjoint(_classes(handler)) for handler in handlers)


def _classes(handler: ast.ExceptHandler) -> list[str]:
    if handler.type is None:
        return [""]
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [ast.unparse(part) for part in parts]


def _may_change(one: Exit, basis: Basis) -> bool:
    """Whether another exception does the same there: no handler is around it, and only streams call it."""
    function, above = one.function, one.facts.above
    if not isinstance(function, ast.FunctionDef) or any(t.handlers for t in tries_around(one.node, above)):
        return False
    if isinstance(one.node, ast.Call) and not isinstance(above[one.node], ast.Expr):
        return False
    if not basis.program.tree.holds(function):
        return False  # another module's function, which others may call, too
    module = basis.program.module_of(function)
    given = {use.call.args[0] for use in basis.program.graph.uses if use.call is not None and use.call.args}
    reads = (read for read in of_kinds(module.tree, ast.Name) if read.id == function.name)
    return function.name not in basis.trace.taken.of_module(module) and all(read in given for read in reads)
