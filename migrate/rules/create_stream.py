"""``KafkaUtils.createStream``: the Kafka source; ZooKeeper's address has no counterpart."""

from __future__ import annotations

from dataclasses import replace

from migrate.plan.outputs import Input
from migrate.plan.step import Step
from migrate.rules import _kafka as kafka
from migrate.rules import _options as options
from migrate.rules import _zookeeper as zookeeper
from migrate.rules._register import Example, SourceRule, register

PARAMETERS = (
    *("ssc", "zkQuorum", "groupId", "topics", "kafkaParams", "storageLevel", "keyDecoder", "valueDecoder"),
)
GROUP_STARTS = (
    "after a restart the old program went on where its group had left off; the query begins with the newest "
    "messages, or where startingOffsets says, unless it gets a checkpointLocation"
)


@register
class CreateStream(SourceRule):
    """The Kafka source has no receiver and does not read the group's offsets in ZooKeeper."""

    operator = "createStream"
    summary = "createStream becomes readStream of the Kafka source, at the brokers instead of ZooKeeper"
    examples = (
        Example(
            'messages = KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {"pages": 1})',
            'brokers = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")\n'
            "if not brokers:\n"
            "    raise SystemExit(\"KAFKA_BOOTSTRAP_SERVERS must name Kafka's brokers: "
            'host:port,...")\n'
            'messages = (\n    spark.readStream.format("kafka")\n'
            '    .option("kafka.bootstrap.servers", brokers)\n'
            '    .option("subscribe", "pages")\n    .load()\n'
            "    .select("
            'F.decode("key", "UTF-8").alias("key"), F.decode("value", "UTF-8").alias("value"))\n)',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments(*PARAMETERS)
        if "topics" not in found:
            raise step.blocked("its topics are missing")
        given = options.parameters(step, found.get("kafkaParams"))
        decoded = kafka.decoded(step, found)
        before: tuple[str, ...] = ()
        brokers = options.brokers(given)
        if brokers is None:
            brokers, before = zookeeper.brokers(step, found.get("zkQuorum"))
        rows = [
            f'option("kafka.bootstrap.servers", {brokers})',
            f'option("subscribe", {options.subscribed(step, found["topics"])})',
            *options.from_there(options.starting(step, given)),
            *options.limit(step, options.RECEIVER_RATE, 1),
        ]
        made = kafka.source(step, rows, given, decoded, [GROUP_STARTS], sure=False)
        return replace(made, before=before)
