"""Functions that nothing calls, and that stop the context that they would be given: they stop the session.

``def exit_gracefully(ssc): ssc.stop(True, True)``, whose calls are commented out, is there for later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.model import Module
from migrate.plan.draft.draft import Draft
from migrate.plan.names.function_names import is_text
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import walk

STOPS = "`{}`, which nothing calls, stops the session instead of the context"


def unused_stops(draft: Draft) -> Inner:
    """New code of the functions that would stop the context."""
    basis = draft.basis
    held = (basis.program.target, *basis.program.reading.contexts)
    contexts = {node.id for node in held if isinstance(node, ast.Name)}
    found = Inner()
    for module in basis.program.modules:
        for function in _uncalled(draft, module):
            names = {node.id for node in walk(function) if isinstance(node, ast.Name)}
            for parameter in function.args.args:
                calls = _stops(function, parameter.arg) if parameter.arg in contexts else []
                if not calls or basis.names.session in names - {parameter.arg}:
                    continue
                draft.need(notes=(STOPS.format(function.name),))
                stop = f"{basis.names.session}.stop()"
                renamed = ((parameter, basis.names.session),)
                found |= Inner(tuple((call, stop) for call in calls), renamed=renamed)
    return found


def _uncalled(draft: Draft, module: Module) -> Iterator[ast.FunctionDef]:
    """The functions at the top of a module that nothing reads, in no other module either."""
    program, trace = draft.basis.program, draft.basis.trace
    taken = trace.taken.of_module(module)
    for function in (node for node in module.tree.body if isinstance(node, ast.FunctionDef)):
        name = function.name
        if function.decorator_list or name in taken or trace.taken.attribute_elsewhere(name, ()):
            continue
        everywhere = [draft.basis.facts.of(one.tree) for one in program.modules]
        if not any(name in facts.loads or is_text(name, facts) for facts in everywhere):
            yield function


def _stops(function: ast.FunctionDef, context: str) -> list[ast.Call]:
    """The calls that stop a context and its SparkContext; none if something else is done with it."""
    nodes = walk(function)
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id == context]
    calls = [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "stop"
        and node.func.value in uses
    ]
    given = [one for call in calls for one in (*call.args, *(word.value for word in call.keywords))]
    whole = all(isinstance(one, ast.Constant) and one.value is True for one in given)
    return calls if whole and len(calls) == len(uses) else []
