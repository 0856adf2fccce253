"""Programs that name ZooKeeper: where the brokers' address comes from, and who must pass it."""

from __future__ import annotations

import re

import pytest

from migrate.codemod.changes import Changes, UnwritableError
from migrate.decisions import native
from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.rules import _zookeeper
from migrate.rules._known_brokers import KnownBrokers
from tests.migrate.programs import file, module, run

HEAD = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
"""
READ = """\
sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
messages = KafkaUtils.createStream(ssc, {}, "counters", {{"pages": 1}})
messages.map(lambda m: m[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""
USE = '.option("kafka.bootstrap.servers", {})'
GIVEN = Options(bootstrap_servers="a:9092,b:9092")


def new_code(before: str, address: str = "zk", options: Options | None = None, head: str = HEAD) -> str:
    """The new code of a program that makes its address before, and nothing else."""
    result = run(f"{head}{before}{READ.format(address)}", options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return str(result.files[0].new)


def bare(new: str) -> str:
    """New code without the comments behind addresses that are guessed."""
    return re.sub("  # guessed from [^\n]*", "", new)


def must_change(before: str, address: str = "zk") -> tuple[str, ...]:
    """What the report on such a program says that people must change."""
    (graph,) = run(f"{HEAD}{before}{READ.format(address)}").graphs
    return graph.must_change


def inside(before: str, body: str = "zk", call: str = "main(zk)\n") -> str:
    """The new code of a program whose stream is made in a function of the address."""
    rows = "".join(f"    {row}\n" for row in READ.format(body).splitlines())
    return str(file(f"{HEAD}{before}def main(zk):\n{rows}{call}").new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("zk, topic = sys.argv[1:]\n", "brokers, topic = sys.argv[1:]\n"),
        ("zk = sys.argv[1]\n", "brokers = sys.argv[1]\n"),
        ("ZK_HOST = sys.argv[1]\n", "BROKERS = sys.argv[1]\n"),
        ("zk, topic = sys.argv[1], sys.argv[2]\n", "brokers, topic = sys.argv[1], sys.argv[2]\n"),
        ("server = sys.argv[1]\n", "server = sys.argv[1]\n"),
    ],
)
def test_an_argument_names_the_brokers(before: str, after: str) -> None:
    new = new_code(before, before.split(",")[0].split(" ")[0])
    assert after in new
    assert USE.format(after.split(",")[0].split(" ")[0]) in new
    assert "zk" not in new.lower() and "environ" not in new


def test_texts_that_tell_how_it_is_called_say_so() -> None:
    doc = (
        '"""Usage: pages.py <zk> <topic>\n\n'
        "   $ bin/kafka-topics.sh --zookeeper localhost:2181 --topic pages\n"
        '   $ bin/spark-submit \\\n      pages.py localhost:2181 pages\n"""\n'
    )
    check = (
        "if len(sys.argv) != 3:\n"
        '    print("Usage: pages.py <zk> <topic>", file=sys.stderr)\n'
        '    print(f"usage: {sys.argv[0]} zk topic")\n'
    )
    new = new_code(f"{check}zk, topic = sys.argv[1:]\n", head=doc + HEAD)
    assert "Usage: pages.py <brokers> <topic>\n\n" in new
    assert "pages.py localhost:9092 pages\n" in new
    assert "--zookeeper localhost:2181 --topic pages\n" in new
    assert 'print("Usage: pages.py <brokers> <topic>", file=sys.stderr)' in new
    assert 'print(f"usage: {sys.argv[0]} brokers topic")' in new


@pytest.mark.parametrize(
    ("flags", "old", "new"), [('"-iz", "--input_zk"', "-iz", "-iz"), ('"--zk"', "--zk", "--brokers")]
)
def test_an_example_of_a_call_passes_the_brokers_by_the_flag_of_the_option(
    flags: str, old: str, new: str
) -> None:
    doc = (
        f'"""Run it as\n    $ ./run.sh pages.py\n    {old} a:2181,zoo:2181 --out b:9092\n\n'
        f'Look at topics with\n    $ kafka-topics.sh {old} a:2181 --list\n"""\n'
    )
    option = f"parser = argparse.ArgumentParser()\nparser.add_argument({flags}, dest='zk')\n"
    read = READ.format("args.zk")
    text = str(file(f"{doc}import argparse\n{HEAD}{option}args = parser.parse_args()\n{read}").new)
    assert f"pages.py\n    {new} a:9092,kafka:9092 --out b:9092\n" in text
    assert f"kafka-topics.sh {old} a:2181 --list\n" in text


def test_only_the_address_of_the_same_side_is_that_of_the_brokers() -> None:
    doc = (
        '"""Usage: pages.py <in-zk-host>:<in-zk-port> <out-zk-host>:<out-zk-port>\n\n    Copies pages.\n"""\n'
    )
    new = new_code("in_zk, topic = sys.argv[1:]\n", head=doc + HEAD, address="in_zk")
    assert "Usage: pages.py <brokers> <out-zk-host>:<out-zk-port>\n" in new


def test_comments_that_tell_how_it_is_called_say_so() -> None:
    head = (
        "# usage: pages.py <zk> <topic>\n# spark-submit \\\n#   pages.py localhost:2181 pages\n"
        "# kafka-topics.sh --zookeeper localhost:2181 --list\n"
    )
    new = new_code("zk, topic = sys.argv[1:]\n", head=head + HEAD)
    assert new.startswith(
        "# usage: pages.py <brokers> <topic>\n# spark-submit \\\n#   pages.py localhost:9092 pages\n"
        "# kafka-topics.sh --zookeeper localhost:2181 --list\n"
    )


def test_comments_beside_the_address_name_the_brokers() -> None:
    beside = "# zookeeper quorum, see zookeeper.properties"
    new = new_code(f"# Zookeeper host\nzk = 'localhost:2181'  {beside}\n# the topic\n")
    assert "# Kafka brokers\n# guessed from ZooKeeper's localhost:2181: set Kafka's brokers\nbrokers =" in new
    assert "  # Kafka's brokers, see zookeeper.properties\n# the topic\n" in new


def test_a_comment_above_an_address_beside_the_topic_names_the_brokers() -> None:
    new = new_code("# the zookeeper broker and the topic\nzk, topic = sys.argv[1:]\n")
    assert "# the Kafka brokers and the topic\nbrokers, topic = sys.argv[1:]\n" in new


def test_a_comment_above_the_stream_does_not_connect_to_zookeeper() -> None:
    read = "# connect to zookeeper and read the topic\nmessages = "
    new = str(file(HEAD + READ.format("'localhost:2181'").replace("messages = ", read)).new)
    assert "# connect to Kafka and read the topic\nmessages = (" in new


@pytest.mark.parametrize("port", [2181, 2182])
def test_a_command_with_the_connector_and_the_address(port: int) -> None:
    command = (
        "spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
        f" a.py localhost:{port} t"
    )
    new = new_code("zk, topic = sys.argv[1:]\n", head=f'"""Run:\n\n{command}\n"""\n{HEAD}')
    assert "spark-submit --packages org.apache.spark:spark-sql-kafka-0-10_" in new
    assert " a.py localhost:9092 t\n" in new


@pytest.mark.parametrize(
    ("told", "after"),
    [
        (":param zk: Apache ZooKeeper quorum", ":param brokers: Kafka brokers"),
        ("zk (str): the zookeeper host", "brokers (str): the Kafka brokers"),
        (":param zk: where messages come from", ":param brokers: where messages come from"),
    ],
)
def test_a_docstring_says_brokers_where_it_said_zookeeper(told: str, after: str) -> None:
    function = (
        f'def main(zk, path):\n    """\n    Read.\n\n    {told}\n    :param path: in ZooKeeper\n    """\n'
    )
    rows = "".join(f"    {row}\n" for row in READ.format("zk").splitlines())
    new = str(file(f"{HEAD}{function}{rows}main('a:2181', 'b')\n").new)
    assert f"    {after}\n    :param path: in ZooKeeper\n" in new


def test_the_report_says_what_callers_pass() -> None:
    assert must_change("zk, topic = sys.argv[1:]\n")[0] == (
        "callers pass Kafka's brokers, host:port,..., as the argument `brokers`, "
        "in place of ZooKeeper's address"
    )


@pytest.mark.parametrize(
    ("declared", "after"),
    [
        (
            'parser.add_argument("-zk", "--zookeeper", dest="zk", required=True, help="ZooKeeper")',
            'parser.add_argument("-b", "--brokers", dest="brokers", required=True, '
            'help="addresses of Kafka\'s brokers: host:port,...")',
        ),
        (
            "parser.add_argument('-zk', '--zookeeper', dest='zk', required=True)",
            "parser.add_argument('-b', '--brokers', dest='brokers', required=True)",
        ),
        ('parser.add_argument("zk", metavar="ZK")', 'parser.add_argument("brokers", metavar="BROKERS")'),
        (
            'parser.add_argument("--zk", default="localhost:2181")',
            'parser.add_argument("--brokers", default="localhost:9092")',
        ),
        (
            'parser.add_argument("--zk", default="zoo:2181")',
            'parser.add_argument("--brokers", required=True)',
        ),
        ('parser.add_option("-z", dest="zk")', 'parser.add_option("-b", dest="brokers")'),
    ],
)
def test_an_option_names_the_brokers(declared: str, after: str) -> None:
    new = new_code(
        f"import argparse\nparser = argparse.ArgumentParser()\n{declared}\nargs = parser.parse_args()\n",
        "args.zk",
    )
    assert f"{after}\n" in new
    assert USE.format("args.brokers") in new


def test_a_default_is_filled_by_the_user() -> None:
    declared = 'parser.add_argument("--zk", default="localhost:2181")\nargs = parser.parse_args()\n'
    new = new_code(f"import argparse\nparser = argparse.ArgumentParser()\n{declared}", "args.zk", GIVEN)
    assert 'parser.add_argument("--brokers", default="a:9092,b:9092")' in new


def test_an_option_of_click() -> None:
    decorators = (
        '@click.command()\n@click.option("--zk", required=True, help="ZooKeeper")\n@click.option("--topic")\n'
    )
    new = inside(f"import click\n{decorators}", call="main()\n")
    assert '@click.option("--brokers", required=True, help=' in new
    assert "def main(brokers):" in new and USE.format("brokers") in new


def test_the_address_is_followed_through_functions_and_objects() -> None:
    new = inside("zk = sys.argv[1]\n")
    assert "def main(brokers):" in new and "main(brokers)" in new and "brokers = sys.argv[1]" in new
    job = "class Job:\n    def __init__(self, zk):\n        self._zk = zk\n\n    def run(self):\n"
    rows = "".join(f"        {row}\n" for row in READ.format("self._zk").splitlines())
    new = file(f"{HEAD}{job}{rows}\nJob(sys.argv[1]).run()\n").new
    assert "def __init__(self, brokers):\n        self._brokers = brokers\n" in new
    assert USE.format("self._brokers") in new


MESSAGES = (
    "from pyspark.streaming.kafka import KafkaUtils\n\n"
    "def messages(ssc, zk, topic):\n"
    '    """Read a topic.\n\n    :param zk: ZooKeeper quorum\n    """\n'
    '    return KafkaUtils.createStream(ssc, zk, "counters", {topic: 1})\n'
)
OF_MESSAGES = """\
import argparse
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
import source

parser = argparse.ArgumentParser()
parser.add_argument("--zookeeper")
args = parser.parse_args()
sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
messages = source.messages(ssc, args.zookeeper, "pages")
messages.map(lambda m: m[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""


def written(**files: str) -> dict[str, str]:
    """The new code of a program of several modules."""
    result = migrate([module(text, f"{name}.py") for name, text in files.items()], Options())
    assert Outcome.NATIVE in {graph.outcome for graph in result.graphs}
    return {file.path.removesuffix(".py"): file.new for file in result.files}


def test_the_address_is_followed_through_modules() -> None:
    new = written(job=OF_MESSAGES, source=MESSAGES)
    assert 'parser.add_argument("--brokers")' in new["job"] and "(spark, args.brokers, " in new["job"]
    assert "def messages(spark, brokers, topic):" in new["source"] and "environ" not in new["source"]
    assert ":param brokers: Kafka brokers\n" in new["source"] and USE.format("brokers") in new["source"]


@pytest.mark.parametrize(
    "other",
    [
        "import source\nsource.messages(None, config, 'a')\n",
        "import source\nread = getattr(source, 'messages')\n",
        "from source import messages\nread = messages\n",
    ],
)
def test_but_not_to_a_function_that_others_may_call(other: str) -> None:
    result = migrate(
        [
            module(text, path)
            for path, text in (("job.py", OF_MESSAGES), ("source.py", MESSAGES), ("o.py", other))
        ],
        Options(),
    )
    assert not any("--brokers" in file.new for file in result.files)


@pytest.mark.parametrize("address", ["zk", '"localhost:2181"'])
def test_a_literal_is_filled_by_the_user(address: str) -> None:
    new = new_code('zk = "localhost:2181"\n' if address == "zk" else "", address, GIVEN)
    assert '"a:9092,b:9092"' in new and "2181" not in new
    assert ('brokers = "a:9092,b:9092"\n' in new) is (address == "zk")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('zk = "localhost:2181"\n', 'brokers = "localhost:9092"\n'),
        ('ZK = "127.0.0.1:2181/kafka"\n', 'BROKERS = "127.0.0.1:9092"\n'),
        ('zk, topic = "localhost:2181", "pages"\n', 'brokers, topic = "localhost:9092", "pages"\n'),
        ('if sys.argv:\n    zk = "localhost"\n', 'if sys.argv:\n    brokers = "localhost:9092"\n'),
    ],
)
def test_a_broker_stands_beside_a_zookeeper_on_one_host(before: str, after: str) -> None:
    name = "ZK" if "ZK" in before else "zk"
    new = new_code(before, name)
    assert after in bare(new) and "environ" not in new
    (check, *_) = must_change(before, name)
    assert "check that Kafka's brokers are at " in check and "ZooKeeper was at " in check
    assert USE.format('"localhost:9092"') in new_code("", '"localhost:2181"')
    assert USE.format('"node1.example.com:9092"') in new_code("", '"node1.example.com:2181"')
    assert USE.format('"10.1.2.3:9092"') in new_code("", '"10.1.2.3:2182"')


@pytest.mark.parametrize(
    ("before", "address", "comment"),
    [
        ("", '"localhost:2181"', "guessed from ZooKeeper's localhost:2181: set Kafka's brokers"),
        ('zk = "localhost:2182"\n', "zk", "guessed from ZooKeeper's localhost:2182: set Kafka's brokers"),
        ('zk = "%s:2181" % host\n', "zk", "guessed from ZooKeeper's host: set Kafka's brokers"),
        (
            'zk = os.getenv("ZOOKEEPER", "b:2181")\n',
            "zk",
            "guessed from ZooKeeper's b:2181: set Kafka's brokers",
        ),
        ("", '"zoo:2181"', "set this to Kafka's brokers, host:port,...: the program named only ZooKeeper"),
        ("", 'config["zk"]', "set this to Kafka's brokers, host:port,...: the program named only ZooKeeper"),
    ],
)
def test_a_guess_is_marked_in_the_code(before: str, address: str, comment: str) -> None:
    new = new_code(before, address, head=f"{HEAD}import os\n")
    lines = new.splitlines()
    named = "brokers =" if before else '"kafka.bootstrap.servers"'
    line = next((n for n, line in enumerate(lines) if named in line), 0)
    assert f"# {comment}" in "\n".join(lines[line - 1 : line + 1])


LONG = "node1.kafka.production.eu-central-1.example.com"


@pytest.mark.parametrize(
    ("before", "marked"),
    [
        (
            'zk = "localhost:2181"  # on this machine\n',
            "# guessed from ZooKeeper's localhost:2181: set Kafka's brokers\n"
            'brokers = "localhost:9092"  # on this machine\n',
        ),
        (
            f'# where it is\nzk, topic = "{LONG}:2181", "words"\n',
            f"# where it is\n# guessed from ZooKeeper's {LONG}:2181: set Kafka's brokers\n"
            f'brokers, topic = "{LONG}:9092", "words"\n',
        ),
        (
            f'zk = os.getenv("ZOOKEEPER", "{LONG}:2181")\n',
            f"# guessed from ZooKeeper's {LONG}:2181: set Kafka's brokers\n"
            f'brokers = os.getenv("KAFKA_BOOTSTRAP_SERVERS", "{LONG}:9092")\n',
        ),
        (
            f'if os: zk = "{LONG}:2181"\n',
            f"    # guessed from ZooKeeper's {LONG}:2181: set Kafka's brokers\n    .option(",
        ),
    ],
    ids=["a comment behind", "a comment above", "a long line", "a block on its line"],
)
def test_a_guess_is_marked_above_a_variable_where_there_is_no_room(before: str, marked: str) -> None:
    new = new_code(before, head=f"{HEAD}import os\n")
    assert marked in new
    assert new.count("guessed from") == 1


@pytest.mark.parametrize("address", ['"b:9092"', "sys.argv[1]", 'os.environ["BROKERS"]'])
def test_an_address_that_is_no_guess_has_no_mark(address: str) -> None:
    new = new_code("", address, head=f"{HEAD}import os\n")
    assert "guessed" not in new and "ZooKeeper" not in new
    assert "guessed" not in new_code("", '"zoo:2181"', GIVEN)


FROM_ENVIRONMENT = 'os.environ["KAFKA_BOOTSTRAP_SERVERS"]'
SET_THIS = "  # set this to Kafka's brokers, host:port,...: the program named only ZooKeeper"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('zk = "zoo:2181"\n', f"brokers = {FROM_ENVIRONMENT}{SET_THIS}\n"),
        ('zk, topic = "zoo:2181", "pages"\n', f'brokers, topic = {FROM_ENVIRONMENT}, "pages"{SET_THIS}\n'),
        ('ZK = "a:2181,b:2181/kafka"\n', f"BROKERS = {FROM_ENVIRONMENT}{SET_THIS}\n"),
        ('zk = sys.argv[1] if sys.argv[1:] else "zoo:2181"\n', f"if sys.argv[1:] else {FROM_ENVIRONMENT}\n"),
        ('zk = os.environ["ZK_QUORUM"]\n', f"brokers = {FROM_ENVIRONMENT}\n"),
        ('zk = os.environ.get("ZOOKEEPER", "zoo:2181")\n', f"brokers = {FROM_ENVIRONMENT}\n"),
        (
            'zk = os.getenv("ZOOKEEPER", "localhost:2181")\n',
            'brokers = os.getenv("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")\n',
        ),
    ],
)
def test_the_environment_stands_where_the_address_stood(before: str, after: str) -> None:
    head = "import os\n" if "os." in before else ""
    name = "ZK" if before.startswith("ZK") else "zk"
    assert after in bare(new_code(head + before, name))
    assert any("KAFKA_BOOTSTRAP_SERVERS" in text for text in must_change(head + before, name))


@pytest.mark.parametrize(
    ("before", "address"),
    [
        ("", '"zoo:2181"'),
        ('zk = config["zookeeper"]\n', "zk"),
        ('zk = "{}:{}".format(host, port)\n', "zk"),
        ("", 'config["zookeeper"]'),
    ],
)
def test_the_environment_is_the_last_resort(before: str, address: str) -> None:
    new = new_code(before, address)
    assert USE.format(FROM_ENVIRONMENT) in new and "import os\n" in new
    assert "zk" not in new
    assert any("set the environment variable" in text for text in must_change(before, address))


def test_the_environment_is_read_in_the_function_that_reads_kafka() -> None:
    for before, address in (("", '"zoo:2181"'), ('ZK = "zoo:2181"\n', "ZK")):
        new = inside(before, address, "main(None)\n")
        assert f"        {USE.format(FROM_ENVIRONMENT)}\n" in new
        assert "ZK" not in new


@pytest.mark.parametrize("literal", ['"localhost:2181"', '"zoo:2181"'])
@pytest.mark.parametrize(
    ("known", "code"),
    [
        ('KAFKA_BROKERS = "kafka:9092"\n', "KAFKA_BROKERS"),
        ('import os\nKAFKA_BROKERS = os.getenv("BROKERS", "kafka:9092")\n', "KAFKA_BROKERS"),
        ('from os import environ\nBROKER = environ.get("BROKER", "kafka:9092")\n', "BROKER"),
        ('bootstrap = ["a:9092", "b:9092"]\n', '",".join(bootstrap)'),
        ('conf = {"zk": "zoo:2181", "kafka": "kafka:9093"}\n', 'conf["kafka"]'),
        ('producer = KafkaProducer(bootstrap_servers="kafka:9092")\n', '"kafka:9092"'),
        ('import pykafka\nclient = pykafka.KafkaClient(hosts="kafka:9092")\n', '"kafka:9092"'),
        ('from kafka import SimpleClient\nclient = SimpleClient("a:9092,b:9092")\n', '"a:9092,b:9092"'),
        ('if __name__ == "__main__":\n    broker_list = "kafka:9092"\n', "broker_list"),
        ('KAFKA = "kafka:9092"\nproducer = KafkaProducer(bootstrap_servers=["kafka:9092"])\n', "KAFKA"),
        ('settings = {"bootstrap.servers": "kafka:9092"}\n', 'settings["bootstrap.servers"]'),
        ('kafka_1 = "a:9092"\nbrokers = [kafka_1]\n', "kafka_1"),
        (
            'kafka_1 = "a:9092"\nkafka_2 = "b:9092"\nbroker_list = [kafka_1, kafka_2]\n',
            '",".join(broker_list)',
        ),
        (
            'kafka_1 = "a:9092"\nkafka_2 = "b:9092"\nhosts = [kafka_1]\n'
            "KafkaProducer(bootstrap_servers=hosts)\n",
            "kafka_1",
        ),
    ],
)
def test_brokers_that_the_program_names_elsewhere_are_asked(known: str, code: str, literal: str) -> None:
    new = new_code(f"{known}zk = {literal}\n")
    assert USE.format(code) in new and FROM_ENVIRONMENT not in new and "zk = " not in new
    assert any(
        "check that Kafka's brokers are at `" in text for text in must_change(f"{known}zk = {literal}\n")
    )


def test_the_hosts_of_other_clients_are_no_brokers() -> None:
    known = 'from elasticsearch import Elasticsearch\nindex = Elasticsearch(hosts="search:9200")\n'
    assert USE.format(FROM_ENVIRONMENT) in new_code(known, '"zoo:2181"')


def test_an_address_at_the_port_of_kafka_is_one_of_brokers() -> None:
    assert USE.format('"a:9092,b:9092"') in new_code("", '"a:9092,b:9092"')
    told = must_change("", '"a:9092,b:9092"')
    assert any(text.startswith("check that Kafka's brokers are at a:9092,b:9092") for text in told)


MELTING = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    "from pyspark.streaming.kafka import KafkaUtils\n\nssc = StreamingContext(SparkContext(), 2)\n"
    'settings = {"brokers": "b:9092", "client.id": "a"}\n'
    'messages = KafkaUtils.createStream(ssc, "zoo:2181", "g", {"t": 1}, kafkaParams=settings)\n'
    "messages.count().pprint()\nssc.start()\nssc.awaitTermination()\n"
)


def test_those_of_a_dict_that_becomes_options_are_written_out() -> None:
    new = file(MELTING).new
    assert '.option("kafka.bootstrap.servers", "b:9092")' in new
    assert '.option("kafka.client.id", "a")' in new and "settings" not in new


def test_new_code_that_reads_what_is_left_out_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownBrokers('settings["brokers"]', "b:9092")
    monkeypatch.setattr(_zookeeper, "known_brokers", lambda step, node: known)
    (graph,) = run(MELTING).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons == ("new code would read `settings`, which is left out: please report it",)


def test_what_cannot_be_written_may_read_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(changes: Changes) -> str:
        raise UnwritableError("LibCST cannot parse it")

    known = KnownBrokers('settings["brokers"]', "b:9092")
    monkeypatch.setattr(_zookeeper, "known_brokers", lambda step, node: known)
    monkeypatch.setattr(native, "written", refuse)
    (graph,) = run(MELTING).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons == ("LibCST cannot parse it",)


@pytest.mark.parametrize(
    "known",
    [
        'KAFKA_A = "a:9092"\nKAFKA_B = "b:9092"\n',
        'KAFKA_ZK = "zoo:2182"\n',
        'KAFKA = "a:9092"\nKAFKA = choose()\n',
        'KAFKA_TOPIC = "pages"\n',
    ],
)
def test_several_addresses_or_none_are_no_answer(known: str) -> None:
    assert USE.format(FROM_ENVIRONMENT) in new_code(known, '"zoo:2181"')


@pytest.mark.parametrize(
    ("imports", "code"),
    [
        ("from config import *", "KAFKA_BROKERS"),
        ("import config", "config.KAFKA_BROKERS"),
        ("import config as c", "c.KAFKA_BROKERS"),
        ("from config import ZOOKEEPER, KAFKA_BROKERS as servers", "servers"),
    ],
)
def test_brokers_of_the_program_s_configuration_are_asked(imports: str, code: str) -> None:
    address = {"import config": "config.ZOOKEEPER", "import config as c": "c.ZOOKEEPER"}.get(
        imports, "ZOOKEEPER"
    )
    config = 'ZOOKEEPER = "zoo:2181"\nKAFKA_BROKERS = "kafka:9092"\n'
    job = f"{HEAD}{imports}\n{READ.format(address)}"
    result = migrate([module(job, "job.py"), module(config, "config.py")], Options())
    assert USE.format(code) in next(one.new for one in result.files if one.path == "job.py")


def test_an_address_at_the_port_of_kafka_is_that_of_a_broker() -> None:
    new = new_code('servers = "kafka:9092"\n', "servers")
    assert 'servers = "kafka:9092"\n' in new and USE.format("servers") in new and "environ" not in new


@pytest.mark.parametrize(
    "before",
    [
        "zk = sys.argv[1]\nwatch(zk)\n",
        "zk = sys.argv[1]\nzk = zk.strip()\n",
        "zk = sys.argv[1]\ndef show():\n    global zk\n    zk = 1\n",
        "zk = connect()\n",
        "zk = sys.argv[1] if sys.argv[1:] else default()\n",
        "parser.add_option('-z', dest='zk', default='localhost:2181')\n(zk, _) = parser.parse_args()\n",
    ],
)
def test_an_argument_for_something_else_too_stays(before: str) -> None:
    new = new_code(before)
    assert before in new
    assert USE.format(FROM_ENVIRONMENT) in new


OPTIONS = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--zk')\n"


@pytest.mark.parametrize(
    ("before", "address"),
    [
        ("zk = sys.argv[1]\nstore = sys.argv[1]\n", "zk"),
        ("zk, store = sys.argv[1], sys.argv[1]\n", "zk"),
        ("zk, topic = sys.argv[1:]\nstore = sys.argv[1]\n", "zk"),
        ("topic, zk = sys.argv[1:]\nstore = sys.argv[2]\n", "zk"),
        ("zk = sys.argv[1]\nstore, topic = sys.argv[1:3]\n", "zk"),
        ("zk = sys.argv[1]\nstore = sys.argv[int(1)]\n", "zk"),
        ("zk = sys.argv[1]\nconnect(sys.argv)\n", "zk"),
        ("zk = sys.argv[1] if sys.argv[1:] else 'localhost:2181'\nstore = sys.argv[1]\n", "zk"),
        ("zk = sys.argv[1]\nfor i in range(1, len(sys.argv)):\n    store(sys.argv[i])\n", "zk"),
        ("zk = sys.argv[1]\nfor i in range(2, 3):\n    i = 1\n    store(sys.argv[i])\n", "zk"),
        ("zk = sys.argv[1]\nfor i in range(len(sys.argv)):\n    store(sys.argv[i])\n", "zk"),
        ("zk = sys.argv[1]\nfor part in sys.argv:\n    print(part)\nstore(part)\n", "zk"),
        ("zk = sys.argv[1]\nfor part in sys.argv:\n    print(store(part))\n", "zk"),
        ("zk = sys.argv[1]\nfor i in range(2, 9):\n    pass\nstore(sys.argv[i - 8])\n", "zk"),
        ("store = sys.argv[1]\n", "sys.argv[1]"),
        (f"{OPTIONS}args = parser.parse_args()\nstore(args.zk)\n", "args.zk"),
        (f"{OPTIONS}args = parser.parse_args()\nstore = vars(args)['zk']\n", "args.zk"),
        (f"{OPTIONS}args = parser.parse_args()\nstore = getattr(args, 'zk')\n", "args.zk"),
        ("import os\nzk = os.environ['ZK']\nstore = os.getenv('ZK')\n", "zk"),
    ],
)
def test_an_argument_that_is_read_twice_stays_what_it_is(before: str, address: str) -> None:
    new = new_code(before, address)
    assert before.splitlines()[-1] in new and "brokers" not in re.sub("# .*", "", new)
    assert USE.format(FROM_ENVIRONMENT) in new
    assert not any("callers pass" in text for text in must_change(before, address))


def test_the_variable_goes_that_only_a_receiver_read() -> None:
    assert "zk" not in new_code("zk = sys.argv[1]\nstore = sys.argv[1]\n")
    assert "zk" not in new_code("import os\nzk = os.environ['HOST']\nstore = os.environ['HOST']\n")


@pytest.mark.parametrize(
    "before",
    [
        "if len(sys.argv) < 2:\n    sys.exit('no address')\nzk = sys.argv[1]\n",
        "if not sys.argv[1:]:\n    sys.exit('no address')\nzk = sys.argv[1]\n",
        "print(sys.argv[0], str(sys.argv))\nzk = sys.argv[1]\n",
        "zk = sys.argv[1]\nstore = sys.argv[2]\n",
        "zk = sys.argv[1]\nfor topic in sys.argv[2:]:\n    print(topic)\n",
        "zk, topic, _ = sys.argv[1:]\nstore = sys.argv[2]\n",
        "for part in sys.argv[:]:\n    print(part)\nzk, topic = sys.argv[1:]\n",
        "for i in sys.argv:\n    print('given: %s' % i)\nfor i in [1]:\n    store(i)\nzk = sys.argv[1]\n",
        "print('called with ' + ' '.join(sys.argv))\nprint(f'all: {sys.argv}')\nzk = sys.argv[1]\n",
        "for i in range(3, len(sys.argv)):\n    store(sys.argv[i])\nzk, topic = sys.argv[1:3]\n",
        "for i in range(2, 4):\n    store(sys.argv[i])\nzk = sys.argv[1]\n",
        "print('called with', *sys.argv[1:])\nzk = sys.argv[1]\n",
    ],
)
def test_what_reads_other_arguments_is_no_reader_of_it(before: str) -> None:
    new = new_code(before)
    assert "brokers" in new and USE.format("brokers") in new and FROM_ENVIRONMENT not in new


@pytest.mark.parametrize(("guard", "stays"), [("", True), ('if __name__ == "__main__":\n    ', False)])
def test_another_module_may_read_the_argument(guard: str, stays: bool) -> None:
    job = f"{HEAD}import store\nzk = sys.argv[1]\n{READ.format('zk')}"
    new = written(job=job, store=f"import sys\n\n{guard}host = sys.argv[1]\n")
    assert (USE.format(FROM_ENVIRONMENT) in new["job"]) is stays
    assert ("brokers = sys.argv[1]\n" in new["job"]) is not stays


def test_several_receivers_may_read_the_same_argument() -> None:
    second = (
        'more = KafkaUtils.createStream(ssc, sys.argv[1], "g", {"more": 1})\n'
        "more.map(lambda m: m[0]).pprint()\nssc.start()"
    )
    source = f"{HEAD}zk = sys.argv[1]\n{READ.format('zk')}".replace("ssc.start()", second)
    new = file(source).new
    assert USE.format("brokers") in new and USE.format("sys.argv[1]") in new and FROM_ENVIRONMENT not in new


def test_several_receivers_ask_the_same_brokers() -> None:
    second = (
        'more = KafkaUtils.createStream(ssc, zk, "g", {"more": 1})\n'
        "more.map(lambda m: m[0]).pprint()\nssc.start()"
    )
    source = f"{HEAD}zk = sys.argv[1]\n{READ.format('zk')}".replace("ssc.start()", second)
    new = file(source).new
    assert new.count(USE.format("brokers")) == 2 and "brokers_2" not in new
    new = file(source.replace("sys.argv[1]", '"zoo:2181"')).new
    assert new.count(FROM_ENVIRONMENT) == 1 and new.count(USE.format("brokers")) == 2


def test_brokers_that_are_named_below_a_receiver_are_named_above_it() -> None:
    receiver = 'KafkaUtils.createStream(ssc, zk, "counters", {{"{}": 1}})\n'
    program = (
        f'{HEAD}ssc = StreamingContext(SparkContext(), 5)\nzk = "zoo:2181"\n'
        f'pages = {receiver.format("pages")}# machines\nbrokers = "b:9092"  # all\n'
        f"visits = {receiver.format('visits')}"
        "pages.pprint()\nvisits.pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    new = file(program).new
    assert '# machines\nbrokers = "b:9092"  # all\npages = (' in new
    assert new.count(USE.format("brokers")) == 2 and new.count("b:9092") == 1
    assert "zk" not in new and "environ" not in new
    (told,) = [one for one in run(program).graphs[0].must_change if "brokers are at" in one]
    assert told.startswith("check that Kafka's brokers are at `brokers` (b:9092)")
    assert USE.format('"b:9092"') in file(program.replace('"b:9092"', '["b:9092"]')).new
    set_outside = program.replace('"b:9092"', 'os.getenv("BROKERS", "b:9092")')
    assert USE.format('"b:9092"') not in str(file(f"import os\n{set_outside}").new)


@pytest.mark.parametrize(
    ("address", "brokers"),
    [
        ('"{}:2181".format(sys.argv[1])', '"{}:9092".format(sys.argv[1])'),
        ('"%s:2181" % sys.argv[1]', '"%s:9092" % sys.argv[1]'),
        ('sys.argv[1] + ":2181"', 'sys.argv[1] + ":9092"'),
        ('f"{sys.argv[1]}:2181"', 'f"{sys.argv[1]}:9092"'),
    ],
)
def test_of_an_address_that_is_put_together_the_port_changes(address: str, brokers: str) -> None:
    before = f"server = {address}\n"
    new = new_code(before, "server")
    assert f"server = {brokers}\n" in bare(new)
    assert "environ" not in new
    assert any(
        text.startswith("check that Kafka's brokers are at `") for text in must_change(before, "server")
    )


def test_a_host_of_zookeeper_is_none_of_a_broker() -> None:
    assert ":9092" not in new_code("zk_host = sys.argv[1]\nserver = zk_host + ':2181'\n", "server")


@pytest.mark.parametrize(("old", "new"), [("Z_K", "BROKERS"), ("zq", "brokers"), ("my_zq_host", "brokers")])
def test_a_variable_with_a_short_name_of_it_is_called_after_the_brokers(old: str, new: str) -> None:
    assert f'{new} = "localhost:9092"\n' in bare(new_code(f'{old} = "localhost:2181"\n', old))


@pytest.mark.parametrize("name", ["quiz_kafka", "size_known", "server"])
def test_one_with_a_part_of_it_by_chance_keeps_its_name(name: str) -> None:
    assert f'{name} = "localhost:9092"\n' in bare(new_code(f'{name} = "localhost:2181"\n', name))


PRODUCER = "from kafka import KafkaProducer\n"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("producer = KafkaProducer(bootstrap_servers=sys.argv[1])\n", "sys.argv[1]"),
        ("producer = KafkaProducer(bootstrap_servers=[sys.argv[1]])\n", "sys.argv[1]"),
        ("servers = sys.argv[1]\nproducer = KafkaProducer(bootstrap_servers=servers)\n", "servers"),
        (
            'host = sys.argv[1]\nproducer = KafkaProducer(bootstrap_servers=host + ":9092")\n',
            'host + ":9092"',
        ),
        (
            'import os\nproducer = KafkaProducer(bootstrap_servers=os.getenv("BROKERS", "b:9092"))\n',
            'os.getenv("BROKERS", "b:9092")',
        ),
    ],
)
def test_brokers_that_a_producer_gets_when_it_runs_are_those_of_the_stream(given: str, code: str) -> None:
    for zookeeper in ("sys.argv[2]", '"zoo:2181"'):
        before = f"{PRODUCER}{given}zk = {zookeeper}\n"
        new = new_code(before)
        assert USE.format(code) in new and "zk" not in new and FROM_ENVIRONMENT not in new
        assert f"check that Kafka's brokers are at `{code}`: the program names no others" in must_change(
            before
        )


def test_an_argument_that_is_not_read_any_more_is_named() -> None:
    given = f"{PRODUCER}producer = KafkaProducer(bootstrap_servers=sys.argv[1])\n"
    (graph,) = run(f"{HEAD}{given}{READ.format('sys.argv[2]')}").graphs
    assert "nothing reads `sys.argv[2]`, which named ZooKeeper, any more" in graph.notes
    assert not any("callers pass" in line for line in graph.must_change)


@pytest.mark.parametrize(
    "given",
    [
        "KafkaProducer(bootstrap_servers=sys.argv[1])\nKafkaProducer(bootstrap_servers=sys.argv[2])\n",
        "def send(at):\n    return KafkaProducer(bootstrap_servers=at)\n",
        "producer = KafkaProducer(bootstrap_servers=choose())\n",
        "for n in (1, 2):\n    at = sys.argv[n]\n    KafkaProducer(bootstrap_servers=at + ':9092')\n",
    ],
)
def test_what_a_producer_gets_may_be_another_one_s(given: str) -> None:
    assert USE.format(FROM_ENVIRONMENT) in new_code(PRODUCER + given, '"zoo:2181"')


def test_a_producer_below_a_stream_has_its_brokers_there() -> None:
    below = 'servers = sys.argv[1]\nKafkaProducer(bootstrap_servers=servers + "")\nssc.start()\n'
    new = str(file(HEAD + PRODUCER + READ.format('"zoo:2181"').replace("ssc.start()\n", below)).new)
    assert USE.format(FROM_ENVIRONMENT) in new
