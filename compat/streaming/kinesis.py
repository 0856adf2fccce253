"""`pyspark.streaming.kinesis`, read by executors with boto3: ``dstream-migrate[kinesis]``.

There is no jar, and no Kinesis Client Library: leases and checkpoints are kept in its way (see
`KinesisUtils.createStream`), so that a program goes on where it stopped before it was moved, and can go back.
What the original does is taken from Spark's ``KinesisReceiver``, ``KinesisCheckpointer`` and
``KinesisUtilsPythonHelper``, and from versions 1 and 2 of the library."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from uuid import uuid4

from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.kinesis.access import Access, Key, Role
from compat.kinesis.application import Application
from compat.kinesis.leases import LATEST, TRIM_HORIZON
from compat.utf8 import utf8_decoder

if TYPE_CHECKING:
    from compat.streaming.context import StreamingContext
    from compat.streaming.dstream import DStream

__all__ = ["InitialPositionInStream", "KinesisUtils", "MetricsLevel", "utf8_decoder"]

P = ParamSpec("P")
R = TypeVar("R")


class InitialPositionInStream:
    """Where a shard without a checkpoint begins: with what comes from now on, or with all that it has."""

    LATEST, TRIM_HORIZON = (0, 1)


class MetricsLevel:
    """How much the original tells CloudWatch."""

    DETAILED, SUMMARY, NONE = (0, 1, 2)


_POSITIONS = {InitialPositionInStream.LATEST: LATEST, InitialPositionInStream.TRIM_HORIZON: TRIM_HORIZON}
_METRICS_LEVEL = 7
"""The position of the parameter that PySpark 2.4 did not have."""


def _in_both_orders(create: Callable[P, R]) -> Callable[P, R]:
    """Take positional arguments in the order of PySpark 2.4, too."""

    @functools.wraps(create)
    def created(*args: P.args, **kwargs: P.kwargs) -> R:
        if len(args) > _METRICS_LEVEL and isinstance(args[_METRICS_LEVEL], StorageLevel):
            before, after = args[:_METRICS_LEVEL], args[_METRICS_LEVEL:]
            with_level: Any = (*before, MetricsLevel.DETAILED, *after)
            return create(*with_level, **kwargs)
        return create(*args, **kwargs)

    return created


class KinesisUtils:
    """Streams of Kinesis' records."""

    @staticmethod
    @_in_both_orders
    def createStream(
        ssc: StreamingContext,
        kinesisAppName: str,
        streamName: str,
        endpointUrl: str,
        regionName: str,
        initialPositionInStream: int,
        checkpointInterval: float,
        metricsLevel: int = MetricsLevel.DETAILED,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        awsAccessKeyId: str | None = None,
        awsSecretKey: str | None = None,
        decoder: Callable[[Any], Any] = utf8_decoder,
        stsAssumeRoleArn: str | None = None,
        stsSessionName: str | None = None,
        stsExternalId: str | None = None,
    ) -> DStream[Any]:
        """The records of a Kinesis stream, in order within each shard; executors read them.

        In each batch a shard is a task, which reads what has come since the last batch: to the shard's tip,
        or for half of the batch interval where there is more, and five times a second at most, which is all
        that Kinesis allows. A batch has a partition for each shard that was read, if there are records.
        Executors keep them, in memory and on disk, for as long as batches may ask for them. The shards that
        come of a split or a merge are read after those that were split or merged. Records that the Kinesis
        Producer Library has aggregated are taken apart. Executors need boto3, but not this package.

        The DynamoDB table `kinesisAppName` says for each shard who reads it and how far, in rows as those of
        the Kinesis Client Library. The stream goes on there, whoever wrote them, and makes what is missing.
        With what batches are done is written every `checkpointInterval`, and at a stop, which also gives the
        shards back. Records since the last time come again after a crash.

        With a checkpoint directory a batch that is run again, after a crash too, has the same records: their
        sequence numbers are written there before its outputs run, and Kinesis is asked for them again, as by
        Spark (``KinesisBackedBlockRDD``); so is it for records that an executor has lost. Kinesis has them
        for a day, or for as long as the stream is set to: a batch whose records are gone fails and says which
        they were. Then none is lost, and the program goes on where its batches were, or where the table says
        that another program has gone on.

        Streams of one program with the same settings share the shards, and read them at the same time. Other
        programs of that name read the shards that this one does not hold: those of a program that ended, or
        ten seconds after its last sign of life. No program takes a shard from another that is alive, but the
        Kinesis Client Library may take some from this one; then some records come to both. A restart after a
        crash takes ten seconds; from a checkpoint directory the shards are there at once.

        The credentials must be allowed ``ListShards``, ``GetShardIterator`` and ``GetRecords`` of Kinesis,
        and ``CreateTable``, ``DescribeTable``, ``Scan``, ``PutItem`` and ``UpdateItem`` of DynamoDB; on
        executors the last two of Kinesis. A key and a role go there with the tasks. Without them boto3 looks
        for credentials on each executor, as the original does.

        Nothing is told to CloudWatch, and rows of shards that are gone stay in the table. At most
        ``spark.streaming.receiver.maxRate`` records are taken in a second by each stream, as many from each
        of its shards; backpressure does not hold. While Kinesis does not answer batches are empty, and a
        warning says why. There is no receiver, so listeners hear of none.

        Engine ``structured``: listeners are told the sequence numbers of a batch.

        Engine ``rdd``: a stop that is not graceful does not tell the table of the last batch, whose records
        come again in the next run.

        Positional arguments may have the order of PySpark 2.4, which had no `metricsLevel`: a StorageLevel in
        its place is the storage level, and what follows moves on by one.

        Args:
            ssc: the context.
            kinesisAppName: the name of the DynamoDB table.
            streamName: the stream's name.
            endpointUrl: of Kinesis: ``https://kinesis.us-east-1.amazonaws.com``; https if it does not say.
                Those of DynamoDB and STS are the region's, unless boto3 is told otherwise, by the
                environment's ``AWS_ENDPOINT_URL_DYNAMODB`` and ``AWS_ENDPOINT_URL_STS``.
            regionName: the region of all of them.
            initialPositionInStream: where shards begin that the table does not have, one of
                `InitialPositionInStream`. After LATEST, the shards of a split begin with their first record.
            checkpointInterval: seconds between two writes to the table.
            metricsLevel: changes nothing.
            storageLevel: changes nothing; executors keep records in memory and on disk.
            awsAccessKeyId: a key for all services; None: boto3 looks for credentials. It is part of the
                context's checkpoint, and so are the next ones, unless they are names: ``${env:NAME}`` for a
                variable of the driver's environment, ``${spark.name}`` for a setting.
            awsSecretKey: the key's secret.
            decoder: makes of a record's bytes what the stream has; it runs on executors.
            stsAssumeRoleArn: a role to assume with these credentials, for Kinesis and DynamoDB.
            stsSessionName: what the role's session is called.
            stsExternalId: is given to the role's trust policy.

        Raises:
            TypeError: an argument is of another type.
            ValueError: a name is empty, `checkpointInterval` not positive, `initialPositionInStream` no such
                position, or only a part of the key or of the three about the role is given.
            ImportError: boto3 is not installed.
        """
        names = {
            "kinesisAppName": kinesisAppName,
            "streamName": streamName,
            "endpointUrl": endpointUrl,
            "regionName": regionName,
        }
        for name, value in names.items():
            _check_text(name, value)
        _check_numbers(initialPositionInStream, checkpointInterval, metricsLevel)
        if not isinstance(storageLevel, StorageLevel):
            raise TypeError("storageLevel must be of type pyspark.StorageLevel")
        if not callable(decoder):
            raise TypeError(f"decoder should be a function, not {decoder!r}")
        key = _all_or_none(awsAccessKeyId=awsAccessKeyId, awsSecretKey=awsSecretKey)
        role = _all_or_none(
            stsAssumeRoleArn=stsAssumeRoleArn, stsSessionName=stsSessionName, stsExternalId=stsExternalId
        )
        _check_boto3()
        application = Application(
            kinesisAppName,
            streamName,
            Access(
                endpointUrl if "://" in endpointUrl else f"https://{endpointUrl}",
                regionName,
                Key(*key) if key else None,
                Role(*role) if role else None,
            ),
            _POSITIONS[initialPositionInStream],
            checkpointInterval,
        )
        node = graph.KinesisStream(ssc._interval_ms, application, identity=f"compat-{uuid4()}")
        return ssc._add_stream(node).map(decoder)


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r}")
    if not value:
        raise ValueError(f"{name} is empty")


