"""Typed functions that call functions whose results no column holds give each batch what DStreams gave."""

from __future__ import annotations

import json

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import Batch, after_program, as_printed, before

PROGRAM = """\
import json
from datetime import datetime

def tags(t):
    return [word for word in t["text"].split() if word.startswith("#")]

def kind(t):
    if "text" in t:
        return ("text", 1)
    elif t["words"]:
        return ("words", len(t["words"]))

def parts(line):
    print("parts")
    return [{"text": line[:n], "n": n} for n in (2, 5)]

def scored(t):
    t["size"] = len(t["at"]) * 0.5
    del t["at"]
    return t

tweets = lines.map(json.loads)
tweets.map(scored).map(lambda t: ("at" in t, float(t["size"]))).pprint(100)
tweets.map(kind).filter(lambda x: x is not None).reduceByKey(lambda a, b: a + b).pprint(100)
lines.flatMap(parts).map(lambda d: (d["text"], d["n"])).reduceByKey(lambda a, b: a + b).pprint(100)
lines.map(lambda l: l.encode("ascii", "ignore")).map(lambda b: (len(b.split(b",")), 1)).pprint(100)
found = tweets.filter(lambda t: "text" in t).flatMap(tags)
found.map(lambda t: (t, 1)).reduceByKey(lambda a, b: a + b).pprint(100)
tweets.map(lambda t: (str(t.get("n")), len(t))).reduceByKey(lambda a, b: a + b).pprint(100)
words = lines.flatMap(lambda line: json.loads(line)["words"]).filter(lambda w: w["n"] > 1 or w.get("x"))
words.map(lambda w: (w["k"].strip(), 1)).reduceByKey(lambda a, b: a + b).pprint(100)
moments = lines.map(lambda line: datetime.strptime(line[-7:-2], "%H:%M"))
moments.map(lambda m: (m.hour, m.minute)).reduceByKey(max).pprint(100)
"""
PRINTED = """\
import json
import numpy as np

def first(t):
    try:
        return t["long"][0], t["n"]
    except (KeyError, IndexError):
        return t["text"], None

lines.map(json.loads).map(lambda t: (t["at"], t.get("n"))).map(lambda t: "%s %s" % t).pprint(100)
lines.map(json.loads).map(first).pprint(100)
kept = lines.map(json.loads).filter(lambda t: t.get("n") or t["words"])
kept.map(lambda t: (t["at"], t["words"])).pprint(100)
sizes = lines.map(lambda line: (len(line), -line.count('"')))
arrays = sizes.map(lambda pair: np.array(pair))
arrays.map(lambda array: array.reshape(1, -1)).pprint(100)
"""
TAKEN = """\
import json

def total(objects):
    return sum(t.get("n") is None for t in objects)

def show(rdd):
    if not rdd.isEmpty():
        print(rdd.count(), rdd.take(1), total(rdd.collect()))

def sized(t):
    t["size"] = [len(t["at"])]
    return t

parsed = lines.map(lambda line: json.loads(line))
parsed.foreachRDD(show)
parsed.filter(lambda t: "text" in t).map(lambda t: t["text"]).foreachRDD(lambda rdd: print(rdd.collect()))
parsed.map(lambda t: (t["at"], t)).pprint(100)
parsed.map(lambda t: (t["at"], t.get("n"))).foreachRDD(lambda rdd: print(rdd.collect(), rdd.take(1)))
parsed.map(lambda t: sized(t)).filter(lambda t: t["size"]).foreachRDD(lambda rdd: print(rdd.collect()))
sizes = parsed.map(lambda t: (t["at"], len(t))).map(lambda p: [p[1], p[0]])
sizes.foreachRDD(lambda rdd: print(rdd.collectAsMap()))
parsed.map(lambda t: (t["at"], 1)).reduceByKey(lambda a, b: a + b).foreachRDD(
    lambda rdd: print(sorted(rdd.collectAsMap().items()))
)
lines.map(lambda t: (len(t), 1)).reduceByKey(lambda a, b: a + b).foreachRDD(
    lambda rdd: print(sorted(rdd.collectAsMap().items()))
)
"""
IN_CALLBACKS = """\
import json
from pyspark.sql import Row, SparkSession

spark = SparkSession.builder.getOrCreate()

def names(rdd):
    if rdd.count() > 0:
        print(rdd.map(lambda t: t["at"]).collect())
        print([len(words) for words in rdd.map(lambda t: t["words"]).take(2)])

def sizes(rdd):
    texts = rdd.filter(lambda t: "text" in t).count()
    others = rdd.filter(lambda t: "text" not in t).map(lambda t: t["long"]).count()
    print(texts, others, rdd.count(), rdd.isEmpty())

def rows(rdd):
    if not rdd.isEmpty():
        made = rdd.map(lambda t: Row(at=str(t["at"]), size=len(t["words"])))
        frame = spark.createDataFrame(made)
        print(sorted(map(tuple, frame.collect())))

def hours(rdd):
    counts = rdd.map(lambda t: (t["at"].split(":")[0], 1)).reduceByKey(lambda a, b: a + b)
    print(sorted(map(tuple, counts.collect())))

parsed = lines.map(json.loads)
parsed.foreachRDD(names)
parsed.foreachRDD(sizes)
parsed.foreachRDD(rows)
parsed.map(lambda t: t).foreachRDD(hours)
"""
OF_CLASSES = """\
import json

class Clock:
    @staticmethod
    def hour(at):
        return int(at.split(":")[0])

    def named(self, event):
        return "Noon" if self.hour(event["at"]) < 12 else "Night"

clock = Clock()

def marks(line):
    event = json.loads(line)

    def several(name, times=2):
        for _ in range(times):
            yield name + event["at"]

    return [mark for name in ("a", "b") for mark in several(name)]

def place(line):
    scale = -2.0

    def of(word):
        return line.find(word) * scale

    return of("at") - of("text")

events = lines.map(json.loads)
events.map(lambda event: (clock.named(event), 1)).reduceByKey(lambda a, b: a + b).pprint(100)
lines.flatMap(marks).pprint(100)
lines.map(place).pprint(100)
"""
NAMED = """\
import re
from collections import namedtuple

LOG = re.compile(r'(\\S+) "(\\S+) (\\S+)" (\\d{3}) (\\d+|-)')
Hit = namedtuple("Hit", ["host", "path", "status", "size"])
Point = namedtuple("Point", "x y")

def parse(line):
    m = LOG.match(line)
    if m is None:
        return None
    size = 0 if m.group(5) == "-" else int(m.group(5))
    return Hit(m.group(1), m.group(3), int(m.group(4)), size)

def point(line):
    return Point(line.title(), float(len(line)) / 3)

hits = lines.map(parse).filter(lambda h: h is not None).cache()
hits.count().pprint()
hits.map(lambda h: (h.path, 1)).reduceByKey(lambda a, b: a + b).pprint(100)
errors = hits.filter(lambda h: h.status >= 500)
errors.map(lambda h: (h.host, h.size)).groupByKey().mapValues(lambda sizes: sum(sizes)).pprint(100)
hits.map(lambda h: h.host.title()).pprint(100)
points = lines.map(point)
points.filter(lambda p: p.y > 3).map(lambda p: p.x + "!").pprint(100)
points.map(lambda p: (p.x[:1], p.y)).reduceByKey(max).pprint(100)
"""
OBJECTS = """\
import re
from pyspark.sql import Row, SparkSession

spark = SparkSession.builder.getOrCreate()

class Hit(object):
    LOG = r'(\\S+) "(\\S+) (\\S+)" (\\d{3}) (\\d+|-)'

    def __init__(self, found, mark="!"):
        self.host = found.group(1)
        self.path = found.group(3) + mark
        self.status = int(found.group(4))
        if found.group(5) == "-":
            self.size = 0
        else:
            self.size = int(found.group(5))
        self.words = {self.host: [self.size]}

    @staticmethod
    def parse(line):
        found = re.match(Hit.LOG, line)
        return Hit(found, mark="") if found else None

def status(hit):
    return "%d of %s" % (hit.status, hit.host)

def show(rdd):
    print(rdd.count(), "hits")
    if not rdd.isEmpty():
        frame = spark.createDataFrame(rdd.map(lambda h: Row(path=h.path, size=h.size)))
        print(sorted(map(tuple, frame.collect())), frame.columns)

hits = lines.map(Hit.parse).filter(lambda h: h is not None)
hits.foreachRDD(show)
hits.count().map(lambda n: "%d of them" % n).pprint()
hits.map(lambda h: (h.path, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 2, 1).pprint(100)
errors = hits.filter(lambda h: h.status >= 500)
errors.count().pprint()
errors.map(lambda h: (h.host, h.size)).groupByKey().mapValues(lambda sizes: sum(sizes)).pprint(100)
hits.map(lambda h: h.size).reduce(max).pprint()
hits.map(status).pprint(100)
"""
LOGS = [
    ('a.com "GET /x" 200 12', 'b.com "GET /y" 503 -', "no hit", 'a.com "GET /x" 500 7', ""),
    (),
    ('a.com "GET /\u96ea" 500 1', 'a.com "PUT /x" 404 -'),
]
COUNTED = """\
import json

def pair(t):
    return t.get("n"), (len(t), -1)

tweets = lines.map(json.loads)
counts = tweets.map(lambda t: t.get("n")).countByValue()
counts.pprint(100)
counts.filter(lambda x: x[1] > 1 or str(x[0]) == "1").pprint(100)
counts.filter(lambda x: x[1] > 1).transform(lambda rdd: rdd.sortBy(lambda x: -x[1])).pprint(100)
sums = tweets.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
sums.map(lambda x: (x[0], x[1][0] / x[1][1])).pprint(100)
sums.mapValues(lambda p: p[0] / p[1]).foreachRDD(lambda rdd: print(sorted(map(str, rdd.collect()))))
sums.mapValues(lambda p: str(p[0]).title()).map(lambda p: (p[0], p[1] + "!")).pprint(100)
sums.map(lambda x: (x[0], (x[1][1], str(x[0])))).pprint(100)
tags = tweets.filter(lambda t: "tags" in t).flatMap(lambda t: ((tag, 2) for tag in t["tags"]))
tags.reduceByKey(lambda a, b: a + b).pprint(100)
pairs = tweets.map(lambda t: ((t.get("n"), len(t)), 2)).reduceByKey(lambda a, b: a + b)
pairs.map(lambda x: (x[0][1], x[0][0], x[1])).pprint(100)
pairs.foreachRDD(lambda rdd: print(sorted(map(str, rdd.collect()))))
marks = tweets.flatMap(lambda t: [(tag, t["n"]) for tag in t.get("tags", [])])
marks.countByValue().pprint(100)
counts.foreachRDD(lambda rdd: print(sorted(map(str, rdd.collect()))))
values = tweets.flatMap(lambda t: t.get("values", []))
values.map(lambda v: (v, str(v))).pprint(100)
values.filter(lambda v: v is not None).pprint(100)
"""
IN_CALLBACK = """\
import json

def pair(line):
    t = json.loads(line)
    return t.get("n"), (float(len(line)) / 7, 1)

def sums(rdd):
    summed = rdd.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    means = summed.map(lambda x: (x[0], x[1][0] / x[1][1]))
    print(sorted(map(str, means.collect())), len(means.take(100)))

def texts(rdd):
    words = rdd.map(lambda line: (line[:6], len(line) * 0.1)).reduceByKey(lambda a, b: a + b)
    print(sorted(words.collect()))

lines.foreachRDD(sums)
lines.foreachRDD(texts)
lines.foreachRDD(lambda rdd: print(sorted(map(str,
    rdd.map(lambda line: (json.loads(line).get("n"), 0.1)).reduceByKey(lambda a, b: a + b).collect()
))))
"""
KEYS = [
    tuple(f'{{"n": {key}, "tags": [1, "1", null]}}' for key in ("1", '"1"', "null", '"null"', "1", "-7")),
    (),
    (
        '{"n": "", "values": [1.0, 1, true, null, {"a": [1e300, "\\u96ea"]}, [], -0.0]}',
        "{}",
        '{"n": "\\u96ea \\ud83d"}',
        f'{{"n": {2**70}, "tags": []}}',
        '{"n": "\u96ea"}',
    ),
]
BATCHES = [
    ('{"text": "#a b #c", "n": 1, "words": [{"n": 2, "k": " v "}], "at": "01:02"}',),
    (),
    (
        '{"text": "#a #\\u96ea", "n": 1.0, "words": [], "at": "23:59"}',
        '{"n": "1", "long": ["x"], "words": [{"n": 0, "x": 1, "k": "v"}, {"n": 0}], "at": "23:01"}',
        '{"text": "", "n": null, "words": [{"n": 1.5, "k": ""}], "long": [], "at": "00:00"}',
    ),
]


