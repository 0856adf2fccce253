"""Python functions over Arrow: where they stand, and where RDD code is better."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome, Tier
from migrate.plan.python_rows import NOTE
from tests.migrate.programs import SOCKET, run


def tiers(body: str) -> dict[str, Tier]:
    result = run(SOCKET.format(body=body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return {site.operator: site.tier for site in result.sites}


def test_a_function_over_arrow_is_reported_as_python() -> None:
    result = run(SOCKET.format(body="lines.map(lambda line: line.title()).pprint()"))
    (site,) = (site for site in result.sites if site.operator == "map")
    assert (site.tier, site.safe) == (Tier.PYTHON, True)
    assert "`.title` of a str has no proven Column form" in site.reason
    assert NOTE in result.graphs[0].notes


@pytest.mark.parametrize(
    "output",
    [
        "titles.foreachRDD(lambda rdd: print(rdd.takeOrdered(3)))",
        "titles.foreachRDD(lambda rdd: rdd.map(store).foreach(print))",
        "titles.map(lambda t: store(t)).pprint()",
        "titles.map(lambda t: unknown[t]).pprint()",
    ],
)
def test_what_goes_on_as_rdd_code_is_rdd_code_from_there(output: str) -> None:
    body = f"def store(x):\n    print(x)\ntitles = lines.map(lambda line: line.title())\n{output}"
    assert tiers(body)["map"] is Tier.RDD


def test_an_aggregate_is_where_rdd_code_may_begin() -> None:
    body = (
        "counts = lines.map(lambda line: (line.title(), 1)).reduceByKey(lambda a, b: a + b)\n"
        "counts.foreachRDD(lambda rdd: rdd.foreach(lambda pair: open(pair[0])) or print(rdd.max()))"
    )
    found = tiers(body)
    assert (found["map"], found["reduceByKey"], found["foreachRDD"]) == (Tier.PYTHON, Tier.COLUMN, Tier.RDD)


def test_a_running_sum_can_count_what_a_function_makes() -> None:
    body = (
        "lines.map(lambda line: (line.title(), 1))"
        ".updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    )
    assert tiers(body)["map"] is Tier.PYTHON
    assert 'outputMode("complete")' in run(SOCKET.format(body=body)).files[0].new


def test_the_event_time_is_not_lost() -> None:
    titles = "lines.map(lambda line: (line.title(), 1))"
    body = f"{titles}.reduceByKeyAndWindow(lambda a, b: a + b, None, 30).pprint()"
    options = Options(event_time="timestamp", unsafe=True)
    result = run(SOCKET.format(body=body), options)
    assert result.graphs[0].outcome is Outcome.COMPAT


@pytest.mark.parametrize(
    ("stream", "function"),
    [
        ("lines.map(clean)", "lambda value: [clean(value)]"),
        ("lines.flatMap(words)", "words"),
        (
            "lines.map(lambda line: (line, len(line))).map(lambda kv: kv[0].title())",
            "lambda *kv: [kv[0].title()]",
        ),
        (
            "lines.map(lambda line: (line, len(line))).filter(accepts)",
            "lambda *row: [row] if accepts(row) else []",
        ),
        (
            "lines.map(lambda line: (line, (line, len(line)))).map(lambda kv: kv[1][0].title())",
            "lambda *row: [(lambda kv: kv[1][0].title())((row[0], (row[1], row[2])))]",
        ),
        (
            "lines.map(lambda line: (line, len(line))).mapValues(lambda n, key=3: bin(n + key))",
            "lambda *row: [(row[0], (lambda n, key=3: bin(n + key))(row[1]))]",
        ),
        (
            "lines.map(lambda line: ((line, 1), len(line))).flatMapValues(lambda n: [bin(n)])",
            "lambda *row: [((row[0], row[1]), item) for item in (lambda n: [bin(n)])(row[2])]",
        ),
        (
            "lines.filter(lambda s: s.istitle() if s else False)",
            "lambda s: [s] if (s.istitle() if s else False) else []",
        ),
    ],
)
def test_how_a_function_is_called(stream: str, function: str) -> None:
    functions = (
        "def clean(s):\n    return s.strip().title()\n"
        "def words(s):\n    return s.title().split()\n"
        "def accepts(pair):\n    return pair[0].istitle()\n"
    )
    new = run(SOCKET.format(body=f"{functions}{stream}.pprint()")).files[0].new
    assert function in " ".join(new.split()), new


def test_the_helper_has_a_name_of_its_own() -> None:
    body = "python_rows = 1\nlines.map(lambda line: line.title()).pprint()\nprint(python_rows)"
    new = run(SOCKET.format(body=body)).files[0].new
    assert "def python_rows_2(" in new
    assert "transform(python_rows_2, " in new
