"""The outputs of a module's statements."""

from __future__ import annotations

import pytest
from pyspark import SparkContext

from compat.testing import Case, Output, run
from tests.statements import Statement


# That DStreams do what the statements say stays true once it was seen: it is shown again in the full run. The
# default run has operators on both engines in test_differential.py and test_pipelines.py.
@pytest.fixture(scope="module", params=[pytest.param("rdd", marks=pytest.mark.full), "structured"])
def outputs(request: pytest.FixtureRequest, spark_context: SparkContext) -> dict[str, Output]:
    """What the module's statements give, by their sentences.

    Statements about few batches run in one context and those about many in another, because each stream of a
    context costs time in each of its batches.
    """
    statements: list[Statement] = request.module.STATEMENTS
    few = [statement for statement in statements if max(statement.expected) <= FEW_BATCHES]
    many = [statement for statement in statements if max(statement.expected) > FEW_BATCHES]
    return _run(few, spark_context, request.param) | _run(many, spark_context, request.param)


FEW_BATCHES = 4


def _run(statements: list[Statement], spark_context: SparkContext, engine: str) -> dict[str, Output]:
    if not statements:
        return {}
    last = max(max(statement.expected) for statement in statements)
    cases = [Case(s.build, [b[:last] for b in s.inputs], max(s.expected)) for s in statements]
    inputs = max(len(batches) for case in cases for batches in case.inputs)
    got = run(cases, spark_context, engine=engine, drain=last - inputs)
    return {str(statement): output for statement, output in zip(statements, got, strict=True)}
