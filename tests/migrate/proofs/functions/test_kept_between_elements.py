"""Functions of single elements that keep something: how elements are dealt out to partitions shows."""

from __future__ import annotations

import pytest

from tests.migrate.programs import blocked, native_body

KEEPING = {
    "a set of what was there": (
        "seen = set()\ndef fresh(w):\n    new = w not in seen\n    seen.add(w)\n    return new\n"
        "lines.filter(fresh).pprint()"
    ),
    "a number": "n = 0\ndef f(w):\n    global n\n    n += 1\n    return n, w\nlines.map(f).pprint()",
    "a number, by a lambda with a name": (
        "n = 0\ndef count(w):\n    global n\n    n += 1\n    return n, w\n"
        "numbered = lambda w: count(w)\nlines.map(numbered).pprint()"
    ),
    "a sum of all keys": (
        "n = 0\ndef add(a, b):\n    global n\n    n += b\n    return n\n"
        "lines.map(lambda w: (w, len(w))).reduceByKey(add).pprint()"
    ),
    "a number of its own making": (
        "n = 0\ndef f(w):\n    global n\n    n = n + 1\n    return n, w\nlines.map(f).pprint()"
    ),
    "a default": ("def f(w, seen=[]):\n    seen.append(w)\n    return len(seen), w\nlines.map(f).pprint()"),
    "an attribute": (
        "class Sampler:\n    n = 0\n    def keep(self, w):\n        self.n += 1\n"
        "        return self.n % 3 == 0\nsampler = Sampler()\nlines.filter(sampler.keep).pprint()"
    ),
    "a set that is an attribute": (
        "class Seen:\n    def __init__(self):\n        self.words = set()\n    def keep(self, w):\n"
        "        new = w not in self.words\n        self.words.add(w)\n        return new\n"
        "seen = Seen()\nlines.filter(seen.keep).pprint()"
    ),
    "counts that are an attribute": (
        "class Numbers:\n    counts = {}\n    def number(self, w):\n"
        "        self.counts[w] = self.counts.get(w, 0) + 1\n        return w, self.counts[w]\n"
        "numbers = Numbers()\nlines.map(numbers.number).pprint()"
    ),
    "an iterator": (
        "import itertools\nids = itertools.count()\nlines.map(lambda w: (next(ids), w)).pprint()"
    ),
    "counts": (
        "counts = {}\ndef f(w):\n    counts[w] = counts.get(w, 0)\n    counts[w] += 1\n"
        "    return w, counts[w]\nlines.map(f).pprint()"
    ),
    "counts that are made of themselves": (
        "counts = {}\ndef f(w):\n    counts[w] = counts.get(w, 0) + 1\n    return w, counts[w]\n"
        "lines.map(f).pprint()"
    ),
    "where it runs": (
        "from pyspark import TaskContext\nlines.map(lambda w: (TaskContext.get().partitionId(), w)).pprint()"
    ),
    "in a callback": (
        "seen = set()\ndef fresh(w):\n    new = w not in seen\n    seen.add(w)\n    return new\n"
        "lines.foreachRDD(lambda rdd: print(rdd.filter(fresh).collect()))"
    ),
    "in transform": (
        "n = 0\ndef f(w):\n    global n\n    n += 1\n    return n, w\n"
        "lines.transform(lambda rdd: rdd.map(f)).pprint()"
    ),
}
KEEPING_NOTHING = {
    "what is made once": (
        "model = None\ndef f(w):\n    global model\n    if model is None:\n        model = load()\n"
        "    return model.predict(w)\nlines.map(f).pprint()"
    ),
    "what is looked up once": (
        "cache = {}\ndef f(w):\n    if w not in cache:\n        cache[w] = look_up(w)\n    return cache[w]\n"
        "lines.map(f).pprint()"
    ),
    "what an object looks up once": (
        "class Names:\n    def __init__(self):\n        self.cache = {}\n    def name(self, w):\n"
        "        if w not in self.cache:\n            self.cache[w] = look_up(w)\n"
        "        return self.cache[w]\n"
        "names = Names()\nlines.map(names.name).pprint()"
    ),
    "a variable that another function has as well": (
        "found = []\ndef f(w):\n    found = []\n    found.append(w)\n    return str(found)\n"
        "lines.map(f).pprint()"
    ),
    "an accumulator": (
        "total = sc.accumulator(0)\ndef f(w):\n    global total\n    total += 1\n    return w\n"
        "lines.map(f).pprint()"
    ),
    "what a function makes": (
        "def f(w):\n    found = []\n    n = 0\n    for c in sorted(w):\n        n += 1\n"
        "        found.append((n, c))\n    return str(found)\nlines.map(f).pprint()"
    ),
}


@pytest.mark.parametrize("body", KEEPING.values(), ids=KEEPING)
def test_what_is_kept_from_element_to_element_stays_on_compat(body: str) -> None:
    assert "from element to element, which shows how they are dealt out" in blocked(body)


@pytest.mark.parametrize("body", KEEPING_NOTHING.values(), ids=KEEPING_NOTHING)
def test_what_nobody_sees_is_not_kept(body: str) -> None:
    assert native_body(body)
