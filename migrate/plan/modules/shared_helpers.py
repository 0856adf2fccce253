"""Functions that a module has already, as another program in it was given the same."""

from __future__ import annotations

from collections.abc import Mapping

from migrate.frozen import replace
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.code_names import with_names


def with_shared_helpers(part: PlannedModule, there: Mapping[str, str]) -> PlannedModule:
    """The new code of a module that calls the functions which are there, in place of others alike.

    Args:
        part: the new code of one program.
        there: the names of the functions that the programs before it were given, by what they do.
    """
    alike = {one.name: there[one.of] for one in part.helpers if one.of in there}
    others = {one.name for one in (*part.helpers, *part.settings)} - alike.keys()
    while calling := [
        one.name for one in part.helpers if one.name in alike and not others.isdisjoint(one.calls)
    ]:
        others |= {*calling}
        alike = {name: other for name, other in alike.items() if name not in others}
    if not alike:
        return part
    part = replace(part, helpers=tuple(one for one in part.helpers if one.name not in alike))
    return part.with_texts(lambda text: with_names(text, alike))


def with_helpers_of(part: PlannedModule, there: Mapping[str, str]) -> dict[str, str]:
    """The functions that are there, with those that a program is given."""
    return {**{one.of: one.name for one in part.helpers}, **there}
