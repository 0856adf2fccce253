from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from migrate.cli import commands
from migrate.model import Options
from migrate.rules import all_rules
from migrate.run import run_text

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_come_first() -> None:
    assert re.findall(r"^    (.+)$", README, re.MULTILINE)[:2] == [
        "python -m pip install . && dstream-migrate demo",
        'python -m pip install -e ".[test]" && python -m pytest',
    ]


def test_after_is_what_the_codemod_makes_of_before() -> None:
    before, after, *_ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert run_text(before.encode(), Options()).text().decode() == after


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (command, option)
        for command in ("check", "rewrite")
        for option in ("--target", "--unsafe", "--select", "--ignore", "--pprint", "--fail-on")
    ]
    + [("check", "--diff"), ("rewrite", "--force"), ("report", "--json"), ("verify", "--input")],
)
def test_documented_options_are_there(command: str, option: str) -> None:
    assert option in README
    found = commands.get_command(click.Context(commands), command)
    assert found is not None
    assert option in {name for parameter in found.params for name in parameter.opts}


def test_every_command_is_documented() -> None:
    for command in commands.list_commands(click.Context(commands)):
        assert f"    dstream-migrate {command} " in README or f"    dstream-migrate {command}\n" in README


def test_the_rule_in_the_settings_is_one() -> None:
    (rule,) = re.findall(r'^    ignore = \["(\w+)"\]$', README, re.MULTILINE)
    assert rule in {info.id for info in all_rules()}
