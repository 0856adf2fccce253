"""PySpark's worker daemon with the guard in place: functions on executors may not reach out either."""

from __future__ import annotations

import json
import os
import sys

from pyspark import daemon

from migrate.verify.child.guard import watch
from migrate.verify.child.json_taps import tap_workers
from migrate.verify.child.stand_ins import in_worker

ROOTS, LOG = "DSTREAM_VERIFY_ROOTS", "DSTREAM_VERIFY_LOG"


def _refuse(what: str) -> None:
    with open(os.environ[LOG], "a", encoding="utf-8") as log:  # noqa: PTH123 - opened for a single append
        log.write(json.dumps({"event": "refused", "what": what}) + "\n")
    raise PermissionError(f"{what} is refused; --allow-side-effects lets it through")


if __name__ == "__main__":
    if ROOTS in os.environ:
        watch(os.environ[ROOTS].split(os.pathsep), _refuse)
    in_worker()
    tap_workers()
    # The module was started in the place of pyspark.daemon, which forks workers and serves them to the JVM.
    sys.modules["pyspark.daemon"] = daemon
    daemon.manager()
