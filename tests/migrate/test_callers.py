"""Files beside a program that start it with what it does not take any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.callers import MORE
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome
from migrate.run import run

PROGRAM = """\
import argparse, os

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

parser = argparse.ArgumentParser()
parser.add_argument("-zk", "--zookeeper")
args = parser.parse_args()
ssc = StreamingContext(SparkContext(), 1)
messages = KafkaUtils.createStream(ssc, {}, "group", {{"pages": 1}})
messages.pprint()
ssc.start()
ssc.awaitTermination()
"""
OPTION, VARIABLE, BROKERS = "args.zookeeper", 'os.environ["ZK_QUORUM"]', '"kafka:9092"'
PACKAGE = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0"
CASSANDRA = "com.datastax.spark:spark-cassandra-connector"
OLD = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"


def named(root: Path, address: str, text: str, name: str = "run.sh") -> list[str]:
    """What the report says of a file beside a program whose receiver has some address."""
    (root / "jobs").mkdir()
    (root / "jobs" / "pages.py").write_text(PROGRAM.format(address))
    (root / name).write_text(text)
    (graph,) = run([root], Options(spark=SparkVersion.parse("4.0.0"))).result.graphs
    return [line for line in graph.must_change if line.startswith(f"{name}:")]


@pytest.mark.parametrize(
    ("address", "text", "said"),
    [
        (
            OPTION,
            "spark-submit jobs/pages.py -zk zoo:2181",
            "1: `-zk` -> `-b`, `zoo:2181` -> Kafka's brokers",
        ),
        (OPTION, "# start\nspark-submit \\\n  pages.py --zookeeper $ZK", "2: `--zookeeper` -> `--brokers`"),
        (BROKERS, f"x\nspark-submit --packages {OLD} pages.py", f"2: `{OLD}` -> `{PACKAGE}`"),
        (
            BROKERS,
            "spark-submit --jars lib/spark-streaming-kafka-assembly.jar pages.py",
            f"1: `--jars lib/spark-streaming-kafka-assembly.jar` -> `--packages {PACKAGE}`",
        ),
        (
            BROKERS,
            "spark-submit --jars lib/a.jar,lib/spark-streaming-kafka-0-8_2.11.jar pages.py",
            f"1: `lib/spark-streaming-kafka-0-8_2.11.jar` -> left out, with `--packages {PACKAGE}`",
        ),
        (
            BROKERS,
            "spark-submit --jars lib/spark-streaming-kafka.jar --packages a:b_2.13:1 pages.py",
            f"1: `--jars lib/spark-streaming-kafka.jar` -> left out, with `--packages a:b_2.13:1,{PACKAGE}`",
        ),
        (
            BROKERS,
            f"spark-submit --packages {OLD},a:b_2.11:1 pages.py",
            f"1: `{OLD}` -> `{PACKAGE}`, `a:b_2.11:1` -> the package for Scala 2.13",
        ),
        (
            BROKERS,
            f"spark-submit --packages {CASSANDRA}_2.11:2.3.0 pages.py",
            f"1: `{CASSANDRA}_2.11:2.3.0` -> `{CASSANDRA}_2.13:3.5.1`",
        ),
        (BROKERS, f"spark.jars.packages {OLD}", f"1: `{OLD}` -> `{PACKAGE}`"),
        (BROKERS, f"spark.jars.packages {PACKAGE[:-7]}1:2.4.8", f"1: `{PACKAGE[:-7]}1:2.4.8` -> `{PACKAGE}`"),
        (VARIABLE, "export ZK_QUORUM=zoo:2181", "1: `ZK_QUORUM` -> `KAFKA_BOOTSTRAP_SERVERS`"),
    ],
)
def test_a_line_that_must_change_is_named(tmp_path: Path, address: str, text: str, said: str) -> None:
    assert named(tmp_path, address, text) == [f"run.sh:{said}"]


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (BROKERS, "see https://medium.com/@kass09/spark-streaming-kafka-in-python-edd47814746"),
        (
            BROKERS,
            "# see https://mvnrepository.com/artifact/org.apache.spark/spark-streaming-kafka-0-8_2.11/2.1.0",
        ),
        (OPTION, "spark-submit other.py -zk zoo:2181"),
        (OPTION, "spark-submit more-pages.py -zk zoo:2181"),
        (OPTION, "spark-submit pages.py -zk-timeout 1"),
        (OPTION, "kafka-topics.sh --zookeeper zoo:2181"),
        (BROKERS, f"spark-submit --packages {OLD} other.py"),
        (BROKERS, "spark-submit pages.py zoo:2181"),
        (VARIABLE, "export OLD_ZK_QUORUM=zoo:2181"),
    ],
)
def test_other_lines_are_not(tmp_path: Path, address: str, text: str) -> None:
    assert named(tmp_path, address, text) == []


def received(root: Path, source: str, text: str, target: Outcome = Outcome.NATIVE) -> list[str]:
    """What the report says of a script beside a program that reads a source."""
    name = source.partition("(")[0].partition(".")[0]
    (root / "pages.py").write_text(
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext\n"
        f"from pyspark.streaming.{name[:-5].lower()} import {name}\n"
        f"ssc = StreamingContext(SparkContext(), 1)\n{source}.pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    (root / "run.sh").write_text(text)
    options = Options(spark=SparkVersion.parse("4.0.0"), target=target)
    (graph,) = run([root], options).result.graphs
    return [line for line in graph.must_change if line.startswith("run.sh:")]


MQTT = 'MQTTUtils.createStream(ssc, "tcp://host:1883", "topic")'
OF_MQTT = "org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0"
OF_MONGO = "org.mongodb.spark:mongo-spark-connector_2.11:2.4.0"


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
@pytest.mark.parametrize(
    ("source", "text", "said"),
    [
        (MQTT, f"spark-submit --packages {OF_MQTT} pages.py", f"`--packages {OF_MQTT}` -> left out"),
        (MQTT, f"pyspark --packages={OF_MQTT}", f"`--packages={OF_MQTT}` -> left out"),
        (
            MQTT,
            f"spark-submit --packages {OF_MONGO},{OF_MQTT} pages.py",
            f"`{OF_MQTT}` -> left out, `{OF_MONGO}` -> the package for Scala 2.13",
        ),
        (
            'FlumeUtils.createStream(ssc, "host", 1)',
            "spark-submit --jars lib/spark-streaming-flume-assembly.jar pages.py",
            "`--jars lib/spark-streaming-flume-assembly.jar` -> left out",
        ),
    ],
)
def test_what_no_source_needs_is_left_out(
    tmp_path: Path, source: str, text: str, said: str, target: Outcome
) -> None:
    assert received(tmp_path, source, text, target) == [f"run.sh:1: {said}"]


@pytest.mark.parametrize(
    "text",
    [
        f"spark-submit --packages {OF_MQTT} other.py",
        f"spark-submit --packages {OLD} other.py",
        f"pyspark --packages {OLD}",
        f"pyspark --packages {OF_MONGO}",
        "see https://spark.apache.org/docs/latest/spark-streaming-custom-receivers.html",
    ],
)
def test_lines_about_other_programs_are_not_named(tmp_path: Path, text: str) -> None:
    assert received(tmp_path, MQTT, text) == []


@pytest.mark.parametrize(
    "name", ["README", "Dockerfile", "docker-compose.yml", "start.py", "Notes.md", "n.ipynb"]
)
def test_all_files_that_a_person_writes_are_read(tmp_path: Path, name: str) -> None:
    text = (
        f'"!spark-submit --packages {OLD} pages.py"' if name.endswith("b") else f"# --packages {OLD} pages.py"
    )
    assert named(tmp_path, BROKERS, text, name) == [f"{name}:1: `{OLD}` -> `{PACKAGE}`"]


JAR = "spark-streaming-kafka-0-8-assembly_2.11.jar"
WORKER = f"""\
import os
command = ("spark-submit --master yarn "
           "--jars {{0}}/common/{JAR} "
           "{{0}}/{{1}}".format(path, parser))
