"""Several graphs in one file: those that can be are native, in one text."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options, Outcome, Status
from tests.migrate.programs import file, module, run

IMPORTS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
ONE_AFTER_THE_OTHER = (
    IMPORTS
    + """\
sc = SparkContext("local[2]", "labs")

# lab 1
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.count().pprint()
ssc.start()
ssc.awaitTerminationOrTimeout(30)
ssc.stop(False)

# lab 2
ssc = StreamingContext(sc, 5)
lines = ssc.socketTextStream("localhost", 9998)
lines.countByValue().pprint()
ssc.start()
ssc.awaitTerminationOrTimeout(30)
ssc.stop()
"""
)
ONE_AFTER_THE_OTHER_AFTER = """\
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").appName("labs").getOrCreate()

# lab 1
lines = spark.readStream.format("socket").options(host="localhost", port=9999).load()


def process_batch(batch, batch_id):
    if batch.isEmpty():  # DStreams gave no count then
        return
    print(batch.count())


query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(process_batch).start()
query.awaitTermination(30)
query.stop()

# lab 2
lines = spark.readStream.format("socket").options(host="localhost", port=9998).load()


def process_batch_2(batch, batch_id):
    batch.groupBy("value").count().show(10, truncate=False)


streaming_query = (
    lines.writeStream.trigger(processingTime="5 seconds")
    .foreachBatch(process_batch_2)
    .start()
)
streaming_query.awaitTermination(30)
streaming_query.stop()
spark.stop()
"""


def function(name: str, body: str) -> str:
    """A function that builds a graph of its own and runs it."""
    return f"""\

def {name}():
    sc = SparkContext.getOrCreate()
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    {body}
    ssc.start()
    ssc.awaitTermination()

