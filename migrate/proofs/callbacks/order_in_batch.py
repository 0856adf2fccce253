"""The order of execution in a batch: DStream makes all its RDDs before the first callback runs.

So functions of operators and of ``transform`` read variables as the callbacks of the last batch left them;
new code runs its statements one after the other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence

from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.knowledge import functions, rdd, sessions, streaming
from migrate.proofs.analysis.call_graph import Reached, given_code
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.shared_objects import bindings_of, is_of, speaks_of, with_aliases
from migrate.proofs.analysis.summary import given_to
from migrate.proofs.callbacks.mllib import only_predicts
from migrate.proofs.callbacks.roles import Callback, NotTheSame, given
from migrate.proofs.callbacks.side_effects import side_effects
from migrate.proofs.values.constants import constant
from migrate.syntax.nodes import walk

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

_OBJECTS_OF_LIBRARY = frozenset({"environ", "argv", "path", "modules"})
"""What Python's library lets programs change."""


def check_order_in_batch(facts: Facts, live: set[Operation]) -> None:
    """Refuse a graph whose result depends on it that all RDDs are made before the first callback.

    Raises:
        Blocked: it may.
    """
    operations = [operation for operation in facts.program.operations if operation in live]
    if not any(operation.operator in streaming.CALLBACKS for operation in operations):
        return
    code = {
        operation: given_code(operation.call, facts)
        for operation in operations
        if not operation.is_source and operation.operator != "foreachRDD"
    }
    reading = {operation: _read(reached) for operation, reached in code.items()}
    has_transforms = any(operation.operator == "transform" for operation in operations)
    modules = {facts, *(summary.facts for reached in code.values() for summary in reached.code)}
    names = set().union(*reading.values())
    if not has_transforms and not any(_may_change(name, place) for name in names for place in modules):
        return
    callbacks = {operation: list(_callbacks(operation, facts)) for operation in operations}
    if not any(callbacks.values()):
        return
    changed = _changed(callbacks, facts)
    outputs = [
        Reached([callback.node], facts)
        for operation, found in callbacks.items()
        if operation.operator == "foreachRDD"
        for callback in found
    ]
    modules.update(summary.facts for reached in outputs for summary in reached.code)
    _check_reads(reading, changed, outputs, modules, facts)
    _check_transforms(code, callbacks, outputs, facts)


def _changed(callbacks: Mapping[Operation, Sequence[Callback]], facts: Facts) -> set[str]:
    """The variables and attributes that callbacks change.

    Raises:
        Blocked: one of `transform` does, which runs before those of outputs.
    """
    changed: set[str] = set()
    for operation, found in callbacks.items():
        for callback in found:
            for change in side_effects(callback, facts, everything=True):
                if operation.operator == "transform":
                    raise _blocked(operation, CHANGES.format(change.why))
                changed |= change.names
    return changed


def _check_reads(
    reading: Mapping[Operation, set[str]],
    changed: set[str],
    outputs: Sequence[Reached],
    modules: set[Facts],
    facts: Facts,
) -> None:
    """Refuse operators that read what callbacks change, by its name or by another one of the same object.

    Args:
        reading: the variables and attributes that each operator's functions read.
        changed: those that callbacks change.
        outputs: the code of the callbacks of outputs.
        modules: those that all this code is in.
        facts: of the graph's module.

    Raises:
        Blocked: one does.
    """
    lines = {line.statement for line in facts.program.lines}
    bound = [
        both
        for place in modules
        for both in bindings_of(place.tree, lines)
        if not _is_result_elsewhere(*both, place)
    ]
    changed = with_aliases(changed | _attributes(changed), bound, speaks_of)
    touched = with_aliases(set().union(*map(_touched, outputs)), bound, is_of)
    for operation, read in reading.items():
        both = {name for name in (read | _attributes(read)) & changed if not _is_fixed(name, modules)}
        if both:
            raise _blocked(operation, READS.format(min(both).removeprefix(".")))
        called = {name for name in read & touched if not constant(name, operation.call.lineno, facts)[0]}
        if called:
            raise _blocked(operation, CALLS.format(min(called)))


def _check_transforms(
    code: Mapping[Operation, Reached],
    callbacks: Mapping[Operation, Sequence[Callback]],
    outputs: Sequence[Reached],
    facts: Facts,
) -> None:
    """Refuse a `transform` that reads views which outputs make, or does something before another output.

    Raises:
        Blocked: there is one.
    """
    views = any(_has_attribute(reached, sessions.MAKES_TABLES) for reached in outputs)
    several = sum(operation.is_output for operation in callbacks) > 1
    for operation in callbacks:
        if operation.operator != "transform":
            continue
        if views and _has_attribute(code[operation], sessions.READS_VIEWS):
            raise _blocked(operation, VIEWS)
        if several and any(_does_something(_of_driver(one, facts)) for one in callbacks[operation]):
            raise _blocked(operation, DOES)


