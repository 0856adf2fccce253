"""Actions of an RDD that make one value of all elements, in callbacks."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import kafka_program, native_body, run, socket_program

CALLBACK = """\
def show(rdd):
    if rdd.count() > 0:
        print({})

lines.{}.foreachRDD(show)
"""
FIRST = ".first()[0]"
FORMS = {
    "the greatest": ("map(lambda w: len(w))", "rdd.max()", 'agg(F.max("value"))' + FIRST),
    "the smallest text": ("map(lambda w: w.strip('-'))", "rdd.min()", 'agg(F.min("value"))' + FIRST),
    "a function": ("map(lambda w: len(w))", "rdd.reduce(max)", 'agg(F.max("value"))' + FIRST),
    "a sum": ("map(lambda w: len(w))", "rdd.reduce(lambda a, b: a + b)", 'agg(F.sum("value"))' + FIRST),
    "a sum of another value": (
        "map(lambda w: w.strip('-'))",
        "rdd.map(lambda w: len(w)).sum()",
        'agg(F.sum(F.length("value")))' + FIRST,
    ),
    "a number of rows": ("filter(len)", "rdd.map(lambda w: 1).reduce(lambda a, b: a + b)", "rows.count()"),
    "a sum of what a condition leaves": (
        "map(lambda w: len(w))",
        "rdd.filter(lambda n: n > 3).sum()",
        'where(F.col("value") > 3).agg(F.coalesce(F.sum("value"), F.lit(0)))' + FIRST,
    ),
}


@pytest.mark.parametrize(("made", "value", "new"), FORMS.values(), ids=FORMS)
def test_they_are_aggregates(made: str, value: str, new: str) -> None:
    result = run(socket_program(CALLBACK.format(value, made)))
    assert all(site.tier is not Tier.RDD for site in result.sites), [site.reason for site in result.sites]
    assert new in str(result.files[0].new)


def test_a_sum_of_nothing_is_0() -> None:
    body = "lines.map(lambda w: len(w)).foreachRDD(lambda rdd: print(rdd.sum()))"
    assert "F.coalesce(F.sum(" in native_body(body)


BOTH = '*rows.agg(F.max("value"), F.min("value")).first()'
TOGETHER = {
    "two arguments": ("rdd.max(), rdd.min()", BOTH),
    "arguments of a method": ('"{} {}".format(rdd.max(), rdd.min())', f'"{{}} {{}}".format({BOTH})'),
    "beside others": (
        '"from", rdd.min(), "to", rdd.max(), rdd.min(), rdd.count(), sep=" "',
        f'"from", rows.agg(F.min("value")).first()[0], "to", {BOTH}, rows.count(), sep=" "',
    ),
    "with something between them": ("rdd.max(), 'and', rdd.min()", ""),
    "of other elements": ("rdd.max(), rdd.map(lambda n: n + 1).filter(lambda n: n > 2).sum()", ""),
    "on several lines": ("rdd.max(),  # above\n            rdd.min()", ""),
    "beside something that changes inside": ("rdd.max(), rdd.min(), str(rdd.count())", ""),
}


@pytest.mark.parametrize(("values", "new"), TOGETHER.values(), ids=TOGETHER)
def test_several_are_one_row_of_aggregates(values: str, new: str) -> None:
    """Each action is a job of its own, and such a row is one."""
    source = socket_program(CALLBACK.format(values, "map(lambda w: len(w))"))
    found = " ".join(str(run(source).files[0].new).split()).replace("( ", "(").replace(", )", ")")
    assert new in found if new else ".first()[0]" in found and "*rows" not in found


IN_ROWS = {
    "a return without elements between them": (
        "n = rdd.count()\n    if n == 0:\n        return\n    total = rdd.sum()",
        'n, total = rows.agg(F.count("*"), F.sum("value")).first() if n == 0: return print(',
    ),
    "a sum of floats of messages": (
        "n = rdd.count()\n    if not n:\n        return\n"
        "    total = rdd.map(lambda k: k / 7).reduce(lambda a, b: a + b)",
        "",
    ),
    "three of them": (
        "n = rdd.count()\n    total = rdd.sum()\n    other = rdd.map(lambda k: k + 1).sum()",
        'n, total, other = rows.agg( F.count("*"), F.coalesce(F.sum("value"), F.lit(0)), ',
    ),
    "something else between them": ("n = rdd.count()\n    print(n)\n    total = rdd.sum()", ""),
    "another condition": (
        "n = rdd.count()\n    if n == 1:\n        return\n    total = rdd.sum()",
        "",
    ),
    "other rows": ("n = rdd.count()\n    total = rdd.filter(lambda k: k > 2).sum()", ""),
    "the same variable": ("total = rdd.count()\n    total = rdd.sum()", ""),
    "one alone": ("total = rdd.count()", ""),
}


@pytest.mark.parametrize(("statements", "new"), IN_ROWS.values(), ids=IN_ROWS)
def test_a_number_of_elements_and_their_sums_are_one_job(statements: str, new: str) -> None:
    body = f"def show(rdd):\n    {statements}\n    print(total)\nlines.map(len).foreachRDD(show)\n"
    found = " ".join(str(run(socket_program(body)).files[0].new).split())
    if new:
        assert new.replace("( F", "(F") in found.replace("( F", "(F")
        assert "persist()" not in found
    else:
        assert 'F.count("*")' not in found and "count()" in found


@pytest.mark.parametrize("divided", ["1", "7"])
def test_floats_of_messages_are_summed_beside_their_number(divided: str) -> None:
    body = (
        "import json\ndef show(time, rdd):\n    n = rdd.count()\n    if n == 0:\n        return\n"
        f"    total = rdd.map(lambda m: float(json.loads(m[1])['price']) / {divided})"
        ".reduce(lambda a, b: a + b)\n    print(total / n)\nmessages.foreachRDD(show)\n"
    )
    new = " ".join(str(run(kafka_program(body)).files[0].new).split())
    assert 'n, total = batch.agg( F.count("*"), F.sum(F.variant_get(' in new
    assert "persist()" not in new


STAY = {
    "there may be no elements": "lines.map(len).foreachRDD(lambda rdd: print(rdd.max()))",
    "a condition may leave none": CALLBACK.format("rdd.filter(lambda n: n > 3).max()", "map(len)"),
    "lists may be empty": CALLBACK.format("rdd.flatMap(lambda w: w.split()).max()", "filter(len)"),
    "a key": CALLBACK.format("rdd.max(key=len)", "filter(len)"),
    "pairs": CALLBACK.format("rdd.max()", "map(lambda w: (w, 1))"),
    "floats": CALLBACK.format("rdd.reduce(lambda a, b: a + b)", "map(float)"),
    "texts put together": CALLBACK.format("rdd.reduce(lambda a, b: a + b)", "filter(len)"),
    "max is something else": "max = print\n" + CALLBACK.format("rdd.max()", "map(lambda w: len(w))"),
    "an error that is caught": (
        "failed = []\ndef show(rdd):\n    try:\n        if rdd.count() > 0:\n"
        "            print(rdd.map(lambda w: int(w)).reduce(lambda a, b: a + b))\n"
        "    except Exception as error:\n        failed.append(error)\n"
        "lines.foreachRDD(show)"
    ),
}


@pytest.mark.parametrize("body", STAY.values(), ids=STAY)
def test_others_stay_rdd_code(body: str) -> None:
    sites = run(socket_program(body)).sites
    assert any(site.tier is Tier.RDD for site in sites)


COUNTED = """\
def show(rdd):
    {declared}n = {counted}.count()
    if {test}:
        {left}return
    {more}total = rdd.map(lambda w: w + 1).reduce(lambda a, b: a + b)
    print(n, total)

lines.map(lambda w: len(w)).foreachRDD(show)
"""
PLAIN = {"declared": "", "counted": "rdd", "test": "n == 0", "left": "", "more": ""}


@pytest.mark.parametrize(
    ("given", "is_one"),
    [
        ({}, True),
        ({"test": "not n"}, True),
        ({"test": "n < 1", "left": "print('none')\n        "}, True),
        ({"test": "n == 1"}, False),
        ({"more": "print(n)\n    "}, False),
        ({"left": "total = 0\n        "}, False),
        ({"declared": "global total\n    "}, False),
        ({"counted": "rdd.filter(lambda w: w > 3)"}, False),
    ],
)
def test_a_count_and_what_it_guards_are_one_action(given: dict[str, str], is_one: bool) -> None:
    new = " ".join(str(run(socket_program(COUNTED.format(**{**PLAIN, **given}))).files[0].new).split())
    both = 'n, total = rows.agg(F.count("*"), F.sum(F.col("value") + 1)).first()'
    assert (both in new) is is_one, new
    assert ("persist" in new) is not is_one
