"""Programs of one project that share the module which makes their context."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome, Result
from tests.migrate.programs import compiled, module

STREAMS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def lines_of(host, port):
    sc = SparkContext(appName="sockets")
    ssc = StreamingContext(sc, 2)
    lines = ssc.socketTextStream(host, port)
    return ssc, lines


def run(ssc):
    ssc.start()
    ssc.awaitTermination()
"""
STREAMS_AFTER = """\
from pyspark.sql import SparkSession


def lines_of(host, port):
    spark = SparkSession.builder.appName("sockets").getOrCreate()
    lines = spark.readStream.format("socket").options(host=host, port=port).load()
    return spark, lines


def run(writer):
    query = writer.start()
    query.awaitTermination()
"""
PROGRAM = """\
import sys

import streams

ssc, lines = streams.lines_of(sys.argv[1], int(sys.argv[2]))
{}
streams.run(ssc)
"""
COUNTS = PROGRAM.format("lines.countByValue().pprint()")
COUNTS_AFTER = """\
import sys

import streams

spark, lines = streams.lines_of(sys.argv[1], int(sys.argv[2]))


def process_batch(batch, batch_id):
    batch.groupBy("value").count().show(10, truncate=False)


writer = lines.writeStream.trigger(processingTime="2 seconds").foreachBatch(process_batch)
streams.run(writer)
"""
WORDS = PROGRAM.format('lines.flatMap(lambda line: line.split(" ")).countByValue().pprint()')
IN_ORDER = PROGRAM.format("lines.foreachRDD(lambda rdd: print(rdd.collect()))")
UNKNOWN = PROGRAM.format("lines.foreachRDD(lambda rdd: unknown(rdd))")
WINDOW = PROGRAM.format("lines.window(4).countByValue().pprint()")


def _migrated(*programs: str, streams: str = STREAMS, **more: str) -> Result:
    files = {f"program_{number}.py": text for number, text in enumerate(programs)}
    files |= {"streams.py": streams, **{f"{name}.py": text for name, text in more.items()}}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    for file in result.files:
        compiled(file.new)
    again = migrate([module(file.new, file.path) for file in result.files], Options())
    assert not any(file.changed for file in again.files), "rewriting twice changes something"
    return result


def test_all_change_together() -> None:
    result = _migrated(COUNTS, WORDS)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE and graph.connect == "ready"
    first, second, streams = (file.new for file in result.files)
    assert first == COUNTS_AFTER
    assert 'batch.select(F.explode(F.split("value", " ")).alias("word"))' in second
    assert streams == STREAMS_AFTER


@pytest.mark.parametrize(
    ("other", "source"),
    [
        pytest.param(
            IN_ORDER,
            "options(host=host, port=port, numPartitions=1).load()",
            id="an order of lines that shows",
        ),
        pytest.param(
            WINDOW,
            ".options(host=host, port=port)\n        .load()\n        .transform(every_interval)",
            id="a batch in every interval",
        ),
    ],
)
def test_a_source_gives_what_any_of_them_needs(other: str, source: str) -> None:
    result = _migrated(COUNTS, other)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert source in result.files[-1].new


