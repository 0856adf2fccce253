"""State functions that are no sums, as typed functions that update a state of the batch function."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Tier
from migrate.plan.states.states import TYPED
from migrate.plan.typed.typed_calls import PRINTS
from tests.migrate.programs import file, flat, kafka_program, run, socket_program

LENGTHS = "lengths = lines.map(lambda line: (line[:1], len(line)))\n"
WORDS = "lengths = lines.map(lambda line: (line[:1], line))\n"
LONGEST = "def longest(new, last):\n    return max(new + [last or 0])\n"


def new_text(functions: str, state: str, *, options: Options | None = None) -> str:
    """A program with a state, and what becomes of it."""
    return flat(file(socket_program(f"{functions}{state}\nstates.pprint()"), options).new)


def test_a_typed_function_updates_all_keys() -> None:
    new = new_text(LONGEST, f"{LENGTHS}states = lengths.updateStateByKey(longest)")
    assert flat('longest_udf = F.udf(longest, "bigint")') in new
    assert flat('states = spark.createDataFrame([], "key string, state bigint")') in new
    assert flat('.agg(F.collect_list(F.length("value")).alias("value"))') in new
    assert flat('.join(added, "key", "full") # all keys, also those without new values') in new
    assert flat('.select("key", longest_udf(F.coalesce("value", F.array()), "state").alias("state"))') in new
    assert ".localCheckpoint())" in new
    assert ".rdd" not in new


def test_none_drops_a_key() -> None:
    new = new_text("", f"{LENGTHS}states = lengths.updateStateByKey(lambda new, last: len(new) or None)")
    assert flat('F.udf(lambda new, last: len(new) or None, "bigint")') in new
    assert flat('.localCheckpoint() .where(F.col("state").isNotNull()) # None drops a key') in new


def test_values_are_in_order_where_it_matters() -> None:
    last = "states = lengths.updateStateByKey(lambda new, last: new[-1] if new else last)"
    new = new_text("", LENGTHS + last)
    assert flat('F.sort_array(F.collect_list(F.struct("position", "value")))["value"]') in new


@pytest.mark.parametrize(
    ("function", "any_order"),
    [
        ("lambda new, last: max(new, default=last or 0)", True),
        ("lambda new, last: min(5, sum(new) + len(new) + (last or 0))", True),
        ("lambda new, last: max(new + [last or 0]) if new else last", True),
        ("lambda new, last: max(new, key=abs) if new else last", False),
        ("lambda new, last: (new or [last])[0]", False),
        ("lambda new, last: list(set(new))[-1] if new else last", False),
        ("lambda new, last: (last or []) + new", False),
    ],
)
def test_the_order_of_values_matters_to_some(function: str, any_order: bool) -> None:
    new = new_text("", f"{LENGTHS}states = lengths.updateStateByKey({function})")
    assert "F.collect_list(" in new
    assert ("position" not in new) is any_order


@pytest.mark.parametrize(
    ("values", "any_order"),
    [("float(line)", False), ("line", True), ("len(line)", True)],
)
def test_the_largest_float_depends_on_the_order_for_nan(values: str, any_order: bool) -> None:
    """``max([nan, 1.0])`` is NaN, and ``max([1.0, nan])`` is 1.0."""
    pairs = f"lengths = lines.map(lambda line: (line[:1], {values}))\n"
    new = new_text(
        "", f"{pairs}states = lengths.updateStateByKey(lambda new, last: max(new) if new else last)"
    )
    assert "F.collect_list(" in new
    assert ("position" not in new) is any_order


def test_a_key_with_one_value_has_a_list_of_it() -> None:
    new = new_text(LONGEST, f"{LENGTHS}states = lengths.reduceByKey(max).updateStateByKey(longest)")
    assert flat('.select("key", F.array("value").alias("value"))') in new
    assert "collect_list" not in new


def test_a_tuple_is_a_struct_with_the_names_that_it_is_unpacked_to() -> None:
    mean = (
        "def mean(new, last):\n"
        "    total, count = last or (0, 0)\n"
        "    return (total + max(new, default=0), count + 1) if count < 9 else None\n"
    )
    new = new_text(mean, f"{LENGTHS}states = lengths.updateStateByKey(mean)")
    assert flat('F.udf(mean, "struct<total bigint, count bigint>", useArrow=True)') in new
    assert flat('"key string, state struct<total bigint, count bigint>"') in new
    assert flat('states = lengths_states.select("key", "state.total", "state.count")') in new


MEAN = (
    "def mean(new, last):\n"
    "    if last is None:\n        last = (0, 0, 0)\n"
    "    total = abs(sum(new, last[0]))\n    count = last[1] + len(new)\n"
    "    average = total / float(count)\n    return (total, count, average)\n"
)
PRICES = "lengths = lines.map(lambda line: (line[:1], float(line[1:])))\n"


def test_a_key_has_new_values_at_first_so_that_their_sum_is_a_float() -> None:
    new = new_text(MEAN, f"{PRICES}states = lengths.updateStateByKey(mean)")
    assert flat('F.udf(mean, "struct<total double, count bigint, average double>", useArrow=True)') in new
    assert flat('.select("key", "state.total", "state.count", "state.average")') in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    "changed",
    ["new.pop()", "new[:] = []", "new = new[1:]", "new = [x for x in new if x > 1]"],
)
def test_but_not_once_values_were_taken_out(changed: str) -> None:
    mean = MEAN.replace("    total =", f"    {changed}\n    total =")
    assert "updated(" in new_text(mean, f"{PRICES}states = lengths.updateStateByKey(mean)")


@pytest.mark.parametrize(
    "zero", ["sum(new) + (last or 0)", "sum(new, last or 0)", "sum(new, 0.0) if last is None else sum(new)"]
)
def test_a_state_that_may_be_an_int_again_is_none_of_floats(zero: str) -> None:
    """``0.0 or 0`` is 0."""
    pairs = PRICES.replace("lines", "messages").replace("line[1:]", "line[1]").replace("line[:1]", "line[0]")
    body = f"{pairs}lengths.updateStateByKey(lambda new, last: {zero}).pprint()"
    assert "updated(" in file(kafka_program(body)).new


def test_a_tuple_that_is_returned_without_names_keeps_those_of_another_one() -> None:
    mean = MEAN.replace("    total =", "    if not new:\n        return last\n    total =")
    new = new_text(mean, f"{PRICES}states = lengths.updateStateByKey(mean)")
    assert flat("struct<total double, count bigint, average double>") in new


def test_the_reader_of_a_pair_names_the_parts_of_its_state() -> None:
    bounds = (
        "def bounds(new, last):\n"
        "    a, b, c = last or (0, 0, 0)\n"
        "    return (a + len(new), max(new + [b]), min(new + [c]))\n"
        "def save(rdd):\n"
        "    for word, (seen, most, least) in rdd.collect():\n"
        "        requests.post(URL, [word, seen, most, least])\n"
    )
    new = new_text(bounds, f"{LENGTHS}states = lengths.updateStateByKey(bounds)\nstates.foreachRDD(save)")
    assert flat('F.udf(bounds, "struct<seen bigint, most bigint, least bigint>"') in new


def test_a_function_that_shows_a_tuple_is_given_one() -> None:
    shown = "def shown(new, last):\n    return str(last), len(new)\n"
    new = new_text(shown, f"{LENGTHS}states = lengths.updateStateByKey(shown)")
    assert flat("lambda new, last: shown(new, last and tuple(last))") in new


TUPLES = "lengths = lines.map(lambda line: (line[:1], (len(line), line)))\n"


def test_values_that_are_tuples_are_structs() -> None:
    longest = (
        "def longest(new, last):\n    for length, word in new:\n"
        "        last = max(last or 0, length)\n    return last\n"
    )
    new = new_text(longest, f"{TUPLES}states = lengths.updateStateByKey(longest)")
    assert flat('F.udf(longest, "bigint")') in new
    parts = 'F.length("value").alias("field2"), F.col("value").alias("line")'
    assert flat(f'F.struct({parts}).alias("value")') in new.replace(",)", ")")


def test_a_function_that_shows_values_is_given_tuples() -> None:
    shown = "def shown(new, last):\n    return str(new) if new else last\n"
    new = new_text(shown, f"{TUPLES}states = lengths.updateStateByKey(shown)")
    assert flat("lambda new, last: shown(list(map(tuple, new)), last)") in new


def test_lists_may_be_changed_as_nothing_else_holds_them() -> None:
    recent = (
        "def recent(new, last):\n    if last is None:\n        last = []\n"
        "    for word in new:\n        last.append(word.strip())\n    return last[-3:]\n"
    )
    new = new_text(recent, f"{WORDS}states = lengths.updateStateByKey(recent)")
    assert flat('recent_udf = F.udf(recent, "array<string>")') in new


def test_ints_that_may_not_fit_are_checked() -> None:
    twice = "def twice(new, last):\n    return len(new) + 2 * max(last or 0, 1)\n"
    state = f"{LENGTHS}states = lengths.updateStateByKey(twice)"
    assert flat('F.udf(twice, "bigint", useArrow=True)') in new_text(twice, state)
    new = new_text(twice, state, options=Options(spark=SparkVersion("3.5")))
    assert flat('F.udf(lambda new, last: checked(twice(new, last)), "bigint")') in new


INITIAL = 'first = sc.parallelize([("a", 5), ("b", 7)])\n'


def test_it_may_begin_with_an_initial_state() -> None:
    state = f"{LENGTHS}states = lengths.updateStateByKey(longest, initialRDD=first)"
    new = new_text(LONGEST + INITIAL, state)
    assert flat('states = spark.createDataFrame([("a", 5), ("b", 7)], "key string, state bigint")') in new
    assert "parallelize" not in new


@pytest.mark.parametrize(
    ("function", "initial"),
    [
        ("lambda new, last: max(new + [last or 0])", '[("a", -5)]'),  # its states are never below 0
        ("lambda new, last: max(new + [last or 0])", '[("a", 0.5)]'),
        ("lambda new, last: (last or []) + new", '[("a", [1])]'),
        ("lambda new, last: (max(new + [0]), last and last[0])", '[("a", (1, 2))]'),
    ],
)
def test_an_initial_state_of_others_stays_rdd_code(function: str, initial: str) -> None:
    first = f"first = sc.parallelize({initial})\n"
    state = f"{LENGTHS}states = lengths.updateStateByKey({function}, initialRDD=first)"
    assert "updated(" in new_text(first, state)


def test_a_function_may_print_as_it_is_called_for_all_keys_as_before() -> None:
    shown = "def shown(new, last):\n    print(new, last)\n    return sum(new) + (last or 0)\n"
    state = f"{LENGTHS}states = lengths.updateStateByKey(shown)"
    new = new_text(shown, state)
    assert flat('shown_udf = F.udf(shown, "bigint", useArrow=True)') in new
    assert "position" in new  # it shows the order of the values
    assert PRINTS in run(socket_program(f"{shown}{state}\nstates.pprint()")).graphs[0].notes


@pytest.mark.parametrize(
    "function",
    [
        "lambda new, last: (last or set()) | set(new)",  # no column holds it
        "lambda new, last: max(new + [last or 0.5])",  # an int or a float
        "lambda new, last: ((len(new), 1), 2)",
        "lambda new, last: weird(new)",
    ],
)
def test_others_stay_rdd_code(function: str) -> None:
    assert "updated(" in new_text("", f"{LENGTHS}states = lengths.updateStateByKey({function})")


@pytest.mark.parametrize(
    "pairs",
    [
        "lines.map(lambda line: (line or None, 1))",  # no join finds None
        "lines.map(lambda line: (line, (1, (2, 3))))",
    ],
)
def test_so_do_keys_and_values_without_a_form(pairs: str) -> None:
    state = f"states = {pairs}.updateStateByKey(lambda new, last: len(new) or None)"
    assert "updated(" in new_text("", state)


def test_the_report_says_what_updates_the_state() -> None:
    body = f"{LONGEST}{LENGTHS}lengths.updateStateByKey(longest).pprint()"
    (site,) = [one for one in run(socket_program(body)).sites if one.operator == "updateStateByKey"]
    assert (site.tier, site.reason) == (Tier.PYTHON, TYPED)


def test_a_part_of_a_tuple_is_selected_at_once() -> None:
    mean = (
        "def mean(new, last):\n"
        "    total, count = last or (0, 0)\n"
        "    return (total + max(new, default=0), count + 1)\n"
    )
    body = f"{LENGTHS}states = lengths.updateStateByKey(mean).map(lambda pair: (pair[0], pair[1][0]))"
    new = new_text(mean, f"{body}.transform(lambda rdd: rdd.sortBy(lambda pair: pair[1]))")
    assert flat('.select("key", "state.total").orderBy("total")') in new
