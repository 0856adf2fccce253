"""The count of RDD code, and what is made of it: values of the batch function."""

from __future__ import annotations

import ast

import pytest

from migrate.model import Options
from tests.migrate.programs import file, kafka_program, native_body, socket_program

ROWS = "lines.map(lambda line: 1).reduce(lambda a, b: a + b)"
PARSED = "parsed = messages.map(lambda m: {'text': print(m[1])})\n"


def body(code: str, options: Options | None = None) -> str:
    """The batch function of a program that counts what RDD code makes, from where that is made."""
    new = file(kafka_program(PARSED + code), options).new
    function = next(node for node in reversed(ast.parse(new).body) if isinstance(node, ast.FunctionDef))
    texts = [ast.unparse(statement) for statement in function.body]
    first = next(place for place, text in enumerate(texts) if text.startswith("parsed = "))
    return "\n".join(text for text in texts[first + 1 :] if "persist()" not in text)


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("parsed.count().pprint()", "print(parsed.count())"),
        ("parsed.count().map(lambda n: '%d tweets' % n).pprint(5)", "print('%d tweets' % parsed.count())"),
        ("parsed.count().map(str).map(lambda s: s + '!').pprint()", "print(str(parsed.count()) + '!')"),
        ("n = parsed.count()\nn.pprint()", "n = parsed.count()\nprint(n)"),
        ("n = parsed.count()\nn.map(lambda k: (k, k + 1)).pprint()", "n = parsed.count()\nprint((n, n + 1))"),
        (
            "parsed.count().map(lambda n: 'few' if n < 9 else 'many').pprint()",
            "print('few' if parsed.count() < 9 else 'many')",
        ),
    ],
)
def test_a_count_is_a_value(code: str, new: str) -> None:
    assert body(code) == new


@pytest.mark.parametrize(
    ("code", "new"),
    [
        (
            f"{ROWS}.pprint()",
            "number = batch.count()\nif number:\n    print(number)",
        ),
        (
            f"n = {ROWS}\nn.map(lambda k: 100 / k).pprint()\nlines.pprint()",
            "n = batch.count()\nif n:\n    print(100 / n)\nbatch.show(10, truncate=False)\nbatch.unpersist()",
        ),
        (
            f"n = {ROWS}\nhalf = n.map(lambda k: k // 2)\nhalf.pprint()",
            "n = batch.count()\nif n:\n    half = n // 2\n    print(half)",
        ),
    ],
)
def test_a_number_that_is_none_for_no_rows_is_asked_for(code: str, new: str) -> None:
    made = native_body(code)
    assert made.removeprefix("batch.persist()\n") == new


def test_a_sum_of_other_numbers_stays_a_column() -> None:
    assert "F.sum" in native_body("lines.map(len).reduce(lambda a, b: a + b).pprint()")


@pytest.mark.parametrize(
    "code",
    [
        "parsed.count().map(lambda n: (n, n)).pprint()",
        "parsed.count().map(lambda n: [n for _ in range(3)]).pprint()",
        "parsed.count().map(lambda n, more=1: n + more).pprint()",
        "parsed.count().pprint(0)",
        "parsed.count().filter(lambda n: n > 3).pprint()",
        "parsed.count().foreachRDD(lambda rdd: print(rdd.max()))",
    ],
)
def test_where_it_is_more_than_a_value_it_is_an_rdd(code: str) -> None:
    assert "batch.sparkSession.sparkContext.parallelize([parsed.count()], 1)" in body(code)


def test_the_exact_text_is_that_of_an_rdd() -> None:
    assert "parallelize([parsed.count()], 1)" in body("parsed.count().pprint()", Options(pprint_exact=True))


def test_a_count_whose_variable_is_bound_again() -> None:
    code = "n = parsed.count()\nn = n.map(lambda k: k + 1)\nn.pprint()"
    assert body(code) == "n = parsed.count()\nn = n + 1\nprint(n)"


def test_a_sum_of_floats_that_is_printed_stays_an_aggregate() -> None:
    new = file(socket_program("lines.map(lambda w: len(w) * 0.1).reduce(lambda a, b: a + b).pprint()")).new
    assert ".agg(F.sum(" in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("parsed.count().foreachRDD(lambda rdd: print(rdd.collect()))", "print([parsed.count()])"),
        (
            "n = parsed.count()\nn.foreachRDD(lambda r: print(r.first(), 3))",
            "n = parsed.count()\nprint(n, 3)",
        ),
        (
            "n = parsed.count()\nn.foreachRDD(lambda r: print(r.first(), r.collect()))",
            "n = parsed.count()\nprint(n, [n])",
        ),
    ],
)
def test_a_lambda_that_takes_the_elements_gets_the_value(code: str, new: str) -> None:
    assert body(code) == new


@pytest.mark.parametrize("read", ["rdd.first() + rdd.first()", "rdd.map(str).collect()", "rdd"])
def test_one_that_does_more_with_it_gets_an_rdd(read: str) -> None:
    assert "parallelize([parsed.count()], 1)" in body(f"parsed.count().foreachRDD(lambda rdd: print({read}))")
