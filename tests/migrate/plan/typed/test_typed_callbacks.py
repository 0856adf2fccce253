"""Functions of elements in a callback are typed functions, where it sees the variables beside the batch's."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run, socket_program

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
    text = new(f"{FUNCTIONS}{SHOW}# in each batch\nlines.foreachRDD(show)\nlines.pprint()\n")
    assert "    # in each batch\n    show(batch)\n" in text


@pytest.mark.parametrize(
    ("function", "declared"),
    [
        (
            "lambda line: float(json.loads(line)[0].get('LastPrice', 0))",
            "last_price_udf = F.udf(lambda line: float(json.loads(line)[0].get('LastPrice', 0)), \"double\")",
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
            f"{FUNCTIONS.replace('return True', 'input(c)')}{SHOW}lines.foreachRDD(show)", id="side effects"
        ),
    ],
)
def test_what_they_may_not_see_stays_rdd_code(body: str) -> None:
    text = new(body)
    assert ".rdd" in text
    assert "F.udf" not in text


def in_main(above: str, inside: str = "") -> str:
    """The new code of a program that makes its stream in a function."""
    program = socket_program("lines.foreachRDD(show)")
    at = program.index("sc = ")
    rest = "".join(f"    {line}\n" for line in (inside + program[at:]).splitlines())
    return file(f"{program[:at]}{above}\ndef main():\n{rest}\nmain()\n").new


def test_above_a_callback_they_are_in_its_reach_wherever_the_stream_is_made() -> None:
    text = in_main(FUNCTIONS + SHOW)
    udfs = (
        "has_digit_udf = F.udf(has_digit, BooleanType())\n"
        "letters_udf = F.udf(letters, ArrayType(StringType()))\n"
    )
    assert f"\n\n\n{udfs}\n\ndef show(batch" in text
    assert ".rdd" not in text


def test_a_struct_has_no_place_where_there_is_no_session() -> None:
    """Spark's context reads a type that is a text."""
    pair = "def pair(x):\n    return x.title(), len(x.title())\n"
    show = "def show(rdd):\n    print(rdd.map(pair).collect())\n"
    assert "F.udf" not in in_main(pair + show)
    assert 'pair_udf = F.udf(pair, "struct<' in new(f"{pair}{show}lines.foreachRDD(show)")


def test_comments_above_a_callback_stay_with_it() -> None:
    text = new(f"{FUNCTIONS}# shows\n# pairs\n{SHOW}lines.foreachRDD(show)")
    assert '"array<string>")\n\n\n# shows\n# pairs\ndef show(batch' in text


def test_in_a_function_they_stand_beside_its_batch_function() -> None:
    text = in_main(FUNCTIONS, SHOW)
    assert "    has_digit_udf = F.udf(has_digit" in text
    assert ".rdd" not in text


def test_a_function_below_the_callback_is_made_one_beside_the_batch_function() -> None:
    text = new(f"{SHOW}{FUNCTIONS}lines.foreachRDD(show)")
    assert text.index("def show(") < text.index("letters_udf = F.udf(letters")
    assert ".rdd" not in text
    assert ".rdd" in in_main(SHOW + FUNCTIONS)


def test_two_callbacks_of_one_module_have_their_own() -> None:
    other = SHOW.replace("def show", "def again")
    text = new(f"{FUNCTIONS}{SHOW}{other}lines.foreachRDD(show)\nlines.foreachRDD(again)")
    assert text.index("letters_udf = ") < text.index("def show(") < text.index("letters_udf_2 = ")
    assert text.index("letters_udf_2 = ") < text.index("def again(")


def test_one_that_prints_is_one_and_a_note_says_where() -> None:
    loud = FUNCTIONS.replace('return ["none"]', 'print("none", line)\n        return ["none"]')
    result = file(socket_program(f"{loud}{SHOW}lines.foreachRDD(show)"))
    assert "letters_udf" in result.new and ".rdd" not in result.new
    (graph,) = run(socket_program(f"{loud}{SHOW}lines.foreachRDD(show)")).graphs
    assert any("print do so on executors" in note for note in graph.notes)


def test_elements_have_the_name_that_the_next_lambda_has_for_them() -> None:
    show = "def show(rdd):\n    print(rdd.flatMap(letters).map(lambda c: (c, 1)).reduceByKey({}).collect())\n"
    text = new(
        FUNCTIONS
        + show.format("lambda a, b: a + b").replace("lambda c: (c", "lambda sign: (sign")
        + "lines.foreachRDD(show)"
    )
    assert '.alias("sign")' in text and '.groupBy("sign")' in text
