"""What listeners are told: Python objects that are read like the Java objects which PySpark hands them.

Their names and fields are those of Spark's ``JavaStreamingListener.scala``. Times are milliseconds; -1 stands
for one that is not there yet."""

from __future__ import annotations

from typing import Any, ClassVar


class Info:
    """Named values, each read by a call without arguments, as py4j has it for the fields of a Java object."""

    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *values: Any) -> None:
        self._values = dict(zip(self.fields, values, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name not in self.fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = self._values[name]
        return lambda: value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self.toString())

    def __repr__(self) -> str:
        return self.toString()

    def toString(self) -> str:  # noqa: N802 - Java's name
        """The values, in the order of the fields."""
        return f"{type(self).__name__}({', '.join(map(str, self._values.values()))})"


class Time(Info):
    """A batch time."""

    fields = ("milliseconds",)

    def toString(self) -> str:  # noqa: N802
        """The time as Spark writes it."""
        return f"{self.milliseconds()} ms"


class JavaMap(dict[Any, Any]):
    """A dictionary that has the methods of a ``java.util.Map`` as well."""

    def size(self) -> int:
        """How many entries there are."""
        return len(self)

    def isEmpty(self) -> bool:  # noqa: N802
        """Whether there is none."""
        return not self

    def containsKey(self, key: Any) -> bool:  # noqa: N802
        """Whether there is an entry for `key`."""
        return key in self

    def keySet(self) -> set[Any]:  # noqa: N802
        """The keys."""
        return set(self)


class JavaStreamInputInfo(Info):
    """What a source gave to a batch."""

    fields = ("inputStreamId", "numRecords", "metadata", "metadataDescription")


class JavaOutputOperationInfo(Info):
    """An output of a batch; `failureReason` is None, or the traceback of what it raised."""

    fields = ("batchTime", "id", "name", "description", "startTime", "endTime", "failureReason")


class JavaBatchInfo(Info):
    """A batch, with maps from the ids of its sources and outputs to their infos."""

    fields = (
        "batchTime",
        "streamIdToInputInfo",
        "submissionTime",
        "processingStartTime",
        "processingEndTime",
        "schedulingDelay",
        "processingDelay",
        "totalDelay",
        "numRecords",
        "outputOperationInfos",
    )


class JavaReceiverInfo(Info):
    """A receiver, and what went wrong with it last."""

    fields = (
        "streamId",
        "name",
        "active",
        "location",
        "executorId",
        "lastErrorMessage",
        "lastError",
        "lastErrorTime",
    )


class Event(Info):
    """The argument of the listener's method that `told` names."""

    told: ClassVar[str]


class JavaStreamingListenerStreamingStarted(Event):
    """The run has begun."""

    told = "onStreamingStarted"
    fields = ("time",)


class JavaStreamingListenerReceiverStarted(Event):
    """A receiver begins to connect."""

    told = "onReceiverStarted"
    fields = ("receiverInfo",)


class JavaStreamingListenerReceiverStopped(Event):
    """A receiver has lost its connection, did not get one, or was stopped."""

    told = "onReceiverStopped"
    fields = ("receiverInfo",)


class JavaStreamingListenerBatchSubmitted(Event):
    """A batch was made, and nothing of it has run."""

    told = "onBatchSubmitted"
    fields = ("batchInfo",)


class JavaStreamingListenerBatchStarted(Event):
    """The first output of a batch begins."""

    told = "onBatchStarted"
    fields = ("batchInfo",)


class JavaStreamingListenerBatchCompleted(Event):
    """The last output of a batch is done, well or not."""

    told = "onBatchCompleted"
    fields = ("batchInfo",)


class JavaStreamingListenerOutputOperationStarted(Event):
    """An output of a batch begins."""

    told = "onOutputOperationStarted"
    fields = ("outputOperationInfo",)


class JavaStreamingListenerOutputOperationCompleted(Event):
    """An output of a batch is done, well or not."""

    told = "onOutputOperationCompleted"
    fields = ("outputOperationInfo",)
