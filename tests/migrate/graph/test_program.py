"""A graph that was read: its lines, in the order in which the program makes them, and its modules."""

from __future__ import annotations

import ast
import dataclasses
import re
import textwrap

import pytest

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import CallGraph
from migrate.graph.joined import Joined
from migrate.graph.nodes import Nodes
from migrate.graph.operations import Operation
from migrate.graph.program import Program
from migrate.graph.statements import Statements
from migrate.graph.straight import read
from migrate.syntax.tree import Tree
from migrate.trace import trace
from tests.migrate.programs import module

HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""


def programs(source: str) -> list[Program]:
    """The forms that the only graph of a module can be given."""
    found = trace([module(HEAD + textwrap.dedent(source))])
    (graph,) = found.graphs
    return list(read(graph, found))


IN_FUNCTIONS = """\
    def lines_of(ssc):
        return ssc.socketTextStream("localhost", 9999)

    def main():
        ssc = StreamingContext(SparkContext(), 1)
        lines = lines_of(ssc)
        lines.map(len).pprint()
        ssc.start()

    main()
    """


def test_lines_are_in_the_order_in_which_they_run() -> None:
    program, *_ = programs(IN_FUNCTIONS)
    assert [operation.operator for operation in program.operations] == ["socketTextStream", "map", "pprint"]
    assert [line.target for line in program.lines] == [None, None]
    assert [operation.operator for operation in program.sources] == ["socketTextStream"]
    assert [operation.operator for operation in program.outputs] == ["pprint"]


def test_the_functions_on_the_way_are_known() -> None:
    program, *_ = programs(IN_FUNCTIONS)
    assert [getattr(function, "name", "") for function in program.reading.entered] == ["lines_of"]
    assert isinstance(program.home, ast.FunctionDef) and program.home.name == "main"
    source, last = program.lines
    ways = [[ast.unparse(step) for step in program.reading.ways[line]] for line in (source, last)]
    assert ways == [
        ["lines = lines_of(ssc)", "return ssc.socketTextStream('localhost', 9999)"],
        ["lines.map(len).pprint()"],
    ]


def test_a_node_is_in_one_of_the_modules() -> None:
    program, *_ = programs(IN_FUNCTIONS)
    other = module("x = 1\n", "other.py")
    both = dataclasses.replace(
        program, modules=(*program.modules, other), tree=Tree(program.modules[0].tree, other.tree)
    )
    assert both.module_of(program.construction) is program.modules[0]
    assert both.module_of(other.tree.body[0]) is other


def test_a_graph_is_read_through_several_modules() -> None:
    show = module("def show(lines):\n    lines.map(len).pprint()\n", "show.py")
    job = module(
        HEAD
        + "from show import show\nssc = StreamingContext(SparkContext(), 1)\n"
        + "show(ssc.socketTextStream('localhost', 9999))\nssc.start()\n"
    )
    found = trace([job, show])
    (graph,) = found.graphs
    calls = CallGraph(graph, found, Joined(graph, found))
    tree = calls.tree
    constructor, *_ = graph.uses
    reading = Statements(Nodes(graph, found, tree), calls).read(calls.root(job.tree), constructor)
    assert [(tree.root_of(line.statement), line.scope) for line in reading.lines] == [
        (job.tree, job.tree),
        (show.tree, show.tree.body[0]),
    ]


RESULTS = [
    pytest.param("done = lines.pprint()\nssc.start()", None, id="never read"),
    pytest.param("print(done)\ndone = lines.pprint()\nssc.start()", None, id="read before"),
    pytest.param("done = lines.pprint()\nprint(done)\nssc.start()", "done", id="read later"),
    pytest.param("done = lines.pprint()\ndone\nssc.start()", None, id="shown by a cell"),
    pytest.param("done = lines.pprint()\ndone\nprint(done)\nssc.start()", "done", id="shown, and read later"),
    pytest.param(
        "done = lines.pprint()\ndef f():\n    return done\nssc.start()", "done", id="read by a function"
    ),
    pytest.param("done = lines.pprint()\ndef f(done):\n    return done\nssc.start()", None, id="a parameter"),
    pytest.param(
        "done = lines.pprint()\nx = [done for done in y]\nssc.start()", None, id="of a comprehension"
    ),
    pytest.param(
        "done = lines.pprint()\nprint(job.done)\nssc.start()", None, id="an attribute of another thing"
    ),
    pytest.param("job.done = lines.pprint()\nprint(job.done)\nssc.start()", "done", id="an attribute"),
    pytest.param(
        "job.done = lines.pprint()\nprint(done)\nssc.start()", None, id="a variable spelled like it"
    ),
]


@pytest.mark.parametrize(("body", "read_as"), RESULTS)
def test_the_result_of_an_output_may_have_a_name_that_nobody_reads(body: str, read_as: str | None) -> None:
    head = "ssc = StreamingContext(SparkContext(), 1)\nlines = ssc.socketTextStream('localhost', 9999)\n"
    if read_as is None:
        assert [operation.operator for operation in programs(head + body)[0].outputs] == ["pprint"]
    else:
        with pytest.raises(Blocked, match="the result of `pprint` is assigned to a name"):
            programs(head + body)


