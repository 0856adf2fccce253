"""What redis is given in Python 2, where it made a text of everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.read.parse import parse_bytes
from migrate.read.python2 import notes_on_2

TOP = "import json, redis\nstore = redis.StrictRedis(host='a')\ndef keep(record, conf):\n    print 1\n    "


def stored(text: str) -> list[str]:
    module = parse_bytes(text.encode(), Path("/nowhere/job.py"), "job.py")
    assert module.python == 2
    return [note.split(": what is neither")[0] for note in notes_on_2(module) if "redis-py" in note]


@pytest.mark.parametrize(
    "call",
    [
        "store.set('last', record)",
        "store.set(name='last', value={'a': record})",
        "store.hset('last', 1, json.loads(record))",
        "redis.Redis().lpush('last', 'a', [record])",
        "store.pipeline().rpush('last', record)",
        "conf.publish('last', (record, 1))",
        "store.sadd('last', record[0])",
    ],
)
def test_what_may_be_no_text_is_named(call: str) -> None:
    assert stored(TOP + call) == [f"line 5: `{call}`"]


@pytest.mark.parametrize(
    "call",
    [
        "store.set('last', json.dumps(record))",
        "store.set(record, 'a: %s' % record)",
        "store.hset('last', 'a', len(record))",
        "store.sadd('last', *record)",
        "store.get('last', record)",
        "SparkConf().set('last', record)",
        "kept = SparkConf()\n    kept.set('last', record)",
    ],
)
def test_texts_numbers_and_what_others_get_are_not(call: str) -> None:
    assert stored(TOP + call) == []
    assert stored("def keep(store, record):\n    print 1\n    store.set('last', record)") == []


def test_all_are_named_by_one_note() -> None:
    calls = "with store.pipeline() as many:\n        many.set('a', record)\n        many.set('b', record)"
    (note,) = stored(TOP + calls)
    assert note == "line 6: `many.set('a', record)`, line 7: `many.set('b', record)`"
