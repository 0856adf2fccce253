"""Every rule is documented, and is found by the operator that it is in charge of."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import migrate.rules
from migrate.rules import RuleInfo, all_rules, rule_for


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_a_rule_is_documented_and_named_after_its_file(rule: RuleInfo) -> None:
    assert (Path(migrate.rules.__file__).parent / f"{rule.id}.py").is_file()
    assert rule.summary and "\n" not in rule.summary
    assert rule.examples
    for example in rule.examples:
        ast.parse(example.before)
    found = rule_for(rule.operator)
    assert found is not None and found.id == rule.id