def _check_numbers(position: object, interval: object, metrics: object) -> None:
    if not isinstance(position, int):
        raise TypeError(f"initialPositionInStream must be an int, not {position!r}")
    if position not in _POSITIONS:
        raise ValueError(
            "initialPositionInStream must be InitialPositionInStream.LATEST or"
            f" InitialPositionInStream.TRIM_HORIZON, not {position!r}"
        )
    if isinstance(interval, bool) or not isinstance(interval, (int, float)):
        raise TypeError(f"checkpointInterval must be a number of seconds, not {interval!r}")
    if not interval > 0:
        raise ValueError(f"checkpointInterval must be positive, not {interval!r}")
    if not isinstance(metrics, int):
        raise TypeError(f"metricsLevel must be an int, not {metrics!r}")


def _all_or_none(**values: object) -> tuple[str, ...] | None:
    given = [value for value in values.values() if value is not None]
    for name, value in values.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    if given and len(given) < len(values):
        *before, last = values
        raise ValueError(f"{', '.join(before)} and {last} must all be given, or none of them")
    return tuple(str(value) for value in given) or None


def _check_boto3() -> None:
    try:
        import boto3  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise ImportError(
            "Kinesis is read with boto3: python -m pip install 'dstream-migrate[kinesis]'"
        ) from error
