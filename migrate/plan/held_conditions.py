"""Conditions on lists that the program fills before it starts: they are made once, above the batch function.

    in_words = F.col("word").isin(*words)

Each item of such a list becomes a literal by a call of the JVM. For thousands of them that takes seconds, in
each batch if the batch function makes the condition.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.frozen import replace
from migrate.plan.attempt import Attempt
from migrate.plan.code import PlannedModule
from migrate.proofs.column_names import column_scope
from migrate.proofs.facts import Facts
from migrate.proofs.settled import settled
from migrate.syntax.nodes import of_kinds, position

_MARK = ".isin(*"
_FUNCTIONS = "F"


def with_held_conditions(attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The new code with such conditions above the batch function, named after their lists.

    Args:
        attempt: gives the names.
        changes: all new code.
    """
    function = changes.function
    if function is None:
        return changes
    facts, place = attempt.basis.facts.of(function.place), function.place.lineno
    texts = [text for written in function.body for text in written.texts() if _MARK in text]
    found = dict(condition for text in texts for condition in _conditions(text))
    held = {
        code: attempt.fresh(f"in_{name}") for code, name in found.items() if _is_filled(name, place, facts)
    }
    if not held:
        return changes

    def by_name(text: str) -> str:
        for code, name in held.items():
            text = text.replace(code, name)
        return text

    made = (f"{name} = {code}" for code, name in held.items())
    body = tuple(written.with_texts(by_name) for written in function.body)
    return replace(changes, function=replace(function, body=body, above=(*made, *function.above)))


def _conditions(text: str) -> Iterator[tuple[str, str]]:
    """The conditions in new code that read nothing of a batch, with the names of their lists."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # the head of a block
        return
    for node in sorted(of_kinds(tree, ast.Call), key=position):
        match node:
            case ast.Call(ast.Attribute(column, "isin"), [ast.Starred(ast.Name(name))]):
                read = {part.id for part in ast.walk(column) if isinstance(part, ast.Name)}
                code = ast.get_source_segment(text, node)
                if read == {_FUNCTIONS} and code is not None:
                    yield code, name


def _is_filled(name: str, line: int, facts: Facts) -> bool:
    """Whether a list has all of its items above a line."""
    scope = column_scope(line, facts)
    return any(settled(load, line, scope, facts) is not None for load in facts.loads.get(name, ()))
