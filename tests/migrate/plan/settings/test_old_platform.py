"""Texts that keep a program from running on the Spark of the new code, without being wrong in Python."""

from __future__ import annotations

import pytest

from migrate.knowledge.kafka_connector import coordinate
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import GraphResult, Options, Outcome
from tests.migrate.programs import file, kafka_program, run, socket_program

PROGRAM = """\
import os
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{line}
ssc = StreamingContext(SparkContext(), 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""
CASSANDRA = "com.datastax.spark:spark-cassandra-connector_2.11:2.4.0"
CASSANDRA_NOW = "com.datastax.spark:spark-cassandra-connector_2.13:3.5.1"
UNREAD_KAFKA = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.3.1"
BAHIR = "org.apache.bahir:spark-streaming-twitter_2.11:2.4.0"
KAFKA_08 = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.3.1"


def _graph(line: str) -> GraphResult:
    (graph,) = run(PROGRAM.format(line=line), Options()).graphs
    assert graph.outcome is Outcome.NATIVE
    return graph


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            f'os.environ["PYSPARK_SUBMIT_ARGS"] = f"--packages {BAHIR},a.b:c_2.13:{{os.name}} pyspark-shell"',
            "is a connector of DStreams",
        ),
        (
            f'os.environ["PYSPARK_SUBMIT_ARGS"] = f"--packages {UNREAD_KAFKA},a.b:c_2.13:{{os.name}} shell"',
            f"{UNREAD_KAFKA} is a connector of DStreams, which nothing needs any more",
        ),
        (
            f'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages {BAHIR},a.b:c_2.11:1"',
            "a.b:c_2.11:1 is for another",
        ),
        (
            'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages a.b:c_2.11:1,d:e_2.11:2"',
            "a.b:c_2.11:1, d:e_2.11:2",
        ),
        (f'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages a.b:c_2.11:1,{CASSANDRA}"', "a.b:c_2.11:1 is for"),
        ('MASTER = "yarn-cluster"', "--deploy-mode cluster"),
        ('os.environ["PYSPARK_PYTHON"] = "/usr/bin/python2.7"', "Python 3.11 or later in the place of"),
        ('os.environ.setdefault("PYSPARK_DRIVER_PYTHON", "python3.5")', "in the place of `python3.5`"),
        ('SETTINGS = {"spark.pyspark.python": "/opt/python2"}', "in the place of `/opt/python2`"),
    ],
)
def test_what_the_new_spark_has_not_must_change(line: str, told: str) -> None:
    (must,) = _graph(line).must_change
    assert told in must


@pytest.mark.parametrize(
    "path", ['"s3n://bucket/words"', 'f"s3n://{os.name}/words"', "f's3n://{os.name}/words/s3n'"]
)
def test_the_old_file_system_of_s3_is_the_one_that_hadoop_3_has(path: str) -> None:
    line = f"PATH = {path}"
    assert path.replace("s3n://", "s3a://") in file(PROGRAM.format(line=line)).new
    (must,) = _graph(line).must_change
    assert "`fs.s3a.*`" in must


def test_a_path_that_goes_with_a_checkpoint_needs_no_credentials() -> None:
    source = PROGRAM.format(line='PATH = "s3n://bucket/state"').replace(
        "ssc.socket", "ssc.checkpoint(PATH)\nssc.socket"
    )
    result = run(source)
    assert "bucket" not in result.files[0].new
    assert not result.graphs[0].must_change


SESSION = """\
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext
spark = (
    SparkSession.builder.appName("words")
    .config("spark.streaming.blockInterval", "100")
    .config("spark.cores.max", 2)
    .getOrCreate()
)
{line}
ssc = StreamingContext(spark.sparkContext, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("line", "stays"), [("", False), ('print(spark.conf.get("spark.streaming.blockInterval"))', True)]
)
def test_a_setting_of_dstreams_leaves_the_session_unless_it_is_read(line: str, *, stays: bool) -> None:
    result = run(SESSION.format(line=line))
    assert ('.config("spark.streaming.blockInterval", "100")' in result.files[0].new) is stays
    assert '.config("spark.cores.max", 2)' in result.files[0].new
    assert any("`spark.streaming.blockInterval` is for DStreams" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize(
    ("context", "made"),
    [
        ('SparkContext("yarn-client", "words")', '.master("yarn").appName("words")'),
        ("SparkContext(conf=SparkConf().setMaster('yarn-client'))", ".master('yarn')"),
    ],
)
def test_the_old_name_of_a_master_is_its_name_now(context: str, made: str) -> None:
    source = PROGRAM.format(line="from pyspark import SparkConf").replace("SparkContext()", context)
    assert made in file(source).new
    (graph,) = run(source).graphs
    assert any("`yarn-client` is `yarn`" in note for note in graph.notes)


@pytest.mark.parametrize(
    "context",
    [
        'SparkContext("yarn-cluster", "words")',
        'SparkContext(master="yarn-cluster", appName="words")',
        'SparkContext(conf=SparkConf().setMaster("yarn-cluster").setAppName("words"))',
        'SparkContext(conf=SparkConf().set("spark.master", "yarn-cluster").setAppName("words"))',
    ],
)
def test_a_master_that_no_spark_has_now_is_not_written_but_told(context: str) -> None:
    source = PROGRAM.format(line="from pyspark import SparkConf").replace("SparkContext()", context)
    assert 'SparkSession.builder.appName("words").getOrCreate()' in file(source).new
    (graph,) = run(source).graphs
    assert any("--deploy-mode cluster" in must for must in graph.must_change)


@pytest.mark.parametrize(
    "line",
    [
        '"""Words of s3n://bucket, with --packages a:b_2.11:1."""',
        'PATH = "s3a://bucket/words"',
        'PACKAGES = "a:b_2.13:1"',
    ],
)
def test_docstrings_and_what_runs_are_left_alone(line: str) -> None:
    assert not _graph(line).must_change


@pytest.mark.parametrize(
    "packages", [BAHIR, "org.apache.spark:spark-streaming-flume_2.11:2.4.7", f"{BAHIR},{BAHIR}"]
)
def test_a_setting_of_connectors_of_dstreams_alone_is_left_out(packages: str) -> None:
    conf = f'SparkConf().set("spark.jars.packages", "{packages}").setAppName("flume")'
    source = PROGRAM.format(line="from pyspark import SparkConf").replace(
        "SparkContext(), 1", f"SparkContext(conf={conf}), 1"
    )
    (graph,) = run(source, Options()).graphs
    new = file(source).new
    assert "spark.jars.packages" not in new and '.appName("flume")' in new
    assert (
        f"`{packages}` is a connector of DStreams, which nothing needs any more, and is left out"
        in graph.notes
    )
    assert not graph.must_change


def test_beside_others_they_are_left_out_alone() -> None:
    conf = f'SparkConf().set("spark.jars.packages", "{BAHIR},org.elasticsearch:es-spark-30_2.13:9.0.0")'
    source = PROGRAM.format(line="from pyspark import SparkConf").replace(
        "SparkContext(), 1", f"SparkContext(conf={conf}), 1"
    )
    (graph,) = run(source, Options()).graphs
    assert '"spark.jars.packages", "org.elasticsearch:es-spark-30_2.13:9.0.0")' in file(source).new
    assert any(f"`{BAHIR}` is a connector of DStreams" in note for note in graph.notes)
    assert not graph.must_change


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (f'"--master local[2] --packages={BAHIR} pyspark-shell"', '"--master local[2] pyspark-shell"'),
        (
            f"'--packages {KAFKA_08} ' \\\n    '--jars a.jar ' \\\n    'pyspark-shell'",
            "'--jars a.jar ' \\\n    'pyspark-shell'",
        ),
        (f'"--packages " \\\n    "{BAHIR} " \\\n    "a-shell"', '"a-shell"'),
        (f"'--packages {BAHIR},{KAFKA_08},a.b:c_2.13:1 shell'", "'--packages a.b:c_2.13:1 shell'"),
        (f"'--packages a.b:c_2.13:1,{KAFKA_08} shell'", "'--packages a.b:c_2.13:1 shell'"),
        (
            f"'--packages {KAFKA_08},a.b:c_2.13:1,{BAHIR},d.e:f:2 shell'",
            "'--packages a.b:c_2.13:1,d.e:f:2 shell'",
        ),
        (
            f"'--packages {KAFKA_08},org.apache.spark:spark-sql-kafka-0-10_2.11:2.3.1 shell'",
            f"'--packages {coordinate(Options().spark)} shell'",
        ),
    ],
)
def test_arguments_for_a_shell_name_no_connectors_that_are_gone(given: str, left: str) -> None:
    source = PROGRAM.format(line=f'os.environ["PYSPARK_SUBMIT_ARGS"] = {given}')
    (graph,) = run(source, Options()).graphs
    assert f'os.environ["PYSPARK_SUBMIT_ARGS"] = {left}\n' in file(source).new
    assert any("which nothing needs any more, and is left out" in note for note in graph.notes)
    assert not graph.must_change


