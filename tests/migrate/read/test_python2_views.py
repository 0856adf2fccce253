from __future__ import annotations

from pathlib import Path

import pytest

from migrate.read.parse import parse_bytes


def source_of(text: str) -> str:
    return parse_bytes(f"{text}\nprint 1\n".encode(), Path("/nowhere/job.py"), "job.py").source


@pytest.mark.parametrize(
    "code",
    [
        "for k, v in d.items():\n    print k, v, d[k], k in d, len(d), d.get(k)",
        "x = [f(v) for v in d.values() if v]\ny = sum(v for v in d.values())",
        "def f(x):\n    d = {}\n    d[x] = 1\n    for k in d.keys():\n        other[k] = 1\n    d.clear()",
        "def f(d):\n    for k, v in d.items():\n        v['a'] = k\ndef g():\n    d = {}\n    d.pop(1)",
        "class A:\n    def f(self):\n        for k in self.d.keys():\n            print k, self.n, self.d[k]",
        "for k, v in d.items():\n    d[k] = v + 1\nfor k in d.keys():\n    d[k] /= 2.0",
        "print sorted(d.items(), key=f), max(d.values(), key=f), sum(d.values(), 0), ','.join(d.keys())",
    ],
    ids=["reads", "comprehension", "before and after", "another variable", "attribute", "own key", "sorted"],
)
def test_a_loop_over_a_dict_that_nothing_changes_in_it_needs_no_list(code: str) -> None:
    assert "list(" not in source_of(code)


@pytest.mark.parametrize(
    "code",
    [
        "for k in d.keys():\n    del d[k]",
        "for k, v in d.items():\n    d[v] = k",
        "for k, v in d.items():\n    k = f(k)\n    d[k] = v",
        "for v in d.values():\n    d[v] = 1",
        "from collections import defaultdict\nfor k in d.keys():\n    print d[f(k)]",
        "for k in d.keys():\n    d.pop(k)",
        "for k in d.keys():\n    d = {}",
        "for k in d.keys():\n    forget(d, k)",
        "for k in d.keys():\n    pop = d.pop\n    pop(k)",
        "e = d\nfor k in d.keys():\n    e.pop(k)",
        "d = e = {}\nfor k in d.keys():\n    e.pop(k)",
        "def forget(k):\n    d.pop(k)\nfor k in d.keys():\n    forget(k)",
        "def f(d):\n    def forget(k): del d[k]\n    for k in d.keys():\n        forget(k)",
        "def f(d):\n    for k in d.keys():\n        yield k",
        "class A:\n    def f(self):\n        for k in self.d.keys():\n            self.forget(k)",
        "class A:\n    def f(self):\n        for k in self.d.keys():\n            forget(self, k)",
        "for k in get().keys():\n    print k",
        "x = [d.pop(k) for k in d.keys()]",
        "print [k for k in list(d.keys())]",
        "x = (k for k in d.keys())",
    ],
)
def test_else_it_goes_through_a_list(code: str) -> None:
    assert "in list(" in source_of(code)
