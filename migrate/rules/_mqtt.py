"""The common parts of the rules for MQTT: the data source of `compat.sources`, from Spark 4 on."""

from __future__ import annotations

import ast

from migrate.columns import Element
from migrate.graph.connectors import RECEIVED
from migrate.knowledge.connectors import MQTT
from migrate.plan.outputs import Input
from migrate.plan.step import Step
from migrate.syntax.quoting import quoted

NOTE = (
    "messages are received by `compat.sources`, which the driver needs; those that no batch has put out are "
    "lost in a crash, as before, unless the option `directory` says where to keep them"
)
OLDER = "Structured Streaming has no source for MQTT, and before Spark 4 none can be written in Python"
OTHER_LEVEL = "what it is given in the place of the user is not known to be a storage level or a name"
SOURCE = "MqttSource"


def source(step: Step, broker: ast.expr, options: list[str], element: Element) -> Input:
    """The data source.

    Args:
        step: the call.
        broker: the URL of the broker.
        options: the topics, and more.
        element: one element, over `topic` and `value`.

    Raises:
        Blocked: the code is for Spark 3.5.
    """
    if not step.options.spark.has_python_sources:
        raise step.blocked(OLDER)
    step.imports(SOURCE)
    step.need(requires=("compat.sources",))
    step.must_change(RECEIVED[MQTT])
    session = step.basis.session_at(step.operation.holder)
    given = ", ".join([f"broker={quoted(broker)}", *options])
    return Input(
        name="messages",
        before=(f"{session}.dataSource.register({SOURCE})",),
        calls=("readStream", 'format("mqtt")', f"options({given})", "load()"),
        element=element,
        notes=(NOTE,),
    )
