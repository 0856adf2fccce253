"""Functions inside of others whose streams move into the batch function: they move beside it."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run, socket_program

TOTALS = '''\


def totals(lines):
    """The count of each line since the start."""
    # a running sum
    def update(new, last):
        return sum(new) + (last or 0)

    pairs = lines.map(lambda line: (line, 1))
    return pairs.updateStateByKey(update)
    pass


counts = totals(lines)
counts.pprint()
lines.pprint(3)
'''
LISTS = TOTALS.replace(
    "return sum(new) + (last or 0)", "# the last ones\n        return ((last or []) + new)[-3:]"
)


def test_a_running_sum_needs_its_function_no_more() -> None:
    new = file(socket_program(TOTALS)).new
    assert "def totals" not in new and "update" not in new
    assert '.groupBy("line").agg(F.sum("count").alias("count"))' in new


ALONE = TOTALS.replace("lines.pprint(3)\n", "")


def test_the_only_output_of_a_function_s_running_sum_has_it_in_complete_mode() -> None:
    new = str(file(socket_program(ALONE)).new)
    assert "def totals" not in new and "def update" not in new
    assert 'counts = lines.groupBy(F.col("value").alias("line")).count()\n' in new
    assert 'counts.writeStream.outputMode("complete")' in new


def test_a_running_sum_of_several_functions_stands_where_the_outer_one_is_called() -> None:
    body = (
        "def long(lines):\n    longer = lines.filter(lambda w: len(w) > 3)\n    return longer\n"
        "def totals(lines):\n    pairs = long(lines).map(lambda w: (w, 1))\n"
        "    sums = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "    return sums.transform(lambda rdd: rdd.sortBy(lambda pair: -pair[1]))\n"
        "words = lines.map(lambda line: line.strip('.'))\n"
        "print('begins')\n"
        "counts = totals(words)\ncounts.pprint()\n"
    )
    new = str(file(socket_program(body)).new)
    longer = 'longer = words.where(F.length("line") > 3)\n'
    assert f"print('begins')\n{longer}sums = longer.groupBy(\"line\").count()\n" in new
    assert '    counts = batch.orderBy(F.desc("count"))\n    counts.show(' in new


def test_a_running_sum_is_made_in_the_function_that_starts_the_query() -> None:
    body = (
        "def run(lines):\n    totals = lines.map(lambda w: (w, 1)).updateStateByKey("
        "lambda new, last: sum(new) + (last or 0))\n    totals.pprint()\n"
        "run(lines)\n"
    )
    new = str(file(socket_program(body)).new)
    assert 'def run(lines):\n    totals = lines.groupBy("value").count()\n' in new
    assert "totals.limit(10)" in new and 'writeStream.outputMode("complete")' in new


def test_a_typed_function_of_a_running_sum_is_declared_where_the_outer_function_is_called() -> None:
    body = (
        "def totals(lines):\n"
        "    def shape(line):\n        text = line.title()\n        return text.center(9)\n"
        "    pairs = lines.map(shape).map(lambda w: (w, 1))\n"
        "    return pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "totals(lines).pprint()\n"
    )
    new = str(file(socket_program(body)).new)
    declared = 'shape_udf = F.udf(shape, "string")\n'
    sums = 'pairs_totals = lines.select(shape_udf("value").alias("shape")).groupBy("shape").count()'
    assert declared + sums in new
    assert new.index("def shape(") < new.index(declared) < new.index("def process_batch(")


@pytest.mark.parametrize("more", ["    print('called')\n", "    pairs.pprint()\n"])
def test_a_running_sum_of_a_function_with_more_to_do_is_kept_by_the_batch_function(more: str) -> None:
    new = str(file(socket_program(ALONE.replace("    return pairs", f"{more}    return pairs"))).new)
    assert "outputMode" not in new
    assert "def totals" in new or "global" in new


def test_a_function_that_is_still_called_stands_where_the_one_around_it_stood() -> None:
    new = file(socket_program(LISTS)).new
    assert "def totals" not in new
    assert (
        "\n\n\ndef update(new, last):\n    # the last ones\n    return ((last or []) + new)[-3:]\n\n" in new
    )
    assert 'update_udf = F.udf(update, "array<bigint>")' in new
    assert new.count("# the last ones") == 1


@pytest.mark.parametrize(
    "changed",
    [
        LISTS.replace("-3:", "-limit:").replace("def totals(lines):", "def totals(lines, limit=3):"),
        LISTS.replace("    # a running sum\n", "    # a running sum\n    @staticmethod\n"),
        LISTS.replace("counts = totals", "update = 3\ncounts = totals"),
        LISTS.replace("    pairs =", "    print(update)\n    pairs ="),
    ],
    ids=["that reads a parameter", "with a decorator", "whose name means something else", "used otherwise"],
)
def test_a_function_that_cannot_stand_there(changed: str) -> None:
    (graph,) = run(socket_program(changed)).graphs
    assert graph.outcome is Outcome.COMPAT


@pytest.mark.parametrize("name", ["totals", "counts"])
def test_a_variable_may_take_the_name_of_its_function(name: str) -> None:
    source = TOTALS.replace("counts = totals", f"{name} = totals").replace("counts.", f"{name}.")
    (graph,) = run(socket_program(source)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


SENT = """\
def connect():
    return open("sent", "a")
