"""RDDs that a callback hands on to another function of the program, which reads their elements."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

READ = "def read(rdd):\n    taken = rdd.collect()\n    if taken:\n        return taken[0].upper()\n\n"
SHOW = "def show(rdd):\n    text = read(rdd)\n    if text is not None:\n        print(text)\n\n"


def test_the_function_is_given_the_dataframe() -> None:
    new = file(socket_program(f"{READ}{SHOW}lines.foreachRDD(show)")).new
    assert 'def read(batch):\n    taken = [row["value"] for row in batch.collect()]\n' in new
    assert "    text = read(batch)\n" in new
    assert "rdd" not in new


def test_so_is_one_that_this_function_hands_it_on_to() -> None:
    between = "def both(number, rdd):\n    return number, rdd.count(), read(rdd)\n\n"
    show = "def show(rdd):\n    print(both(1, rdd))\n\n"
    new = file(socket_program(f"{READ}{between}{show}lines.foreachRDD(show)")).new
    assert "def both(number, batch):\n    return number, batch.count(), read(batch)\n" in new
    assert "    print(both(1, batch))\n" in new


def test_a_name_that_the_function_has_is_left_alone() -> None:
    source = f"batch = 2\n{READ.replace('taken[0]', 'taken[0] * batch')}{SHOW}lines.foreachRDD(show)"
    new = file(socket_program(source)).new
    assert "taken[0] * batch" in new
    assert "def read(frame):\n" in new


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("print(read(sc.parallelize([])))\n", id="other code calls it"),
        pytest.param("", id="it does more with the RDD"),
        pytest.param("f = read\n", id="it has another name"),
    ],
)
def test_elsewhere_the_rdd_stays(more: str) -> None:
    read = READ if more else READ.replace("rdd.collect()", "rdd.glom().collect()[0]")
    new = file(socket_program(f"{read}{SHOW}{more}lines.foreachRDD(show)")).new
    assert "def read(rdd):\n" in new


SAVES = """\
def save(rdd{parameter}):
    if not rdd.isEmpty():
        rdd.toDF(["word", "n"]).write.save("out")

counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(lambda rdd: save(rdd{given}))
counts.pprint()
"""


@pytest.mark.parametrize(
    ("parameter", "given", "head"),
    [(", path", ', "out"', "def save(df, path):"), ("", "", "def save(counts):")],
    ids=["it may serve others", "of this stream"],
)
def test_a_function_that_is_told_more_names_no_stream_of_its_caller(
    parameter: str, given: str, head: str
) -> None:
    assert head in file(socket_program(SAVES.format(parameter=parameter, given=given))).new
