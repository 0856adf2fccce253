"""Names that new code imports, which a module must not have for something else."""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.graph.blocked import Blocked
from migrate.knowledge.data_types import IMPORTED
from migrate.proofs.analysis.facts import Facts

OURS = {
    "F": ("pyspark.sql.functions",),
    "SparkSession": ("pyspark.sql.SparkSession", "pyspark.sql.session.SparkSession"),
    "FlumeSource": ("compat.sources.FlumeSource", "compat.sources.flume.FlumeSource"),
    "MqttSource": ("compat.sources.MqttSource", "compat.sources.mqtt.MqttSource"),
    "deque": ("collections.deque",),
    "reduce": ("functools.reduce",),
    "DataFrame": ("pyspark.sql.DataFrame", "pyspark.sql.dataframe.DataFrame"),
    "RDD": ("pyspark.RDD", "pyspark.rdd.RDD"),
    **{name: (f"pyspark.sql.types.{name}",) for name in IMPORTED},
    "json": ("json",),
    "os": ("os",),
    "tempfile": ("tempfile",),
    "traceback": ("traceback",),
}
"""Names that new code may import, and what they may be imports of already."""


def check_names(facts: Facts, imports: Container[str]) -> None:
    """Refuse an import whose name means something else in this file.

    Raises:
        Blocked: one is.
    """
    for name, wanted in OURS.items():
        for binding in facts.bindings.get(name, ()) if name in imports else ():
            if not isinstance(binding, ast.alias) or facts.imported(binding) not in wanted:
                raise Blocked(f"`{name}` is the name of something else in this file")
        if name in imports and facts.starred_as(name) - {*wanted}:
            raise Blocked(f"`{name}` is the name of something else in this file, by a star import")
