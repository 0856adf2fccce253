"""Calls of a callback that do something outside of the program, as an insert or a request, without input too.

What a library makes that is not known is a handle to something outside, and a call of it may do anything, but
for making another handle and closing it: ``connection.cursor()``, ``producer.flush()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.knowledge import builtins, outside, rdd
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import given_to, is_call_of
from migrate.proofs.callbacks.guards import is_in_handler, only_with_rows
from migrate.proofs.callbacks.roles import Callback, is_rdd
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import children, of_kinds, walk
from migrate.syntax.tree import parameter_names
from migrate.trace.values import External


def acts_without_rows(callback: Callback, facts: Facts, *, on_errors: bool = True) -> Iterator[str]:
    """The calls that a callback makes for a batch without rows too, as texts.

    Args:
        callback: the function; those that it gives its RDD to are left out.
        facts: the names of a module.
        on_errors: whether those of handlers of exceptions count.
    """
    yield from _acts(callback, facts, set(), frozenset(), on_errors=on_errors)


def is_client(value: ast.expr, function: ast.AST, facts: Facts) -> bool:
    """Whether a value in a function's code is a library's handle to something outside, or a part of one."""
    return _Handles(function, facts).is_handle(value)


def _acts(
    callback: Callback, facts: Facts, seen: set[ast.AST], given: frozenset[str], *, on_errors: bool
) -> Iterator[str]:
    """The calls of one function; `given` are its parameters that hold handles."""
    if callback.node in seen:
        return
    seen.add(callback.node)
    facts = facts.of(callback.node)
    rows, parents = Rows(callback), callback.parents
    handles = _Handles(callback.node, facts, given)
    for call in _calls(callback.body):
        if only_with_rows(call, rows, parents) or _inserts_nothing(call, rows):
            continue
        if not on_errors and is_in_handler(call, parents):
            continue
        if handles.is_act(call) or _saves(call, rows):
            yield ast.unparse(call.func)
            continue
        target = called_function(call.func, facts)
        if target is None or any(is_rdd(value, callback.rdds_at(call)) for value in given_to(call)):
            continue
        names = parameter_names(target.node)[target.bound :]
        held = frozenset(
            name for name, value in zip(names, call.args, strict=False) if handles.is_handle(value)
        )
        elements = {name for name, value in zip(names, call.args, strict=False) if rows.are_elements(value)}
        inner = Callback(
            target.node, "", None, elements=elements, bound=target.bound, repeated=callback.repeated
        )
        yield from _acts(inner, facts, seen, held, on_errors=on_errors)


def _calls(body: list[ast.AST]) -> Iterator[ast.Call]:
    """The calls of a function's own code; functions inside are called for elements, or by their names."""
    pending = list(reversed(body))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, _DEFINING):
            pending += reversed(children(node))


