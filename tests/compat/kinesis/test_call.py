"""The call that makes a stream of Kinesis."""

from __future__ import annotations

import inspect
import sys
from types import SimpleNamespace
from typing import Any

import pyspark.streaming.kinesis as original
import pytest
from pyspark import StorageLevel

from compat.kinesis.access import Access, Key, Role
from compat.kinesis.application import Application
from compat.streaming import kinesis
from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils, MetricsLevel
from tests.compat.kinesis.server import REGION

LATEST, TRIM_HORIZON = InitialPositionInStream.LATEST, InitialPositionInStream.TRIM_HORIZON


class Context:
    """Takes a stream as a StreamingContext does."""

    _interval_ms = 1000

    def __init__(self) -> None:
        self.applications: list[Application] = []
        self.decoders: list[Any] = []

    def _add_stream(self, node: Any) -> Any:
        self.applications.append(node.application)
        return SimpleNamespace(map=self.decoders.append)


NAMES = ("app", "stream", "https://kinesis.eu-central-1.amazonaws.com", REGION)


def test_names_and_signature_are_the_installed_ones() -> None:
    ours, theirs = (inspect.signature(module.KinesisUtils.createStream) for module in (kinesis, original))
    assert list(ours.parameters) == list(theirs.parameters)
    for name, parameter in ours.parameters.items():
        if name != "decoder":
            assert parameter.default == theirs.parameters[name].default
        assert parameter.kind == theirs.parameters[name].kind
    assert ours.parameters["decoder"].default is kinesis.utf8_decoder
    assert set(kinesis.__all__) == set(original.__all__)
    for name in ("InitialPositionInStream", "MetricsLevel"):
        constants = [vars(getattr(module, name)) for module in (kinesis, original)]
        ours_, theirs_ = ({n: v for n, v in found.items() if n.isupper()} for found in constants)
        assert ours_ == theirs_
    assert [kinesis.utf8_decoder(data) for data in (None, b"", "é".encode())] == [None, "", "é"]


def test_the_order_of_pyspark_2_4_is_understood() -> None:
    context: Any = Context()
    create: Any = KinesisUtils.createStream
    rest = ("key", "secret", len, "arn", "session", "external")
    level = StorageLevel.MEMORY_ONLY
    create(context, *NAMES, LATEST, 2, level, *rest)
    create(context, *NAMES, LATEST, 2, MetricsLevel.NONE, level, *rest)
    create(context, *NAMES, LATEST, 2, level, awsAccessKeyId="key", awsSecretKey="secret", decoder=len)
    old, new, by_name = context.applications
    assert old == new
    assert old.access == Access(NAMES[2], REGION, Key("key", "secret"), Role("arn", "session", "external"))
    assert by_name.access.key == Key("key", "secret")
    assert context.decoders == [len] * 3
    assert "'secret'" not in repr(new)
    with pytest.raises(TypeError, match="metricsLevel"):
        create(context, *NAMES, LATEST, 2, metricsLevel=level)


def test_an_endpoint_without_a_scheme_is_https() -> None:
    context: Any = Context()
    KinesisUtils.createStream(context, *NAMES[:2], "kinesis.example.com", REGION, TRIM_HORIZON, 0.5)
    assert context.applications[0].access == Access("https://kinesis.example.com", REGION)
    assert context.applications[0].initial == "TRIM_HORIZON"


@pytest.mark.parametrize(
    ("changed", "error", "text"),
    [
        ({"kinesisAppName": ""}, ValueError, "kinesisAppName is empty"),
        ({"streamName": None}, TypeError, "streamName must be a string"),
        ({"endpointUrl": 4567}, TypeError, "endpointUrl must be a string"),
        ({"regionName": ""}, ValueError, "regionName is empty"),
        ({"initialPositionInStream": 2}, ValueError, "InitialPositionInStream.LATEST or"),
        ({"initialPositionInStream": "LATEST"}, TypeError, "must be an int"),
        ({"checkpointInterval": 0}, ValueError, "must be positive"),
        ({"checkpointInterval": "2"}, TypeError, "number of seconds"),
        ({"metricsLevel": "NONE"}, TypeError, "metricsLevel must be an int"),
        ({"storageLevel": 2}, TypeError, "pyspark.StorageLevel"),
        ({"decoder": None}, TypeError, "decoder should be a function"),
        ({"awsAccessKeyId": "key"}, ValueError, "awsAccessKeyId and awsSecretKey must all be given"),
        ({"awsAccessKeyId": 1, "awsSecretKey": "s"}, TypeError, "awsAccessKeyId must be a string"),
        ({"stsAssumeRoleArn": "arn", "stsSessionName": "s"}, ValueError, "and stsExternalId must all"),
    ],
)
def test_settings_that_are_refused(changed: dict[str, Any], error: type[Exception], text: str) -> None:
    names = dict(zip(("kinesisAppName", "streamName", "endpointUrl", "regionName"), NAMES, strict=True))
    settings: dict[str, Any] = {**names, "initialPositionInStream": LATEST, "checkpointInterval": 2}
    context: Any = Context()
    with pytest.raises(error, match=text):
        KinesisUtils.createStream(context, **{**settings, **changed})
    assert not context.applications


def test_without_boto3_the_call_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    context: Any = Context()
    with pytest.raises(ImportError, match=r"pip install 'dstream-migrate\[kinesis\]'"):
        KinesisUtils.createStream(context, *NAMES, LATEST, 2)