@pytest.mark.parametrize(
    "given",
    [
        f"'--packages {BAHIR} pyspark-shell'",
        f'"--packages " \\\n    "{BAHIR} " \\\n    "pyspark-shell"',
        f"'--packages {KAFKA_08} ' \\\n    'pyspark-shell'",
        f"'--packages {BAHIR},{KAFKA_08} pyspark-shell'",
    ],
)
def test_a_setting_that_only_named_such_connectors_goes(given: str) -> None:
    source = PROGRAM.format(line=f'os.environ["PYSPARK_SUBMIT_ARGS"] = {given}')
    (graph,) = run(source, Options()).graphs
    assert "PYSPARK_SUBMIT_ARGS" not in file(source).new
    assert any("which nothing needs any more, and is left out" in note for note in graph.notes)


FLUME = "external/flume-assembly/target/scala-*/spark-streaming-flume-assembly-*.jar"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (f"# spark-submit --packages {BAHIR} job.py", "# spark-submit job.py"),
        (f"# spark-submit --jars={FLUME},{FLUME} job.py", "# spark-submit job.py"),
        (
            f'"""Run `bin/spark-submit --jars \\\n  {FLUME} \\\n  job.py a`."""',
            '"""Run `bin/spark-submit \\\n  job.py a`."""',
        ),
        (f'"""Run spark-submit --packages {BAHIR} job.py."""', '"""Run spark-submit job.py."""'),
        (f"# spark-submit --packages {KAFKA_08} job.py", "# spark-submit job.py"),
        (
            "# spark-submit --jars spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar job.py",
            "# spark-submit job.py",
        ),
        (
            f"# spark-submit --packages a.b:c_2.13:1,{KAFKA_08} job.py",
            "# spark-submit --packages a.b:c_2.13:1 job.py",
        ),
        (
            f"# spark-submit --packages {BAHIR},a.b:c_2.13:1 job.py",
            "# spark-submit --packages a.b:c_2.13:1 job.py",
        ),
        ("# spark-submit --jars kinesis.jar job.py", None),
        (f"# Copy {FLUME} to spark/bin", None),
    ],
)
def test_commands_in_docstrings_and_comments_name_no_connectors_that_are_gone(
    said: str, left: str | None
) -> None:
    new = file(f"{said}\n{PROGRAM.format(line='')}").new
    assert new.startswith(f"{left or said}\n")


