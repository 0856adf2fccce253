"""Flume's own client and Spark's own sink, in a JVM without Spark, whose libraries have other versions."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

from migrate.kafka.ivy import Dependency, cache, retrieve

JARS = Path(pyspark.__file__).parent / "jars"
WANTED = {
    "netty3": """
        org.apache.spark:spark-streaming-flume-sink_2.12:2.4.8 org.scala-lang:scala-library:2.12.10
        org.apache.flume:flume-ng-core:1.6.0 org.apache.flume:flume-ng-configuration:1.6.0
        org.apache.flume:flume-ng-sdk:1.6.0 org.apache.avro:avro:1.8.2 org.apache.avro:avro-ipc:1.8.2
        io.netty:netty:3.9.9.Final com.google.guava:guava:18.0 org.slf4j:slf4j-api:1.7.16
        commons-lang:commons-lang:2.6 org.codehaus.jackson:jackson-core-asl:1.9.13
        org.codehaus.jackson:jackson-mapper-asl:1.9.13""",
    "netty4": """
        org.apache.flume:flume-ng-sdk:1.11.0 org.apache.avro:avro:1.11.0 org.apache.avro:avro-ipc:1.11.0
        org.apache.avro:avro-ipc-netty:1.11.0 io.netty:netty-buffer:4.1.72.Final
        io.netty:netty-codec:4.1.72.Final io.netty:netty-common:4.1.72.Final
        io.netty:netty-handler:4.1.72.Final io.netty:netty-resolver:4.1.72.Final
        io.netty:netty-transport:4.1.72.Final org.slf4j:slf4j-api:1.7.32
        commons-lang:commons-lang:2.6 com.jcraft:jzlib:1.1.3
        com.fasterxml.jackson.core:jackson-annotations:2.13.2
        com.fasterxml.jackson.core:jackson-core:2.13.2 com.fasterxml.jackson.core:jackson-databind:2.13.2""",
}
"""Spark's last sink has the Flume that Spark was built with, on Netty 3; Flume's last client is on Netty 4.
What they depend on and do not use, which is most of it, is not fetched."""


def jars(kind: str) -> list[Path]:
    """The jars of WANTED, from the user's cache if they are there.

    Raises:
        UnreachableError: they cannot be fetched.
    """
    wanted = []
    for each in WANTED[kind].split():
        org, name, revision = each.split(":")
        wanted.append(Dependency("jars", org, name, revision, transitive=False))
    place = cache() / "flume" / f"{kind}-{wanted[0].revision}"
    if not place.is_dir():
        retrieve(wanted, place)
    return sorted(place.rglob("*.jar"))


@contextlib.contextmanager
def started(kind: str) -> Iterator[Flume]:
    """Flume of that kind."""
    classes = ":".join(map(str, jars(kind)))
    py4j = next(JARS.glob("py4j-*.jar"))
    port, process = launch_gateway(jarpath=str(py4j), classpath=classes, die_on_exit=True, return_proc=True)
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auto_convert=True))
    try:
        yield Flume(gateway.jvm)
    finally:
        gateway.shutdown()
        process.stdin.close()
        process.stdout.close()
        process.wait(60)


class Flume:
    """What is in the JVM."""

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm
        self._numbers = itertools.count(1)

    @contextlib.contextmanager
    def client(self, port: int, *, compressed: bool) -> Iterator[Any]:
        """A ``NettyAvroRpcClient``, as Flume's Avro sink has one, connected."""
        properties = self._jvm.java.util.Properties()
        settings = {
            "client.type": "default",
            "hosts": "receiver",
            "hosts.receiver": f"127.0.0.1:{port}",
            "batch-size": "10000",
            "compression-type": "deflate" if compressed else "none",
        }
        for name, value in settings.items():
            properties.setProperty(name, value)
        client = self._jvm.org.apache.flume.api.RpcClientFactory.getInstance(properties)
        try:
            yield client
        finally:
            client.close()

    def events(self, events: Iterable[tuple[Mapping[str, str], bytes]]) -> Any:
        """A list of Flume's events."""
        made = self._jvm.java.util.ArrayList()
        for headers, body in events:
            made.add(self._jvm.org.apache.flume.event.EventBuilder.withBody(body, dict(headers)))
        return made

    @contextlib.contextmanager
    def sink(self, channel: Any, port: int = 0) -> Iterator[int]:
        """Spark's sink at the end of that channel; the port where it listens."""
        sink = self._jvm.org.apache.spark.streaming.flume.sink.SparkSink()
        sink.setName("sink")
        sink.configure(self._settings(hostname="127.0.0.1", port=str(port)))
        sink.setChannel(channel)
        sink.start()
        try:
            yield sink.getPort()
        finally:
            sink.stop()

    def channel(self) -> Any:
        """A channel in memory."""
        channel = self._jvm.org.apache.flume.channel.MemoryChannel()
        channel.setName(f"channel-{next(self._numbers)}")
        channel.configure(
            self._settings(capacity="10000", transactionCapacity="10000", **{"keep-alive": "0"})
        )
        channel.start()
        return channel

    def put(self, channel: Any, events: Iterable[tuple[Mapping[str, str], bytes]]) -> None:
        """Have a channel hold more events."""
        made = self.events(events)
        transaction = channel.getTransaction()
        transaction.begin()
        for event in made:
            channel.put(event)
        transaction.commit()
        transaction.close()

    def acknowledged(self, channel: Any) -> int:
        """How many of its events have left the channel for good."""
        beans = self._jvm.org.apache.flume.instrumentation.util.JMXPollUtil.getAllMBeans()
        return int(beans[f"CHANNEL.{channel.getName()}"]["EventTakeSuccessCount"])

    def _settings(self, **values: str) -> Any:
        context = self._jvm.org.apache.flume.Context()
        for name, value in values.items():
            context.put(name, value)
        return context
