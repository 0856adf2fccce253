"""The variable of the new session."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program


@pytest.mark.parametrize("taken", ["def spark(text):\n    return text", "class spark:\n    pass"])
def test_where_spark_is_a_function_it_is_session(taken: str) -> None:
    new = file(f"{taken}\n\n\n{socket_program('lines.pprint()')}").new
    assert "session = SparkSession.builder" in new
    assert "session.readStream" in new


def test_where_it_is_another_value_it_has_a_number() -> None:
    assert "spark_2 = SparkSession.builder" in file(f"spark = 1\n{socket_program('lines.pprint()')}").new
