"""``KafkaUtils.createDirectStream``: the Kafka source, with parameters as options."""

from __future__ import annotations

import ast

from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.plan.query.restarts import FIRST_FROM_STORE
from migrate.rules import _kafka as kafka
from migrate.rules import _options as options
from migrate.rules._message import handled
from migrate.rules._offsets import assigned, drop_unread
from migrate.rules._register import Example, SourceRule, register, to_console
from migrate.syntax.tree import is_none

BATCHES = "it begins where a store of its own says, which is native in batches only"
PARAMETERS = (
    *("ssc", "topics", "kafkaParams", "fromOffsets", "keyDecoder", "valueDecoder"),
    "messageHandler",
)


@register
class CreateDirectStream(SourceRule):
    """Topics, brokers and offsets become options; keys and values are decoded as Python decodes them."""

    operator = "createDirectStream"
    summary = "createDirectStream becomes readStream of the Kafka source"
    repeats = True
    examples = (
        Example(
            'params = {"metadata.broker.list": "broker:9092", "auto.offset.reset": "smallest"}\n'
            'messages = KafkaUtils.createDirectStream(ssc, ["pages"], params)',
            'params = {"metadata.broker.list": "broker:9092", "auto.offset.reset": "smallest"}\n'
            'messages = (\n    spark.readStream.format("kafka")\n'
            '    .option("kafka.bootstrap.servers", params["metadata.broker.list"])\n'
            '    .option("subscribe", "pages")\n    .option("startingOffsets", "earliest")\n'
            "    .load()\n"
            "    .select("
            'F.decode("key", "UTF-8").alias("key"), F.decode("value", "UTF-8").alias("value"))\n)',
        ),
        Example(
            'errors = messages.map(lambda message: message[1]).filter(lambda line: "ERROR" in line)\n'
            "errors.pprint()",
            'errors = messages.where(F.col("value").contains("ERROR"))\n' + to_console("errors"),
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments(*PARAMETERS)
        if "topics" not in found or "kafkaParams" not in found:
            raise step.blocked("its topics or its Kafka parameters are missing")
        given = options.parameters(step, found["kafkaParams"])
        brokers = options.brokers(given)
        if brokers is None:
            raise step.blocked("its Kafka parameters name no brokers")
        partitions, fixed = self._partitions(step, found, given)
        rows = [Call("option", f'"kafka.bootstrap.servers", {brokers}'), *partitions]
        handler = found.get("messageHandler")
        plain = handler is None or is_none(handler)
        decoded = kafka.decoded(step, found) if handler is None or plain else handled(step, handler, found)
        told = [] if fixed else [kafka.LATEST]
        topic = "fromOffsets" not in found and options.is_single(found["topics"])
        return kafka.source(step, rows, given, decoded, told, sure=True, topic=topic)

    def _partitions(
        self, step: Step, found: dict[str, ast.expr], given: dict[str, options.Parameter]
    ) -> tuple[list[Call], bool]:
        """The topics or partitions to read; offsets name their partitions, and the stream has no others.

        Returns:
            The options, and whether a new query begins where they say, whenever it is started.
        """
        offsets = found.get("fromOffsets")
        none = is_none(offsets) or (isinstance(offsets, ast.Dict) and not offsets.keys)
        kept = step.operation in step.program.offsets.sources
        if offsets is not None and not (none or kept):
            rows, count = assigned(step, offsets)
            return [*rows, *options.limit(step, options.RATE_SETTING, count)], True
        drop_unread(step)
        rows = [Call("option", f'"subscribe", {options.subscribed(step, found["topics"], ast.List)}')]
        start = options.starting(step, given)
        if kept:
            if step.options.trigger.is_by_record:
                raise step.blocked(BATCHES)
            newest = start in (None, options.LATEST)
            first = "oldest" if start == options.EARLIEST else "newest" if newest else "oldest or newest"
            step.must_change(FIRST_FROM_STORE.format(start=first))
        return [*rows, *options.from_there(start)], kept or start == options.EARLIEST