def _is_result_elsewhere(target: ast.expr, value: ast.expr, facts: Facts) -> bool:
    """Whether a binding is of what the graph's function returns, to a local variable of its caller.

    No operator reads that variable: it has its value when the function has ended, and no function inside of
    the caller takes it along.
    """
    scope = facts.program.scope
    if not (isinstance(scope, ast.FunctionDef) and isinstance(target, ast.Name)):
        return False
    called = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == scope.name
    caller: ast.AST | None = target
    while caller is not None and not isinstance(caller, ast.FunctionDef):
        caller = facts.above.get(caller)
    if not called or not isinstance(caller, ast.FunctionDef) or caller is scope:
        return False
    shared = [node for node in walk(caller) if isinstance(node, ast.Global | ast.Nonlocal)]
    inner = [node for node in walk(caller) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    read = {node.id for one in inner if one is not caller for node in walk(one) if isinstance(node, ast.Name)}
    names = read.union(*(node.names for node in shared))
    return scope not in inner and target.id not in names


def _may_change(name: str, facts: Facts) -> bool:
    """Whether a name may be changed: it is no import, function or builtin."""
    return "." in name or any(
        isinstance(binding, ast.Name | ast.arg) for binding in facts.bindings.get(name, ())
    )


def _is_fixed(name: str, places: set[Facts]) -> bool:
    """Whether a name is a module's, or of Python's library, and nothing else's: no alias has a part of it."""
    bound = [place.above.get(binding) for place in places for binding in place.bindings.get(name, ())]
    return bool(bound) and all(
        isinstance(statement, ast.Import)
        or (isinstance(statement, ast.ImportFrom) and _is_of_library(statement, name))
        for statement in bound
    )


def _is_of_library(statement: ast.ImportFrom, name: str) -> bool:
    """Whether an import is of a class or function of Python's library."""
    top = (statement.module or "").partition(".")[0]
    return not statement.level and top in sys.stdlib_module_names and name not in _OBJECTS_OF_LIBRARY


def _blocked(operation: Operation, why: str) -> Blocked:
    return Blocked(why, operation.use, operator=operation.operator)


def _callbacks(operation: Operation, facts: Facts) -> Iterator[Callback]:
    for node in given_to(operation.call) if operation.operator in streaming.CALLBACKS else ():
        called = given(node, facts)
        try:
            if called is not None:
                yield called.callback()
        except NotTheSame:
            continue  # its rule says so


def _has_attribute(reached: Reached, names: frozenset[str]) -> bool:
    return any(node.attr in names for node, _ in reached.of(ast.Attribute))


def _read(reached: Reached) -> set[str]:
    """The variables and attributes that code reads, without its own variables and their methods."""
    read: set[str] = set()
    for name, summary in reached.of(ast.Name):
        if isinstance(name.ctx, ast.Load) and not reached.owns(name, summary):
            read.add(name.id)
    for node, summary in reached.of(ast.Attribute):
        holder = node.value
        own = isinstance(holder, ast.Name) and reached.owns(holder, summary)
        call = summary.facts.above.get(node)
        called = isinstance(call, ast.Call) and call.func is node
        if isinstance(node.ctx, ast.Load) and not (own and called):
            read.add(f"{holder.id if isinstance(holder, ast.Name) else ''}.{node.attr}")
    return read


def _attributes(names: set[str]) -> set[str]:
    """The attributes among variables and attributes: an object may have several names, as `self` is one."""
    return {"." + name.rpartition(".")[2] for name in names if "." in name}


def _touched(reached: Reached) -> set[str]:
    """The variables of outside on which code calls methods that are not known."""
    found: set[str] = set()
    for call, summary in reached.of(ast.Call):
        name = call.func.value if isinstance(call.func, ast.Attribute) else None
        if (
            not isinstance(name, ast.Name)
            or reached.owns(name, summary)
            or only_predicts(call, summary.facts)
        ):
            continue
        facts = summary.facts
        if any(isinstance(binding, ast.Name) for binding in facts.bindings.get(name.id, ())):
            made = facts.value_of(facts.only_binding(name.id))
            if not _maker(made, facts).startswith(functions.UNCHANGING):
                found.add(name.id)
    return found


def _maker(made: ast.expr | None, facts: Facts) -> str:
    """The function of a library that makes a value, be it in a function of the project that returns it."""
    if not isinstance(made, ast.Call):
        return ""
    called = called_function(made.func, facts)
    if called is None:
        return facts.qualified(made.func) or ""
    there = facts.of(called.node)
    returned = [node.value for node in walk(called.node) if isinstance(node, ast.Return)]
    (value,) = returned if len(returned) == 1 else (None,)
    if isinstance(value, ast.Name):
        bound = [one for one in there.bindings.get(value.id, ()) if isinstance(one, ast.Name)]
        own = [one for one in bound if there.home(one) is called.node]
        value = there.value_of(own[0]) if len(own) == 1 and there.home(value) is called.node else None
    is_library = isinstance(value, ast.Call) and called_function(value.func, there) is None
    return _maker(value, there) if is_library else ""


def _of_driver(callback: Callback, facts: Facts) -> Reached:
    """The code of a callback without the functions that its RDDs are given, which executors call later on."""
    calls = [
        call for call in callback.walk() if isinstance(call, ast.Call) and _is_of_rdd(call.func, callback)
    ]
    return Reached([callback.node], facts, without={node for call in calls for node in given_to(call)})


def _is_of_rdd(node: ast.expr, callback: Callback) -> bool:
    """Whether an expression is a method of the callback's RDD, or of what such methods made."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    made = callback.made_as(node)
    is_rdd = isinstance(node, ast.Name) and node.id == callback.rdd
    return is_rdd or (made is not None and _is_of_rdd(made, callback))


def _does_something(reached: Reached) -> bool:
    """Whether code prints, or has a call whose result it does not use."""
    if any(summary.prints for summary in reached.code):
        return True
    calls = [node.value for node, _ in reached.of(ast.Expr) if isinstance(node.value, ast.Call)]
    return not all(isinstance(call.func, ast.Attribute) and call.func.attr in rdd.ITSELF for call in calls)
