"""``MQTTUtils.createStream``: the data source for MQTT of `compat.sources`."""

from __future__ import annotations

import ast

from migrate.columns import column_named
from migrate.columns.shapes import Str
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.rules._received import MQTT_SOURCE, source
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

PARAMETERS = ("ssc", "brokerUrl", "topic", "username", "password", "storageLevel")
OTHER_LEVEL = "what it is given in the place of the user is not known to be a storage level or a name"


@register
class MqttCreateStream(SourceRule):
    """Messages as text; Spark 1.6 had the storage level in the place of the user."""

    operator = "mqttCreateStream"
    summary = "createStream of MQTT becomes readStream of the data source in compat.sources, from Spark 4 on"
    repeats = True
    examples = (
        Example(
            'messages = MQTTUtils.createStream(ssc, "tcp://localhost:1883", "doors/front")',
            "spark.dataSource.register(MqttSource)\n"
            "messages = (\n"
            '    spark.readStream.format("mqtt")\n'
            '    .options(broker="tcp://localhost:1883", topic="doors/front")\n'
            '    .load()\n    .select("value")\n'
            ")",
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments(*PARAMETERS)
        if "brokerUrl" not in found or "topic" not in found:
            raise step.blocked("its broker or topic is missing")
        element = column_named("value", Str())
        place = [f"broker={quoted(found['brokerUrl'])}", f"topic={quoted(found['topic'])}"]
        # the topic goes: a batch may be handed on as it is
        return source(step, MQTT_SOURCE, [*place, *_user(step, found)], element, ('"value"',))


def _user(step: Step, found: dict[str, ast.expr]) -> list[str]:
    """The options for a user and a password, if there are any."""
    user, password = found.get("username"), found.get("password")
    if user is None or is_none(user) or _is_level(step, user):
        return []
    if isinstance(user, ast.Name | ast.Attribute) and password is None and "username" not in _named(step):
        raise step.blocked(OTHER_LEVEL)
    given = [f"username={quoted(user)}"]
    if password is not None and not is_none(password):
        given.append(f"password={quoted(password)}")
    return given


def _named(step: Step) -> set[str | None]:
    return {keyword.arg for keyword in step.operation.call.keywords}


def _is_level(step: Step, node: ast.expr) -> bool:
    """Whether an argument is ``StorageLevel.MEMORY_ONLY``."""
    return isinstance(node, ast.Attribute) and ".StorageLevel" in (step.facts.qualified(node.value) or "")
