"""``KinesisUtils.createStream``: with ``--kinesis``, Amazon's source for Kinesis or that of Databricks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from migrate.columns import column_named
from migrate.columns.shapes import Str
from migrate.model import Options
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.rules import _kafka as kafka
from migrate.rules import _receivers as receivers
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

PARAMETERS = (
    *("ssc", "kinesisAppName", "streamName", "endpointUrl", "regionName", "initialPositionInStream"),
    *("checkpointInterval", "metricsLevel", "storageLevel", "awsAccessKeyId", "awsSecretKey", "decoder"),
    *("stsAssumeRoleArn", "stsSessionName", "stsExternalId"),
)
"""As PySpark 3 and later have them; before that there was no `metricsLevel`."""
_LEVEL = 7
"""The position of `metricsLevel`, and of `storageLevel` before PySpark 3."""
NOT_CHOSEN = "Amazon and Databricks have a source each for Kinesis: --kinesis aws or databricks names the one"
NO_EXTERNAL_ID = "Amazon's source has no option for an external id of a role"
NO_ORDER = "the order in which records came is not promised by sources for Kinesis"
POSITION = "its initial position is neither `InitialPositionInStream.LATEST` nor `TRIM_HORIZON`"
STARTS = (
    "the query does not read the DynamoDB table {table}, from which DStream went on: it begins at its "
    "initial position, and does so again at a restart unless it gets a checkpointLocation"
)
AGGREGATED = "check that the source takes apart what the Kinesis Producer Library aggregates, as DStream did"
LIMITED = "the source reads at most 100,000 records of a shard in a batch: kinesis.maxFetchRecordsPerShard"


@dataclass(frozen=True)
class _Source:
    """A source for Kinesis: its format, and the names of its options by those of the old parameters."""

    format: str
    options: Mapping[str, str]
    position: str
    needed: str


_SOURCES = {
    "aws": _Source(
        "aws-kinesis",
        {
            "streamName": "kinesis.streamName",
            "endpointUrl": "kinesis.endpointUrl",
            "regionName": "kinesis.region",
            "awsAccessKeyId": "kinesis.awsAccessKeyId",
            "awsSecretKey": "kinesis.awsSecretKey",
            "stsAssumeRoleArn": "kinesis.stsRoleArn",
            "stsSessionName": "kinesis.stsSessionName",
        },
        "kinesis.startingPosition",
        "start it with Amazon's source for Kinesis, the jar of awslabs/spark-sql-kinesis-connector: EMR has "
        "it since release 7.1",
    ),
    "databricks": _Source(
        "kinesis",
        {
            "streamName": "streamName",
            "endpointUrl": "endpoint",
            "regionName": "region",
            "awsAccessKeyId": "awsAccessKey",
            "awsSecretKey": "awsSecretKey",
            "stsAssumeRoleArn": "roleArn",
            "stsSessionName": "roleSessionName",
            "stsExternalId": "roleExternalId",
        },
        "initialPosition",
        "run it on Databricks, whose runtime has this source for Kinesis",
    ),
}


@register
class KinesisCreateStream(SourceRule):
    """Stream, region, endpoint, position and credentials become options."""

    operator = "kinesisCreateStream"
    summary = "createStream of Kinesis becomes readStream of the source that --kinesis names"
    repeats = True
    examples = (
        Example(
            'KinesisUtils.createStream(ssc, "clicks-app", "clicks", '
            '"https://kinesis.us-east-1.amazonaws.com", "us-east-1", InitialPositionInStream.LATEST, 10)',
            'records = (\n    spark.readStream.format("aws-kinesis")\n'
            '    .option("kinesis.streamName", "clicks")\n'
            '    .option("kinesis.endpointUrl", "https://kinesis.us-east-1.amazonaws.com")\n'
            '    .option("kinesis.region", "us-east-1")\n'
            '    .option("kinesis.startingPosition", "LATEST")\n'
            '    .load()\n    .select(F.decode("data", "UTF-8").alias("value"))\n)',
        ),
    )

    def refuses_all(self, options: Options) -> str | None:
        return None if options.kinesis else NOT_CHOSEN

    def load(self, step: Step) -> Input:
        if not step.options.kinesis:
            raise step.blocked(NOT_CHOSEN)
        if step.choices.in_order:
            raise step.blocked(NO_ORDER)
        source = _SOURCES[step.options.kinesis]
        found = _arguments(step)
        for name in ("streamName", "endpointUrl", "regionName", "initialPositionInStream"):
            if name not in found:
                raise step.blocked(f"its argument `{name}` is missing")
        place = step.operation.repeated
        if place is not None:
            receivers.check_alike(step, place, found.values())
        position = Call("option", f'"{source.position}", "{_position(step, found)}"')
        rows = [*_options(step, source, found), position]
        step.must_change(source.needed)
        table = step.shown(found["kinesisAppName"]) if "kinesisAppName" in found else "of its application"
        notes = [
            STARTS.format(table=table),
            AGGREGATED,
            *([LIMITED] if source.format == "aws-kinesis" else []),
        ]
        read = (Call("readStream"), Call("format", f'"{source.format}"'), *rows, Call("load", ""))
        decoder = found.get("decoder")
        if decoder is None or kafka.is_default(step, decoder):
            selected = Call("select", kafka.column(step, "data", "value"))
            element = column_named("value", Str())
            shared = place is not None
            return Input("records", (*read, selected), element, notes=tuple(notes), is_shared=shared)
        made = Call("map", f"lambda row: {kafka.decoded_by(step, decoder, 'row.data')}")
        return Input(
            "records",
            (*read, Call("select", '"data"')),
            None,
            rdd=(Call("rdd"), made),
            notes=tuple(notes),
            is_shared=place is not None,
        )


def _arguments(step: Step) -> dict[str, ast.expr]:
    """The arguments by their names; PySpark 2 had the storage level in the place of the metrics' one."""
    call = step.operation.call
    given = call.args[_LEVEL : _LEVEL + 1]
    if given and _is_of(step, given[0], "StorageLevel"):
        return step.arguments(*PARAMETERS[:_LEVEL], *PARAMETERS[_LEVEL + 1 :])
    if len(call.args) > _LEVEL + 1 and not _is_of(step, given[0], "MetricsLevel"):
        raise step.blocked("whether its 8th argument is a level of storage or of metrics is not known")
    return step.arguments(*PARAMETERS)


