"""Programs that read Flume: native by the data source of `compat.sources`, from Spark 4 on."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome
from migrate.report.document import document
from tests.migrate.programs import run

HEAD = (
    "from pyspark import SparkContext, StorageLevel\nfrom pyspark.streaming import StreamingContext\n"
    "from pyspark.streaming.flume import FlumeUtils, utf8_decoder\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
)
TAIL = "ssc.start()\nssc.awaitTermination()\n"
FOUR, OLD = (Options(spark=SparkVersion.parse(text)) for text in ("4.0", "3.5"))
LISTENS = "FlumeUtils.createStream(ssc, 'h', 4141)"
BODIES = ".map(lambda event: event[1]).pprint()"


def program(body: str) -> str:
    return HEAD + body + "\n" + TAIL


def new(body: str) -> str:
    result = run(program(body), FOUR)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result.files[0].new


def test_bodies_become_texts_of_the_data_source() -> None:
    result = run(program(f"events = {LISTENS}\nevents{BODIES}"), FOUR)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert document(result)["graphs"][0]["requires"] == ["compat.sources"]
    assert any("dstream-migrate[flume]" in text for text in graph.must_change)
    assert any("events are received by `compat.sources`" in text for text in graph.notes)
    text = result.files[0].new
    assert "from compat.sources import FlumeSource" in text and "FlumeUtils" not in text
    assert (
        "spark.dataSource.register(FlumeSource)\nevents = (\n    spark.readStream.format('flume')\n" in text
    )
    assert ".select(F.decode('body', 'UTF-8').alias('body'))\n" in text
    assert "events.writeStream.format('console')" in text and "headers" not in text
    (site,) = [site for site in result.sites if site.operator == "createStream"]
    assert site.rule == "flume_create_stream"


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("FlumeUtils.createStream(ssc, host, port)", "hostname=host, port=port"),
        (
            "FlumeUtils.createStream(ssc, 'h', 1, StorageLevel.MEMORY_ONLY, True, utf8_decoder)",
            "hostname='h', port=1, compressed=True",
        ),
        ("FlumeUtils.createStream(ssc, 'h', 1, enableDecompression=False)", "hostname='h', port=1"),
        ("FlumeUtils.createPollingStream(ssc, [('a', 1), ('b', 2)])", "addresses='a:1,b:2'"),
        (
            "FlumeUtils.createPollingStream(ssc, places, maxBatchSize=10, parallelism=n)",
            "addresses=','.join(f'{host}:{port}' for host, port in places), maxBatchSize=10, parallelism=n",
        ),
    ],
)
def test_arguments_become_options(source: str, options: str) -> None:
    text = "".join(new(f"host, port, places, n = read()\n{source}{BODIES}").replace('"', "'").split())
    assert f".options({options})".replace(" ", "") in text.replace(",)", ")")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"{LISTENS}.pprint()", "batch.rdd.map(tuple)"),
        (
            f"{LISTENS}.map(lambda e: (e[0]['host'], e[1])).pprint()",
            "batch.rdd.map(tuple).map(lambda e: (e[0]['host'], e[1]))",
        ),
    ],
)
def test_headers_are_dicts_in_rdd_code(body: str, code: str) -> None:
    text = new(body)
    assert code in text and ".select('headers', F.decode('body', 'UTF-8').alias('body'))" in text


def test_a_decoder_of_the_program_reads_the_bytes() -> None:
    text = new("FlumeUtils.createStream(ssc, 'h', 1, bodyDecoder=lambda b: b.hex()).pprint()")
    assert "batch.rdd.map(lambda row: (row.headers, raw(row.body).hex()))" in text


@pytest.mark.parametrize(
    ("body", "options", "why"),
    [
        (f"{LISTENS}{BODIES}", OLD, "no source for Flume, and before Spark 4"),
        ("FlumeUtils.createStream(ssc, 'h').pprint()", FOUR, "its hostname or port is missing"),
        ("FlumeUtils.createPollingStream(ssc).pprint()", FOUR, "its addresses are missing"),
        (
            "row = b''\nFlumeUtils.createStream(ssc, 'h', 1, bodyDecoder=lambda b: row + b).pprint()",
            FOUR,
            "its decoder speaks of a `row` of its own",
        ),
    ],
)
def test_other_programs_stay_on_compat(body: str, options: Options, why: str) -> None:
    (graph,) = run(program(body), options).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)
    assert graph.requires == ()


def test_what_is_said_of_the_source_stands_above_all_that_makes_it() -> None:
    text = new(f"# from the gauges\nevents = {LISTENS}  # one a second\nevents{BODIES}")
    assert "# from the gauges\nspark.dataSource.register(FlumeSource)\nevents = " in text
    assert "# one a second\n" in text.split("register")[1]
