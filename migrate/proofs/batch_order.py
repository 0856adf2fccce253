"""What runs when in a batch: DStream makes all RDDs of a batch before the first of its callbacks runs.

So the functions of operators, and those of ``transform``, read what callbacks change as the batch before left
it; new code goes through its statements one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.plan.basis import Basis
from migrate.proofs.effects import changes
from migrate.proofs.facts import Facts, binder_of, code_of
from migrate.proofs.roles import Callback, NotTheSame, given
from migrate.syntax.nodes import of_kinds

READS = (
    "it reads `{}`, which a callback changes, and DStream makes the RDDs of a batch before its callbacks run"
)
CHANGES = "{}, and DStream runs it before the callbacks of its batch"
CALLS = (
    "it reads `{}`, whose methods a callback calls, and DStream makes the RDDs of a batch before its "
    "callbacks run"
)
VIEWS = (
    "it may read what callbacks leave in the session, and DStream runs it before the callbacks of its batch"
)
DOES = "it does more than to make an RDD, and DStream runs it before the outputs of its batch"
_READING = frozenset({"sql", "table"})
_MAKING = frozenset(
    {"createOrReplaceTempView", "createTempView", "createGlobalTempView", "createOrReplaceGlobalTempView"}
    | {"registerTempTable", "registerDataFrameAsTable", "saveAsTable", "insertInto"}
)
_VIEWS = frozenset({"keys", "values", "items"})
_UNCHANGING = ("re.", "logging.")
_HARMLESS = frozenset({"cache", "persist", "unpersist"})


def check_order_in_batch(plan: Basis, live: set[Operation]) -> None:
    """See that nothing shows that new code makes RDDs where they are read, and not before all callbacks.

    Raises:
        Blocked: something may.
    """
    facts = plan.facts
    operations = [operation for operation in plan.program.operations if operation in live]
    code = {
        operation: list(code_of(_given(operation.call), facts))
        for operation in operations
        if not operation.is_source and operation.operator != "foreachRDD"
    }
    reading = {operation: _read(nodes, facts) for operation, nodes in code.items()}
    transforms = [operation for operation in operations if operation.operator == "transform"]
    if not transforms and not any(_may_change(name, facts) for read in reading.values() for name in read):
        return
    changed: set[str] = set()
    touched: set[str] = set()
    views = False
    for operation in operations:
        if operation.operator not in ("foreachRDD", "transform"):
            continue
        for callback in _callbacks(operation, facts):
            found = list(changes(callback, facts, everything=True))
            if found and operation.operator == "transform":
                raise _blocked(operation, CHANGES.format(found[0].why))
            changed.update(name for change in found for name in change.names)
            if operation.operator == "foreachRDD":
                nodes = list(code_of([callback.node], facts))
                touched |= _touched(nodes, facts)
                views |= any(isinstance(node, ast.Attribute) and node.attr in _MAKING for node in nodes)
    lines = {line.statement for line in plan.program.lines}
    changed = _with_aliases(changed | _attributes(changed), lines, facts, _speaks_of)
    touched = _with_aliases(touched, lines, facts, _is_of)
    for operation, read in reading.items():
        both = (read | _attributes(read)) & changed
        if both:
            raise _blocked(operation, READS.format(min(both).removeprefix(".")))
        called = {name for name in read & touched if not facts.constant(name, operation.call.lineno)[0]}
        if called:
            raise _blocked(operation, CALLS.format(min(called)))
    several = len([operation for operation in operations if operation.is_output]) > 1
    for operation in transforms:
        if views and any(
            isinstance(node, ast.Attribute) and node.attr in _READING for node in code[operation]
        ):
            raise _blocked(operation, VIEWS)
        if several and any(_does_something(callback, facts) for callback in _callbacks(operation, facts)):
            raise _blocked(operation, DOES)


def _may_change(name: str, facts: Facts) -> bool:
    """Whether a variable or an attribute is none that an import, a function or a builtin has."""
    return "." in name or any(
        isinstance(binding, ast.Name | ast.arg) for binding in facts.bindings.get(name, ())
    )


def _blocked(operation: Operation, why: str) -> Blocked:
    return Blocked(f"`{operation.operator}`: {why}", operation.use)


def _given(call: ast.Call) -> list[ast.AST]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _callbacks(operation: Operation, facts: Facts) -> Iterator[Callback]:
    for node in _given(operation.call):
        called = given(node, facts) if isinstance(node, ast.expr) else None
        try:
            if called is not None:
                yield called.callback()
        except NotTheSame:
            continue  # its rule says so


def _read(nodes: list[ast.AST], facts: Facts) -> set[str]:
    """The variables and attributes that code reads, without its own variables and their methods."""
    within = set(nodes)
    read: set[str] = set()
    for node in nodes:
        name = node.value if isinstance(node, ast.Attribute) else node
        own = isinstance(name, ast.Name) and binder_of(name, facts) in within
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if not (own and _is_called(node, facts)):
                read.add(f"{name.id if isinstance(name, ast.Name) else ''}.{node.attr}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not own:
            read.add(node.id)
    return read


def _is_called(node: ast.Attribute, facts: Facts) -> bool:
    call = facts.above.get(node)
    return isinstance(call, ast.Call) and call.func is node


def _attributes(names: set[str]) -> set[str]:
    """The attributes among variables and attributes: an object may have several names, as `self` is one."""
    return {"." + name.rpartition(".")[2] for name in names if "." in name}


def _with_aliases(
    names: set[str], lines: set[ast.stmt], facts: Facts, speaks_of: Callable[[ast.AST], set[str]]
) -> set[str]:
    """Names, and those that may be bound to the same objects.

    Args:
        names: variables and attributes.
        lines: what makes streams, which hold nothing of that kind.
        facts: what is known of names.
        speaks_of: the variables and attributes that an expression has to do with.
    """
    found = set(names)
    bound = [
        (speaks_of(target), speaks_of(value))
        for statement, targets, value in _bindings(facts.tree)
        if statement not in lines
        for target in targets
    ]
    grown = bool(found)
    while grown:
        grown = False
        for targets, values in bound:
            same = targets | values
            if targets and values and same & found and not same <= found:
                found |= same
                grown = True
    return found


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.expr], ast.expr]]:
    for assign in of_kinds(tree, ast.Assign):
        yield assign, assign.targets, assign.value
    for annotated in of_kinds(tree, ast.AnnAssign):
        if annotated.value is not None:
            yield annotated, [annotated.target], annotated.value
    for named in of_kinds(tree, ast.NamedExpr):
        yield named, [named.target], named.value


def _is_of(node: ast.AST) -> set[str]:
    """The variable that an expression is, or is a part or a view of."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS:
        node = node.func.value
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _speaks_of(node: ast.AST) -> set[str]:
    """The variables and attributes whose objects an expression may be, hold or be held by."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Attribute(attr=attribute):
            return {f".{attribute}"}
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return _speaks_of(value)
        case ast.Call(func=function, args=args, keywords=words):
            of = [function.value] if isinstance(function, ast.Attribute) else []
            parts = [*of, *args, *(word.value for word in words)]
            named = {f".{word.arg}" for word in words if isinstance(word.value, ast.Name)}
            return named | {name for part in parts for name in _speaks_of(part)}
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
            return {name for part in parts for name in _speaks_of(part)}
        case ast.Dict(values=parts):
            return {name for part in parts for name in _speaks_of(part)}
        case ast.IfExp(body=one, orelse=other):
            return _speaks_of(one) | _speaks_of(other)
    return set()


def _touched(nodes: list[ast.AST], facts: Facts) -> set[str]:
    """The variables of outside that code calls methods of, of which nobody knows what they do."""
    found: set[str] = set()
    within = set(nodes)
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name = node.func.value
        if isinstance(name, ast.Name) and any(
            isinstance(b, ast.Name) for b in facts.bindings.get(name.id, ())
        ):
            binding = facts.only_binding(name.id)
            made = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
            call = made.value if isinstance(made, ast.Assign) else None
            known = isinstance(call, ast.Call) and (facts.qualified(call.func) or "").startswith(_UNCHANGING)
            if not known and binder_of(name, facts) not in within:
                found.add(name.id)
    return found


def _does_something(callback: Callback, facts: Facts) -> bool:
    """Whether a function, or one that it calls, prints or calls something for nothing but its effect."""
    for node in code_of([callback.node], facts):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            return True
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and not (
            isinstance(call.func, ast.Attribute) and call.func.attr in _HARMLESS
        ):
            return True
    return False
