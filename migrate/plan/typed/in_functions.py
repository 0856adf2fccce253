"""Typed functions for functions of DataFrames that the batch function calls.

    initial_udf = F.udf(lambda word: word[0].title(), "string")


    def count_initials(words):
        words.groupBy(initial_udf("word")).count().show()

One that reads variables of such a function stands in it, above the code that calls it.
"""

from __future__ import annotations

import ast

from migrate.knowledge.streaming import STATES
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Code, text_of, with_name
from migrate.plan.new_code.inner import Inner, Put
from migrate.plan.typed.above_callbacks import are_above, has_lines
from migrate.syntax.code_names import names_in_code
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes


def function_around(step: Step) -> ast.FunctionDef | None:
    """The function of DataFrames that an operator is in; None where it is the batch function's.

    None, too, for one with a running state, which the query had better keep, without the function.
    """
    scope = step.line.scope
    if not isinstance(scope, ast.FunctionDef) or scope not in step.basis.place.per_batch:
        return None
    lines = [line for line in step.program.lines if line.scope is scope]
    has_state = any(one.operator in STATES for line in lines for one in line.operations)
    return None if has_state else scope


def put_in(step: Step, function: ast.FunctionDef, wanted: str, made: Code) -> str:
    """The name that a statement above a function or in it gives to a typed function, where `NAME` stands."""
    known = step.known.named.get((function, made))
    if known is not None:
        return known
    name = step.fresh(wanted, anywhere=True)
    named = with_name(made, name)
    place = function if _can_stand_above(function, named, step) else step.line.statement
    put = Put(named)
    step.need(inner=Inner(before=((place, put),)), named={(function, made): name})
    return name


def _can_stand_above(function: ast.FunctionDef, made: Code, step: Step) -> bool:
    """Whether all that a typed function reads is there above a function of the module."""
    facts = step.facts
    if function not in facts.tree.body or not has_lines(step):
        return False
    text = text_of(made)
    known = quotes(facts.tree)
    read, inside = {*names_in_code(text).all}, {*walk(function)}
    own = {node.arg for node in inside if isinstance(node, ast.arg)}
    if read & own or any(node in inside for name in read for node in facts.bindings.get(name, ())):
        return False
    for part in (known[name] for name in names_in(text)):
        for node in walk(part):
            home = facts.home(node) if isinstance(node, ast.Name) else None
            if home is not None and home not in {*walk(part)}:
                return False
            if isinstance(node, ast.Name) and home is None:
                read.add(node.id)
    return are_above(read, function, step)
