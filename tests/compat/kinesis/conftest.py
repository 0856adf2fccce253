"""moto's server, and a stream of its own for each test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from compat.kinesis import fetching, planning, sharing
from tests.compat.kinesis.server import Amazon, KinesisServer


@pytest.fixture(scope="module")
def server() -> Iterator[KinesisServer]:
    started = KinesisServer()
    yield started
    started.close()


@pytest.fixture(autouse=True, scope="module")
def nothing_leaves_this_machine() -> Iterator[None]:
    """Where a test names no endpoint, or names it no more, nobody listens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases change hands in a second, and shards are read at any time."""
    monkeypatch.setattr(sharing, "FAILOVER_SECONDS", 1.0)
    monkeypatch.setattr(sharing, "_AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(planning, "_APART_SECONDS", 0.0)
    monkeypatch.setattr(fetching, "_APART_SECONDS", 0.0)


@pytest.fixture
def amazon(
    server: KinesisServer, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Amazon]:
    for service in ("DYNAMODB", "STS"):
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", server.url)
    made = Amazon(server, hashlib.md5(request.node.name.encode()).hexdigest())
    yield made
    made.close()
