"""Containers that a function makes and has not handed on: to change one changes nothing of outside.

found = []
for name in names:
    found.append(name)
seen["found"] = found

What is in them may well be of outside.
"""

from __future__ import annotations

import ast

from migrate.knowledge import builtins
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import How, Summary, Update
from migrate.syntax.nodes import around, end_of, position

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset({"dict", "list", "set", "sorted"})
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LOOPS = ast.For | ast.AsyncFor | ast.While


def changes_own_container(update: Update, summary: Summary) -> bool:
    """Whether an update changes a container that the function made, and that nothing else holds by then."""
    holder = _changed(update)
    if holder is None or not summary.owns(holder):
        return False
    facts, home = summary.facts, summary.facts.home(holder)
    named = [name for name in summary.of(ast.Name) if name.id == holder.id and facts.home(name) is home]
    bound = [name for name in named if not isinstance(name.ctx, ast.Load)]
    if not all(_is_made(name, facts) for name in bound):
        return False
    around_it = [update.where, *around(update.where, facts.above)]
    made = [name for name in bound if _is_above(name, around_it, facts)]
    if not made:
        return False
    last = max(made, key=position)
    handed = [name for name in named if isinstance(name.ctx, ast.Load) and _is_handed_on(name, home, facts)]
    again = [one for one in around_it if isinstance(one, _LOOPS) and position(one) > position(last)]
    return not any(
        position(last) < position(name) < end_of(update.where)
        or any(position(loop) < position(name) < end_of(loop) for loop in again)
        for name in handed
    )


def _changed(update: Update) -> ast.Name | None:
    """The variable whose container itself an update changes, and no part of it."""
    match update.how, update.target:
        case How.METHOD, ast.Name() as name:
            return name
        case How.AUGMENTED, ast.Name() as name:
            return name
        case How.PART, ast.Subscript(ast.Name() as name):
            return name
    return None


def _is_made(name: ast.Name, facts: Facts) -> bool:
    """Whether a statement gives a variable a new container, or makes it of itself."""
    match facts.above.get(name):
        case ast.Assign([target], value):
            return target is name and (isinstance(value, _DISPLAYS) or _is_call(value, facts))
        case ast.AugAssign():
            return True
    return False


def _is_call(value: ast.expr, facts: Facts) -> bool:
    """``dict(a=1)``, ``sorted(names)``."""
    match value:
        case ast.Call(ast.Name(called)):
            return called in _MAKERS and called not in facts.shadowed
    return False


def _is_above(name: ast.Name, places: list[ast.AST], facts: Facts) -> bool:
    """Whether an assignment has run whenever the code at a place runs."""
    statement = facts.above[name]
    if not isinstance(statement, ast.Assign):
        return False
    block = facts.above[statement]
    parts = (part for _, part in ast.iter_fields(block) if isinstance(part, list) and statement in part)
    return any(one in places and position(one) > position(statement) for part in parts for one in part)


def _is_handed_on(name: ast.Name, home: ast.AST | None, facts: Facts) -> bool:
    """Whether something else may hold the object of a variable from here on, as a function inside does."""
    above = facts.above[name]
    if next((one for one in around(name, facts.above) if isinstance(one, _FUNCTIONS)), None) is not home:
        return True
    match above:
        case ast.Subscript(value) | ast.For(iter=value) | ast.comprehension(iter=value) if value is name:
            return False
        case ast.Attribute():
            called = facts.above[above]
            return not (isinstance(called, ast.Call) and called.func is above)
        case ast.Call(ast.Name(function), _, _):
            return function not in builtins.PURE or function in facts.shadowed or function in builtins.HANDS
        case ast.Compare() | ast.UnaryOp() | ast.If() | ast.While():
            return False
    return True
