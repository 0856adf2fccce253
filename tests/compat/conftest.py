"""The outputs of a module's statements."""

from __future__ import annotations

import pytest
from pyspark import SparkContext

from compat.testing import Case, Output, run
from tests.statements import Statement


@pytest.fixture(scope="module")
def outputs(request: pytest.FixtureRequest, spark_context: SparkContext, engine: str) -> dict[str, Output]:
    """What the module's statements give, by their sentences; all of them run in one context."""
    statements: list[Statement] = request.module.STATEMENTS
    last = max(max(statement.expected) for statement in statements)
    inputs = max(len(batches) for statement in statements for batches in statement.inputs)
    cases = [Case(statement.build, statement.inputs, max(statement.expected)) for statement in statements]
    got = run(cases, spark_context, engine=engine, drain=max(last - inputs, 0))
    return {str(statement): output for statement, output in zip(statements, got, strict=True)}