def test_a_connector_gives_what_any_of_them_reads() -> None:
    streams = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "from pyspark.streaming.kafka import KafkaUtils\n\n\ndef source(topic):\n"
        "    sc = SparkContext(appName='kafka')\n    ssc = StreamingContext(sc, 2)\n"
        "    messages = KafkaUtils.createDirectStream(ssc, [topic], {'metadata.broker.list': 'h:9092'})\n"
        "    return ssc, messages\n"
    )
    program = (
        "from streams import source\nssc, messages = source('{}')\n"
        "messages.map(lambda m: {}).countByValue().pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    result = _migrated(program.format("a", "m[1]"), program.format("b", "m[0]"), streams=streams)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert result.files[-1].new.count("F.decode(") == 2


def test_all_stay_where_one_has_no_native_form() -> None:
    result = _migrated(COUNTS, UNKNOWN)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons == (
        "`program_1.py`, one of the programs that share streams.py: program_1.py, line 6: `foreachRDD`: the "
        "RDD is handed to `unknown`, which is never defined in the files that were read",
    )


def test_all_stay_where_they_need_different_code_of_what_they_share() -> None:
    streams = f"{STREAMS}\n\ndef totals(pairs):\n    return pairs.reduceByKey(lambda a, b: a + b)\n"
    pairs = "pairs = lines.map(lambda {0}: ({0}, {1}))\nstreams.totals(pairs).pprint()"
    programs = (PROGRAM.format(pairs.format(*names)) for names in (("word", 1), ("line", "len(line)")))
    result = _migrated(*programs, streams=streams)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT, result.files[-1].new
    assert graph.reasons[0].startswith(
        "streams.py would need other code for program_0.py than for program_1.py:"
    )


SHOWING = f"""{STREAMS}

def show(lines, label):
    lines.foreachRDD(lambda rdd: print(label, rdd.count()))
    print("shown")


def send(lines):
    lines.foreachRDD(lambda rdd: print(rdd.collect()))
"""
SHOWS = PROGRAM.format("words = lines.filter(len)\nstreams.show(words, 'lines')")


def test_what_only_one_of_them_calls_stays_in_what_they_share() -> None:
    result = _migrated(COUNTS, SHOWS, streams=SHOWING)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert result.files[0].new == COUNTS_AFTER
    assert result.files[-1].new == f'{STREAMS_AFTER}\n\ndef show():\n    print("shown")\n'
    assert [note for note in graph.notes if "that nothing calls" in note] == [
        "functions left out that nothing calls, and that could be given nothing but a DStream: `send`"
    ]


def test_each_of_them_may_not_have_something_of_its_own_there() -> None:
    tell = SHOWING[SHOWING.index("def show") : SHOWING.index("def send")].replace("show", "tell")
    tells = SHOWS.replace("show", "tell")
    (graph,) = _migrated(SHOWS, tells, streams=SHOWING + tell).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons[0].startswith("streams.py would need other code")


def test_where_one_has_no_place_for_its_batch_function_the_reason_is_not_its_start() -> None:
    shows = SHOWS.replace("words = lines.filter(len)\n", "").replace("words", "lines.filter(len)")
    (graph,) = _migrated(COUNTS, shows, streams=SHOWING).graphs
    assert "`filter` is called in an argument: assign its result to a name first" in graph.reasons[0]


def test_a_module_that_only_one_of_them_has_goes_with_it() -> None:
    result = _migrated(
        COUNTS,
        "import words\n"
        + WORDS.replace("lines.flatMap", "words.of(lines)").replace('(lambda line: line.split(" "))', ""),
        words='def of(lines):\n    return lines.flatMap(lambda line: line.split(" "))\n',
    )
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert {file.path for file in result.files if file.changed} == {
        *("program_0.py", "program_1.py", "streams.py", "words.py")
    }


def test_graphs_of_several_files_that_share_one_stay_on_compat() -> None:
    """They are not put into one text, and the one that is alone in its files waits for the other."""
    streams = STREAMS + STREAMS[STREAMS.index("def lines_of") :].replace("lines_of", "others_of").replace(
        "def run", "def run_others"
    )
    both = (
        "import sys\nimport streams\n\n\ndef one():\n    ssc, lines = streams.lines_of('h', 1)\n"
        "    lines.pprint()\n    streams.run(ssc)\n\n\ndef other():\n"
        "    ssc, lines = streams.others_of('h', 2)\n    lines.pprint()\n    streams.run_others(ssc)\n\n\n"
        "if sys.argv[1] == 'one':\n    one()\nelse:\n    other()\n"
    )
    result = _migrated(both, streams=streams)
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT, Outcome.COMPAT]
    assert all("another graph lives in its file" in why for graph in result.graphs for why in graph.reasons)


def test_a_name_that_one_of_them_has_is_free_in_none() -> None:
    """What is shared is called alike in each of them."""
    program = COUNTS.replace("import streams", "import streams as spark").replace("streams.", "spark.")
    result = _migrated(COUNTS, program)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "    return session, lines\n" in result.files[-1].new


def test_all_stay_where_one_needs_the_old_code_of_a_helper() -> None:
    helpers = "def show(rdd):\n    for line in rdd.collect():\n        print(line)\n"
    shows = PROGRAM.format("lines.foreachRDD(helpers.show)").replace(
        "import streams", "import helpers, streams"
    )
    other = shows.replace(
        "lines.foreachRDD(helpers.show)", "lines.pprint()\nhelpers.show(ssc.sparkContext.range(3))"
    )
    result = _migrated(shows, other, helpers=helpers)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT, [file.new for file in result.files]