@pytest.mark.parametrize(
    ("call", "becomes"),
    [
        ("open(name, 'rU')", "open(name, 'r')"),
        ("open(name, mode='U')", "open(name, mode='r')"),
        ("open(name, 'rbU')", "open(name, 'rb')"),
        ("open(name, 'w')", "open(name, 'w')"),
        ("parse(name, 'rU')", "parse(name, 'rU')"),
    ],
)
def test_files_are_opened_with_modes_that_python_still_has(call: str, becomes: str) -> None:
    text = file(socket_program(f"def load(name):\n    return {call}\nlines.pprint()")).new
    assert f"    return {becomes}\n" in str(text)


KAFKA, NOW = "org.apache.spark:spark-sql-kafka-0-10_2.", "org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0"
ON_SPARK_4 = Options(spark=SparkVersion.parse("4.0.0"))


@pytest.mark.parametrize("version", ["11:2.2.0", "12:3.5.1", "13:3.5.1", "12:4.0.0"])
@pytest.mark.parametrize(
    "line",
    [
        "os.environ['PYSPARK_SUBMIT_ARGS'] = '--packages a:b:1,{} pyspark-shell'",
        "import findspark\nfindspark.add_packages(['{}'])",
        "conf.set('spark.jars.packages', '{}')",
        "ARGS = f'{{HOME}} --packages {}'",
        "# spark-submit --packages {} job.py",
        "ARGS = 1\n'spark-submit --packages {} job.py'",
    ],
)
def test_the_connector_of_queries_of_another_spark_is_that_of_this_one(line: str, version: str) -> None:
    """No stream reads Kafka; the program's own queries do."""
    old, new = (PROGRAM.format(line=line.format(one)) for one in (KAFKA + version, NOW))
    (graph,) = run(old, ON_SPARK_4).graphs
    assert line.format(NOW) in file(old, ON_SPARK_4).new
    assert all("is never defined" in one for one in graph.must_change)
    assert file(old, ON_SPARK_4).new == file(new, ON_SPARK_4).new


