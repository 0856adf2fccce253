"""Which expressions are contexts and streams: found through names, functions, classes and modules."""

from __future__ import annotations

import textwrap

import pytest

from migrate.trace import trace
from tests.migrate.programs import module


def operators(*sources: str) -> list[list[str]]:
    """The members used of each graph, for modules called a.py, b.py, ..."""
    modules = [module(textwrap.dedent(text), f"{'abc'[i]}.py") for i, text in enumerate(sources)]
    return [[use.name for use in graph.uses] for graph in trace(modules).graphs]


HEAD = "from pyspark.streaming import StreamingContext\n"

NOT_STREAMS = [
    pytest.param("import functools\nfunctools.reduce(lambda a, b: a + b, [1])", id="functools"),
    pytest.param("executor.map(f, xs)\ndf.filter('x')\nseries.rolling(3).window", id="other libraries"),
    pytest.param("from flask import stream\nstream.filter(1).map(2)", id="a name like a stream's"),
    pytest.param(HEAD + "def f(ssc):\n    return ssc.stop()", id="nothing says that it is a context"),
    pytest.param(HEAD + "x = [1]\nx.count(1)\nx.start()", id="an import alone"),
    pytest.param(
        HEAD + "ssc = StreamingContext(sc, 1)\ndel ssc\nssc = [1]\nssc.count(1)",
        id="the name is something else later",
    ),
    pytest.param("", id="empty"),
]


@pytest.mark.parametrize("source", NOT_STREAMS)
def test_what_is_not_a_stream_is_not_traced(source: str) -> None:
    graphs = operators(source)
    assert [name for graph in graphs for name in graph if name != "StreamingContext"] == []


SPELLINGS = [
    "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)",
    "from pyspark.streaming import StreamingContext as SC\nssc = SC(sc, 1)",
    "import pyspark.streaming as st\nssc = st.StreamingContext(sc, 1)",
    "import pyspark.streaming\nssc = pyspark.streaming.StreamingContext(sc, 1)",
    "from pyspark import streaming\nssc = streaming.StreamingContext(sc, 1)",
    "from pyspark.streaming import *\nssc = StreamingContext(sc, 1)",
    "from pyspark.streaming.context import StreamingContext\nssc = StreamingContext(sc, 1)",
    "from compat.streaming import StreamingContext\nssc = StreamingContext(sc, 1)",
    "import compat.streaming\nssc = compat.streaming.StreamingContext(sc, 1)",
]


@pytest.mark.parametrize(
    "imported",
    [
        "import b\n",
        'b = __import__("b")\n',
        'import importlib\nb = importlib.import_module("b")\n',
        'from importlib import import_module\nb = import_module(".b", __package__)\n',
    ],
)
def test_modules_are_imported_by_statements_and_calls(imported: str) -> None:
    maker = "def count(stream):\n    stream.count().pprint()\n"
    program = f"{HEAD}{imported}ssc = StreamingContext(sc, 1)\nb.count(ssc.socketTextStream('h', 1))\n"
    assert operators(program, maker) == [["StreamingContext", "socketTextStream", "count", "pprint"]]


@pytest.mark.parametrize("head", SPELLINGS)
def test_every_spelling_of_the_import_is_known(head: str) -> None:
    assert operators(head + "\nssc.socketTextStream('h', 1).count().pprint()\nssc.start()") == [
        ["StreamingContext", "socketTextStream", "count", "pprint", "start"]
    ]


FLOWS = [
    pytest.param("lines = s = ssc.socketTextStream('h', 1)\ns.count().pprint()", id="assigned twice"),
    pytest.param("a, b = ssc, 1\na.socketTextStream('h', 1).count().pprint()", id="tuple"),
    pytest.param(
        "def f(c):\n    return c.socketTextStream('h', 1)\nf(ssc).count().pprint()", id="parameter and return"
    ),
    pytest.param("def f():\n    ssc.socketTextStream('h', 1).count().pprint()\nf()", id="closure"),
    pytest.param(
        "class J:\n    def __init__(self, c):\n        self.s = c.socketTextStream('h', 1)\n"
        "    def go(self):\n        self.s.count().pprint()\nJ(ssc).go()",
        id="attribute of self",
    ),
    pytest.param(
        (
            "class J:\n    @property\n    def s(self):\n"
            "        return ssc.socketTextStream('h', 1)\nJ().s.count().pprint()"
        ),
        id="property",
    ),
    pytest.param(
        "xs = [ssc.socketTextStream('h', 1)]\nfor x in xs:\n    x.count().pprint()", id="list and loop"
    ),
    pytest.param("xs = {}\nxs['a'] = ssc.socketTextStream('h', 1)\nxs['a'].count().pprint()", id="dict"),
    pytest.param(
        "if x:\n    s = ssc.socketTextStream('h', 1)\nelse:\n    s = None\ns.count().pprint()", id="branch"
    ),
    pytest.param("f = lambda c: c.socketTextStream('h', 1)\nf(ssc).count().pprint()", id="lambda"),
    pytest.param("with open('x') as f:\n    ssc.socketTextStream('h', 1).count().pprint()", id="with"),
    pytest.param(
        "def f():\n    if 's' not in globals():\n        globals()['s'] = ssc.socketTextStream('h', 1)\n"
        "    return globals()['s']\nf().count().pprint()",
        id="a variable of the module by its name",
    ),
    pytest.param(
        "class B:\n    def go(self):\n        self.s = ssc.socketTextStream('h', 1)\n"
        "class J(B):\n    def go(self):\n        B.go(self)\n        self.s = self.s.count()\n"
        "j = J()\nj.go()\nj.s.pprint()",
        id="attribute of a base class",
    ),
    pytest.param(
        "import functools\nxs = [ssc.socketTextStream('h', 1)]\n"
        "functools.reduce(lambda a, b: a, xs)\nxs[0].count().pprint()",
        id="functools.reduce over streams",
    ),
]


