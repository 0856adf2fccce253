"""ANSI mode, in which Spark fails by itself where a column would hold another value than Python has.

Code relies on it where the program leaves it on, and sets it then, since clusters switch it off. It is left
alone where the program itself does what fails in ANSI mode alone, or what nobody can tell: SQL of a file.
"""

from __future__ import annotations

import ast
import re

from migrate.columns.guards import Guards
from migrate.knowledge.sessions import ANSI_CHANGES
from migrate.model import Module, Options
from migrate.plan.choices import Choices
from migrate.plan.session.ansi_changes import kinds_of
from migrate.syntax.nodes import of_kinds, once, parsed, walk
from migrate.syntax.sql import only_takes
from migrate.trace import Trace

SETTING = "spark.sql.ansi.enabled"
_SWITCH = re.compile(re.escape(SETTING) + r"""["']?\s*[,=:]\s*["']?(\w+)""")
_FUNCTIONS = "pyspark.sql.functions"
_OF_SQL = frozenset({"expr", "selectExpr", "sql"})


def guards_of(trace: Trace, options: Options, choices: Choices) -> Guards:
    """Return what new code does where Python fails."""
    if options.strict:
        return Guards.STRICT
    if choices.strict:
        return Guards.STRICT_IN_ANSI if _may_be_set(trace, options) else Guards.STRICT
    if not options.spark.has_ansi:
        return Guards.SHORT
    if is_named(trace):
        return Guards.ANSI if sets_ansi(trace) else Guards.SHORT
    return Guards.SHORT if any(map(_depends, trace.modules)) else Guards.ANSI


def _may_be_set(trace: Trace, options: Options) -> bool:
    """Return whether new code may switch ANSI mode on, or the program does, and nothing else notices it."""
    if not options.spark.has_ansi or any(map(_depends, trace.modules)):
        return False
    return sets_ansi(trace) or not is_named(trace)


def is_named(trace: Trace) -> bool:
    """Return whether the program speaks of ANSI mode, to switch it on or off."""
    return any(SETTING in _text(module) for module in trace.modules)


def sets_ansi(trace: Trace) -> bool:
    """Return whether the program switches ANSI mode on, everywhere that it speaks of it."""
    texts = [_text(module) for module in trace.modules]
    values = [match[1] for text in texts for match in _SWITCH.finditer(text)]
    spoken = sum(text.count(SETTING) for text in texts)
    return len(values) == spoken > 0 and all(value.lower() == "true" for value in values)


def _text(module: Module) -> str:
    """Return the code of a module as it was read, without new code of another graph in it."""
    return module.source if module.origin is None else module.origin


def computes(module: Module) -> bool:
    """Return whether a module may compute something in SQL, or with columns, of its own."""
    return once(_tree(module), _computes)


def _tree(module: Module) -> ast.Module:
    return module.tree if module.origin is None else parsed(module.origin)


def _depends(module: Module) -> bool:
    """Return whether what a module computes may depend on the mode by more than the range of numbers."""
    tree = _tree(module)
    return once(tree, _computes) and (once(tree, _is_unknown) or bool(once(tree, kinds_of)))


def _is_unknown(tree: ast.Module) -> bool:
    """Return whether a module runs SQL whose text is not in it."""
    assigned = [one for one in of_kinds(tree, ast.Assign) if _has_text(one.value)]
    written = {target.id for one in assigned for target in one.targets if isinstance(target, ast.Name)}
    calls = (call for call in of_kinds(tree, ast.Call) if getattr(call.func, "attr", "") in _OF_SQL)
    return any(
        not _has_text(text) and getattr(text, "id", "") not in written for call in calls for text in call.args
    )


def _has_text(node: ast.expr) -> bool:
    """Return whether an expression has a text of several words in it, as queries are."""
    texts = (part.value for part in walk(node) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and " " in text for text in texts)


def _computes(tree: ast.Module) -> bool:
    """Return whether a module computes something in SQL, or with columns."""
    changing = [node for node in of_kinds(tree, ast.Attribute) if node.attr in ANSI_CHANGES]
    plain = {call.func for call in of_kinds(tree, ast.Call) if _is_plain(call)} if changing else ()
    imported = [alias.name for node in of_kinds(tree, ast.Import) for alias in node.names]
    imported += [
        f"{node.module}.{alias.name}" for node in of_kinds(tree, ast.ImportFrom) for alias in node.names
    ]
    return any(node not in plain for node in changing) or any(
        name.startswith(_FUNCTIONS) for name in imported
    )


def _is_plain(call: ast.Call) -> bool:
    """Return whether a call is of SQL that takes columns as they are, or counts rows."""
    given = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
    return isinstance(given, str) and only_takes(given)
