"""Elements that no columns hold are saved as the texts that a typed function makes."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options
from tests.migrate.programs import file, native_body, socket_program

IMPORTS = """\
import json

def fields(line):
    name, size = line.split(",")
    return name, int(size)

def named(line):
    return {"name": line}

def shout(line):
    return line.swapcase() + "!"

"""
SAVED = '.saveAsTextFiles("out")'
WRITTEN = 'batch.select(text_udf("value")).write'
FORMS = {
    "JSON": (
        "lines.map(json.loads)",
        'lambda value: str(json.loads(value)), "string", useArrow=True',
        WRITTEN,
    ),
    "dicts": ("lines.map(named)", 'text_udf = F.udf(lambda value: str(named(value)), "string")', WRITTEN),
    "lists": ("lines.map(lambda l: [l, 1])", 'F.udf(lambda l: str([l, 1]), "string")', WRITTEN),
    "tuples": ("lines.map(fields)", 'F.udf(lambda value: str(fields(value)), "string")', WRITTEN),
    "texts": ("lines.map(shout)", 'shout_udf = F.udf(shout, "string")', 'select(shout_udf("value")).write'),
    "two functions": (
        "lines.map(named).map(lambda d: (d, 1))",
        'F.udf(lambda value: str((named(value), 1)), "string")',
        WRITTEN,
    ),
    "those that are left": (
        'lines.map(json.loads).filter(lambda d: "id" in d)',
        '    d = json.loads(value)\n    return [str(d)] if "id" in d else []',
        'batch.select(F.explode(text_udf("value")).alias("text"))',
    ),
    "several of one": (
        'lines.flatMap(lambda l: json.loads(l)["ids"])',
        'lambda l: [str(item) for item in json.loads(l)["ids"]]',
        'batch.select(F.explode(text_udf("value")).alias("text"))',
    ),
    "keys that are JSON": (
        'lines.map(json.loads).map(lambda d: (d["id"], 1)).reduceByKey(lambda a, b: a + b)',
        'F.udf(lambda id, count: str((json.loads(id), count)), "string")',
        '.select(text_udf("id", "count"))',
    ),
}


@pytest.mark.parametrize(("stream", "function", "call"), FORMS.values(), ids=FORMS)
def test_a_typed_function_makes_the_texts(stream: str, function: str, call: str) -> None:
    new = file(socket_program(f"{IMPORTS}{stream}{SAVED}")).new
    assert function in new
    assert call in new
    assert ".rdd" not in new


def test_columns_of_a_typed_function_that_others_read_are_texts_in_the_end() -> None:
    new = native_body(f"{IMPORTS}pairs = lines.map(fields)\npairs.pprint()\npairs{SAVED}")
    assert 'pairs = batch.select(fields_udf("value").alias("result")).select("result.*")' in new
    assert 'pairs.select(tuple_text("name", "size")).write' in new
    assert ".rdd" not in new


def test_a_callback_saves_the_texts() -> None:
    body = (
        "def save(time, rdd):\n"
        "    if not rdd.isEmpty():\n"
        '        rdd.saveAsTextFile(f"out/{time}")\n'
        "def keep(time, rdd):\n"
        '    rdd.map(named).saveAsTextFile(f"kept/{time}")\n'
        "lines.map(json.loads).foreachRDD(save)\nlines.foreachRDD(keep)\n"
    )
    new = file(socket_program(IMPORTS + body)).new
    assert '        batch.select(text_udf("value")).write.text(f"out/{time}")' in new
    assert '    batch.select(text_udf_2("value")).write.text(f"kept/{time}")' in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    "stream",
    [
        "lines.map(lambda l: json.dumps(named(l)).encode())",  # which is saved as it is
        "lines.map(lambda l: str(l)).map(lambda l: print(l))",
        "lines.map(weird)",
    ],
)
def test_rdd_code_saves_what_has_no_text_that_is_known(stream: str) -> None:
    assert ".saveAsTextFile(f" in native_body(f"{IMPORTS}{stream}{SAVED}")


def test_another_str_makes_no_texts() -> None:
    new = native_body(f"{IMPORTS}def str(x):\n    return repr(x)\nlines.map(named){SAVED}")
    assert "text_udf" not in new


def test_older_spark_has_a_check_of_the_texts() -> None:
    options = Options(spark=SparkVersion("3.5"))
    new = file(socket_program(f"{IMPORTS}lines.map(json.loads){SAVED}"), options).new
    assert 'F.udf(lambda value: checked(str(json.loads(value))), "string")' in new


LOUD = "def loud(line):\n    print(line)\n    return {'line': line}\n"
PRINTED = {
    "what prints": "lines.map(loud)",
    "several of one": "lines.flatMap(lambda l: [loud(w) for w in l.split()])",
    "what is left": "lines.map(loud).filter(lambda d: len(d['line']) > 2)",
}


@pytest.mark.parametrize("stream", PRINTED.values(), ids=PRINTED)
def test_pprint_shows_the_texts_of_what_the_driver_does_not_make(stream: str) -> None:
    new = native_body(f"{LOUD}{stream}.pprint(5)")
    assert "for (text,) in rows.take(5):\n    print(text)" in new
    assert ".rdd" not in new


def test_the_exact_text_of_pprint_is_that_of_elements() -> None:
    options = Options(pprint_exact=True)
    assert ".rdd" in str(file(socket_program(f"{LOUD}lines.map(loud).pprint()"), options).new)
