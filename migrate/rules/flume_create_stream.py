"""``FlumeUtils.createStream``: the data source for Flume of `compat.sources`, which listens."""

from __future__ import annotations

import ast

from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.rules import _flume as flume
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted

PARAMETERS = ("ssc", "hostname", "port", "storageLevel", "enableDecompression", "bodyDecoder")


@register
class FlumeCreateStream(SourceRule):
    """Bodies as text, in columns as long as nothing reads the headers."""

    operator = "flumeCreateStream"
    summary = "createStream of Flume becomes readStream of the data source in compat.sources, from Spark 4 on"
    repeats = True
    examples = (
        Example(
            'FlumeUtils.createStream(ssc, "localhost", 4141).map(lambda event: event[1]).pprint()',
            "spark.dataSource.register(FlumeSource)\n"
            'events = spark.readStream.format("flume").options(hostname="localhost", port=4141).load()'
            '.select(F.decode("body", "UTF-8").alias("body"))',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments(*PARAMETERS)
        if "hostname" not in found or "port" not in found:
            raise step.blocked("its hostname or port is missing")
        options = [f"{name}={quoted(found[name])}" for name in ("hostname", "port")]
        compressed = found.get("enableDecompression")
        if compressed is not None and not (
            isinstance(compressed, ast.Constant) and compressed.value is False
        ):
            options.append(f"compressed={quoted(compressed)}")
        return flume.events(step, options, found)
