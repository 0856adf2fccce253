"""Durations of a program in seconds: written out, in its variables, or in those of another module.

ssc = StreamingContext(sc, settings.INTERVAL)
lines.window(6 * settings.INTERVAL)
"""

from __future__ import annotations

import ast
import operator
import sys

from migrate.proofs.analysis.arguments import argument_of
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.changed_elsewhere import is_bound_elsewhere
from migrate.proofs.values.constants import constant, literal
from migrate.proofs.values.imported_values import imported_from
from migrate.proofs.values.value_origin import is_self
from migrate.syntax.nodes import of_kinds
from migrate.trace import Trace
from migrate.trace.values import ModuleValue

_WORKED_OUT = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_AT_THE_END = sys.maxsize
"""A line below all of a module, as of another one, which was run when it is imported."""
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def seconds(node: ast.expr, facts: Facts) -> float | None:
    """The only value that the program gives a number: ``2 * interval``, ``settings.WINDOW``."""
    facts = facts.of(node)
    found = facts.once(_Found)
    if node not in found:
        found[node] = _seconds(node, facts)
    return found[node]


class _Found(dict[ast.expr, float | None]):
    """The values of the expressions of one module that were asked for: windows ask for theirs many times."""

    def __init__(self, _: Facts) -> None:
        super().__init__()


def _seconds(node: ast.expr, facts: Facts) -> float | None:
    match node:
        case ast.BinOp(left, operation, right) if type(operation) in _WORKED_OUT:
            first, second = seconds(left, facts), seconds(right, facts)
            return None if first is None or second is None else _WORKED_OUT[type(operation)](first, second)
        case ast.Attribute(value=owner) if is_self(owner, facts):
            given = _attribute(node, facts)
            return None if given is None else seconds(given, facts)
    value = (
        constant(node.id, _end_of(node, facts), facts)[1]
        if isinstance(node, ast.Name)
        else literal(node, facts)
    )
    if value is None and isinstance(node, ast.Name):
        given = worked_out_from(node, facts)
        if given is not None:
            return seconds(given, facts)
    if value is None:
        value = _setting(node, facts)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def worked_out_from(name: ast.Name, facts: Facts) -> ast.expr | None:
    """What a variable is worked out from above, or what the only call gives for a parameter."""
    home, program = facts.home(name), facts.program
    if home is not None and home not in program.called_by_others:
        found = argument_of(name, home, program)
        if found is not None and len(program.reading.entries[home]) == 1:
            return found[0]
    made = facts.part_of(_binding(name, facts))
    known = isinstance(made, ast.BinOp | ast.Constant)
    return made if made is not None and known and made.lineno < _end_of(name, facts) else None


def _end_of(name: ast.Name, facts: Facts) -> int:
    """The line above which a variable is bound where it is read: any, if a function reads the module's.

    ``main()`` reads what the main guard binds before it calls it, or fails.
    """
    reader = facts.trace.scopes.around(name).node
    return _AT_THE_END if facts.home(name) is None and isinstance(reader, _FUNCTIONS) else name.lineno


def is_setting(node: ast.Attribute, facts: Facts) -> bool:
    """Whether an attribute is a number of another module, which nothing binds again: ``settings.WINDOW``."""
    return (
        isinstance(node.value, ast.Name)
        and seconds(node, facts) is not None
        and not is_self(node.value, facts)
    )


def _binding(name: ast.Name, facts: Facts) -> ast.AST | None:
    """The only node that binds a variable; functions may have variables of their own that are called so."""
    bindings = facts.bindings.get(name.id, ())
    if facts.is_declared_elsewhere(name.id) or not all(isinstance(b, ast.Name | ast.arg) for b in bindings):
        return facts.only_binding(name.id)
    home = facts.trace.scopes.home
    own = [one for one in bindings if isinstance(one, ast.Name | ast.arg) and home(one) is home(name)]
    return own[0] if len(own) == 1 and name.id not in facts.starred else None


def _attribute(node: ast.Attribute, facts: Facts) -> ast.expr | None:
    """What the only statement of a program that binds an attribute of that name gives it: ``self.window``."""
    stores = [
        (other, facts.of(module.tree.body[0]))
        for module in facts.trace.modules
        for other in of_kinds(module.tree, ast.Attribute)
        if other.attr == node.attr and not isinstance(other.ctx, ast.Load)
    ]
    match stores:
        case [(ast.Attribute(value=ast.Name() as made_on) as store, there)]:
            made, statement = there.home(made_on), there.statement_of(store)
            assert isinstance(node.value, ast.Name)
            read = facts.home(node.value)
            if not isinstance(made, ast.FunctionDef) or read is None or not is_self(made_on, there):
                return None
            first = made.name == "__init__" and statement in made.body
            known = first and there.above[made] in _classes(facts.above[read], facts.trace)
            if known and isinstance(statement, ast.Assign):
                return statement.value if statement.targets == [store] else None
    return None


def _classes(cls: ast.AST, trace: Trace) -> set[ast.AST]:
    """A class and those that it derives from."""
    found, pending = set[ast.AST](), [cls]
    while pending:
        step = pending.pop()
        if step not in found:
            found.add(step)
            pending += trace.bases(step) if isinstance(step, ast.ClassDef) else ()
    return found


def _setting(node: ast.expr, facts: Facts) -> object:
    """The value of a constant of another module: ``settings.WINDOW``, ``from settings import WINDOW``."""
    there, name = None, ""
    if isinstance(node, ast.Name):
        imported = imported_from(node, facts)
        if imported is not None:
            there, name = imported.there, imported.name
    elif isinstance(node, ast.Attribute):
        kinds = facts.trace.kinds.get(node.value, ())
        modules = [kind.module for kind in kinds if isinstance(kind, ModuleValue)]
        if len(modules) == len(kinds) == 1 and modules[0].tree.body:
            there, name = facts.of(modules[0].tree.body[0]), node.attr
    if there is None or is_bound_elsewhere(name, there):
        return None
    return constant(name, _AT_THE_END, there)[1]
