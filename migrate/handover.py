"""The command ``handover``: where in Kafka a new job begins, so that it goes on where the old one stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from migrate.errors import EnvironmentProblemError, say
from migrate.kafka.child import RefusedError, ask

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FROM = ("group", "offsets", "jdbc", "zookeeper", "checkpoint")


@click.command()
@click.argument("topics", nargs=-1, required=True, metavar="TOPIC...")
@click.option("--broker", required=True, metavar="HOST:PORT", help="Kafka; several with commas.")
@click.option("--group", help="The old job's consumer group, which has its offsets in Kafka.")
@click.option(
    "--offsets",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file of offsets: JSON, CSV or lines, with topic, partition and the next offset.",
)
@click.option("--jdbc", metavar="URL", help="A database with the old job's table of offsets.")
@click.option("--query", metavar="SQL", help="With --jdbc: selects topic, partition and offset (the next).")
@click.option("--jars", metavar="JARS", help="With --jdbc: the database's driver.")
@click.option("--zookeeper", metavar="HOST:PORT", help="ZooKeeper, where a --group of Kafka 0.8 commits.")
@click.option(
    "--checkpoint",
    metavar="DIRECTORY",
    help="The checkpoint of a Structured Streaming query or of a compat program: to go back, or on.",
)
@click.option("--last-read", is_flag=True, help="The numbers are the last offsets read, not the next ones.")
@click.option(
    "--unread",
    type=click.Choice(["earliest", "latest"]),
    help="Where to begin with partitions that the old job has left no offset of.",
)
@click.option(
    "--expired",
    type=click.Choice(["earliest"]),
    help="Begin with the oldest message where those at the offset are gone.",
)
@click.option("--commit", metavar="GROUP", help="Also make them the offsets of this consumer group.")
@click.option(
    "--commit-zookeeper",
    metavar="HOST:PORT",
    help="With --commit: in this ZooKeeper, for a group of Kafka 0.8, and not in Kafka.",
)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of Kafka's clients, as to log in.",
)
def handover(topics: tuple[str, ...], params: tuple[str, ...], jars: str | None, **given: Any) -> None:
    """Print the `startingOffsets` of a new job that goes on where the old one, which has stopped, was.

    Every partition of each TOPIC is named. Where the old job has left no offset of a partition with messages,
    or the messages at its offset are gone, nothing is printed, unless --unread or --expired says what to do.
    """
    named = [name for name in _FROM if given[name] is not None]
    if named not in (["group"], ["offsets"], ["jdbc"], ["checkpoint"], ["group", "zookeeper"]):
        raise click.UsageError(
            "say where the old job's offsets are, by one of --group, --offsets, --jdbc, --checkpoint, or by"
            " --zookeeper with --group"
        )
    if (given["jdbc"] is None) != (given["query"] is None):
        raise click.UsageError("--jdbc and --query need each other")
    if given["commit_zookeeper"] is not None and given["commit"] is None:
        raise click.UsageError("--commit-zookeeper needs --commit GROUP")
    settings = dict(param.partition("=")[::2] for param in params)
    if any("=" not in param for param in params):
        raise click.UsageError("--param takes NAME=VALUE")
    if given["offsets"] is not None:
        given["offsets"] = str(given["offsets"])
    request = {**given, "topics": topics, "params": {**settings, "bootstrap.servers": given["broker"]}}
    try:
        told = json.loads(ask(__name__, request, tuple(jars.split(",")) if jars else ()))
    except RefusedError as error:
        raise EnvironmentProblemError(str(error)) from error
    say(f"{told['partitions']} partitions, {told['waiting']} messages wait for the new job")
    if given["commit"] is not None:
        say(f"group {given['commit']} has these offsets now")
    click.echo(told["offsets"])


def answer(spark: SparkSession, request: dict[str, Any]) -> str:
    """The offsets as JSON has them for ``startingOffsets``, and what waits there, as JSON."""
    from compat.handover import complete, into_zookeeper, starting_offsets
    from compat.kafka.brokers import Brokers

    topics = list(dict.fromkeys(request["topics"]))
    try:
        with Brokers(spark.sparkContext, request["params"]) as brokers:
            stopped = _stopped(spark, brokers, topics, request)
            if request["last_read"]:
                stopped = {place: offset + 1 for place, offset in stopped.items()}
            policy = {"unread": request["unread"], "expired": request["expired"]}
            offsets = complete(stopped, topics, brokers, **policy)
            waiting = sum(brokers.latest(offsets).values()) - sum(offsets.values())
            if request["commit_zookeeper"] is not None:
                into_zookeeper(request["commit_zookeeper"], request["commit"], offsets)
            elif request["commit"] is not None:
                brokers.commit(request["commit"], offsets)
    except (ValueError, ImportError, RuntimeError, OSError) as error:
        raise RefusedError(str(error)) from error
    told = {"offsets": starting_offsets(offsets), "partitions": len(offsets), "waiting": waiting}
    return json.dumps(told)


def _stopped(spark: SparkSession, brokers: Any, topics: list[str], request: dict[str, Any]) -> Any:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    from compat import handover as old
    from compat.directory import directory
    from compat.kafka.places import Place

    if request["offsets"] is not None:
        return old.in_text(Path(request["offsets"]).read_text(encoding="utf-8"))
    if request["checkpoint"] is not None:
        return old.in_checkpoint(directory(request["checkpoint"]))
    if request["zookeeper"] is not None:
        return old.in_zookeeper(request["zookeeper"], request["group"], topics)
    if request["jdbc"] is not None:
        try:
            rows = spark.read.format("jdbc").option("url", request["jdbc"]).option("query", request["query"])
            return old.in_rows(row.asDict() for row in rows.load().collect())
        except (PySparkException, Py4JJavaError) as error:
            raise RefusedError(f"{request['jdbc']} cannot be read: {_first_line(error)}") from error
    places = [
        Place(topic, number) for topic, count in brokers.partitions(topics).items() for number in range(count)
    ]
    found = brokers.committed(request["group"], places)
    if not found:
        raise old.NoOffsetsError(f"group {request['group']} has committed no offsets for these topics")
    return found


def _first_line(error: Exception) -> str:
    java = getattr(error, "java_exception", None)
    return str(java.getMessage() if java is not None else error).splitlines()[0]
