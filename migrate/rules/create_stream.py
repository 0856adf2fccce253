"""``KafkaUtils.createStream``: the Kafka source; ZooKeeper's address has no counterpart."""

from __future__ import annotations

from migrate.columns import Helper
from migrate.plan.outputs import Input
from migrate.plan.step import Step
from migrate.rules import _kafka as kafka
from migrate.rules import _options as options
from migrate.rules._rule import Example, SourceRule, register

PARAMETERS = (
    *("ssc", "zkQuorum", "groupId", "topics", "kafkaParams", "storageLevel", "keyDecoder", "valueDecoder"),
)
SETTING = "KAFKA_BOOTSTRAP_SERVERS"
NO_BROKERS = (
    "the program names ZooKeeper, and a query needs Kafka's brokers: set the environment variable "
    f"{SETTING} to host:port,..., or migrate with --bootstrap-servers"
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
            f'{SETTING} = os.environ["{SETTING}"]\n'
            'messages = (\n    spark.readStream.format("kafka")\n'
            f'    .option("kafka.bootstrap.servers", {SETTING})\n'
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
        rows = [
            f'option("kafka.bootstrap.servers", {self._brokers(step, given)})',
            f'option("subscribe", {options.subscribed(step, found["topics"])})',
            *options.from_there(options.starting(step, given)),
            *options.limit(step, options.RECEIVER_RATE, 1),
        ]
        return kafka.source(step, rows, given, decoded, [GROUP_STARTS], sure=False)

    def _brokers(self, step: Step, given: dict[str, options.Parameter]) -> str:
        """The brokers that the parameters name, or the user; else a setting at the top of the program."""
        named = options.brokers(given)
        if named is not None:
            return named
        if step.options.bootstrap_servers:
            return f'"{step.options.bootstrap_servers}"'
        step.note(NO_BROKERS)
        if SETTING not in step.known.settings:
            name = step.fresh(SETTING, anywhere=True)
            step.need(settings={SETTING: Helper(name, f'{name} = os.environ["{SETTING}"]')})
            step.imports("os")
        return step.known.settings[SETTING].name