def _is_of(step: Step, node: ast.expr, cls: str) -> bool:
    """Whether an argument is ``StorageLevel.MEMORY_ONLY``."""
    return isinstance(node, ast.Attribute) and f".{cls}" in (step.facts.qualified(node.value) or "")


def _options(step: Step, source: _Source, found: Mapping[str, ast.expr]) -> Iterator[Call]:
    external = found.get("stsExternalId")
    if external is not None and not is_none(external) and "stsExternalId" not in source.options:
        raise step.blocked(NO_EXTERNAL_ID)
    for name, option in source.options.items():
        node = found.get(name)
        if node is not None and not is_none(node):
            value = _url(node) if name == "endpointUrl" else quoted(node)
            yield Call("option", f'"{option}", {value}')


def _url(node: ast.expr) -> str:
    """The endpoint, by https if it does not say."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "://" not in node.value:
        return f'"https://{node.value}"'
    return quoted(node)


def _position(step: Step, found: Mapping[str, ast.expr]) -> str:
    node = found["initialPositionInStream"]
    name = node.attr if isinstance(node, ast.Attribute) else ""
    if name not in ("LATEST", "TRIM_HORIZON") or not _is_of(step, node, "InitialPositionInStream"):
        raise step.blocked(POSITION)
    return name if step.options.kinesis == "aws" else name.lower()
