"""What is read of JSON texts on columns is what Python reads of them, or nothing; never another value."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns.helpers import definitions
from migrate.knowledge.spark_version import installed

pytestmark = pytest.mark.skipif(
    not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
)
TYPES = {"str": "STRING", "int": "BIGINT", "bool": "BOOLEAN", "float": "DOUBLE"}
TEXTS = 2000
"""Texts of one example of the default suite."""
AT_ONCE = 20_000
"""Texts of one frame of the long run."""
DEPTHS = [5, 40, 90, 200, 300]
"""Objects in objects; `schema_of_variant` of 900 overflows the stack, which ends the JVM."""
LETTERS = [
    "a",
    "b",
    " ",
    '"',
    "\\",
    "/",
    "\n",
    "\t",
    "\0",
    "é",
    "雪",
    "\U0001f600",
    "\u2028",
    "\x7f",
    "1",
    ".",
]
HOSTILE = [
    *(
        "",
        " ",
        "x",
        "{",
        "[",
        "nan",
        "NaN",
        "Infinity",
        "-Infinity",
        "'v'",
        "{'v': 1}",
        "{v: 1}",
        '{"v": 01}',
    ),
    *('{"v": 1,}', '{"v": .5}', '{"v": 1.}', '{"v": +1}', '{"v": 0x1}', '{"v": 1} x', '{"v": 1}{"v": 2}'),
    *(
        '{"v": 1, "v": 2}',
        '{"v": "\\ud800"}',
        '{"v": "\\ud83d\\ude00"}',
        '{"v": "\\u0000"}',
        '\ufeff{"v": 1}',
    ),
    *('{"v": "a\nb"}', '{"v": /* c */ 1}', "[" * 500 + "]" * 500, '{"v": ' * 100 + "1" + "}" * 100),
    *('{"V": 1}', '{"v ": 1}', '{"": {"v": 1}}', '{"\\u0076": 1}', "null", "true", "1", '"v"', '["v"]', "[]"),
    *('{"v": -0.0}', '{"v": -0}', '{"v": 1e400}', '{"v": 1E-400}', '{"v": 9223372036854775808}'),
    *('{"v": -9223372036854775808}', '{"v": 9223372036854775807}', '{"v": 9223372036854775807.0}'),
    *(
        '{"v": 1, "v": "x"}',
        '{"v": true, "v": 1}',
        '{"v": "x", "v": {}}',
        '[{"v": 1}]',
        '{"v": "?"}',
        '{"v": "-1"}',
    ),
    *(
        '{"v": "true"}',
        '{"v": "[1]"}',
        '{"v": "{}"}',
        '{"v": "\\"NaN\\""}',
        '{"v": NaN}',
        '{"v": "NaN"}',
        '{"v": 1.5e0}',
    ),
    *('{"v": -Infinity}', '{"v": 5 }', '{"v": 1E5\n}', '{"v": 1e-30}', '{"v": -1.50}', '{"v": 0.000000001}'),
    *(
        '{"v": "2024-01-01"}',
        '{"v": "1.5e3"}',
        '{"v": "1.5e"}',
        '{"v": "5\\n"}',
        '{"v": "truely"}',
        '{"v": "1:2"}',
    ),
]


class _Unfailing:
    """`pyspark.sql.functions`, with null where a query would fail."""

    def __getattr__(self, name: str) -> Any:
        return (lambda _: F.lit(None)) if name == "raise_error" else getattr(F, name)


def helpers() -> dict[str, Any]:
    """The functions that emitted code calls, giving null for what they fail for."""
    namespace: dict[str, Any] = {"F": _Unfailing()}
    names = ("json_variant", "json_record", "json_field", "json_value", "json_list", "json_has")
    for helper in definitions(names, frozenset(), parse_json_fails=installed().parse_json_fails):
        exec(helper.source, namespace)
    return namespace


def number(rng: random.Random) -> str:
    """A number as JSON spells it, most of them odd."""
    digits = "".join(rng.choices("0123456789", k=rng.choice([1, 2, 5, 15, 17, 18, 19, 20, 38, 39, 45])))
    text = rng.choice(["", "-"]) + (digits.lstrip("0") or "0")
    if rng.random() < 0.5:
        text += "." + "".join(rng.choices("0123456789", k=rng.choice([1, 2, 10, 20, 40])))
    if rng.random() < 0.3:
        text += (
            rng.choice("eE") + rng.choice(["", "+", "-"]) + str(rng.choice([0, 1, 5, 17, 22, 37, 40, 300]))
        )
    return text


def value(rng: random.Random, depth: int = 0) -> str:
    """A JSON value."""
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind < 2:
        return number(rng)
    if kind == 2:
        return rng.choice(["true", "false", "null"])
    if kind in (3, 4, 5):
        text = "".join(rng.choices(LETTERS, k=rng.randrange(6)))
        return json.dumps(text, ensure_ascii=rng.random() < 0.5)
    if kind in (6, 7):
        one = rng.random() < 0.5
        items = [
            json.dumps(rng.choice("abé")) if one else value(rng, depth + 1) for _ in range(rng.randrange(4))
        ]
        return "[" + rng.choice([", ", ","]).join(items) + "]"
    pairs = [f"{json.dumps(rng.choice('vwx'))}: {value(rng, depth + 1)}" for _ in range(rng.randrange(4))]
    return "{" + ", ".join(pairs) + "}"


def text_of(rng: random.Random) -> str:
    """A JSON text, of an object mostly; some are broken."""
    if rng.random() < 0.05:
        return rng.choice(HOSTILE)
    more = f', "w": {value(rng)}' * rng.randrange(2)
    text = f'{{"v": {value(rng)}{more}}}' if rng.random() < 0.9 else value(rng)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        place = rng.randrange(len(text) + 1)
        text = (
            text[:place] + rng.choice(['"', ",", "}", "1", ".", "-", "\\", " ", "e", ""]) + text[place + 1 :]
        )
    return text


@settings(max_examples=settings().max_examples // 3)  # the full run has a million texts
@given(st.integers(0, 2**64))
def test_every_value_is_pythons_or_none(spark: SparkSession, seed: int) -> None:
    rng = random.Random(seed)
    assert compared(spark, [*HOSTILE, *(text_of(rng) for _ in range(TEXTS))]) > TEXTS / 4


@pytest.mark.full
@pytest.mark.timeout(0)
def test_of_a_million_texts(spark: SparkSession, pytestconfig: pytest.Config) -> None:
    """`--json-texts` says how many, `--json-seed` which ones."""
    wanted, seed = pytestconfig.getoption("--json-texts"), pytestconfig.getoption("--json-seed")
    rng = random.Random(seed)
    tried = found = 0
    while tried < wanted:
        texts = [hostile_of(rng) if rng.random() < 0.1 else text_of(rng) for _ in range(AT_ONCE)]
        found += compared(spark, texts)
        tried += len(texts)
        done = f"{tried:,} texts of seed {seed}, {found:,} read with a value of one type, no difference"
        print(done, flush=True)
    assert found > tried / 4


def hostile_of(rng: random.Random) -> str:
    """A text that is deep, large, or full of escapes, some of which are of half a character."""
    inner = value(rng)
    match rng.randrange(5):
        case 0:
            depth = rng.choice(DEPTHS)
            inner = "[" * depth + inner + "]" * depth
        case 1:
            depth = rng.choice(DEPTHS)
            inner = '{"v": ' * depth + inner + "}" * depth
        case 2:
            pairs = (f'"k{at}": {value(rng, 2)}' for at in range(rng.choice([10, 100, 300])))
            return "{" + ", ".join([*pairs, f'"v": {inner}']) + "}"
        case 3:
            units = rng.choices(["d800", "dbff", "dc00", "dfff", "d83d", "de00", "0041", "0000", "ffff"], k=6)
            kept = rng.choices(["\\u", "\\\\u", "\\\\\\u"], weights=[8, 1, 1], k=6)
            inner = '"' + "".join(map("".join, zip(kept, units, strict=True))) + '"'
        case _:
            inner = '"' + "".join(rng.choices(["\\" + escape for escape in 'bfnrt/\\"'], k=9)) + '"'
    return f'{{"w": {value(rng)}, "v": {inner}}}'


def compared(spark: SparkSession, texts: list[str]) -> int:
    """Read texts on columns and compare with Python; how many gave a value of one of the types."""
    call = helpers()
    column = F.col("text")
    frame = spark.createDataFrame([(text,) for text in texts], "text STRING")
    for kind, type_ in TYPES.items():
        frame = frame.withColumn(kind, call["json_record"](column, f"v {type_}", "fact"))
    frame = frame.withColumn("event", call["json_variant"](column, "fact"))
    others = {
        "list": call["json_list"]("event", "$.v", "STRING"),
        "get": call["json_value"]("event", "$.v", "STRING", "null", "missing"),
        "has": call["json_has"]("event", "$.v"),
    }
    of_schema = {kind: call["json_field"](kind, "v", type_) for kind, type_ in TYPES.items()}
    got = call["json_field"]("str", "v", "STRING", "null", "missing")
    of_all = {kind: call["json_value"]("event", "$.v", type_) for kind, type_ in TYPES.items()}
    columns = [
        F.struct(*(read.alias(name) for name, read in (reads | others | more).items()))
        for reads, more in ((of_schema, {"get": got}), (of_all, {}))
    ]
    rows = frame.select("text", *columns).collect()
    assert [row.text for row in rows] == texts
    found = 0
    for row in rows:
        first, second = (check({"text": row.text, **reads.asDict()}) for reads in row[1:])
        found += first or second  # of a key that is there twice a schema has the last
    return found


def check(row: dict[str, Any]) -> bool:
    """Compare what was read with what Python reads; whether that is a value of one of the types."""
    try:
        whole = json.loads(row["text"])
    except (ValueError, RecursionError):
        return False  # the old program fails
    there = isinstance(whole, dict) and "v" in whole
    expected = whole["v"] if there else None
    for kind in (str, int, bool, float):
        came = row[kind.__name__]
        assert came is None or (type(expected) is kind and came == expected), row
        if isinstance(came, float) and isinstance(expected, float) and came:
            assert math.copysign(1, came) == math.copysign(1, expected), row
    assert row["get"] is None or row["get"] == expected, row
    if row["list"] is not None and None not in row["list"]:
        assert row["list"] == expected, row
    assert not row["has"] or there, row  # false where it would fail, too
    kinds = [
        kind for kind in (str, int, bool, float) if type(expected) is kind and row[kind.__name__] is not None
    ]
    if is_plain(row["text"], expected):
        assert kinds == [type(expected)], row
        assert row["has"], row
    return bool(kinds)


def is_plain(text: str, expected: object) -> bool:
    """Whether a value must be read, as nothing in its text is beyond what columns hold."""
    odd = any(part in text for part in ("NaN", "Infinity", "\\ud", "\ufeff")) or text.count('"v"') != 1
    if odd or len(text) > 60 or has_key_twice(text):
        return False
    match expected:
        case bool() | str():
            return True
        case int():
            return -(2**63) <= expected < 2**63
        case float():
            return abs(expected) < 1e15 and len(text) < 30
    return False


def has_key_twice(text: str) -> bool:
    """Whether an object has a key twice."""
    found = []

    def note(pairs: list[tuple[str, object]]) -> None:
        found.append(len({key for key, _ in pairs}) < len(pairs))

    json.loads(text, object_pairs_hook=note)
    return any(found)