"""


def test_one_after_the_other() -> None:
    assert file(ONE_AFTER_THE_OTHER).new == ONE_AFTER_THE_OTHER_AFTER


def test_a_second_run_changes_nothing() -> None:
    assert file(ONE_AFTER_THE_OTHER_AFTER).new == ONE_AFTER_THE_OTHER_AFTER


def test_each_function_that_needs_them_sets_the_partitions() -> None:
    bodies = ("lines.countByValue().pprint()", "lines.countByValue().pprint()", "lines.pprint()")
    source = IMPORTS + "".join(function(f"job_{number}", body) for number, body in enumerate(bodies))
    result = run(source, Options(spark=SparkVersion("3.5")))
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE] * 3
    assert result.files[0].new.count("spark.sql.shuffle.partitions") == 2
    assert "sparkContext\n" not in result.files[0].new  # nobody needs one


def test_sites_are_where_the_program_has_them() -> None:
    sites = run(ONE_AFTER_THE_OTHER).sites
    assert [(site.line, site.operator) for site in sites if site.operator in ("count", "countByValue")] == [
        (9, "count"),
        (17, "countByValue"),
    ]
    assert {site.graph for site in sites} == {"job.py:7", "job.py:15"}


ON_COMPAT = "lines.glom().count().pprint()"


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_one_that_is_not_native_stays_on_compat_beside_others(order: tuple[int, ...]) -> None:
    graphs = [
        function("first", "lines.count().pprint()"),
        function("second", ON_COMPAT),
        function("third", "lines.count().pprint()"),
    ]
    result = run(IMPORTS + "".join(graphs[number] for number in order))
    outcomes = [Outcome.NATIVE, Outcome.COMPAT, Outcome.NATIVE]
    assert [graph.outcome for graph in result.graphs] == [outcomes[number] for number in order]
    (file,) = result.files
    assert file.status is Status.COMPAT
    assert "from compat.streaming import StreamingContext\n" in file.new
    assert "from pyspark import SparkContext\n" in file.new
    assert graphs[1].strip() in file.new
    assert file.new.count("StreamingContext(") == 1 and file.new.count(".foreachBatch(process_batch") == 2


def test_a_context_that_both_hang_on_is_the_session_s() -> None:
    source = ONE_AFTER_THE_OTHER.replace("lines.countByValue().pprint()", ON_COMPAT)
    result = run(source)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.COMPAT]
    assert "\nssc = StreamingContext(spark.sparkContext, 5)\n" in result.files[0].new


@pytest.mark.parametrize("body", ["print(sorted(rdd.collect()))", "print(rdd.count())"])
def test_a_function_that_one_on_compat_calls_stays_as_it_is(body: str) -> None:
    show = f"def show(rdd):\n    {body}\n"
    bodies = ("lines.foreachRDD(show)", "lines.glom().foreachRDD(show)")
    graphs = [function(name, body) for name, body in zip(("first", "second"), bodies, strict=True)]
    assert show in file(IMPORTS + show + "".join(graphs)).new


def test_what_one_on_compat_is_made_of_stays_as_it_is() -> None:
    """A variable holds RDDs of the one, which become DataFrames, and then RDDs of the other."""
    queued = "rdds = [sc.parallelize(['a'])]\nlines = ssc.queueStream(rdds)"
    source = ONE_AFTER_THE_OTHER.replace('lines = ssc.socketTextStream("localhost", 9999)', queued)
    source = source.replace('lines = ssc.socketTextStream("localhost", 9998)', queued)
    result = run(
        source.replace("lines.countByValue().pprint()", "for number in (1, 2):\n    lines.pprint(number)")
    )
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.COMPAT]
    assert result.files[0].new.count("rdds = [spark.createDataFrame(['a'], \"string\")]") == 1
    assert result.files[0].new.count("rdds = [sc.parallelize(['a'])]") == 1


def test_a_cell_that_is_native_imports_nothing_of_the_old_api() -> None:
    cells = ONE_AFTER_THE_OTHER.replace("# lab 2", "# lab 2\nfrom pyspark.streaming import StreamingContext")
    new = file(cells.replace("lines.countByValue().pprint()", ON_COMPAT)).new
    assert new.count("StreamingContext\n") == 1
    assert "# lab 2\nfrom compat.streaming import StreamingContext\n" in new


def test_a_second_run_leaves_what_is_on_compat_there() -> None:
    source = IMPORTS + function("first", "lines.pprint()") + function("second", ON_COMPAT)
    once = file(source).new
    assert file(once).new == once


def test_none_changes_if_one_must_stay() -> None:
    asked = "lines.pprint()  # dstream-migrate: ignore"
    source = IMPORTS + function("first", "lines.pprint()") + function("second", asked)
    result = run(source)
    assert [graph.outcome for graph in result.graphs] == [Outcome.MANUAL] * 2
    assert "from pyspark.streaming import StreamingContext" in result.files[0].new


OWN_SESSION = """\
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

spark = SparkSession.builder.getOrCreate()
# for the streams
sc = spark.sparkContext
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_a_variable_of_the_context_alone_goes_and_its_comment_stays() -> None:
    new = file(OWN_SESSION).new
    assert "sparkContext" not in new
    assert "# for the streams\n" in new


def test_a_variable_that_another_module_reads_stays() -> None:
    modules = [module(OWN_SESSION), module("from job import sc\n\nprint(sc.version)\n", "other.py")]
    result = migrate(modules, Options())
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "sc = spark.sparkContext\n" in result.files[0].new


def test_a_context_that_is_found_is_that_of_the_session_above() -> None:
    source = OWN_SESSION.replace("spark.sparkContext", "SparkContext.getOrCreate()")
    new = file(f"from pyspark import SparkContext\n{source}").new
    assert "SparkContext" not in new
    assert "# for the streams\n" in new


def test_a_variable_that_is_read_stays() -> None:
    source = OWN_SESSION.replace("ssc.start()", "sc.addFile('words')\nssc.start()")
    assert "sc = spark.sparkContext\n" in file(source).new


def test_a_context_of_the_own_session_is_not_kept_to_set_how_much_is_logged() -> None:
    source = OWN_SESSION.replace("ssc.start()", 'sc.setLogLevel("WARN")\nssc.start()')
    new = file(source).new
    assert "sc = " not in new
    assert '\nspark.sparkContext.setLogLevel("WARN")\n' in new


