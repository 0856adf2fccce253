"""Every rule is documented, and is found by the operator that it is in charge of."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import migrate.rules
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options
from migrate.rules import Example, RuleInfo, all_rules, rule_for
from migrate.rules.update_state_by_key import UpdateStateByKey
from tests.migrate.programs import native_body, run, whole_program


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_a_rule_is_documented_and_named_after_its_file(rule: RuleInfo) -> None:
    assert (Path(migrate.rules.__file__).parent / f"{rule.id}.py").is_file()
    assert rule.summary and "\n" not in rule.summary
    assert rule.examples
    for example in rule.examples:
        ast.parse(example.before)
    found = rule_for(rule.operator)
    assert found is not None and found.id == rule.id


OPERATORS = [
    pytest.param(example, id=rule.id)
    for rule in all_rules()
    for example in rule.examples
    if "ssc" not in example.before
    and "stays on compat" not in rule.summary
    and rule.id != "update_state_by_key"
]


@pytest.mark.parametrize("example", OPERATORS)
def test_an_example_is_what_the_rule_makes(example: Example) -> None:
    """The examples are for Spark 4; what 3.5 needs more, as for exact sums, is run on it."""
    options = Options(spark=SparkVersion("4.3.0", "the examples' version"))
    assert native_body(example.before, options) == example.after


@pytest.mark.parametrize("example", UpdateStateByKey.examples)
def test_an_example_of_a_state_is_what_the_rule_makes(example: Example) -> None:
    """Its aggregation stands outside of the batch function."""
    (found,) = run(whole_program(example.before)).files
    rows = [row for row in found.new.splitlines() if row.strip()]
    expected = [row for row in example.after.splitlines() if row.strip()]
    assert expected == rows[rows.index(expected[0]) :][: len(expected)]
