"""How the streaming DataFrame gets from where it is made to where the query begins."""

from __future__ import annotations

import ast

from migrate.codemod.renaming import renamed
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation
from migrate.plan.plan import Plan, Written
from migrate.syntax.tree import parameter_names
from migrate.trace import Stream


def target_of_source(plan: Plan, operation: Operation, line: Line) -> tuple[str, str]:
    """What stands before the new source, and what the batch function's place calls it.

    Either is empty where it is not known: a source in the middle of a chain gets a variable of its own, and
    one of another function is known by what hands it on.
    """
    program, text = plan.program, plan.text
    statement = line.statement
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(statement, ast.AnnAssign):
        target = statement.target
    last = operation is line.operations[-1]
    if line.scope is not program.scope:
        if isinstance(statement, ast.Return):
            return "return ", ""
        if target is None:
            raise Blocked("a source is made in the middle of another function", operation.use)
        return f"{text.of(target)} = ", ""
    if last and target is not None:
        return f"{text.of(target)} = ", text.of(target)
    if last and isinstance(statement, ast.Return):
        raise Blocked("the source is returned", operation.use)
    return "", ""


def expression_of_source(plan: Plan, source: Operation) -> str:
    """What the batch function's place calls a source that was made in another function.

    Raises:
        Blocked: nothing there holds it.
    """
    program, text = plan.program, plan.text
    for line in program.lines:
        if line.scope is program.scope and line.inner is not None and _holds(plan, line.inner, source):
            if isinstance(line.inner, ast.Call):
                name = plan.facts.fresh("lines")
                plan.outside[line.statement] = Written(f"{name} = {_renamed(plan, line.inner)}")
                return name
            return text.of(line.inner)
    for statement in program.reading.aliases:
        own = program.tree.scope_of(statement) is program.scope and statement not in plan.place.deleted
        if own and isinstance(statement, ast.Assign) and _holds(plan, statement.value, source):
            return text.of(statement.targets[0])
    for statement, call in plan.place.fetched.items():
        if _holds(plan, call, source):
            name = plan.facts.fresh("lines")
            plan.outside[statement] = Written(f"{name} = {_renamed(plan, call)}")
            return name
    attribute = _attribute(plan, source)
    if attribute is not None:
        return attribute
    for node in program.reading.plumbing:
        own = program.tree.scope_of(node) is program.scope
        if own and isinstance(node, ast.Name | ast.Attribute) and _holds(plan, node, source):
            return text.of(node)
    for line in program.lines:
        of_module = line.operations[-1] is source and isinstance(line.scope, ast.Module)
        if of_module and line.target is not None and plan.facts.only_binding(line.target) is not None:
            return line.target
    raise Blocked("nothing holds the source where the query begins", source.use)


def _renamed(plan: Plan, node: ast.expr) -> str:
    carriers = plan.program.carriers
    return renamed(carriers, node, plan.text) if carriers is not None else plan.text.of(node)


def _attribute(plan: Plan, source: Operation) -> str | None:
    """``self.lines``, which another method of the same class assigned."""
    tree, text = plan.program.tree, plan.text
    cls = tree.class_of(plan.program.scope)
    if cls is None or not isinstance(plan.program.scope, ast.FunctionDef):
        return None
    for statement in (*plan.program.reading.aliases, *(line.statement for line in plan.program.lines)):
        if not isinstance(statement, ast.Assign) or statement in plan.place.deleted:
            continue
        target = statement.targets[0]
        names = parameter_names(plan.program.scope)[:1]
        if (
            isinstance(target, ast.Attribute)
            and tree.class_of(tree.scope_of(statement)) in tree.family(cls)
            and [text.of(target.value)] == names
            and _holds(plan, statement.value, source)
        ):
            return text.of(target)
    return None


def _holds(plan: Plan, node: ast.AST, source: Operation) -> bool:
    """Whether an expression is the source, or a stream whose place the source takes."""
    streams = [value for value in plan.trace.kinds.get(node, ()) if isinstance(value, Stream)]
    operation = plan.program.reading.operations.get(streams[0].node) if len(streams) == 1 else None
    if operation is None:
        return False
    kept = {line.operations[-1] for line in plan.place.kept}
    if operation is source:
        return True
    return operation in kept and source in _upstream(operation)


def _upstream(operation: Operation) -> set[Operation]:
    found: set[Operation] = set()
    pending = [operation]
    while pending:
        step = pending.pop()
        found.add(step)
        pending += step.parents
    return found