def test_the_checkpoint_interval_of_a_stream_goes() -> None:
    body = (
        "ssc = StreamingContext(SparkContext(), 1)\nlines = ssc.socketTextStream('localhost', 9999)\n"
        "lines.checkpoint(10)\nlines.pprint()\nssc.start()"
    )
    program, *_ = programs(body)
    assert [ast.unparse(statement) for statement in program.removed] == ["lines.checkpoint(10)"]
    assert [operation.operator for operation in program.operations] == ["socketTextStream", "pprint"]


def test_it_stays_where_a_call_would_go_with_it() -> None:
    body = IN_FUNCTIONS.replace("lines.map(len)", "lines_of(ssc).checkpoint(10)\n        lines.map(len)")
    with pytest.raises(Blocked, match="is handed on in a way that is not followed"):
        programs(body)


def test_the_first_code_that_is_not_reached_is_named() -> None:
    source = """\
    def build(ssc):
        return ssc.socketTextStream("localhost", 9999)

    def show(lines):
        lines.pprint()

    def save(lines):
        lines.saveAsTextFiles("out")

    ssc = StreamingContext(SparkContext(), 1)
    lines = build(ssc)
    for each in (show, save):
        each(lines)
    ssc.start()
    """
    with pytest.raises(Blocked, match="`show` works on the graph too"):
        programs(source)


REBOUND = """\
    class Words:
        def __init__(self, ssc, port):
            self.stream = ssc.socketTextStream("localhost", port)

        def split(self):
            self.stream = self.stream.flatMap(str.split)

    class Lengths(Words):
        def split(self):
            super().split()
            self.stream = self.stream.map(len)

    class Sizes(Words):
        def split(self):
            Words.split(self)
            self.stream = self.stream.count()

    ssc = StreamingContext(SparkContext(), 1)
    one, two, three = (Words(ssc, 1), Lengths(ssc, 2), Sizes(ssc, 3))
    """


def test_attributes_that_are_bound_again_are_those_of_their_object() -> None:
    made = REBOUND.replace(
        "one, two, three = (Words(ssc, 1), Lengths(ssc, 2), Sizes(ssc, 3))",
        "one = Words(ssc, 1)\n    two = Lengths(ssc, 2)\n    three = Sizes(ssc, 3)",
    )
    calls = "one.split()\n    two.split()\n    three.split()\n    again = one\n    again.split()\n"
    shown = "    one.stream.pprint()\n    two.stream.pprint()\n    three.stream.pprint()\n    ssc.start()"
    program, *_ = programs(f"{made}{calls}{shown}")
    assert [_chain(output) for output in program.outputs] == [
        ["socketTextStream", "flatMap", "flatMap", "pprint"],
        ["socketTextStream", "flatMap", "map", "pprint"],
        ["socketTextStream", "flatMap", "count", "pprint"],
    ]


def test_an_object_that_is_not_known_has_no_stream() -> None:
    source = """\
    class Words:
        def __init__(self, ssc):
            self.stream = ssc.socketTextStream("localhost", 9999)
            self.stream = self.stream.flatMap(str.split)

    def given():
        return words

    ssc = StreamingContext(SparkContext(), 1)
    words = Words(ssc)
    given().stream.pprint()
    ssc.start()
    """
    with pytest.raises(Blocked, match=re.escape("`given().stream` is not followed")):
        programs(source)


def test_an_object_whose_variable_gets_another_one_unseen_has_no_stream() -> None:
    source = """\
    class Words:
        def __init__(self, ssc, port):
            self.stream = ssc.socketTextStream("localhost", port)
            self.stream = self.stream.flatMap(str.split)

        def __enter__(self):
            return self

    ssc = StreamingContext(SparkContext(), 1)
    words = Words(ssc, 1)
    with Words(ssc, 2) as words:
        words.stream.pprint()
    ssc.start()
    """
    with pytest.raises(Blocked, match=re.escape("`words` is not followed")):
        programs(source)


def _chain(operation: Operation) -> list[str]:
    """The operators from the source on."""
    above = _chain(operation.parents[0]) if operation.parents else []
    return [*above, operation.operator]


def test_objects_that_are_made_in_several_places_are_told_of_by_their_class() -> None:
    source = """\
    class Job:
        def __init__(self, port):
            self.ssc = StreamingContext(SparkContext(), 1)
            self.ssc.socketTextStream("localhost", port).pprint()

        def start(self):
            self.ssc.start()

    def first():
        Job(9999).start()

    def second():
        Job(9998).start()

    first()
    """
    why = "`start` works on what an object of `Job` builds, and such objects are made in more than one place"
    with pytest.raises(Blocked, match=why):
        programs(source)
