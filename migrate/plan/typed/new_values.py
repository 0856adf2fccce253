"""Functions that alone hold what they are given, and may change it: a dict that the one before them made.

def scored(tweet):
    tweet["score"] = len(tweet["text"])
    return tweet

lines.map(json.loads).map(scored)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from migrate.columns.element import Scope
from migrate.proofs.analysis.facts import Facts
from migrate.typed import Held, given_back


def scope_of_new(scope: Scope, function: ast.expr, makers: Sequence[ast.expr], facts: Facts) -> Scope:
    """The scope for a function of elements, which may change them if nothing else holds them.

    Args:
        scope: the names that it reads.
        function: the function.
        makers: the functions of the maps before it, from the source on.
        facts: the names of the module.
    """
    if any(facts.of(maker) is not facts.of(function) for maker in makers):
        return scope
    held = Held.NOTHING
    for maker in makers:
        held = given_back(maker, [held], scope)
    return replace(scope, new=(held,)) if held else scope
