"""The common parts of the rules for MQTT and Flume: the data sources of `compat.sources`, from Spark 4 on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrate.columns import Element
from migrate.graph.connectors import RECEIVED
from migrate.knowledge.connectors import FLUME, MQTT
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call

NOTE = (
    "{} are received by `compat.sources`, which the driver needs; those that no batch has put out are "
    "lost in a crash, as before, unless the option `directory` says where to keep them"
)
OLDER = "Structured Streaming has no source for {}, and before Spark 4 none can be written in Python"


@dataclass(frozen=True)
class DataSource:
    """A data source of `compat.sources`."""

    name: str
    format: str
    connector: str
    """The module whose streams it reads."""
    label: str
    """What that is called."""
    rows: str
    """What it gives."""


MQTT_SOURCE = DataSource("MqttSource", "mqtt", MQTT, "MQTT", "messages")
FLUME_SOURCE = DataSource("FlumeSource", "flume", FLUME, "Flume", "events")


def source(
    step: Step,
    made: DataSource,
    options: Sequence[str],
    element: Element | None,
    select: Sequence[str] = (),
    rdd: tuple[Call, ...] = (),
) -> Input:
    """The data source.

    Args:
        step: the call.
        made: the data source.
        options: its options, as keyword arguments.
        element: one element, over its columns; None where `rdd` makes the elements.
        select: the columns that are selected of it; none for all.
        rdd: calls on the batch that make an RDD.

    Raises:
        Blocked: the code is for Spark 3.5.
    """
    if not step.options.spark.has_python_sources:
        raise step.blocked(OLDER.format(made.label))
    step.imports(made.name)
    step.need(requires=("compat.sources",))
    step.must_change(RECEIVED[made.connector])
    session = step.basis.session_at(step.operation.holder)
    given = Call("options", ", ".join(options))
    read = (Call("readStream"), Call("format", f'"{made.format}"'), given, Call("load", ""))
    return Input(
        name=made.rows,
        before=(f"{session}.dataSource.register({made.name})",),
        calls=(*read, Call("select", ", ".join(select))) if select else read,
        element=element,
        notes=(NOTE.format(made.rows),),
        rdd=rdd,
    )
