"""``FlumeUtils.createPollingStream``: the data source for Flume of `compat.sources`, which asks agents."""

from __future__ import annotations

import ast

from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.rules import _flume as flume
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted

PARAMETERS = ("ssc", "addresses", "storageLevel", "maxBatchSize", "parallelism", "bodyDecoder")


@register
class FlumeCreatePollingStream(SourceRule):
    """The addresses of sinks, how many events to ask for, and of how many sinks at a time."""

    operator = "flumeCreatePollingStream"
    summary = "createPollingStream becomes readStream of the data source in compat.sources, from Spark 4 on"
    repeats = True
    examples = (
        Example(
            'events = FlumeUtils.createPollingStream(ssc, [("agent", 4141), ("other", 4141)])\n'
            "events.map(lambda event: event[1]).pprint()",
            "spark.dataSource.register(FlumeSource)\n"
            'events = spark.readStream.format("flume").options(addresses="agent:4141,other:4141").load()'
            '.select(F.decode("body", "UTF-8").alias("body"))',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments(*PARAMETERS)
        if "addresses" not in found:
            raise step.blocked("its addresses are missing")
        limits = [name for name in ("maxBatchSize", "parallelism") if name in found]
        options = [f"{name}={quoted(found[name])}" for name in limits]
        return flume.events(step, [f"addresses={_joined(found['addresses'])}", *options], found)


def _joined(addresses: ast.expr) -> str:
    """Code for ``host:port,host:port``."""
    try:
        pairs = [(host, port) for host, port in ast.literal_eval(addresses)]
    except (ValueError, TypeError):
        return f'",".join(f"{{host}}:{{port}}" for host, port in {quoted(addresses)})'
    return f'"{",".join(f"{host}:{port}" for host, port in pairs)}"'
