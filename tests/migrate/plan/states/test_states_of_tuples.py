"""States that are tuples of running sums, and running sums of floats: columns, where they are exact."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from migrate.rules.update_state_by_key import WHOLE_AS_FLOATS
from tests.migrate.programs import file, flat, kafka_program, native_body, run, socket_program

UPDATE = (
    "def update(new, last):\n"
    "    total, count = last{first}\n"
    "    return sum([v[0] for v in new], total), sum([v[1] for v in new], count)\n"
)
WITH_DEFAULT = UPDATE.format(first=" or (0, 0)")
PRICES = "messages.map(lambda m: (m[1].split(',')[0], float(m[1].split(',')[1]))).mapValues(lambda x: (x, 1))"
SUMMED = f"{PRICES}.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
LENGTHS = "lines.map(lambda w: (w[:1], (len(w), 1)))"
INITIAL = "initial = sc.parallelize([('a', (0, 1)), ('b', (2.5, 3))])\n"


def test_sums_of_floats_that_only_a_running_sum_reads_are_columns() -> None:
    body = native_body(f"{WITH_DEFAULT}{SUMMED}.updateStateByKey(update).pprint()")
    assert flat(body) == flat(
        "global totals\n"
        'added = (batch.groupBy(F.split("value", ",")[0].alias("key"))'
        '.agg(F.sum(F.split("value", ",")[1].cast("double")).alias("value"), F.count("*").alias("count")))\n'
        'totals = (totals.union(added).groupBy("key")'
        '.agg(F.sum("value").alias("value"), F.sum("count").alias("count")).localCheckpoint())\n'
        "totals.show(10, truncate=False)"
    )


def test_sums_of_floats_that_more_reads_are_columns_too() -> None:
    body = f"{WITH_DEFAULT}sums = {SUMMED}\nsums.pprint()\nsums.updateStateByKey(update).pprint()"
    result = run(kafka_program(body))
    new = " ".join(str(result.files[0].new).split())
    assert 'F.sum(F.split("value", ",")[1].cast("double"))' in new
    assert "totals.union(sums)" in new
    assert ".rdd" not in new and "updated(" not in new
    assert any("all -0.0" in note for note in result.graphs[0].notes)


def test_an_initial_state_of_tuples_has_a_column_for_each_number() -> None:
    body = f"{INITIAL}{UPDATE.format(first='')}{SUMMED}.updateStateByKey(update, initialRDD=initial).pprint()"
    result = run(kafka_program(body))
    new = " ".join(str(result.files[0].new).split())
    columns = '"key string, value double, count bigint"'
    assert f"totals = spark.createDataFrame( [('a', 0.0, 1), ('b', 2.5, 3)], {columns} )".replace(
        "'", '"'
    ) in new.replace("'", '"')
    assert "every_interval" not in new and "initial" not in new
    notes = "\n".join(result.graphs[0].notes)
    assert "a key that the initial state has not" in notes
    assert "0 is shown as 0.0" in notes


MEANS = "messages.map(lambda m: (m[1][:1], len(m[1]) / 3)).reduceByKey(lambda a, b: a + b)"
TOTAL = "updateStateByKey(lambda new, last: sum(new) + (last or 0))"


def test_a_whole_zero_is_shown_as_a_float() -> None:
    result = run(kafka_program(f"{MEANS}.{TOTAL}.pprint()"))
    assert ".localCheckpoint()" in str(result.files[0].new)
    assert any("is shown as 0.0" in note for note in result.graphs[0].notes)


NOT_COLUMNS = {
    "a sum of floats that the function makes 0, which is not only printed": (
        f"{MEANS}.{TOTAL}.saveAsTextFiles('out')"
    ),
    "floats that no reduceByKey has summed": f"{WITH_DEFAULT}{PRICES}.updateStateByKey(update).pprint()",
    "a state function that begins with None": (
        f"{UPDATE.format(first='')}{SUMMED}.updateStateByKey(update).pprint()"
    ),
    "whole numbers among floats that are not only printed": (
        f"{INITIAL}{WITH_DEFAULT}{SUMMED}.updateStateByKey(update, initialRDD=initial).saveAsTextFiles('out')"
    ),
    "an initial state that is not written out": (
        "initial = sc.parallelize([(chr(n), (0.5, n)) for n in range(97, 100)])\n"
        f"{WITH_DEFAULT}{SUMMED}.updateStateByKey(update, initialRDD=initial).pprint()"
    ),
    "initial states of other forms": (
        "initial = sc.parallelize([('a', (0.5, 1)), ('b', 3)])\n"
        f"{WITH_DEFAULT}{SUMMED}.updateStateByKey(update, initialRDD=initial).pprint()"
    ),
    "an initial state of -0.0, which no sum of columns is": (
        "initial = sc.parallelize([('a', (-0.0, 1))])\n"
        f"{WITH_DEFAULT}{SUMMED}.updateStateByKey(update, initialRDD=initial).pprint()"
    ),
}


@pytest.mark.parametrize("body", NOT_COLUMNS.values(), ids=NOT_COLUMNS)
def test_other_states_are_updated_by_the_program_s_function(body: str) -> None:
    result = run(kafka_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "updated(totals, " in " ".join(str(result.files[0].new).split())


def test_running_sums_of_tuples_are_an_aggregation_in_complete_mode() -> None:
    body = f"{WITH_DEFAULT}sums = {LENGTHS}.updateStateByKey(update)\nsums.pprint()"
    new = " ".join(str(file(socket_program(body)).new).split())
    key = 'F.col("value").substr(1, 1).alias("key")'
    assert f"lines.groupBy({key})" in new
    assert 'F.count("*").alias("count")' in new
    assert 'sums.limit(10) .writeStream.outputMode("complete")' in new


def test_an_initial_state_of_tuples_is_merged_in_complete_mode() -> None:
    initial = "initial = sc.parallelize([('a', (4, 1)), ('b', (-2, 3))])\n"
    body = f"{initial}{WITH_DEFAULT}{LENGTHS}.updateStateByKey(update, initialRDD=initial).pprint()"
    new = " ".join(str(file(socket_program(body)).new).split()).replace("'", '"')
    assert '[("a", 4, 1), ("b", -2, 3)], ["key", "value", "count"]' in new


def test_a_sum_and_a_count_of_single_values() -> None:
    update = (
        "def update(new, last):\n    total, count = last or (0, 0)\n"
        "    return total + sum(new), count + len(new)\n"
    )
    body = f"{update}lines.map(lambda w: (w[:1], len(w))).updateStateByKey(update).pprint()\nlines.pprint()"
    assert 'F.sum("count").alias("count")).localCheckpoint()' in flat(native_body(body))


MEAN = (
    "def update(new, last):\n    if last is None:\n        last = (0, 0, 0)\n"
    "    total = last[0] + sum(new)\n    count = last[1] + len(new)\n    return (total, count, {mean})\n"
)
BY_FIRST = "lines.map(lambda w: (w[:1], len(w))).updateStateByKey(update)"


@pytest.mark.parametrize(
    ("mean", "column"),
    [
        ("total / float(count)", '(F.col("total") / F.col("count")).alias("mean")'),
        ("2 * total", '(2 * F.col("total")).alias("field4")'),
    ],
)
def test_what_is_made_of_running_sums_is_a_column_beside_them(mean: str, column: str) -> None:
    new = flat(file(socket_program(f"{MEAN.format(mean=mean)}means = {BY_FIRST}\nmeans.pprint()")).new)
    assert flat('F.sum(F.length("value")).alias("total"), F.count("*").alias("count")') in new
    assert flat(f'.select("key", "total", "count", {column}') in new
    assert 'outputMode("complete")' in new and "F.udf(" not in new


def test_so_it_is_beside_those_that_the_batch_function_keeps() -> None:
    body = f"{MEAN.format(mean='total / float(count)')}means = {BY_FIRST}\nmeans.pprint()\nlines.pprint()"
    new = flat(native_body(body))
    assert flat('totals = (totals.union(added).groupBy("key")') in new
    assert flat('means = totals.select("key", "total", "count", (F.col("total") / F.col("count"))') in new


@pytest.mark.parametrize(
    "body",
    [
        MEAN.format(mean="sum(new) / 2"),  # not of a running sum
        MEAN.format(mean="total / (last[1] + 1)"),
        MEAN.format(mean="last[2] if last[2] else total / float(count)"),
        MEAN.format(mean="total / 2 if last[2] else total / 3"),
        MEAN.format(mean="total / float(count)").replace("last[0] + sum(new)", "last[2] + sum(new)"),
    ],
)
def test_others_are_made_by_the_program_s_function(body: str) -> None:
    assert "outputMode" not in str(file(socket_program(f"{body}{BY_FIRST}.pprint()")).new)


@pytest.mark.parametrize(
    ("stream", "select"),
    [
        (
            "lines.map(lambda w: (w[:1], len(w))).mapValues(lambda n: (n, 1))",
            'lines.select(F.col("value").substr(1, 1).alias("key"), F.length("value").alias("value"), '
            'F.lit(1).alias("count"))',
        ),
        (
            "lines.map(lambda w: (w[:1], len(w))).mapValues(lambda n: (n, n))",
            'lines.select(F.col("value").substr(1, 1).alias("key"), F.length("value").alias("value"))'
            '.select("key", "value", F.col("value").alias("value2"))',
        ),
    ],
)
def test_a_constant_beside_a_value_needs_no_select_of_its_own(stream: str, select: str) -> None:
    assert flat(f"query = ({select}.writeStream") in flat(native_body(f"{stream}.pprint()"))


def test_a_sum_of_whole_numbers_that_begins_with_a_float_is_one() -> None:
    update = "def update(new, last):\n    return sum(new) + (last or 0.0)\n"
    pairs = "lines.map(lambda line: (line[:1], len(line)))"
    body = f"{update}{pairs}.updateStateByKey(update).pprint()"
    assert flat('.agg(F.sum(F.length("value").cast("double")).alias("value"))') in flat(
        file(socket_program(body)).new
    )
    assert WHOLE_AS_FLOATS in run(socket_program(body)).graphs[0].notes
    assert "updated(" not in flat(file(socket_program(body), Options(strict=True)).new)


@pytest.mark.parametrize(
    ("step", "once"),
    [
        ("", True),
        (".transform(lambda rdd: rdd.sortBy(lambda pair: pair[1]))", True),
        (".transform(lambda rdd: rdd.map(lambda pair: (pair[0][:1], pair[1])))", False),
    ],
)
def test_what_has_each_key_once_is_not_grouped_again(step: str, once: bool) -> None:
    update = "def update(new, last):\n    return sum(new) + (last or 0)\n"
    counts = f"counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b){step}\n"
    new = str(
        file(socket_program(f"{update}{counts}counts.pprint()\ncounts.updateStateByKey(update).pprint()")).new
    )
    assert ("totals.union(counts)" in new) is once
    assert ("added" not in new) is once
