"""Rows of a typed function that all outputs are made of: they are computed once, and persisted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.frozen import replace
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Call, Chain, Written
from migrate.syntax.code_names import names_in_code

_SEVERAL = 2
_SUFFIX = re.compile(r"_udf(_\d+)?$")


def computed_once(draft: Draft, attempt: Attempt) -> str:
    """Put the calls by which all chains of the batch begin above the first of them.

    ``words = batch.select(words_udf("value").alias("word"))``, where nothing else reads the batch.

    Args:
        draft: gets the statement.
        attempt: gives its variable a name.

    Returns:
        the variable; empty where no typed function is called by all of them.
    """
    batch, statements = draft.basis.names.batch, draft.body.statements
    reading = [one for one in statements if batch in names_in_code(*one.texts()).taken]
    chains = [one.code for one in reading if isinstance(one.code, Chain) and not one.when]
    if len(chains) != len(reading) or len(chains) < _SEVERAL:
        return ""
    if any(chain.base != batch or batch in names_in_code(*_codes(chain.calls)).taken for chain in chains):
        return ""
    shared, called = _shared(chains, _functions(draft))
    if not called:
        return ""
    name = _SUFFIX.sub("", called)
    variable = attempt.fresh(name)
    if variable != name:  # the program has a function or variable of that name
        variable = attempt.fresh("rows")
    place = statements.index(reading[0])
    for one, chain in zip(reading, chains, strict=True):
        calls = list(chain.calls[len(shared) :])
        if one is not reading[0]:
            gone = tuple(old for call in chain.calls[: len(shared)] for old in call.origin)
            calls[0] = replace(calls[0], origin=(*gone, *calls[0].origin))
        at = statements.index(one)
        statements[at] = replace(one, code=replace(chain, base=variable, calls=tuple(calls)))
    statements.insert(place, Written(Chain(batch, shared, target=variable)))
    return variable


def _functions(draft: Draft) -> list[str]:
    """The names of the typed functions that give the same each time."""
    return [name for (_, code), name in draft.needs.named.items() if code not in draft.needs.changing]


def _shared(chains: Sequence[Chain], functions: Sequence[str]) -> tuple[tuple[Call, ...], str]:
    """The calls that chains have in common, up to the last of a typed function, and the name of that."""
    most = min(len(chain.calls) for chain in chains) - 1
    found, called = 0, ""
    for number, calls in enumerate(zip(*(chain.calls[:most] for chain in chains), strict=True), 1):
        if len({call.code for call in calls}) > 1:
            break
        names = [name for name in functions if name in names_in_code(calls[0].code).taken]
        found, called = (number, names[0]) if names else (found, called)
    return chains[0].calls[:found], called


def _codes(calls: Sequence[Call]) -> list[str]:
    return [call.code for call in calls]
