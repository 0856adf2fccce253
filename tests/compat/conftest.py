"""The outputs of a module's statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from compat.testing import Case, Output, run
from tests.statements import Statement


# That DStreams do what the statements say stays true once it was seen: it is shown again in the full run. The
# default run has operators on both engines in test_differential.py and test_pipelines.py.
@pytest.fixture(scope="module", params=[pytest.param("rdd", marks=pytest.mark.full), "structured"])
def outputs(request: pytest.FixtureRequest, spark_context: SparkContext) -> dict[str, Output]:
    """What the module's statements give, by their sentences."""
    return Outputs(request.module.STATEMENTS, lambda group: _run(group, spark_context, request.param))


@pytest.fixture
def stop_what_runs() -> Iterator[None]:
    """End the context that a test leaves running, with its query and its threads."""
    yield
    active = StreamingContext.getActive()
    if active is not None:
        active.stop(stopSparkContext=False)


FEW_BATCHES = 4


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave statements about many batches to the full run."""
    for item in items:
        statement = item.callspec.params.get("statement") if hasattr(item, "callspec") else None
        if isinstance(statement, Statement) and takes_many(statement):
            item.add_marker(pytest.mark.full)


def takes_many(statement: Statement) -> bool:
    return max(statement.expected) > FEW_BATCHES


class Outputs(dict[str, Output]):
    """The outputs of statements, which are run when they are asked for.

    Those about few batches run in one context and those about many in another, because each stream of a
    context costs time in each of its batches.
    """

    def __init__(
        self, statements: list[Statement], run_together: Callable[[list[Statement]], dict[str, Output]]
    ) -> None:
        self._statements = statements
        self._run = run_together

    def __missing__(self, sentence: str) -> Output:
        many = next(takes_many(statement) for statement in self._statements if str(statement) == sentence)
        self.update(self._run([each for each in self._statements if takes_many(each) == many]))
        return self[sentence]


def _run(statements: list[Statement], spark_context: SparkContext, engine: str) -> dict[str, Output]:
    last = max(max(statement.expected) for statement in statements)
    cases = [Case(s.build, [b[:last] for b in s.inputs], max(s.expected)) for s in statements]
    inputs = max(len(batches) for case in cases for batches in case.inputs)
    got = run(cases, spark_context, engine=engine, drain=last - inputs)
    return {str(statement): output for statement, output in zip(statements, got, strict=True)}
