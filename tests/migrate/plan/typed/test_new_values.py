"""Functions that change a dict which the one before them made, and which nothing else holds."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run, socket_program

BEFORE = """\
import json
TABLE = {"a": {"text": "b"}}
seen = {}

def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return {}

def scored(t):
    t["score"] = 0.5
    return t

def renamed(t):
    t["name"] = t["id"]
    del t["id"]
    return t

def other(t):
    t = TABLE["a"]
    t["score"] = 1
    return t

def nested(t):
    t["user"]["score"] = 1
    return t

def second(t):
    user = t
    t["score"] = 1
    return [user]

def show(rdd):
    print(rdd.collect())

"""


@pytest.mark.parametrize(
    ("maps", "made"),
    [
        (".map(json.loads).map(scored)", 'scored(json.loads(row["value"]))'),
        (".map(lambda l: json.loads(l)).map(lambda t: scored(t))", 'scored(json.loads(l["value"]))'),
        (".map(parsed).map(scored).map(renamed)", 'renamed(scored(parsed(row["value"])))'),
        (".map(lambda l: {'text': l}).map(scored)", "scored({'text': l[\"value\"]})"),
        (".map(json.loads).filter(len).map(scored)", "scored(json.loads(value))"),
    ],
)
def test_what_is_new_may_be_changed(maps: str, made: str) -> None:
    text = str(file(socket_program(f"{BEFORE}lines{maps}.foreachRDD(show)")).new)
    assert made in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "maps",
    [
        pytest.param(".map(lambda l: TABLE[l]).map(scored)", id="a part of a variable"),
        pytest.param(".map(lambda l: TABLE.get(l)).map(scored)", id="what a method gives"),
        pytest.param(".map(json.loads).map(lambda t: TABLE[t['a']]).map(scored)", id="later"),
        pytest.param(".map(json.loads).map(lambda t: t['user']).map(scored)", id="a part of a new one"),
        pytest.param(".map(json.loads).map(lambda t: (t, scored(t)))", id="read once more"),
        pytest.param(".map(json.loads).map(other)", id="its parameter is another value then"),
        pytest.param(".map(json.loads).map(nested)", id="it changes a part of a part"),
        pytest.param(".map(json.loads).map(second)", id="it has a second name"),
        pytest.param(".map(scored)", id="elements of the source"),
    ],
)
def test_others_are_rdd_code(maps: str) -> None:
    text = str(run(socket_program(f"{BEFORE}lines{maps}.foreachRDD(show)")).files[0].new)
    assert ".rdd" in text
