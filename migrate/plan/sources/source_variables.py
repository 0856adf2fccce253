"""The variable of a streaming DataFrame: where it is made, and where the query begins."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.place import GivenBack
from migrate.graph.program import Line, Operation, Program
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Chain, Value
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import code_of
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names
from migrate.trace import Stream


def target_of_source(program: Program, operation: Operation, line: Line) -> tuple[Chain, Value | None]:
    """The statement that holds a new source, and its name where the batch function stands.

    Either may be missing: a source in the middle of a chain gets a new variable, and one of another function
    is named by the expression that passes it on.
    """
    statement = line.statement
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(statement, ast.AnnAssign):
        target = statement.target
    last = operation is line.operations[-1]
    if line.scope is not program.scope:
        if isinstance(statement, ast.Return):
            return Chain("", returned=True), None
        if target is None:
            raise Blocked("a source is made in the middle of another function", operation.use)
        return _assigned(target), None
    if last and target is not None:
        return _assigned(target), spelled(target)
    if last and isinstance(statement, ast.Return):
        raise Blocked("the source is returned", operation.use)
    return Chain(""), None


def _assigned(target: ast.expr) -> Chain:
    held = spelled(target)
    return Chain("", target=held.code, in_attribute=not held.is_variable)


def expression_of_source(draft: Draft, source: Operation) -> Value:
    """The expression for a source of another function, where the batch function stands.

    Raises:
        Blocked: nothing there holds it.
    """
    basis = draft.basis
    program = basis.program
    for back in basis.place.given_back:
        if program.tree.scope_of(back.target) is program.scope and source in _upstream(back.operation):
            return _given_back(draft, back)
    for line in program.lines:
        if line.scope is program.scope and line.inner is not None and _holds(basis, line.inner, source):
            if isinstance(line.inner, ast.Call):
                name = draft.fresh("lines")
                draft.outside.write(line.statement, [f"{name} = {quoted(line.inner)}"])
                return Value(name, is_variable=True)
            return spelled(line.inner)
    for statement in program.reading.aliases:
        own = program.tree.scope_of(statement) is program.scope and statement not in draft.outside.deleted
        if own and isinstance(statement, ast.Assign) and _holds(basis, statement.value, source):
            return spelled(statement.targets[0])
    for statement, call in basis.place.fetched.items():
        if _holds(basis, call, source):
            name = draft.fresh("lines")
            draft.outside.write(statement, [f"{name} = {quoted(call)}"])
            return Value(name, is_variable=True)
    attribute = _attribute(draft, source) or _attribute_of_object(draft, source)
    if attribute is not None:
        return attribute
    for node in program.reading.plumbing:
        own = program.tree.scope_of(node) is program.scope
        if own and isinstance(node, ast.Name | ast.Attribute) and _holds(basis, node, source):
            return spelled(node)
    for line in program.lines:
        of_module = line.operations[-1] is source and isinstance(line.scope, ast.Module)
        target = basis.targets.get(line.operations[-1])
        if of_module and target is not None and basis.facts.only_binding(target) is not None:
            return Value(target, is_variable=True)
    raise Blocked("nothing holds the source where the query begins", source.use)


def _given_back(draft: Draft, back: GivenBack) -> Value:
    """The variable of a source that a function returns in place of a stream, called as it is there."""
    known = draft.basis.facts.identifiers
    name = back.target.id if back.source in known else back.source
    renamed = [
        (node, new) for node, new in ((back.returned, back.source), (back.target, name)) if node.id != new
    ]
    draft.need(inner=Inner(renamed=tuple(renamed)))
    return Value(name, is_variable=True)


def spelled(node: ast.expr) -> Value:
    """A variable or an attribute of one by its name, and anything else as it is."""
    inner = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    code = code_of(node) if isinstance(inner, ast.Name) else quoted(node)
    return Value(code, is_variable=isinstance(node, ast.Name))


def _attribute(draft: Draft, source: Operation) -> Value | None:
    """``self.lines``, which another method of the same class assigned."""
    program = draft.basis.program
    cls = program.tree.class_of(program.scope)
    if cls is None or not isinstance(program.scope, ast.FunctionDef):
        return None
    names = parameter_names(program.scope)[:1]
    for target in _attributes_with(draft, source, cls):
        if [ast.unparse(target.value)] == names:
            return spelled(target)
    return None


def _attribute_of_object(draft: Draft, source: Operation) -> Value | None:
    """``feed.lines`` of an object whose method makes streams of it: ``feed.words()``."""
    program = draft.basis.program
    for function, call in program.reading.entered.items():
        cls = program.tree.class_of(function)
        if cls is None or program.tree.scope_of(call) is not program.scope or call in program.reading.unbound:
            continue
        match call.func:
            case ast.Attribute(ast.Name(name)) if draft.basis.facts.only_binding(name) is not None:
                for target in _attributes_with(draft, source, cls):
                    return Value(f"{name}.{target.attr}")
    return None


def _attributes_with(draft: Draft, source: Operation, cls: ast.ClassDef) -> Iterator[ast.Attribute]:
    """The attributes in which methods of a class, or of one that it is derived from, hold a source."""
    basis = draft.basis
    tree = basis.program.tree
    for statement in (*basis.program.reading.aliases, *(line.statement for line in basis.program.lines)):
        if not isinstance(statement, ast.Assign) or statement in draft.outside.deleted:
            continue
        target = statement.targets[0]
        if (
            isinstance(target, ast.Attribute)
            and tree.class_of(tree.scope_of(statement)) in tree.family(cls, basis.trace.bases)
            and _holds(basis, statement.value, source)
        ):
            yield target


def _holds(basis: Basis, node: ast.AST, source: Operation) -> bool:
    """Whether an expression is the source, or a stream whose place the source takes."""
    streams = [value for value in basis.trace.kinds.get(node, ()) if isinstance(value, Stream)]
    operation = basis.program.reading.operations.get(streams[0].node) if len(streams) == 1 else None
    if operation is None:
        return False
    kept = {line.operations[-1] for line in basis.place.kept}
    if operation is source:
        return True
    sources = [one for one in _upstream(operation) if one.is_source]
    return operation in kept and sources == [source]  # one DataFrame cannot stand for several


def _upstream(operation: Operation) -> set[Operation]:
    found: set[Operation] = set()
    pending = [operation]
    while pending:
        step = pending.pop()
        found.add(step)
        pending += step.parents
    return found
