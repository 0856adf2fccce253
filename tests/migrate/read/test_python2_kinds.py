"""Values of Python 2 that are texts or numbers for certain, so that `str` shows the same for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Module
from migrate.read.parse import parse_bytes

SCRIPT = """\
import json
from pyspark.streaming import StreamingContext
{functions}
def process(rdd):
    found = ""
    for one in rdd.collect():
        found += "%s\\n" % json.dumps(one)
    {call}
ssc = StreamingContext(sc, 1)
print 'starting'
lines.foreachRDD(process)
ssc.start()
ssc.{waits}()
"""
RECORDS = """\
print 'starting'
def show(rdd):
    for record in rdd.collect():
        {shown}
{made}
rdd.foreachRDD(show)
"""
DICTS = 'rdd = counts.map(lambda x: {"word": x[0].split("_")[0], "count": str(x[1]), "share": x[2]})'
TWO = (
    "rdd = lines.map(lambda x: (x['word'] + '_', 1)).reduceByKey(lambda a, b: a + b)\n"
    "rdd = rdd.map(lambda x: {'word': x[0].split('_')[0], 'count': x[1]})"
)


def module(code: str) -> Module:
    return parse_bytes(code.encode(), Path("/nowhere/job.py"), "job.py")


def source_of(code: str) -> str:
    """A module in Python 3, of which nothing is in doubt."""
    found = module(code)
    assert found.limits == ()
    return found.source


@pytest.mark.parametrize(
    ("code", "is_text"),
    [
        ("import re\nwords = re.compile('b+').split(a)\nprint str(words[1])", True),
        ("import re\npattern = re.compile('b+')\nwords = pattern.split(a)\nprint str(words[1])", True),
        ("import re\npattern = re.compile('(b)+')\nwords = pattern.split(a)\nprint str(words[1])", False),
        ("pattern = compiled('b+')\nwords = pattern.split(a)\nprint str(words[1])", False),
    ],
)
def test_what_a_compiled_pattern_splits_is_text(code: str, is_text: bool) -> None:
    assert ("python2_str" not in source_of(code)) == is_text


@pytest.mark.parametrize(
    ("code", "is_text"),
    [
        ("print str('a' + x)", True),
        ("print str(x + y + 'a')", True),
        ("text = ''\nfor x in y: text += x\nprint str(text)", True),
        ("print str(x + y)", False),
        ("n = 0\nfor x in y: n += x\nprint str(n)", False),
        ("print str('a' + x if y else x)", False),
        ("print str(('a', 0.5) + x)", False),
    ],
)
def test_what_is_added_to_a_text_is_one(code: str, is_text: bool) -> None:
    assert ("python2_str" not in source_of(code)) == is_text


@pytest.mark.parametrize(
    ("code", "is_text"),
    [
        ("if x in ['AL', 'AK']: print str(x)", True),
        ("if y and x in ('AL', 'AK'):\n    y = 1.5\n    print str(x)", True),
        ("states = ['AL', 'AK']\nif x in states: print str(x)", True),
        ("states = ['AL', 'AK']\nfor i in y:\n    if y[i] in states: print str(y[i])", True),
        ("print str(x) if x == 'AL' else 1", True),
        ("print 1 if x == 'AL' else str(x)", False),
        ("if x in ['AL', 1.5]: print str(x)", False),
        ("if x not in ['AL', 'AK']: print str(x)", False),
        ("if x in ['AL', 'AK'] or y: print str(x)", False),
        ("if x in ['AL', 'AK']:\n    x = 1.5\n    print str(x + y)\n    print str(x + 1)", False),
        ("if x in ['AL', 'AK']:\n    x = f(x)\n    print str(x)", False),
        ("if x in ['AL', 'AK']: print (lambda x: str(x))(1.5)", False),
        ("states = ['AL', 'AK']\nstates.append(1.5)\nif x in states: print str(x)", False),
        ("if f.x in ['AL', 'AK']: print str(f.x)", False),
    ],
)
def test_what_is_found_among_texts_is_one(code: str, is_text: bool) -> None:
    assert ("python2_str" not in source_of(f"print 1\n{code}")) == is_text


@pytest.mark.parametrize(
    ("made", "shown", "is_known"),
    [
        (DICTS, 'print str(record["word"]) + str(record["count"])', True),
        (TWO, 'print str(record["word"]) + str(record["count"])', True),
        (f"rdd = rdd2.map(f)\nrdd2 = g\n{DICTS}", 'print str(record["word"])', True),
        (DICTS, 'print str(record["share"])', False),
        (DICTS, 'print str(record["other"])', False),
        (DICTS, 'record["word"] = 1.5\n        print str(record["word"])', False),
        (DICTS, 'change(record)\n        print str(record["word"])', False),
        (f"{DICTS}.filter(lambda x: x)", 'print str(record["word"])', True),
        (f"{DICTS}.filter(change)", 'print str(record["word"])', False),
        (DICTS.replace('"share": x[2]', "**x[2]"), 'print str(record["word"])', False),
        (DICTS.replace('"share": x[2]', '"word": x[2]'), 'print str(record["word"])', False),
    ],
)
def test_items_of_dicts_that_the_last_map_makes(made: str, shown: str, is_known: bool) -> None:
    source = source_of(RECORDS.format(made=made, shown=shown))
    assert ("python2_str(record" not in source) == is_known


@pytest.mark.parametrize(
    ("functions", "call", "is_known"),
    [
        ("def send(data): topic(str(data))", "send(found)", True),
        ("def send(data, to): to(str(data))", "send(data=found, to=topic)\n    send(str(1), topic)", True),
        ("def send(data): topic(str(data))", "send(found)\n    send(rdd.first())", False),
        ("def send(data, other=0.5): topic(str(other))", "send(found)", False),
        ("def send(data): topic(str(data))", "rdd.foreach(send)\n    send(found)", False),
        ("@udf\ndef send(data): return str(data)", "send(found)", False),
        ("def send(data):\n    data = f(data)\n    topic(str(data))", "send(found)", False),
        ("from a import send\nclass A:\n    def send(self, data): topic(str(data))", "send(1, found)", False),
        (
            "def send(data):\n    def inner(data): topic(str(data))\n    rdd.foreach(inner)",
            "send(found)",
            False,
        ),
    ],
)
def test_a_parameter_is_what_all_calls_give_it(functions: str, call: str, is_known: bool) -> None:
    source = source_of(SCRIPT.format(functions=functions, call=call, waits="awaitTermination"))
    assert ("topic(python2_str" not in source and "return python2_str" not in source) == is_known


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ssc.awaitTermination()", "ssc.show()"),
        (".start()\nssc.awaitTermination()", ".cache()\ndef wait(): ssc.awaitTermination()"),
    ],
)
def test_other_modules_may_call_the_functions_of_a_library(old: str, new: str) -> None:
    script = SCRIPT.format(
        functions="def send(x): topic(str(x))", call="send(found)", waits="awaitTermination"
    )
    assert "topic(str(x))" in source_of(script)
    assert "topic(python2_str(x))" in source_of(script.replace(old, new))


def test_a_function_that_nothing_calls_stays_as_it_is() -> None:
    functions = "def unused(x): return str(x)\ndef used(x): return str(x)"
    source = source_of(SCRIPT.format(functions=functions, call="rdd.map(used)", waits="awaitTermination"))
    assert "def unused(x): return str(x)\ndef used(x): return python2_str(x)" in source
