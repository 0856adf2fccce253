"""One file per operator of `pyspark.streaming`; the name of the file is the rule's id.

A rule gives the native form of a call: columns, where that is proven, or RDD code in the batch function.
Its examples are its documentation.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

from migrate.rules._register import Example, Rule, registered


@dataclass(frozen=True)
class RuleInfo:
    """The row of a rule that ``dstream-migrate rules`` prints."""

    id: str
    operator: str
    summary: str
    examples: tuple[Example, ...]


@cache
def load() -> dict[str, Rule]:
    """The rules by their operators; each file of them is imported once."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}")
    return registered()


def rule_for(operator: str) -> Rule | None:
    """The rule in charge of a member of `pyspark.streaming`, or None."""
    return load().get(operator)


def all_rules() -> list[RuleInfo]:
    """Every rule, ordered by id."""
    rules = sorted(load().values(), key=lambda rule: rule.id)
    return [RuleInfo(rule.id, rule.operator, rule.summary, rule.examples) for rule in rules]


__all__ = ["Example", "Rule", "RuleInfo", "all_rules", "load", "rule_for"]