def test_composed_functions_do_the_same(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(PROGRAM)).new
    assert "F.udf" in new
    assert ".rdd" not in new
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert "#c" in str(was.batches[0])
    assert after_program(socket_program(PROGRAM), BATCHES, spark).batches == was.batches


def test_fields_of_namedtuples_are_columns(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(NAMED)).new
    assert ".rdd" not in new
    (was,) = before([NAMED], LOGS, spark_context)
    assert "/x" in str(was.batches[0])
    came = after_program(socket_program(NAMED), LOGS, spark).batches
    assert came == [as_printed(expected, after) for expected, after in zip(was.batches, came, strict=True)]


def test_attributes_of_objects_are_columns(spark_context: SparkContext, spark: SparkSession) -> None:
    """Others run for batches without rows, for which a count is none, and 0 where none are left of some."""
    new = file(socket_program(OBJECTS)).new
    assert ".rdd" not in new
    assert 'F.udf("array<struct<host string, path string, status bigint, size bigint>>"' in new
    batches = [*LOGS, ("no hit",), (), (), ()]
    (was,) = before([OBJECTS], batches, spark_context)
    assert "0 of them" in str(was.batches[3]) and "of them" not in str(was.batches[1])
    # the micro-batch that the query starts with comes before the first interval
    came = after_program(socket_program(OBJECTS), [(), *batches], spark).batches[1:]
    assert came == [as_printed(expected, after) for expected, after in zip(was.batches, came, strict=True)]


