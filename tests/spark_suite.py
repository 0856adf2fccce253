"""Run Spark's own DStream tests, those of PySpark 2.4.8, on `compat.streaming`.

    python tests/spark_suite.py                         # all 47, on both engines
    python tests/spark_suite.py --engine rdd BasicOperationTests WindowFunctionTests.test_window
    python tests/spark_suite.py --package pyspark.streaming     # on what they were written for
    python tests/spark_suite.py KafkaStreamTests        # the 12 of Kafka, on a real broker

PySpark 2.4.8 is on PyPI as a source distribution of 218 MB. pip fetches it once; only the file of tests is
kept, in the user's cache directory. It is changed in three ways: the tests of Flume and Kinesis are left out,
and those of Kafka unless they are asked for; `pyspark.streaming` becomes `compat.streaming` where it is
imported; and what the tests of Kafka start in the JVM, of a package that is gone, is replaced by a stand-in
that uses a real broker. Nothing of it is committed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

VERSION = "2.4.8"
CONNECTORS = ("flume", "kinesis", "kafka")
CLASSES = (
    "BasicOperationTests",
    "StreamingListenerTests",
    "WindowFunctionTests",
    "StreamingContextTests",
    "CheckpointTests",
)
KAFKA = "KafkaStreamTests"
REPOSITORY = Path(__file__).parent.parent


def main() -> int:
    """Run the tests that the command line names; 0 if all pass."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("tests", nargs="*", default=CLASSES, help="classes or Class.method; default: all")
    parser.add_argument("--engine", choices=["rdd", "structured"], help="default: both")
    parser.add_argument("--package", default="compat.streaming", help="the package to test")
    parser.add_argument(
        "--patience",
        type=int,
        default=1,
        metavar="N",
        help="wait N times as long for results, on a busy machine",
    )
    arguments = parser.parse_args()
    source = cached() or fetched()
    failed = 0
    with _kafka(arguments.tests) as settings:
        for engine in [arguments.engine] if arguments.engine else ["rdd", "structured"]:
            print(f"{arguments.package}, engine {engine}:", flush=True)
            package, patience = arguments.package, arguments.patience
            done = run(source, arguments.tests, engine, package=package, patience=patience, **settings)
            failed |= done.returncode
    return failed


@contextlib.contextmanager
def _kafka(tests: Iterable[str]) -> Iterator[dict[str, str]]:
    """The environment that the tests of Kafka need, if they are among `tests`; a broker runs meanwhile."""
    if not _of_kafka(tests):
        yield {}
        return
    sys.path.insert(0, str(REPOSITORY))
    from migrate.kafka import jars
    from tests.e2e.kafka.broker import Broker

    with tempfile.TemporaryDirectory() as work:
        broker = Broker(Path(work))
        try:
            yield environment(broker.address, jars().submit)
        finally:
            broker.stop()


def environment(broker: str, jars: str) -> dict[str, str]:
    """What the tests of Kafka need to know."""
    return {"COMPAT_KAFKA_BOOTSTRAP": broker, "PYSPARK_SUBMIT_ARGS": f"--jars {jars} pyspark-shell"}


def _of_kafka(tests: Iterable[str]) -> bool:
    return any(test.startswith(KAFKA) for test in tests)


def cached() -> Path | None:
    """The file with Spark's tests, if it was fetched before."""
    path = _cache() / f"pyspark-{VERSION}-streaming-tests.py"
    return path if path.exists() else None


def fetched() -> Path:
    """The file with Spark's tests, out of the source distribution as pip downloads it.

    pip runs the distribution's setup, which works with old versions of two packages only, and these with
    Python 3.11 or earlier.
    """
    with tempfile.TemporaryDirectory() as place:
        constraints = Path(place) / "constraints.txt"
        constraints.write_text("pypandoc<1.8\nsetuptools<60\n")
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", place]
        subprocess.run(
            [*pip, f"pyspark=={VERSION}"], check=True, env={**os.environ, "PIP_CONSTRAINT": str(constraints)}
        )
        [archive] = Path(place).glob("pyspark-*.tar.gz")
        text = _from_archive(archive)
    path = _cache() / f"pyspark-{VERSION}-streaming-tests.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def _from_archive(archive: Path) -> str:
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.name.endswith("pyspark/streaming/tests.py"):
                content = opened.extractfile(member)
                assert content is not None
                return content.read().decode("utf-8")
    raise FileNotFoundError(f"there is no pyspark/streaming/tests.py in {archive}")


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dstream-migrate"


_RUN = """import unittest, spark_tests
for case in vars(spark_tests).values():
    if "timeout" in getattr(case, "__dict__", ()):
        case.timeout *= {patience}
unittest.main(spark_tests, verbosity=2)
"""


def run(
    source: Path,
    tests: Iterable[str],
    engine: str,
    *,
    package: str = "compat.streaming",
    patience: int = 1,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run tests in a process of their own; its standard error is unittest's report, and shown in short.

    Args:
        source: the file with Spark's tests.
        tests: classes, or Class.method.
        engine: ``rdd`` or ``structured``.
        package: what is imported for pyspark.streaming.
        patience: how many times as long as Spark's tests do to wait for a result.
        environment: more of it.
    """
    tests = list(tests)
    with tempfile.TemporaryDirectory() as place:
        text = swapped(source.read_text("utf-8"), package, kafka=_of_kafka(tests))
        (Path(place) / "spark_tests.py").write_text(text, "utf-8")
        paths = os.pathsep.join([place, str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
        whole = {"PYSPARK_PYTHON": sys.executable, **os.environ, **environment, "COMPAT_ENGINE": engine}
        with subprocess.Popen(
            [sys.executable, "-c", _RUN.format(patience=patience), *tests],
            env={**whole, "PYTHONPATH": paths},
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            lines = []
            for line in process.stderr:
                lines.append(line)
                if shown := _SHOWN.match(line):
                    print(shown.group(), flush=True)
        return subprocess.CompletedProcess(process.args, process.returncode, "", "".join(lines))


_SHOWN = re.compile(r"test_\w+ \(\S+\)|(FAIL|ERROR:|Ran \d+ test|OK).*")


def swapped(text: str, package: str, *, kafka: bool = False) -> str:
    """Spark's tests without those of connectors, importing `package` for pyspark.streaming.

    Those of Kafka stay if they are asked for, with the stand-in for what they start in the JVM.
    """
    connectors = CONNECTORS[:2] if kafka else CONNECTORS
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        first, last = _lines(node)
        if _of_connector(node, connectors) or _is_start(node):
            del lines[first - 1 : last]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            lines[first - 1 : last] = [
                re.sub(r"\bpyspark\.streaming\b", package, line) for line in lines[first - 1 : last]
            ]
    changed = "".join(lines)
    return changed.replace(_IN_JVM, _STANDS_IN) if kafka else changed


_IN_JVM = "self.ssc._jvm.org.apache.spark.streaming.kafka.KafkaTestUtils()"
_STANDS_IN = "__import__('tests.e2e.kafka.kafka_test_utils', fromlist=['KafkaTestUtils']).KafkaTestUtils()"


def _lines(node: ast.stmt) -> tuple[int, int]:
    decorators = getattr(node, "decorator_list", [])
    assert node.end_lineno is not None
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]), node.end_lineno


def _of_connector(node: ast.stmt, connectors: tuple[str, ...]) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").removeprefix("pyspark.streaming.") in connectors
    return isinstance(node, ast.ClassDef) and node.name.lower().startswith(connectors)


def _is_start(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


if __name__ == "__main__":
    sys.exit(main())