@pytest.mark.parametrize("old", [CASSANDRA, "datastax:spark-cassandra-connector:2.4.0-s_2.11"])
@pytest.mark.parametrize(
    "line",
    [
        "os.environ['PYSPARK_SUBMIT_ARGS'] = '--packages {},a:b:1 pyspark-shell'",
        "ARGS = f'{{HOME}} --packages {}'",
        "# spark-submit --packages {} job.py",
        "ARGS = 1\n'spark-submit --packages {} job.py'",
    ],
)
def test_the_connector_of_cassandra_for_another_scala_is_the_one_for_this_scala(line: str, old: str) -> None:
    source = PROGRAM.format(line=line.format(old))
    (graph,) = run(source, ON_SPARK_4).graphs
    assert line.format(CASSANDRA_NOW) in file(source, ON_SPARK_4).new
    assert all("is never defined" in one for one in graph.must_change)
    assert any("no connector for Cassandra is published for Spark 4.0" in note for note in graph.notes)


@pytest.mark.parametrize("first", ["cassandra", "kafka"])
def test_the_connectors_of_cassandra_and_kafka_in_one_list_are_both_of_this_scala(first: str) -> None:
    by_name = [(CASSANDRA, CASSANDRA_NOW), (KAFKA_08, coordinate(ON_SPARK_4.spark))]
    old, new = (",".join(some) for some in zip(*by_name[:: 1 if first == "cassandra" else -1], strict=True))
    line = "ARGS = '--packages {} pyspark-shell'\n"
    text = file(f"{line.format(old)}{kafka_program('messages.pprint()')}", ON_SPARK_4).new
    assert line.format(new) in text


def test_the_connector_of_cassandra_for_this_scala_stays() -> None:
    line = f'PACKAGES = "{CASSANDRA_NOW.replace("3.5.1", "3.4.1")}"'
    assert line in file(PROGRAM.format(line=line), ON_SPARK_4).new


@pytest.mark.parametrize(
    ("version", "spark"), [("13:4.0.2", "4.0.0"), ("12:3.5.1", "3.5"), ("13:4.2.0", "4.3")]
)
def test_a_connector_of_the_same_release_stays(version: str, spark: str) -> None:
    line = f'PACKAGES = "{KAFKA}{version}"'
    assert line in file(PROGRAM.format(line=line), Options(spark=SparkVersion.parse(spark))).new


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["PYSPARK_PYTHON"] = "python3"',
        'os.environ["PYSPARK_PYTHON"] = "/opt/python3.12/bin/python3.12"',
        'os.environ["SCRIPT"] = "python2"',
    ],
)
def test_a_python_that_spark_runs_on_or_that_is_for_something_else_is_not_named(line: str) -> None:
    assert not _graph(line).must_change


def test_a_python_is_old_for_the_spark_that_needs_another() -> None:
    text = PROGRAM.format(line='os.environ["PYSPARK_PYTHON"] = "python3.9"')
    for version, old in {"3.5.1": False, "4.0.0": False, "4.1.0": True}.items():
        (graph,) = run(text, Options(spark=SparkVersion.parse(version))).graphs
        assert any("`python3.9`" in must for must in graph.must_change) is old


def test_a_program_on_compat_names_its_old_python_too() -> None:
    text = PROGRAM.format(line='os.environ["PYSPARK_PYTHON"] = "python2"')
    (graph,) = run(text, Options(target=Outcome.COMPAT)).graphs
    assert any("`python2`" in must for must in graph.must_change)
