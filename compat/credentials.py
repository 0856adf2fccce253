"""Names in place of passwords, so that a checkpoint holds no secret.

They are written as in Spark's own settings (``ConfigReader``): ``${env:NAME}`` is a variable of the driver's
environment, ``${spark.name}`` a setting of its SparkConf. They are looked up whenever a connection is made,
in a recovered run too."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping

from pyspark import SparkContext

from compat import graph

_REFERENCE = re.compile(r"\$\{(?:env:(?P<variable>[^${}]+)|(?P<setting>spark\.[^${}]+))\}")
_OF_KAFKA = (
    "sasl.jaas.config",
    "ssl.key.password",
    "ssl.keystore.key",
    "ssl.keystore.password",
    "ssl.truststore.password",
)
"""The settings of a consumer that Kafka takes for secret: ``ConfigDef.Type.PASSWORD``."""


def resolved(text: str) -> str:
    """`text` with values in place of the names in it.

    Raises:
        ValueError: there is no variable or setting of such a name.
    """
    return _REFERENCE.sub(_value, text)


def all_resolved(settings: Mapping[str, str]) -> dict[str, str]:
    """`settings` with values in place of the names in theirs. Raises ValueError as `resolved` does."""
    return {name: resolved(value) for name, value in settings.items()}


def check(program: graph.Graph) -> None:
    """Look up every name, before the program starts. Raises ValueError as `resolved` does."""
    for node in program.nodes:
        for value in _of(node).values():
            resolved(value)


def warn_of_literals(program: graph.Graph, checkpoint: str, stacklevel: int) -> None:
    """Say which secrets the checkpoint will hold as they are."""
    for node in program.nodes:
        literal = sorted(name for name, value in _of(node).items() if not _REFERENCE.search(value))
        if literal:
            warnings.warn(
                f"the checkpoint in {checkpoint} holds {' and '.join(literal)} of {_place(node)} as they are,"
                " for who may read its files. Give a name in place of a secret, and the checkpoint has only"
                ' that: "${env:NAME}" for a variable of the environment, "${spark.name}" for a setting',
                RuntimeWarning,
                stacklevel=stacklevel + 1,
            )


def _value(reference: re.Match[str]) -> str:
    variable, setting = reference["variable"], reference["setting"]
    if variable is not None:
        found = os.environ.get(variable)
        if found is None:
            raise ValueError(f"{reference[0]}: the environment has no variable {variable}")
        return found
    context = SparkContext._active_spark_context
    value = None if context is None else context.getConf().get(setting)
    if value is None:
        raise ValueError(f"{reference[0]}: the SparkConf has no setting {setting}")
    return value


def _of(node: graph.Node) -> dict[str, str]:
    """The secrets that a node holds, or their names, by the arguments that they were given as."""
    if isinstance(node, graph.Received):
        return dict(node.receiver.credentials)
    if isinstance(node, graph.KinesisStream):
        return dict(node.application.credentials)
    if isinstance(node, graph.KafkaStream):
        return {name: node.settings[name] for name in _OF_KAFKA if name in node.settings}
    return {}


def _place(node: graph.Node) -> str:
    if isinstance(node, graph.Received):
        return str(node.receiver.place)
    if isinstance(node, graph.KinesisStream):
        return str(node.application.place)
    assert isinstance(node, graph.KafkaStream)
    return f"Kafka at {node.settings['bootstrap.servers']}"
