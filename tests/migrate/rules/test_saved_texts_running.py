"""The texts that are saved of elements which no columns hold are those that DStreams saved."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

PROGRAM = """\
import json
from datetime import datetime

def fields(line):
    parts = line.split(",")
    return parts[0], (len(line), None), [len(one) / 3 for one in parts]

def sized(line):
    return {"size": (line, len(line)), "is": {len(line)}}

tweets = lines.map(json.loads)
tweets.saveAsTextFiles("out/json")
tweets.filter(lambda t: "n" in t).saveAsTextFiles("out/left", "txt")
tweets.map(lambda t: t.get("n")).saveAsTextFiles("out/values")
tweets.map(lambda t: (t.get("n"), [t])).saveAsTextFiles("out/pairs")
tweets.map(lambda t: (t.get("at"), 1)).reduceByKey(lambda a, b: a + b).saveAsTextFiles("out/counts")
lines.map(fields).saveAsTextFiles("out/fields")
lines.map(sized).saveAsTextFiles("out/sized")
lines.map(lambda line: datetime(2024, 1, 1, len(line) % 24)).saveAsTextFiles("out/moments")
lines.flatMap(lambda line: json.loads(line).get("words", [])).saveAsTextFiles("out/words")
lines.map(lambda line: (line, line.count("a") > 0, len(line) * 0.1)).saveAsTextFiles("out/columns")
parts = lines.map(fields).map(lambda p: (p[0], p[1][0]))
parts.pprint(100)
parts.saveAsTextFiles("out/parts")
"""
CALLBACK = """\
import json

def save(time, rdd):
    if not rdd.isEmpty():
        rdd.saveAsTextFile("out-%d" % time.timestamp())

lines.map(json.loads).foreachRDD(save)
"""
PRINTED = """\
import json
from datetime import datetime

def loud(line):
    print("loud")
    return {"line": line, "size": len(line)}

lines.map(loud).pprint(100)
lines.map(loud).filter(lambda d: d["size"] > 60).map(lambda d: (d["line"], d.get("none"))).pprint(100)
lines.flatMap(lambda line: [datetime(2024, 1, 1 + len(line) % 9), len(line) / 3]).pprint(100)
"""
BATCHES = [
    (
        """{"n": 1, "at": "a'b", "words": ["x", null, 1.50, true, {"k": [1]}]}""",
        r"""{"n": null, "at": "\"'"}""",
    ),
    (),
    (
        f'{{"n": {2**70}, "at": null, "words": []}}',
        r'{"n": "\u96ea \n \ud83d\ude00", "words": [-0.0, 1e300, NaN, Infinity]}',
        r'{"n": {"雪": "\ud83d"}, "at": "雪"}',
        "{}",
    ),
]


def test_a_typed_function_makes_the_same_texts(spark_context: SparkContext, spark: SparkSession) -> None:
    source = socket_program(PROGRAM)
    assert ".rdd" not in file(source).new
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert "1180591620717411303424" in str(was.batches[2])
    assert after_program(source, BATCHES, spark).batches == was.batches


def test_a_callback_saves_the_same_texts(spark_context: SparkContext, spark: SparkSession) -> None:
    source = socket_program(CALLBACK)
    assert ".rdd" not in file(source).new
    (was,) = before([CALLBACK], BATCHES, spark_context)
    assert "1180591620717411303424" in str(was.batches[2])
    assert after_program(source, BATCHES, spark).batches == was.batches


def test_pprint_shows_the_same_texts(spark_context: SparkContext, spark: SparkSession) -> None:
    source = socket_program(PRINTED)
    assert str(file(source).new).count("print(text)") == 3
    shows = "def show(rdd):\n    for one in rdd.take(100):\n        print(one)\n"
    printed = shows + PRINTED.replace(".pprint(100)", ".foreachRDD(show)")
    (was,) = before([printed], BATCHES, spark_context)
    assert "datetime.datetime(" not in str(was.batches[0])
    assert after_program(source, BATCHES, spark).batches == was.batches
