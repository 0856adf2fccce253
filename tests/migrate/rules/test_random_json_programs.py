"""Random chains of functions of JSON do the same before and after, as typed functions or as RDD code."""

from __future__ import annotations

import json
import random

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import Batch, after_program, before

HEAD = """\
import json, re

def words(t):
    return [w for w in t["text"].split() if w]

def size(t):
    try:
        return t["n"] + 1
    except (KeyError, TypeError):
        return -1

NEXT = {"a": "b", "b": "c"}
"""
STARTS = (
    "lines.map(json.loads)",
    "lines.map(lambda line: json.loads(line))",
    "lines.map(lambda l: [json.loads(l), len(l)]).map(lambda p: p[0])",
)
OF_OBJECTS = (
    '.filter(lambda t: "n" in t)',
    '.filter(lambda t: t["text"] and t.get("tags"))',
    ".map(lambda d: d)",
    '.filter(lambda d: len(d) > 2 or d.get("n"))',
)
INTO_PAIRS = (
    '.map(lambda t: (t["id"], t["text"]))',
    '.map(lambda t: [t["id"], t["text"]])',
    '.map(lambda t: (str(t["id"]), t["text"].strip()))',
)
OF_PAIRS = (
    ".filter(lambda pair: len(pair) > 1 and pair[1])",
    ".mapValues(lambda v: v.lower())",
    '.filter(lambda p: p[1] != "x")',
    ".mapValues(lambda v: v.upper() + v)",
)
INTO_SEVERAL = (
    ".flatMapValues(lambda v: v.split())",
    '.flatMapValues(lambda v: re.findall("[a-z]", v))',
    ".flatMapValues(str.split)",
)
COUNTED = (
    ".map(lambda p: (str(p[0]), len(p[1])))",
    ".map(lambda p: (p[1].upper(), 1))",
    '.map(lambda kv: ("%s-%s" % (kv[0], kv[1]), 1))',
    '.map(lambda p: (f"{p[0]}", len(p[1]) + len(p[1])))',
)
ENDS = (
    '.map(lambda t: (t["text"].lower(), len(t["text"])))',
    ".flatMap(words).map(lambda w: (w, 1))",
    '.flatMap(lambda t: t["tags"]).map(lambda g: (g["k"].strip() + g["k"], 1))',
    '.flatMap(lambda t: t["tags"]).filter(lambda g: g["w"] > 1).map(lambda g: (str(g["k"]), len(g)))',
    ".map(size).map(lambda n: (str(n), 1))",
    '.map(lambda t: (NEXT.get(t["text"], "z"), 1))',
    '.map(lambda t: t["text"]).map(lambda s: s + s if len(s) > 1 else s + "!").map(lambda s: (s.strip(), 1))',
    '.map(lambda t: (re.sub("a", "b", t["text"]), 1))',
    '.flatMap(lambda t: [(w, t["id"]) for w in t["text"].split()]).map(lambda p: (p[0], int(p[1])))',
)


def _program(rng: random.Random) -> str:
    code = rng.choice(STARTS) + "".join(rng.choices(OF_OBJECTS, k=rng.randint(0, 2)))
    if rng.random() < 0.5:
        code += rng.choice(INTO_PAIRS) + "".join(rng.choices(OF_PAIRS, k=rng.randint(0, 2)))
        code += (
            rng.choice((*INTO_SEVERAL, "", "")) + rng.choice((*OF_PAIRS, "", "", "")) + rng.choice(COUNTED)
        )
    else:
        code += rng.choice(ENDS)
    return f"{HEAD}{code}.reduceByKey(lambda a, b: a + b).pprint(1000)"


def _record(rng: random.Random) -> str:
    tags = [
        {"k": rng.choice(["p", " q", ""]), "w": rng.choice([0, 1, 2, 3, 2.5])}
        for _ in range(rng.randint(0, 3))
    ]
    text = rng.choice(["a", "b a", "", " x ", "aé a\u2003b", "xx yy xx"])
    made = {"id": rng.randint(0, 3), "text": text, "tags": tags}
    return json.dumps(made | ({"n": rng.choice([1, 2.5, "s", None, True])} if rng.random() < 0.6 else {}))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_random_chains_do_the_same(spark_context: SparkContext, spark: SparkSession, seed: int) -> None:
    rng = random.Random(seed)
    programs = list(dict.fromkeys(_program(rng) for _ in range(24)))
    batches: list[Batch] = [tuple(_record(rng) for _ in range(rng.randint(1, 5))) for _ in range(3)]
    typed = 0
    for program, was in zip(programs, before(programs, batches, spark_context), strict=True):
        new = file(socket_program(program)).new
        typed += "F.udf" in new or "parse_json" in new
        assert after_program(socket_program(program), batches, spark).batches == was.batches, program
    assert typed > len(programs) / 2
