"""``KafkaUtils.createStream``: the Kafka source; ZooKeeper's address has no counterpart."""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.knowledge.streaming import WINDOWS
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.rules import _kafka as kafka
from migrate.rules import _options as options
from migrate.rules import _receivers as receivers
from migrate.rules import _zookeeper as zookeeper
from migrate.rules._register import Example, SourceRule, register

PARAMETERS = (
    *("ssc", "zkQuorum", "groupId", "topics", "kafkaParams", "storageLevel", "keyDecoder", "valueDecoder"),
)
GROUP_STARTS = (
    "give the query a `checkpointLocation` if no message may be lost between two runs: without one it begins"
    " with the newest, or where startingOffsets says; DStream went on where its group had left off"
)
GROUP_HELD = (
    "the query begins with the newest message, or where startingOffsets says, where DStream went on from its"
    " group's last one: what came between two runs is not read, nor what windows or states held of the first"
)


@register
class CreateStream(SourceRule):
    """The Kafka source has no receiver and does not read the group's offsets in ZooKeeper."""

    operator = "createStream"
    summary = "createStream becomes readStream of the Kafka source, at the brokers instead of ZooKeeper"
    repeats = True
    examples = (
        Example(
            'messages = KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {"pages": 1})',
            'messages = (\n    spark.readStream.format("kafka")\n'
            '    .option("kafka.bootstrap.servers", os.environ["KAFKA_BOOTSTRAP_SERVERS"])\n'
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
        named = options.brokers(given)
        brokers, comment = (named, "") if named else zookeeper.brokers(step, found.get("zkQuorum"))
        place = step.operation.repeated
        number = 1 if place is None else receivers.number_of(step, place)
        rows: list[Call] = [
            Call("option", f'"kafka.bootstrap.servers", {brokers}', comment=comment),
            Call("option", f'"subscribe", {_topics(step, found)}'),
            *options.from_there(options.starting(step, given)),
            *options.limit(step, options.RECEIVER_RATE, number),
        ]
        if place is not None:
            receivers.note_rate(step, options.RECEIVER_RATE, step.known.mapped)
        goes_on = step.program.recovering and not step.program.reading.starts_anew
        if not (step.options.trigger.is_backfill or goes_on):
            windows = any(one.operator in WINDOWS for one in step.program.operations)
            step.must_change(GROUP_HELD if windows or step.basis.kept else GROUP_STARTS)
        topic = place is None and options.is_single(found["topics"])
        source = kafka.source(step, rows, given, decoded, (), sure=False, topic=topic)
        return source if place is None else replace(source, is_shared=True)


def _topics(step: Step, found: dict[str, ast.expr]) -> str:
    """The code of the topics, of all receivers if there are as many as the program makes."""
    place, topics = step.operation.repeated, found["topics"]
    if place is None:
        return options.subscribed(step, topics, ast.Dict)
    receivers.check_alike(step, place, (node for name, node in found.items() if name != "topics"))
    match topics:
        case ast.Dict([ast.expr() as topic], [_]) if not receivers.is_same(topic, place):
            return receivers.joined(step, topic, place)
    if not receivers.is_same(topics, place):
        raise step.blocked(receivers.OTHERS)
    return options.subscribed(step, topics, ast.Dict)
