"""Who works on a checkpoint: one driver at a time.

On a local file system the driver holds a lock, and another one is refused at its start. Elsewhere there are
no locks: the driver that starts last has the checkpoint, and the one before ends before it writes again."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import uuid
from typing import TYPE_CHECKING, Any

from compat.directory import LocalDirectory, directory, not_ours

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.directory import Directory

NAME = "owner"


class TakenOverError(RuntimeError):
    """Another driver works on the checkpoint."""


class Ownership:
    """A run's right to write in its checkpoint.

    Args:
        place: the engine's directory in the checkpoint.
        spark_context: the run's.
    """

    def __init__(self, place: Directory, spark_context: SparkContext) -> None:
        java: Any = spark_context._jsc
        self._place = place
        self._lock = _locked(place) if isinstance(place, LocalDirectory) else None
        rdds = java.sc().getCheckpointDir()
        self._own = {
            "run": str(uuid.uuid4()),
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "application": spark_context.applicationId,
            "rdds": rdds.get() if rdds.isDefined() else None,
        }
        try:
            self._before = self._written()
        except BaseException:
            self.release()
            raise

    def take(self) -> None:
        """Write down that the checkpoint is this run's, and remove what Spark kept for the one before.

        Spark makes a directory for checkpoints of RDDs in each application, and never removes one.
        """
        self._place.write(NAME, json.dumps(self._own).encode())
        rdds, application = self._before.get("rdds"), self._before.get("application")
        if rdds is not None and application != self._own["application"]:
            directory(rdds).delete()

    def check(self) -> None:
        """Raises TakenOverError if another driver has started on the checkpoint since."""
        other = self._written()
        if other.get("run") != self._own["run"]:
            raise TakenOverError(
                f"another driver has taken over the checkpoint in {self._place.path('')}: process"
                f" {other.get('pid')} on {other.get('host')}. This one ends; give each a directory of its own"
            )

    def release(self) -> None:
        """The run has ended: another one may start."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _written(self) -> dict[str, Any]:
        if not self._place.has(NAME):
            return {}
        try:
            found = json.loads(self._place.read(NAME))
        except ValueError as error:
            raise not_ours(self._place, NAME) from error
        if not isinstance(found, dict):
            raise not_ours(self._place, NAME)
        return found


def _locked(place: LocalDirectory) -> int | None:
    """A lock that ends with the process, or with its release; None where the file system has none."""
    try:
        import fcntl  # Windows has none
    except ImportError:
        return None
    file = place.root.parent / f".{place.root.name}.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise TakenOverError(
            f"another driver runs on the checkpoint in {place.path('')}. Stop it before you start this one,"
            " or give this one another checkpoint directory"
        ) from None
    except OSError:
        with contextlib.suppress(OSError):
            os.close(descriptor)
        return None
    return descriptor
