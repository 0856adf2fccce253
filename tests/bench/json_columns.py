"""Seconds for a batch of JSON, by clock and CPU: learnt columns, RDD code, and a `from_json` by hand.

    python -m tests.bench.json_columns [--rows 300000] [--rounds 4]

All count by a key of a nested object, with and without a condition before it, on a cached DataFrame of texts.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import psutil  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from rich.console import Console
from rich.table import Table

from migrate.columns.helpers import definitions
from migrate.knowledge.spark_version import installed

DIFFERENT = 1000
FIELDS = "lang STRING, n BIGINT, user STRUCT<name: STRING>"


def event(number: int, *, long: bool) -> str:
    """An object of about 200 characters, or a `long` one of 1,600 with keys that nothing reads."""
    made: dict[str, Any] = {
        "user": {"name": f"u{number % 100}", "id": number},
        "n": number,
        "lang": "en" if number % 3 else "de",
        "text": "lorem ipsum " * 10,
        "tags": ["a", "b"],
    }
    if long:
        made["user"] |= {f"f{at}": f"v{at}" if at % 2 else at * 1.5 for at in range(40)}
        made |= {f"k{at}": None if at % 3 else f"some text {at}" for at in range(50)}
        made["urls"] = [{"url": f"http://x/{at}", "expanded": "y" * 40} for at in range(3)]
    return json.dumps(made)


@cache
def _module(*helpers: str) -> dict[str, Any]:
    """The module of a program with these helpers, which all its batches have."""
    names: dict[str, Any] = {"F": F}
    for helper in definitions(helpers, frozenset(), parse_json_fails=installed().parse_json_fails):
        exec(helper.source, names)
    return names


def learnt(texts: DataFrame, *, filtered: bool) -> None:
    """What `rewrite` writes with facts."""
    names = _module("json_variant", "json_value")
    json_value = names["json_value"]
    record = names["json_variant"](F.col("value"), "events")
    events = texts.select(F.explode(F.array(record)).alias("event"))
    if filtered:
        events = events.where(json_value("event", "$.lang", "STRING") == "en")
    groups = events.groupBy(json_value("event", "$.user.name", "STRING").alias("name"))
    groups.agg(F.sum(json_value("event", "$.n", "BIGINT")).alias("n")).collect()


def learnt_by_schema(texts: DataFrame, *, filtered: bool) -> None:
    """What `rewrite` writes with facts on many more keys than are read."""
    names = _module("json_record", "json_field")
    json_field = names["json_field"]
    events = texts.select(names["json_record"](F.col("value"), FIELDS, "events").alias("event"))
    if filtered:
        events = events.where(json_field("event", "lang", "STRING") == "en")
    groups = events.groupBy(json_field("event", "user.name", "STRING").alias("name"))
    groups.agg(F.sum(json_field("event", "n", "BIGINT")).alias("n")).collect()


def by_hand(texts: DataFrame, *, filtered: bool) -> None:
    """What an engineer writes who knows the schema, and nothing of records that leave it."""
    events = texts.select(F.from_json("value", FIELDS).alias("event"))
    if filtered:
        events = events.where(F.col("event.lang") == "en")
    events.groupBy("event.user.name").agg(F.sum("event.n").alias("n")).collect()


def rdd_code(texts: DataFrame, *, filtered: bool) -> None:
    """What `rewrite` writes without facts."""
    events = texts.rdd.map(lambda row: json.loads(row["value"]))
    if filtered:
        events = events.filter(lambda e: e["lang"] == "en")
    events.map(lambda e: (e["user"]["name"], e["n"])).reduceByKey(lambda a, b: a + b).collect()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=4)
    chosen = parser.parse_args()
    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "2")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    table = Table(
        "object", "condition", "", *("learnt", "from_json", "RDD", "RDD / learnt", "learnt / from_json")
    )
    for long in (False, True):
        rows = [(event(number, long=long),) for number in range(DIFFERENT)]
        copies = max(chosen.rows // DIFFERENT // (5 if long else 1), 1)
        texts = (
            spark.createDataFrame(rows, "value STRING")
            .crossJoin(spark.range(copies))
            .select("value")
            .persist()
        )
        texts.count()
        for filtered in (False, True):
            forms = (learnt_by_schema if long else learnt, by_hand, rdd_code)
            found = _best([partial(form, texts, filtered=filtered) for form in forms], chosen.rounds)
            size = f"{len(rows[0][0]):,} characters"
            for name, (one, two, three) in zip(("wall, s", "CPU, s"), zip(*found, strict=True), strict=True):
                seconds = (
                    f"{one:.2f}",
                    f"{two:.2f}",
                    f"{three:.2f}",
                    f"{three / one:.2f}",
                    f"{one / two:.2f}",
                )
                table.add_row(size, "yes" if filtered else "no", name, *seconds)
        texts.unpersist()
    Console(width=120).print(table)


def _best(forms: Sequence[Callable[[], None]], rounds: int) -> list[tuple[float, float]]:
    """The least seconds of each form by the clock and by the CPU, in turns, after two that do not count."""
    found: list[list[tuple[float, float]]] = [[] for _ in forms]
    for _ in range(rounds + 2):
        for form, times in zip(forms, found, strict=True):
            start, before = time.perf_counter(), _cpu()
            form()
            times.append((time.perf_counter() - start, _cpu() - before))
    return [(min(wall for wall, _ in times[2:]), min(cpu for _, cpu in times[2:])) for times in found]


def _cpu() -> float:
    """The CPU time of this process, the JVM and Spark's Python workers; of those that ended, too."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total


if __name__ == "__main__":
    main()
