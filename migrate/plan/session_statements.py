"""The session in the place of the SparkContext or of the StreamingContext, and its settings."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.graph.program import Program
from migrate.model import Module
from migrate.plan.attempt import Attempt
from migrate.plan.basis import Basis
from migrate.plan.code import Call, Chain, Code, PlannedModule, Written
from migrate.plan.draft import Draft
from migrate.plan.kept import Kept
from migrate.plan.needs import Needs
from migrate.syntax.nodes import of_kinds

PARTITIONS = "spark.sql.shuffle.partitions"


def with_session(draft: Draft, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The changes of a module, with its session."""
    basis, program, session = draft.basis, draft.basis.program, draft.basis.session
    codes: list[Code] = []
    melted: tuple[ast.stmt, ...] = ()
    if session.builder is not None:
        attempt.need(imports=frozenset({"SparkSession"}))
        calls = (Call("builder"), *session.builder, Call("getOrCreate()"))
        codes.append(Chain("SparkSession", calls, session.name))
        melted = session.conf
    codes += _settings(basis, draft.needs)
    where = session.statement or program.construction
    replaced = dict(changes.replaced)
    removed = {**changes.removed, program.construction: True, where: True}
    left = Kept(basis, replace(changes, removed=removed))
    if session.taken_from is not None:
        name = ast.unparse(session.taken_from.targets[0])
        taken = basis.trace.taken.of_module(program.module_of(session.taken_from))
        if name not in taken and not left.reads(name, session.taken_from):
            removed[session.taken_from] = False
    context = session.spark_context
    if session.statement is not None and context is not None and left.reads(context, session.statement):
        codes.append(f"{context} = {session.name}.sparkContext")
    if codes:
        first, *others = codes
        replaced[where] = (Written(first, melted), *map(Written, others))
        del removed[where]
    return replace(changes, replaced=replaced, removed=removed)


def _settings(basis: Basis, needs: Needs) -> list[Code]:
    """The setting for the partitions of shuffles, if something shuffles and the program does not set it."""
    if not needs.shuffles or _partitions_are_set(basis):
        return []
    number = f"{basis.names.session}.sparkContext.defaultParallelism"
    if needs.partitions:
        number = str(max(needs.partitions))
    return [f'{basis.names.session}.conf.set("{PARTITIONS}", {number})']


def _partitions_are_set(basis: Basis) -> bool:
    """Whether the program sets them anywhere, or another graph's new code where this one is built."""
    return any(_sets_partitions(module, basis.program) for module in basis.program.modules)


def _sets_partitions(module: Module, program: Program) -> bool:
    if module.origin is None or PARTITIONS in module.origin:
        return PARTITIONS in module.source
    named = [node for node in of_kinds(module.tree, ast.Constant) if node.value == PARTITIONS]
    return any(program.tree.scope_of(node) in (module.tree, program.scope) for node in named)
