"""An archive of the classes that Spark loads, which every JVM of the tests starts from.

The tests start some eighty JVMs. Each would spend most of its first seconds on loading and verifying the same
classes; from an archive (the JVM's class data sharing) it starts in less than half the time.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pyspark

# A JVM that lives for minutes is best off without the optimising compiler: half the CPU time of the tests.
OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable"
SECONDS = 300
_makers: list[subprocess.Popen[bytes]] = []
"""What makes the archive; nobody waits for it, and Python warns where nobody holds it."""

PROGRAM = """\
import time
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.parallelize([("a", 1), ("b", 2)], 2).reduceByKey(lambda a, b: a + b).collect()
spark.createDataFrame([("a", 1)], "key string, n long").groupBy("key").agg(F.sum("n")).collect()
spark.range(4).mapInArrow(lambda batches: batches, "id long").repartition(2, "id").collect()
beat = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
query = beat.writeStream.foreachBatch(lambda batch, number: batch.collect()).start()
while query.isActive and not query.recentProgress:
    time.sleep(0.05)
query.stop()
"""


def jvm_options(cache: Path) -> str:
    """What a JVM of the tests is started with.

    The archive is made in `cache` the first time, while the first tests run. The JVM does without one that is
    not there yet, could not be made, or does not fit because Java was changed: it is slower to start then.
    """
    archive = cache / f"{_key()}.jsa"
    if not archive.exists():
        # a process of its own: a run of a few tests is over before the archive is made
        _makers.append(subprocess.Popen([sys.executable, __file__, str(archive)], start_new_session=True))
    return f"{OPTIONS} -XX:SharedArchiveFile={archive}"


def _key() -> str:
    parts = (pyspark.__version__, pyspark.__file__, os.environ.get("JAVA_HOME", ""))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def main() -> None:
    """Make the archive that the command line names, unless another process is about it."""
    archive = Path(sys.argv[1])
    with archive.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        _make(archive)


def _make(archive: Path) -> None:
    draft, program = archive.with_suffix(".draft"), archive.with_suffix(".py")
    draft.unlink(missing_ok=True)
    program.write_text(PROGRAM)
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [submit, "--master", "local[2]", program],
            env={
                **os.environ,
                "PYSPARK_PYTHON": sys.executable,
                "PYSPARK_DRIVER_PYTHON": sys.executable,
                "SPARK_SUBMIT_OPTS": f"{OPTIONS} -XX:ArchiveClassesAtExit={draft}",
            },
            cwd=archive.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    if draft.exists():
        draft.rename(archive)


if __name__ == "__main__":
    main()
