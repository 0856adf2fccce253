from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from migrate.migration import migrate
from migrate.model import FileResult, GraphResult, Options, Outcome, Remark, Result, Site, Status, Tier
from migrate.report.flow import Flow, after, before
from migrate.report.html import page
from tests.migrate.conftest import STREAM
from tests.migrate.programs import module, socket_program

VOID = {"meta", "rect", "path", "br"}


class Checker(HTMLParser):
    """Elements that are opened and closed in order, and what they refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attributes if name in ("src", "href", "srcset")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def check(text: str) -> str:
    checker = Checker()
    checker.feed(text)
    assert checker.open == [], "everything is closed"
    assert checker.references == [], "nothing is loaded from anywhere"
    assert "<script" not in text
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", text)
    return " ".join(checker.words)


def test_a_page_shows_totals_pipelines_changes_and_reasons() -> None:
    result = migrate(
        [module(socket_program("lines.map(lambda x: (x, 1)).count().pprint()")), module(STREAM, "b.py")],
        Options(),
    )
    text = page(result)
    words = check(text)
    assert text.count('<svg class="flow"') == 4
    for part in (
        "native",
        "compat",
        "foreachBatch",
        "process_batch",
        "socketTextStream",
        "-lines.map",
    ):
        assert part in words
    assert result.graphs[1].reasons[0] in words


def test_what_the_code_says_is_escaped() -> None:
    evil = "<script>alert(1)</script>&"
    result = Result(
        (GraphResult(evil, (evil,), Outcome.COMPAT, (evil,), (evil,), ((0, 1),), must_change=(evil,)),),
        (
            FileResult(
                evil, Status.COMPAT, (evil,), old=evil, new=evil + "\n", remarks=(Remark(1, 1, 1, "x", evil),)
            ),
            FileResult("b", Status.UNPARSED, error=evil),
        ),
        tuple(Site(evil, evil, n, 1, evil, Tier.COMPAT, True, evil, evil, cell=2) for n in (1, 2)),
    )
    assert evil in check(page(result))


def test_nothing_at_all() -> None:
    assert "0" in check(page(Result()))


def labels(flow: Flow) -> list[tuple[str, ...]]:
    """The edges by the names of their ends."""
    names = [" ".join(filter(None, (step.label, step.detail))) for step in flow.steps]
    return [(names[left], names[right]) for left, right in flow.edges]


def test_the_pipeline_before() -> None:
    body = """
        pairs = lines.map(lambda x: (x, 1))
        lines.union(pairs).cache().count().pprint()
        pairs.join(pairs).glom().foreachRDD(print)
        """
    result = migrate([module(socket_program(body))], Options())
    assert labels(before(result.graphs[0], result.sites)) == [
        ("socketTextStream line 6", "map line 7"),
        ("socketTextStream line 6", "union line 8"),
        ("map line 7", "union line 8"),
        ("map line 7", "join line 9"),
        ("union line 8", "cache line 8"),
        ("union line 8", "count line 8"),
        ("count line 8", "pprint line 8"),
        ("join line 9", "glom line 9"),
        ("glom line 9", "foreachRDD line 9"),
    ]


NEW = """\
lines = spark.readStream.format("socket").option("host", h).load()
states = spark.read.parquet(path)

def save(batch, batch_id):
    if batch.isEmpty():
        return
    batch.persist()
    words = batch.select(F.explode(F.split("value", " ")).alias("word"))
    counts = words.groupBy("word").agg(F.count("*")).join(states, "word")
    counts.show()
    pprint(words.rdd.map(len))
    counts.write.mode("append").json(path)
    other(3)

query = lines.writeStream.outputMode("append").foreachBatch(save).start()
query.awaitTermination()
"""


def test_the_pipeline_after() -> None:
    assert set(labels(after([NEW]))) == {
        ("readStream socket", "foreachBatch save"),
        ("foreachBatch save", "select"),
        ("select", "groupBy.agg"),
        ("groupBy.agg", "join"),
        ("read parquet", "join"),
        ("join", "show"),
        ("select", "rdd"),
        ("rdd", "map"),
        ("map", "pprint"),
        ("join", "write json"),
    }


@pytest.mark.parametrize(
    "code", ["", "def (", "x = x.map(f)\nfor y in z:\n    y.show()\n", "def f(): pass\n"]
)
def test_code_without_a_pipeline(code: str) -> None:
    assert after([code]).steps == []