_DEFINING = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Handles:
    """The handles in one function: its variables that hold what an unknown library has made."""

    def __init__(self, function: ast.AST, facts: Facts, given: frozenset[str] = frozenset()) -> None:
        self._function = function
        self._facts = facts
        self._names = set(given)
        self._asked: list[str] = []
        """Names whose values are being looked at."""
        made = [*self._made()]
        before = -1
        while before != len(self._names):
            before = len(self._names)
            self._names |= {name for name, value in made if self.is_handle(value)}

    def _made(self) -> Iterator[tuple[str, ast.expr]]:
        for node in walk(self._function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id, node.value
            elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                yield node.optional_vars.id, node.context_expr

    def is_act(self, call: ast.Call) -> bool:
        """Whether a call does something outside."""
        function = call.func
        if self._opens_file(call):
            mode = _mode(call)
            return not (isinstance(mode, ast.Constant) and set("rax") & set(str(mode.value)))
        name = function.attr if isinstance(function, ast.Attribute) else ""
        if name in outside.WRITES:
            return True
        if self._only_opens(function) or self._executes_nothing(call, name):
            return False
        if self._only_shows(call):
            return False
        if called_function(function, self._facts) is not None:
            return False  # its own calls are looked at
        return self._is_given_handle(call) or self._is_foreign(function)  # `print(line, file=log)`

    def _only_shows(self, call: ast.Call) -> bool:
        """Whether a builtin makes a text of a handle: ``print(str(client))``."""
        if not isinstance(call.func, ast.Name) or call.keywords:
            return False
        return call.func.id in builtins.SHOWS - self._facts.shadowed

    def _executes_nothing(self, call: ast.Call, name: str) -> bool:
        """Whether a call executes a statement that changes nothing, or those that a handle was given.

        Each call that gives it one is looked at by itself.
        """
        if not isinstance(call.func, ast.Attribute) or name not in outside.EXECUTES_KEPT:
            return False
        match call.args:
            case []:
                return not call.keywords and self._keeps_calls(call.func.value)
            case [ast.Name() as kept] if name in outside.EXECUTES:
                return self._keeps_calls(kept)
            case [statement, *_] if name in outside.EXECUTES:
                return outside.changes_nothing(statement)
        return False

    def _keeps_calls(self, node: ast.expr) -> bool:
        """``BatchStatement()``, ``client.pipeline()``, or a variable of the function that is nothing else."""
        if isinstance(node, ast.Name):
            made = [value for name, value in self._made() if name == node.id]
            named = (one for one in walk(self._function) if isinstance(one, ast.Name) and one.id == node.id)
            bound = sum(not isinstance(one.ctx, ast.Load) for one in named)
            return bool(made) and len(made) == bound and all(map(self._keeps_calls, made))
        if not isinstance(node, ast.Call):
            return False
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in outside.KEEPS_CALLS

    def _is_given_handle(self, call: ast.Call) -> bool:
        return any(isinstance(value, ast.Name) and self.is_handle(value) for value in given_to(call))

    def is_handle(self, value: ast.expr) -> bool:
        """Whether an expression is a handle, or a part of one."""
        if isinstance(value, ast.Call):
            if self._opens_file(value):
                return True
            made = self._is_foreign(value.func) and self._only_opens(value.func)
            return made or self._makes_handle(value)
        if isinstance(value, ast.Attribute | ast.Subscript):
            return self._is_kept_globally(value) or self.is_handle(value.value)
        return isinstance(value, ast.Name) and self._is_of_handle(value)

    def _is_kept_globally(self, value: ast.expr) -> bool:
        """``globals()["producer"]``, to which the module assigns what a library has made."""
        key = _key_of_globals(value)
        return key is not None and any(
            self._made_by_library(statement.value)
            for statement in of_kinds(self._facts.tree, ast.Assign)
            if key in map(_key_of_globals, statement.targets)
        )

    def _makes_handle(self, call: ast.Call) -> bool:
        """``csv.writer(log)``, or a call of a function that was read and returns a handle."""
        target = called_function(call.func, self._facts)
        if target is not None:
            return self._returns_handle(target.node)
        return self._is_given_handle(call) and self._only_opens(call.func)

    def _returns_handle(self, function: ast.FunctionDef) -> bool:
        if function is self._function:
            return False
        inner = _Handles(function, self._facts.of(function))
        returned = (node.value for node in walk(function) if isinstance(node, ast.Return))
        return any(value is not None and inner.is_handle(value) for value in returned)

    def _is_foreign(self, function: ast.expr) -> bool:
        """Whether a function is of a library that is not known, or a method of a handle."""
        found = self._facts.trace.kinds.get(function, frozenset())
        if found:
            return any(isinstance(kind, External) and not outside.is_quiet(kind.name) for kind in found)
        return isinstance(function, ast.Attribute) and self._is_of_handle(function.value)

    def _is_of_handle(self, node: ast.expr) -> bool:
        """Whether a name, or what it is the root of, is a handle: of the module, of ``self``, or local."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            if isinstance(node, ast.Call) and (self._is_foreign(node.func) or self._makes_handle(node)):
                return True
            if self._is_kept_globally(node):
                return True
            if isinstance(node, ast.Attribute) and is_self(node.value):
                return self._is_made_by_library(f"self.{node.attr}", self._kept_as(node.attr))
            node = node.func if isinstance(node, ast.Call) else node.value
        if not isinstance(node, ast.Name):
            return False
        bindings = self._facts.bindings.get(node.id, ())
        values = (self._facts.value_of(binding) for binding in bindings if self._facts.visible(binding))
        return node.id in self._names or self._is_made_by_library(node.id, values)

    def _is_made_by_library(self, name: str, values: Iterable[ast.expr | None]) -> bool:
        """Whether one of the values that a name has is; ``names = names.cache()`` is what else `names` is."""
        if name in self._asked:
            return False
        self._asked.append(name)
        try:
            return any(map(self._made_by_library, values))
        finally:
            self._asked.pop()

    def _made_by_library(self, value: ast.expr | None) -> bool:
        return isinstance(value, ast.Call) and (self._is_foreign(value.func) or self._opens_file(value))

    def _kept_as(self, attribute: str) -> Iterator[ast.expr]:
        """The values that the module assigns to an attribute of this name."""
        for statement in of_kinds(self._facts.tree, ast.Assign):
            targets = (target for target in statement.targets if isinstance(target, ast.Attribute))
            if any(target.attr == attribute for target in targets):
                yield statement.value

    def _only_opens(self, function: ast.expr) -> bool:
        """``connect`` and ``KafkaProducer`` make a handle; ``cursor`` and ``close`` of one change nothing."""
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        return name in outside.OPENS or name.lstrip("_")[:1].isupper() or name.startswith("get_")

    def _opens_file(self, call: ast.Call) -> bool:
        """``open(path, "a")``; a mode that is not written out may be one to write."""
        if not is_call_of(call, "open") or "open" in self._facts.shadowed:
            return False
        mode = _mode(call)
        return mode is not None and not (
            isinstance(mode, ast.Constant) and not set(str(mode.value)) & set("wax+")
        )


def _key_of_globals(node: ast.expr) -> object:
    """The key of ``globals()["producer"]``; None for others."""
    match node:
        case ast.Subscript(ast.Call(ast.Name("globals"), [], []), ast.Constant(key)):
            return key
    return None


def is_self(node: ast.expr) -> bool:
    """Whether an expression is ``self``."""
    return isinstance(node, ast.Name) and node.id == "self"


def _mode(call: ast.Call) -> ast.expr | None:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[1] if len(call.args) > 1 else named.get("mode")


def _inserts_nothing(call: ast.Call, rows: Rows) -> bool:
    """Whether a call writes each element, and so nothing without: ``cursor.executemany(statement, rows)``."""
    given = outside.items_of(call, outside.INSERTS_ALL)
    return given is not None and rows.are_elements(given)


def _saves(call: ast.Call, rows: Rows) -> bool:
    """Whether a call saves something for a batch without rows: over what is there, a state again, or more.

    ``rdd.union(known).foreach(save)`` has elements in each interval.
    """
    callback = rows.callback
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr in outside.EACH:
        made = call.func.value
        more = callback.repeated or not is_rdd(made, rows.rdds, rdd.NO_MORE)
        return more and is_rdd(made, callback.rdds_at(call))
    if call.func.attr not in outside.SAVES:
        return False
    of_writer = any(isinstance(node, ast.Attribute) and node.attr == "write" for node in walk(call.func))
    return of_writer and (callback.repeated or _overwrites(call))


def _overwrites(call: ast.Call) -> bool:
    """``frame.write.mode("overwrite").save(path)``, which empties what is there."""
    for node in walk(call):
        if isinstance(node, ast.keyword) and node.arg == "overwrite":
            return not (isinstance(node.value, ast.Constant) and not node.value.value)
        if isinstance(node, ast.Constant) and node.value == "overwrite":
            return True
    return False
