"""``MQTTUtils.createPairedStream``: the data source for MQTT of `compat.sources`, with topics."""

from __future__ import annotations

from migrate.columns import Record, column_named
from migrate.columns.shapes import Str
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.rules._received import MQTT_SOURCE, source
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted


@register
class MqttCreatePairedStream(SourceRule):
    """Pairs of topic and text."""

    operator = "mqttCreatePairedStream"
    summary = "createPairedStream becomes readStream of the data source in compat.sources, from Spark 4 on"
    examples = (
        Example(
            'messages = MQTTUtils.createPairedStream(ssc, "tcp://localhost:1883", ["doors/#"])',
            "spark.dataSource.register(MqttSource)\n"
            'messages = spark.readStream.format("mqtt").options('
            'broker="tcp://localhost:1883", topics="\\n".join(["doors/#"])).load()',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments("ssc", "brokerUrl", "topics", "storageLevel")
        if "brokerUrl" not in found or "topics" not in found:
            raise step.blocked("its broker or topics are missing")
        place = [f"broker={quoted(found['brokerUrl'])}", f'topics="\\n".join({quoted(found["topics"])})']
        pair = Record((column_named("topic", Str()), column_named("value", Str())))
        return source(step, MQTT_SOURCE, place, pair)
