"""Dicts of no known types that an output saves to Cassandra, as rows of the types that a batch has."""

from __future__ import annotations

from migrate.columns.element import Helper
from migrate.graph.cassandra import CHECK
from migrate.graph.cassandra_dicts import TWICE, TYPES, saved_dicts, settings_of
from migrate.knowledge.cassandra import FORMAT, LIBRARY
from migrate.plan.callbacks.cassandra import check_intervals, tell_connector, value_of
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Chain


def source_of(settings: str) -> str:
    """The function that writes dicts, with what its settings are called by."""
    return f'''\
def save_dicts(rdd, keyspace, table{settings}):
    """Write dicts as rows of a table; fails where a key has values of several types."""
    first = rdd.take(100)  # the columns have the types of these
    if first:
        spark = SparkSession.builder.getOrCreate()
        rows = spark.createDataFrame(rdd, spark.createDataFrame(first).schema)
        cassandra = rows.write.format("{FORMAT}")
        cassandra.options(keyspace=keyspace, table=table{settings}).mode("append").save()'''


def saved_as_rows(step: Step, rdd: Rdd) -> Printed | None:
    """The statement of the batch function for a call of ``saveToCassandra``; None if that is not of dicts.

    Raises:
        RatherError: it is where a batch comes in every interval.
    """
    saves = saved_dicts(step.program.graph)
    save = next((one for one in saves if one.call is step.operation.call), None)
    if save is None:
        return None
    check_intervals(step)
    step.need(libraries=frozenset({LIBRARY}))
    step.imports("SparkSession")
    shown = ".".join(value_of(step, one) for one in save.arguments)
    columns = ", ".join(f"`{one}`" for one in save.columns)
    step.must_change(CHECK.format(f"`{shown}`", columns, LIBRARY), TYPES.format(f"`{shown}`"))
    step.note(TWICE.format(f"`{shown}`"))
    tell_connector(step)
    variable = step.names.rdd if rdd.calls else rdd.base
    name = step.helper(Helper("save_dicts", source_of(settings_of(saves))))
    code = Chain(f"{name}({variable}, {save.given(step.argument)})")
    return Printed(code, column=False, uses=2, variable=variable, whole=True)
