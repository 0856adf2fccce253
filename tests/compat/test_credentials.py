"""Names in place of passwords, which alone are in a checkpoint."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from compat import credentials, graph
from compat.kafka.reading import consumer_settings
from compat.kinesis.access import Access, Key, Role
from compat.kinesis.application import Application
from compat.receivers.mqtt import Broker, MQTTReceiver
from compat.receivers.receiver import Receiver
from compat.streaming import StreamingContext

JAAS = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="{}";'

pytestmark = pytest.mark.usefixtures("stop_what_runs")


def test_a_name_is_looked_up_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SINK_PASSWORD", "s3$cret\\1")
    assert credentials.resolved("${env:SINK_PASSWORD}") == "s3$cret\\1"
    assert credentials.resolved(JAAS.format("${env:SINK_PASSWORD}")) == JAAS.format("s3$cret\\1")


@pytest.mark.parametrize(
    "text", ["", "pass", "$HOME", "${HOME}", "${spark}", "a$b{env:C}", "$${a}", "${env:}"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert credentials.resolved(text) == text


def test_what_is_looked_up_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTER", "${env:INNER}")
    assert credentials.resolved("${env:OUTER}") == "${env:INNER}"


def test_a_name_is_looked_up_in_the_settings(spark_context: SparkContext) -> None:
    spark_context._conf.set("spark.sink.password", "of the conf")
    assert credentials.resolved("${spark.sink.password}") == "of the conf"


def test_a_name_without_a_value_is_told(spark_context: SparkContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    with pytest.raises(ValueError, match=r"\$\{env:NOT_SET\}: the environment has no variable NOT_SET"):
        credentials.resolved("${env:NOT_SET}")
    with pytest.raises(ValueError, match=r"\$\{spark.not.set\}: the SparkConf has no setting spark.not.set"):
        credentials.resolved("${spark.not.set}")


def test_clients_get_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ID", "SECRET", "USER"):
        monkeypatch.setenv(f"MY_{name}", f"my {name}")
    access = Access("http://127.0.0.1:1", "us-east-1", Key("${env:MY_ID}", "${env:MY_SECRET}"))
    kinesis, dynamodb = access.clients()
    for client in (kinesis, dynamodb):
        used = client._request_signer._credentials
        assert (used.access_key, used.secret_key) == ("my ID", "my SECRET")
        client.close()
    receiver: Any = MQTTReceiver(Broker.of("tcp://127.0.0.1"), ("t",), "${env:MY_USER}", "${env:MY_SECRET}")
    client = receiver._client(SimpleNamespace(connected=None, subscribed=None, arrived=None))
    assert (client.username, client.password) == ("my USER", "my SECRET")
    given = {"sasl.jaas.config": JAAS.format("${env:MY_SECRET}")}
    assert consumer_settings(given, "x")["sasl.jaas.config"] == JAAS.format("my SECRET")


def node(receiver: Receiver) -> graph.ReceiverStream:
    return graph.ReceiverStream(1000, receiver, identity="one")


def kafka(**settings: str) -> graph.KafkaDirectStream:
    return graph.KafkaDirectStream(
        1000,
        topics=("t",),
        settings={"bootstrap.servers": "host:9092", **settings},
        start=(),
        follows=True,
        key_decoder=None,
        value_decoder=None,
        limit=None,
        fail_on_data_loss=True,
        group=None,
        identity="one",
        message_handler=None,
    )


def mqtt(password: str | None) -> graph.ReceiverStream:
    return node(MQTTReceiver(Broker.of("tcp://broker"), ("t",), "u", password))


def kinesis(key: Key | None, role: Role | None = None) -> graph.KinesisStream:
    access = Access("https://kinesis", "us-east-1", key, role)
    return graph.KinesisStream(1000, Application("app", "s", access, "LATEST", 1), identity="one")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (mqtt("p"), "holds password of tcp://broker as"),
        (kinesis(Key("id", "p")), "holds awsSecretKey of Kinesis stream s"),
        (kinesis(Key("${env:A}", "${env:B}"), Role("r", "s", "p")), "holds stsExternalId of Kinesis"),
        (kafka(**{"sasl.jaas.config": JAAS.format("p")}), "holds sasl.jaas.config of Kafka at host:9092"),
        (
            kafka(
                **{"ssl.key.password": "p", "ssl.keystore.password": "${spark.p}", "ssl.keystore.key": "p"}
            ),
            "holds ssl.key.password and ssl.keystore.key of Kafka",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_secrets_as_they_are_are_told(source: graph.Source, told: str) -> None:
    with pytest.warns(RuntimeWarning, match=f"the checkpoint in file:/there {told}"):
        credentials.warn_of_literals(graph.Graph(1000, [source]), "file:/there", 1)


@pytest.mark.parametrize(
    "source",
    [mqtt(None), mqtt("${env:P}"), kinesis(None), kafka(**{"sasl.jaas.config": JAAS.format("${env:P}")})],
    ids=["no password", "a name", "boto3 looks for it", "a name in a text"],
)
def test_names_are_not_told(source: graph.Source) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        credentials.warn_of_literals(graph.Graph(1000, [source]), "file:/there", 1)


def program(sc: SparkContext, engine: str, source: graph.Source, checkpoint: Path) -> StreamingContext:
    ssc = StreamingContext(sc, 1, engine=engine)
    ssc._add_stream(source).pprint()
    ssc.checkpoint(str(checkpoint))
    return ssc


def contents(checkpoint: Path) -> bytes:
    return b"".join(path.read_bytes() for path in checkpoint.rglob("*") if path.is_file())


def test_a_checkpoint_has_the_name_alone(
    spark_context: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOOR_PASSWORD", "open sesame")
    source = node(MQTTReceiver(Broker.of("tcp://127.0.0.1:1"), ("t",), "u", "${env:DOOR_PASSWORD}"))
    program(spark_context, "structured", source, tmp_path / "checkpoint").start()
    written = contents(tmp_path / "checkpoint")
    assert b"DOOR_PASSWORD" in written
    assert b"open sesame" not in written


def test_a_start_tells_of_secrets_that_the_checkpoint_has(
    spark_context: SparkContext, engine: str, tmp_path: Path
) -> None:
    source = node(MQTTReceiver(Broker.of("tcp://127.0.0.1:1"), ("t",), "u", "open sesame"))
    ssc = program(spark_context, engine, source, tmp_path / "checkpoint")
    with pytest.warns(RuntimeWarning, match="holds password of tcp://127.0.0.1:1 as they are") as told:
        ssc.start()
    assert [warning.filename for warning in told] == [__file__]


def test_a_start_without_the_value_is_refused(
    spark_context: SparkContext, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    ssc = program(spark_context, engine, mqtt("${env:NOT_SET}"), tmp_path / "checkpoint")
    with pytest.raises(ValueError, match="the environment has no variable NOT_SET"):
        ssc.start()
    assert contents(tmp_path / "checkpoint") == b""
    ssc.stop(stopSparkContext=False)
