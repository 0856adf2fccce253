"""The rules of Spark's optimizer that the engine's plans go without."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from compat._structured.life.optimizer import EXCLUDED_RULES, needless_rules
from compat._structured.life.session import Session

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."


def _plan(session: SparkSession) -> str:
    numbers = session.range(3).select("id", F.expr("1 + 2").alias("three"), F.expr("id * 2").alias("twice"))
    java: Any = numbers.select("three").where("three > 1")._jdf
    return str(java.queryExecution().optimizedPlan().toString())


def test_the_engines_plans_keep_constants_and_lose_columns(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    plan = _plan(Session(spark_context).spark)
    assert "(1 + 2) AS three" in plan
    assert "twice" not in plan


def test_the_programs_session_has_all_rules(spark_context: SparkContext, spark: SparkSession) -> None:
    Session(spark_context)
    assert "3 AS three" in _plan(spark)


@pytest.mark.parametrize("users", ["", OPTIMIZER + "ColumnPruning"])
def test_what_the_user_excludes_stays_excluded(spark: SparkSession, users: str) -> None:
    session = spark.newSession()
    session.conf.set(EXCLUDED_RULES, users)
    excluded = needless_rules(session._jsparkSession).split(",")
    assert (OPTIMIZER + "ColumnPruning" in excluded) is bool(users)
    assert OPTIMIZER + "ConstantFolding" in excluded
