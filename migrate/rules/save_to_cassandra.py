"""``saveToCassandra``, which ``pyspark_cassandra`` adds to streams: a write with Cassandra's connector.

Both hand each value to the same converters of the connector, by the type of its column, and write null for
None. The library takes the columns of the table out of each element; a DataFrame names its columns itself.
"""

from __future__ import annotations

from migrate.columns import Refusal
from migrate.knowledge.cassandra import SAVE
from migrate.plan.callbacks.cassandra import saved
from migrate.plan.callbacks.cassandra_rows import saved_as_rows
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage
from migrate.rules._register import Example, OutputRule, register

NO_COLUMNS = "its elements are made by Python code, and no types of columns are known for them"


@register
class SaveToCassandra(OutputRule):
    """The keys of dicts are the columns; values are texts, numbers and truths, or None."""

    operator = SAVE
    summary = "saveToCassandra becomes a write with Cassandra's connector"
    examples = (
        Example(
            "import pyspark_cassandra.streaming\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            'counts.map(lambda x: {"line": x[0], "n": x[1]}).saveToCassandra("logs", "lines")',
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            "(\n"
            '    counts.toDF("line", "n")\n'
            '    .write.format("org.apache.spark.sql.cassandra")\n'
            '    .options(keyspace="logs", table="lines")\n'
            '    .mode("append")\n'
            "    .save()\n"
            ")",
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        if not isinstance(stage, Frame):
            printed = saved_as_rows(step, stage)
            if printed is None:
                raise step.blocked(NO_COLUMNS)
            return printed
        try:
            return saved(step, step.operation.call, stage)
        except Refusal as refusal:
            raise step.blocked(refusal.reason) from None
