"""The command's arguments; what it does is tried on a broker, in tests/e2e/kafka."""

from __future__ import annotations

import pytest
from click import UsageError
from click.testing import CliRunner

from migrate.cli import commands


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say where the old job's offsets are"),
        (["--group", "g", "--checkpoint", "d"], "say where the old job's offsets are"),
        (["--zookeeper", "z:2181"], "say where the old job's offsets are"),
        (["--jdbc", "jdbc:x:y"], "--jdbc and --query need each other"),
        (["--group", "g", "--query", "SELECT 1"], "--jdbc and --query need each other"),
        (["--group", "g", "--commit-zookeeper", "z:2181"], "--commit-zookeeper needs --commit GROUP"),
        (["--group", "g", "--param", "sasl.jaas.config"], "--param takes NAME=VALUE"),
    ],
)
def test_arguments_that_do_not_fit(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(
        commands, ["handover", "pages", "--broker", "kafka:9092", *arguments], standalone_mode=False
    )
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)