os.system(command)
"""


def test_a_program_that_starts_others_is_named(tmp_path: Path) -> None:
    said = f"`--jars {{0}}/common/{JAR}` -> `--packages {PACKAGE}`"
    assert named(tmp_path, BROKERS, WORKER, "worker.py") == [f"worker.py:3: {said}"]


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (
            f'("spark-submit --jars {JAR} {{0}}/pages.py "\n  "-t a "  # a\n\n  "-zk {{1}} ".format(p, zk))',
            [2, 5],
        ),
        (f'["spark-submit", "--jars",\n  "{JAR}", "pages.py",\n  "-zk", zk]', [3, 4]),
        (f'("spark-submit --jars {JAR} {{0}} "\n  "-zk {{1}} ".format(p, zk))', [2, 3]),
        ('("spark-submit {0}/pages.py "\n  "-zk zoo:2181")', [3]),
        ('("spark-submit {0} "\n  "-zk {1} ".format(p, zk))', []),
        ('("spark-submit {0}/other.py "\n  "-zk {1} ".format(p, zk))', []),
        ('("spark-submit pages.py",\n  "spark-submit other.py -zk zoo:2181")', []),
        ('"""spark-submit pages.py\n  tool -zk zoo:2181"""', []),
        ('"spark-submit pages.py"\nother("-zk")', []),
    ],
    ids=[
        *("its name", "a list", "any of the connector", "without a jar", "any", "another", "two commands"),
        *("documentation", "two statements"),
    ],
)
def test_the_lines_of_a_command_that_a_program_makes_are_its_own(
    tmp_path: Path, command: str, lines: list[int]
) -> None:
    told = named(tmp_path, OPTION, f"print 'starting'\ncommand = {command}\n", "worker.py")
    assert [int(line.split(":")[1]) for line in told] == lines
    assert all("`-zk` -> `-b`" in line or "--jars" in line or JAR in line for line in told)


@pytest.mark.parametrize(
    "also", ["from pyspark import SparkContext", "import pyspark", "x = 'a pyspark-shell'"]
)
def test_one_with_spark_of_its_own_speaks_of_that(tmp_path: Path, also: str) -> None:
    assert named(tmp_path, BROKERS, f"{WORKER}{also}\n", "worker.py") == []


def test_files_of_the_project_above_are_read_and_ignored_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".gitignore").write_text("old.sh\n")
    (tmp_path / ".git").mkdir()
    for name in ("old.sh", "new.sh"):
        (tmp_path / name).write_text(f"spark-submit --packages {OLD} jobs/pages.py\n")
    (tmp_path / "jobs").mkdir()
    job = tmp_path / "jobs" / "pages.py"
    job.write_text(PROGRAM.format(BROKERS))
    for path in (job, job.parent):
        (graph,) = run([path], Options()).result.graphs
        named = [line.split(": ")[0] for line in graph.must_change if ".sh:" in line]
        assert [Path(line).name for line in named] == ["new.sh:1"]


def test_of_many_lines_the_first_ones_are_named(tmp_path: Path) -> None:
    text = f"spark-submit --packages {OLD} pages.py\n" * 23
    assert len(named(tmp_path, BROKERS, text)) == 20
    (graph,) = run([tmp_path], Options(spark=SparkVersion.parse("4.0.0"))).result.graphs
    assert graph.must_change[-1] == MORE.format(3)