@pytest.mark.parametrize("body", FLOWS)
def test_streams_are_followed(body: str) -> None:
    (graph,) = operators(HEAD + "ssc = StreamingContext(sc, 1)\n" + body)
    assert set(graph) == {"StreamingContext", "socketTextStream", "count", "pprint"}


def test_a_helper_module_that_returns_context_and_stream() -> None:
    main = "from b import make\nssc, lines = make()\nlines.count().pprint()\nssc.start()"
    helper = (
        HEAD + "def make():\n    ssc = StreamingContext(sc, 1)\n    return ssc, ssc.socketTextStream('h', 1)"
    )
    (graph,) = operators(main, helper)
    assert sorted(graph) == ["StreamingContext", "count", "pprint", "socketTextStream", "start"]


def test_a_context_that_comes_through_a_star_import_of_another_module() -> None:
    assert operators("from b import *\nssc = StreamingContext(sc, 1)\nssc.start()", HEAD) == [
        ["StreamingContext", "start"]
    ]


def test_two_contexts_are_two_graphs_unless_their_streams_meet() -> None:
    two = HEAD + "a = StreamingContext(sc, 1)\nb = StreamingContext(sc, 1)\na.start()\nb.start()\n"
    assert len(operators(two)) == 2
    met = two + "a.socketTextStream('h', 1).union(b.socketTextStream('h', 2)).pprint()"
    assert len(operators(met)) == 1


def test_get_or_create_gives_the_context_of_its_function() -> None:
    source = HEAD + (
        "def make():\n    ssc = StreamingContext(sc, 1)\n    return ssc\n"
        "c = StreamingContext.getOrCreate('d', make)\nc.start()"
    )
    assert operators(source) == [["StreamingContext", "getOrCreate", "start"]]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("[s for ssc in [ssc] if (s := ssc.socketTextStream('h', 1))]\ns.pprint()", id="walrus"),
        pytest.param(
            "def f():\n    s = 1\n    def g():\n        global s\n        s = ssc.socketTextStream('h', 1)\n"
            "    g()\nf()\ns.pprint()",
            id="global past a function's own name",
        ),
    ],
)
def test_a_stream_is_the_variable_that_python_binds_it_to(body: str) -> None:
    source = HEAD + "ssc = StreamingContext(sc, 1)\n" + body
    assert operators(source) == [["StreamingContext", "socketTextStream", "pprint"]]


def test_streams_of_a_graph_are_in_the_order_of_the_text() -> None:
    chain = "ssc.socketTextStream('h', 1)" + "".join(f".map(f{number})" for number in range(20)) + ".pprint()"
    (graph,) = trace([module(HEAD + "ssc = StreamingContext(sc, 1)\n" + chain)]).graphs
    made = [use.call for use in graph.uses if use.name not in ("StreamingContext", "pprint")]
    assert [stream.node for stream in graph.streams] == made


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("lines = ssc.socketTextStream('h', 1)\nlines.pprint()\nssc.start()", "never defined"),
        ("def f(ssc):\n    ssc.socketTextStream('h', 1).pprint()", "outside the files"),
        ("self.ssc.textFileStream('d').pprint()", "cannot be decided"),
    ],
)
def test_a_context_that_nobody_makes_is_unknown(source: str, why: str) -> None:
    (graph,) = trace([module(source)]).graphs
    assert why in (graph.contexts[0].unknown or "")
    assert "pprint" in [use.name for use in graph.uses]


def test_tracing_ends_on_names_that_would_multiply() -> None:
    branches = "".join(f"        elif c == {number}: node = node.part{number}\n" for number in range(12))
    head = "import tree\ndef walk(word):\n    node = tree.ROOT\n    for c in word:\n        if not c: pass\n"
    assert operators(head + branches) == []


def test_tracing_ends_on_values_that_would_grow_without_end() -> None:
    source = (
        "import x\nt = ()\nn = x\nwhile t:\n    t = (t, 1)\n    t = (*t, 2)\n"
        "    n = n.next\ndef f(a):\n    return f((a, a))\nf(1)"
    )
    assert operators(source) == []