APART = (
    IMPORTS
    + """\
sc = SparkContext("local[2]", "one")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
ssc.stop()

sc = SparkContext("local[2]", "two")
ssc = StreamingContext(sc, 1)
others = ssc.socketTextStream("localhost", 9998)
others.pprint()
ssc.start()
ssc.awaitTermination()
"""
)


def test_a_session_that_was_stopped_is_not_the_next_programs() -> None:
    result = file(APART)
    assert result.status is Status.NATIVE
    assert 'spark = SparkSession.builder.master("local[2]").appName("one").getOrCreate()' in result.new
    assert 'spark_2 = SparkSession.builder.master("local[2]").appName("two").getOrCreate()' in result.new
    assert "    spark_2.readStream" in result.new
    assert "SparkContext" not in result.new


def test_nor_is_one_of_the_program_itself() -> None:
    own = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\nspark.stop()\n"
    source = APART.partition("ssc.stop()\n\n")[2]
    new = file(f"{IMPORTS}{own}{source}").new
    assert 'spark_2 = SparkSession.builder.master("local[2]").appName("two").getOrCreate()' in new


def test_a_context_of_a_module_that_is_only_imported_stays_there() -> None:
    context = (
        "from pyspark import SparkContext\nsc = SparkContext(appName='a')\n\ndef get():\n    return sc\n"
    )
    program = (
        "from pyspark.streaming import StreamingContext\nfrom context import get\nsc = get()\n"
        'ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream("localhost", 9999)\nlines.pprint()\n'
        "ssc.start()\nssc.awaitTermination()\n"
    )
    result = migrate([module(program), module(context, "context.py")], Options())
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert result.files[1].new == context
    assert "spark = SparkSession.builder.getOrCreate()" in result.files[0].new


COUNTED = """\
    counts = lines.countByValue()
    counts.foreachRDD(lambda rdd: totals.append(rdd.count()))
"""


def test_a_function_that_both_need_is_there_once() -> None:
    body = COUNTED.strip().replace("totals", "{0}")
    source = IMPORTS + "one, other = [], []\n"
    source += function("first", body.format("one")) + function("second", body.format("other"))
    result = run(source)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE] * 2
    new = result.files[0].new
    assert new.count("def every_interval(") == 1
    assert "every_interval_2" not in new
    assert new.count(".transform(every_interval)") == 2


def test_a_function_of_the_program_with_such_a_name_is_none_of_them() -> None:
    body = COUNTED.strip().replace("totals", "one")
    source = IMPORTS + "one = []\ndef every_interval(rows):\n    return rows\n\n" + function("first", body)
    new = run(source).files[0].new
    assert ".transform(every_interval_2)" in new


def test_comments_and_docstrings_of_another_program_stay() -> None:
    said = "# create a DStream that will connect to hostname:port\n    lines = "
    source = IMPORTS + "".join(
        function(name, body).replace("lines = ", said).replace("):\n", '):\n    """Read the DStream."""\n', 1)
        for name, body in (
            ("first", "lines.countByValue().pprint()"),
            ("second", "x = lines.slice(1, 2)\n    print(x)  # the RDDs of a DStream\n    lines.pprint()"),
        )
    )
    result = run(source)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.COMPAT]
    new = result.files[0].new
    first, second = new[new.index("def first") :].split("def second")
    assert "# create a streaming DataFrame that" in first
    assert '"""Read the streaming DataFrame."""' in first
    assert "# create a DStream that" in second
    assert '"""Read the DStream."""' in second
    assert "  # the RDDs of a DStream\n" in second
    assert not any("the RDDs of a DStream" in note for note in result.graphs[0].notes)


GIVEN = """
def stream(ssc, seconds):
    lines = ssc.socketTextStream("localhost", 9999)
    lines.pprint()
    ssc.start()
    ssc.awaitTerminationOrTimeout(seconds)
"""


def test_a_context_that_nothing_uses_stays_beside_streams_that_stay() -> None:
    source = IMPORTS + 'sc = SparkContext(appName="a")\nssc = StreamingContext(sc, 10)\n' + GIVEN
    result = run(source, Options(whole_project=True))
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT] * 2
    assert "nothing uses the context" in result.graphs[0].reasons[0]
    new = result.files[0].new
    assert new == source.replace("pyspark.streaming", "compat.streaming")
