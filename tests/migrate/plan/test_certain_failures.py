"""Functions that fail for every element: what must change, with the place and the outputs that are lost."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import kafka_program, run, socket_program

PAIRS = "lines.map(lambda w: (w, 1))"


def _told(body: str) -> list[str]:
    source = socket_program(body).replace("ssc.awaitTermination()", "time.sleep(60)")
    (graph,) = run(f"import time\n{source}").graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return [text for text in graph.must_change if "fails for every element" in text]


@pytest.mark.parametrize(
    "failing",
    [
        pytest.param(f"{PAIRS}.updateStateByKey(lambda x, y: sum(x + (y or 0)))", id="a list and a number"),
        pytest.param(f"{PAIRS}.updateStateByKey(lambda x, y: y + sum(x))", id="None at first"),
        pytest.param("lines.map(lambda line: line + 1)", id="a text and a number"),
        pytest.param("lines.map(lambda line: line.lowercase())", id="no such method"),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).map(lambda pair: pair[2])", id="no such item"
        ),
        pytest.param("lines.map(lambda line: (line, 1)).mapValues(lambda n: len(n))", id="a value"),
        pytest.param("lines.flatMap(lambda line: len(line))", id="nothing to go through"),
        pytest.param("lines.map(lambda line: (line.dept, 1))", id="no such attribute"),
        pytest.param("lines.map(lambda line: (line, 1)).flatMap(lambda x: x.split(','))", id="of a tuple"),
        pytest.param("lines.map(lambda line, other: line)", id="too many parameters"),
    ],
)
def test_a_function_that_always_fails_must_change(failing: str) -> None:
    (told,) = _told(f"{failing}.pprint()\nlines.pprint()")
    assert told.startswith("line 8: ")
    assert "where DStream went on with what does not need it (`pprint` in line 9)" in told


@pytest.mark.parametrize(
    ("reduced", "told"),
    [
        (f"{PAIRS}.reduceByKey(lambda x: int(x))", "a key comes twice, by the arguments of"),
        (
            f"{PAIRS}.reduceByKeyAndWindow(lambda x: int(x), None, 4, 2)",
            "a key comes twice, by the arguments",
        ),
        (f"{PAIRS}.reduceByKey(lambda a, b: sum(a, b))", "a key comes twice, by the types in"),
        ("lines.map(len).reduce(lambda a, b: a + b[0])", "there are two elements, by the types in"),
    ],
)
def test_a_function_that_cannot_reduce_two_values_must_change(reduced: str, told: str) -> None:
    source = socket_program(f"{reduced}.pprint()\nlines.pprint()")
    (graph,) = run(source).graphs
    assert any(f"fails wherever {told}" in text for text in graph.must_change), graph.must_change


@pytest.mark.parametrize(
    "reduced",
    [
        f"{PAIRS}.reduceByKey(lambda x, y=0: int(x))",
        f"{PAIRS}.reduceByKey(max)",
        f"{PAIRS}.reduceByKey(lambda *values: sum(values))",
        "lines.map(parse).reduce(lambda a, b: a + b[0])",
        "lines.map(lambda w: (parse(w), [w])).reduceByKey(lambda a, b: sum([a, b], []))",
    ],
)
def test_what_may_reduce_two_values_is_left_alone(reduced: str) -> None:
    (graph,) = run(socket_program(f"{reduced}.pprint()\nlines.pprint()")).graphs
    assert not [text for text in graph.must_change if "fails wherever" in text]


def test_a_condition_that_is_left_out_as_it_always_holds_is_named_where_it_may_fail() -> None:
    """An empty piece makes `split` give a list of one text, which is true: only the index can fail."""
    body = 'lines.filter(lambda line: line.split(" ")[6].split("/")).pprint()'
    result = run(socket_program(body))
    assert "where(" not in result.files[0].new
    assert any("or not looked at: an index beyond the end" in note for note in result.graphs[0].notes)


def test_a_function_with_a_name_and_the_line_of_its_call() -> None:
    update = "def update(new, last):\n    if last is None:\n        last = 0\n    return new + last\n"
    (told,) = _told(f"{update}{PAIRS}.updateStateByKey(update).pprint()")
    assert told.startswith("line 12: `updateStateByKey` fails for every element, by the types in `update`")
    assert "the first batch that has some ends the query; mend it" in told, "no other output ran"


@pytest.mark.parametrize(
    "body",
    [
        f"{PAIRS}.updateStateByKey(lambda x, y: sum(x) + (y or 0)).pprint()\nlines.pprint()",
        f"{PAIRS}.updateStateByKey(lambda x, y: x + (y or [])).pprint()\nlines.pprint()",
        f"first = sc.parallelize([('a', [1])])\n{PAIRS}.updateStateByKey(put, initialRDD=first).pprint()",
        "lines.map(lambda line: int(line) + 1).pprint()\nlines.pprint()",
        "lines.map(lambda line: parse(line) + 1).pprint()\nlines.pprint()",
        "lines.map(lambda line: line.split()[7]).pprint()\nlines.pprint()",
        "lines.map(lambda line: line if line else line + 1).pprint()\nlines.pprint()",
        "lines.map(len).map(lambda n: {'v': n, 't': [n]}).map(lambda d: d['t']).pprint()\nlines.pprint()",
    ],
)
def test_what_may_succeed_is_left_alone(body: str) -> None:
    assert not _told(f"def put(new, last):\n    return last + new\n\n{body}")


def test_a_source_with_rdd_code_is_no_function_of_elements() -> None:
    source = kafka_program("messages.map(lambda m: m[1]).pprint()").replace(
        '9092"}', '9092"}, valueDecoder=parse'
    )
    (graph,) = run(f"def parse(value):\n    return json.loads(value)\nimport json\n{source}").graphs
    assert graph.outcome is Outcome.NATIVE
    assert not [text for text in graph.must_change if "fails for every" in text]


def test_an_error_that_ended_the_old_program_is_told_as_such() -> None:
    (graph,) = run(socket_program("lines.map(lambda line: line + 1).pprint()\nlines.pprint()")).graphs
    assert any("as its error ended the old program" in text for text in graph.must_change)


def test_where_nobody_waits_the_next_batch_runs() -> None:
    outputs = "lines.pprint()\nlines.map(lambda line: line + 1).pprint()\nlines.count().pprint()"
    (told,) = _told(outputs)
    assert "each batch that has some ends there, where DStream went on" in told
    assert "(`pprint` in line 10)" in told, "what stands above it runs"