def test_methods_and_functions_inside_of_others_do_the_same(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    new = file(socket_program(OF_CLASSES)).new
    assert new.count("F.udf") == 3
    assert ".rdd" not in new
    (was,) = before([OF_CLASSES], BATCHES, spark_context)
    assert "Noon" in str(was.batches[0])
    assert after_program(socket_program(OF_CLASSES), BATCHES, spark).batches == was.batches


def test_callbacks_call_all_functions(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(TAKEN)).new
    assert ".rdd" not in new
    (was,) = before([TAKEN], BATCHES, spark_context)
    assert "#c" in str(was.batches[0])
    assert after_program(socket_program(TAKEN), BATCHES, spark).batches == was.batches


def test_methods_of_a_callback_call_the_functions_of_its_stream(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    new = file(socket_program(IN_CALLBACKS)).new
    assert ".rdd" not in new
    (was,) = before([IN_CALLBACKS], BATCHES, spark_context)
    assert "23" in str(was.batches[2])
    assert after_program(socket_program(IN_CALLBACKS), BATCHES, spark).batches == was.batches


def test_the_loop_that_prints_calls_all_functions(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(PRINTED)).new
    assert "    t = json.loads" in new
    assert ".rdd" not in new
    (was,) = before([PRINTED], BATCHES, spark_context)
    assert after_program(socket_program(PRINTED), BATCHES, spark).batches == was.batches


def test_rows_are_grouped_by_the_json_of_keys(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(COUNTED)).new
    assert ".rdd" not in new
    (was,) = before([COUNTED], KEYS, spark_context)
    assert "null" in str(was.batches[0])
    assert after_program(socket_program(COUNTED), KEYS, spark).batches == was.batches


OF_TEXTS = """\
import json

tweets = lines.map(json.loads)
counts = tweets.map(lambda t: (t.get("name"), 1)).reduceByKey(lambda a, b: a + b)
counts.filter(lambda x: x[0] != "a").pprint(100)
counts.foreachRDD(lambda rdd: print(sorted(map(str, rdd.collect()))))
tags = tweets.flatMap(lambda t: [tag["text"] for tag in t.get("tags", [])])
tags.countByValue().pprint(100)
"""
TEXTS = [
    ('{"name": "a"}', '{"name": "1", "tags": [{"text": ""}, {"text": null}]}', "{}", '{"name": "a"}'),
    (),
    ('{"name": "\\u96ea", "tags": [{"text": "b\\n"}, {"text": "b\\n"}]}', '{"name": null}', '{"name": ""}'),
]


def test_rows_are_grouped_by_fields_that_are_texts(spark_context: SparkContext, spark: SparkSession) -> None:
    assert "only_text" in file(socket_program(OF_TEXTS)).new
    (was,) = before([OF_TEXTS], TEXTS, spark_context)
    assert after_program(socket_program(OF_TEXTS), TEXTS, spark).batches == was.batches


BY_USES = """\
import json

tweets = lines.map(lambda line: json.loads(line))
tweets.flatMap(lambda t: t["text"].split(" ")).countByValue().pprint(100)
tweets.map(lambda t: (t["user"]["name"], 1)).reduceByKey(lambda a, b: a + b).pprint(100)
tweets.flatMap(lambda t: [tag["text"] for tag in t["tags"]]).countByValue().pprint(100)
tweets.filter(lambda t: t["lang"] == "en").map(lambda t: (int(t["n"]), float(t["n"]))).pprint(100)
tweets.filter(lambda t: t["n"] is not None).map(lambda t: t["x"] > 2).countByValue().pprint(100)
others = tweets.filter(lambda t: t["lang"] not in ("en", "de"))
others.map(lambda t: t.get("title")).countByValue().pprint(100)
"""
ENGLISH = {"user": {"name": None}, "tags": [], "lang": "en", "n": "5", "x": 2.5, "text": "a \u96ea"}
USES: list[Batch] = [
    tuple(
        json.dumps(ENGLISH | changed)
        for changed in (
            {},
            {"text": "a  b", "user": {"name": "7"}, "tags": [{"text": "b"}], "n": -5.7, "x": True},
            {"text": "", "user": {"name": ""}, "tags": [{"text": None}], "lang": None, "n": 1, "x": 2**63},
        )
    ),
    (),
    tuple(
        json.dumps(ENGLISH | changed, ensure_ascii=False)
        for changed in (
            {"text": "\t", "user": {"name": "\U0001f600"}, "lang": 7, "x": 1e3, "title": "t"},
            {"user": {"name": "null"}, "lang": ["en"], "n": None, "x": -0.0, "title": None},
            {"user": {"name": "null"}, "n": True, "x": 2},
        )
    ),
]


def test_json_whose_uses_say_its_types_is_columns(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(BY_USES)).new
    assert new.count("parse_json") == 1 and "udf" not in new and ".rdd" not in new
    (was,) = before([BY_USES], USES, spark_context)
    assert "(-5, -5.7)" in str(was.batches[0])
    assert after_program(socket_program(BY_USES), USES, spark).batches == was.batches


def test_callbacks_sum_floats_of_keys_that_are_json(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(IN_CALLBACK)).new
    assert "json_key(" in new
    assert ".rdd" not in new
    keys = [batch for batch in KEYS if batch]
    (was,) = before([IN_CALLBACK], keys, spark_context)
    assert "null" in str(was.batches[0])
    assert after_program(socket_program(IN_CALLBACK), keys, spark).batches == was.batches


LATE = """\
import json
import os

acc = sc.accumulator(0)

def pair(line):
    t = json.loads(line)
    return t.get("n"), (float(len(line)) / 7, 1)

def mean(x):
    {first}
    return x[0], x[1][0] / x[1][1]

def sums(rdd):
    summed = {rdd}.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    print(sorted(map(str, summed.map(mean).{action})))

lines.foreachRDD(sums)
"""
ON_WORKERS = {
    "a file": "open('log', 'a').write('1')",
    "an accumulator": "acc.add(1)",
    "a print": "print(x)",
    "another process": "x = (os.getpid(), x[1])",
}


def test_a_pure_function_makes_elements_where_they_are_collected() -> None:
    new = file(socket_program(LATE.format(first="pass", rdd="rdd", action="collect()"))).new
    assert ".rdd" not in new


@pytest.mark.parametrize("first", ON_WORKERS.values(), ids=ON_WORKERS)
def test_a_function_that_workers_must_call_is_not_moved_to_the_driver(first: str) -> None:
    new = file(socket_program(LATE.format(first=first, rdd="rdd", action="collect()"))).new
    assert ".rdd" in new


def test_a_filter_of_elements_with_json_keys_stays_rdd_code() -> None:
    action = "filter(lambda x: x[0] != 1).collect()"
    assert ".rdd" in file(socket_program(LATE.format(first="pass", rdd="rdd", action=action))).new


@pytest.mark.parametrize("rdd", ["rdd.repartition(3)", "rdd.distinct()"])
def test_floats_that_a_shuffle_has_dealt_out_are_not_summed_as_columns(rdd: str) -> None:
    new = file(socket_program(LATE.format(first="pass", rdd=rdd, action="collect()"))).new
    assert "json_key" not in new
    assert "F.sum(" not in new
