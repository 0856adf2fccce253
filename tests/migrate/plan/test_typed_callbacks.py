"""Functions of elements in a callback are typed functions, where it sees the variables beside the batch's."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

FUNCTIONS = """\
def letters(line):
    try:
        return [c for c in line if c.isalpha()]
    except ValueError:
        return ["none"]

def has_digit(line):
    for c in line:
        if c in "0123456789":
            return True
    return False

"""
SHOW = """\
def show(rdd):
    pairs = rdd.filter(has_digit).flatMap(letters).map(lambda c: (c, len(c)))
    for c, n in sorted(pairs.collect()):
        print(c, n)

"""
OWN = """\
def show(rdd):
    def own(line):
        for c in line:
            return True
        return False
    print(rdd.filter(own).count())

"""
LAMBDA = """\
def show(rdd):
    k = "x"
    print(rdd.map(lambda line: letters(line + k)).collect())

"""


def new(body: str) -> str:
    result = file(socket_program(body))
    assert result.status.value == "native", result.error
    return result.new


def test_a_callback_reads_them_by_their_variables() -> None:
    text = new(f"{FUNCTIONS}{SHOW}lines.foreachRDD(show)")
    assert 'letters_udf = F.udf(letters, "array<string>")\n' in text
    assert 'has_digit_udf = F.udf(has_digit, "boolean")\n' in text
    assert 'batch.where(has_digit_udf("value")).select(F.explode(letters_udf("value"))' in text.replace(
        "\n        ", ""
    ).replace("\n    ", "")
    assert ".rdd" not in text


def test_the_comments_of_an_output_stay_with_it() -> None:
    text = new(f"{FUNCTIONS}{SHOW}lines.pprint()\n# in each batch\nlines.foreachRDD(show)")
    assert "    # in each batch\n    show(batch)\n" in text


@pytest.mark.parametrize(
    ("function", "declared"),
    [
        (
            "lambda line: float(json.loads(line)[0].get('LastPrice'))",
            "last_price_udf = F.udf(lambda line: float(json.loads(line)[0].get('LastPrice')), \"double\")",
        ),
        (
            "lambda line: str(json.loads(line)[0]['name'])",
            "name_udf = F.udf(lambda line: str(json.loads(line)[0]['name']), \"string\", useArrow=True)",
        ),
        (
            "lambda line: len(json.loads(line + END))",
            'len_udf = F.udf(lambda line: len(json.loads(line + END)), "bigint")',
        ),
    ],
)
def test_a_lambda_that_reads_what_the_batch_function_sees_is_one(function: str, declared: str) -> None:
    show = f"def show(rdd):\n    print(rdd.map({function}).collect())\n"
    text = new(f"import json\nEND = ''\n{show}lines.foreachRDD(show)")
    assert declared in " ".join(text.split()).replace("( lambda", "(lambda").replace('" )', '")')
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{FUNCTIONS}{OWN}lines.foreachRDD(show)", id="a function of the callback's own"),
        pytest.param(
            f"{FUNCTIONS}{LAMBDA}lines.foreachRDD(show)", id="a lambda, which may read its variables"
        ),
        pytest.param(
            f"{FUNCTIONS.replace('return True', 'print(c)')}{SHOW}lines.foreachRDD(show)", id="side effects"
        ),
    ],
)
def test_what_they_may_not_see_stays_rdd_code(body: str) -> None:
    text = new(body)
    assert ".rdd" in text
    assert "F.udf" not in text


def test_variables_of_another_function_are_out_of_reach() -> None:
    program = socket_program("lines.foreachRDD(show)")
    at = program.index("sc = ")
    rest = "".join(f"    {line}\n" for line in program[at:].splitlines())
    text = file(f"{program[:at]}{FUNCTIONS}{SHOW}def main():\n{rest}\nmain()\n").new
    assert ".rdd" in text
    assert "F.udf" not in text
    inner = "".join(f"    {line}\n" for line in SHOW.splitlines())
    text = file(f"{program[:at]}{FUNCTIONS}def main():\n{inner}{rest}\nmain()\n").new
    assert "    has_digit_udf = F.udf(has_digit" in text
    assert ".rdd" not in text
