"""The rules, for people: one line each, or one of them with its examples before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from migrate.rules import RuleInfo


def overview(rules: Sequence[RuleInfo]) -> Iterator[Text]:
    """Every rule on a line of its own."""
    width = max((len(rule.id) for rule in rules), default=0)
    for rule in rules:
        line = Text(rule.id, style="bold")
        line.append(" " * (width - len(rule.id) + 2) + rule.summary, style="not bold")
        yield line


def details(rule: RuleInfo) -> Iterator[Text]:
    """What a rule does, with its examples as a diff."""
    yield Text(f"{rule.id} ({rule.operator})", style="bold")
    yield Text(rule.summary)
    for example in rule.examples:
        yield Text()
        yield from (Text(f"- {line}", style="red") for line in example.before.strip("\n").splitlines())
        yield from (Text(f"+ {line}", style="green") for line in example.after.strip("\n").splitlines())