def send_all(lines, length=2):
    def send(rdd):
        connect().write(str(rdd.count()))
    lines.window(length).map(str.upper).foreachRDD(send)
    {}
{}send_all(lines)
lines.pprint()
{}
"""


@pytest.mark.parametrize("end", ["pass", "return", "return None"])
def test_functions_that_a_moved_one_calls_stay(end: str) -> None:
    """`send` stands beside `connect`, where `send_all` was."""
    new = file(socket_program(SENT.format(end, "", ""))).new
    assert "def send_all" not in new
    assert "def connect():" in new and "\ndef send(" in new


@pytest.mark.parametrize("end", ["return", "return None"])
def test_a_function_that_ends_with_return_may_run_in_each_batch(end: str) -> None:
    new = file(socket_program(SENT.replace(".window(length)", "").format(end, "", ""))).new
    assert "    send_all(batch)\n" in new
    assert f"    {end}\n" in new


def test_a_result_that_is_none_and_read_is_not_lost() -> None:
    (graph,) = run(socket_program(SENT.format("return None", "sent = ", "print(sent)"))).graphs
    assert graph.outcome is Outcome.COMPAT


SOURCE = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def source(ssc):
    # its parts
    def shape(line):
        text = line.title()
        return text.center(9)

{kept}    lines = ssc.socketTextStream("localhost", 9999)
    return lines.map(shape)


ssc = StreamingContext(SparkContext(appName="Shapes"), 5)
source(ssc).countByValue().pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_a_function_moves_out_of_one_that_makes_the_source_and_stays() -> None:
    new = str(file(SOURCE.format(kept="")).new)
    shape, source = new.index("def shape(line):"), new.index("def source(spark):")
    assert shape < source and "    return lines\n" in new[source:]
    assert "# its parts\n" in new[:shape] and "    def shape" not in new


def test_not_one_that_is_read_there() -> None:
    (graph,) = run(SOURCE.format(kept='    print(shape("first"))\n')).graphs
    assert graph.outcome is Outcome.COMPAT and "of which more is left: move it out" in graph.reasons[0]


def test_a_typed_function_of_a_function_that_goes_is_made_once() -> None:
    body = (
        "def counted(lines):\n    shaped = lines.map(lambda line: line.title().center(9))\n"
        "    return shaped.countByValueAndWindow(30, 10)\n"
        "counted(lines).pprint()\n"
    )
    new = str(file(socket_program(body)).new)
    assert new.index("\nshaped_udf = F.udf(") < new.index("def process_batch(")
