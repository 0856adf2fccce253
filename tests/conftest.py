"""Spark and Hypothesis for all tests.

One SparkContext lives as long as a test module. Its streaming clock is moved by hand, so that no test depends
on how quick the machine is.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.workers import quick_workers

quick_workers()
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

from pyspark import SparkConf, SparkContext  # noqa: E402 - reads the environment
from pyspark.sql import SparkSession  # noqa: E402

from compat.streaming import StreamingContext  # noqa: E402
from tests.class_sharing import jvm_options  # noqa: E402

# An example that needs Spark takes seconds: few examples, the same every time, no time limit for each, and no
# shrinking, which would take minutes. The deep profile is for nights, for what nobody has tried yet, and for
# looking into a failure: --hypothesis-profile=deep
_SPARK = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick",
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=_SPARK,
    phases=(Phase.explicit, Phase.generate),
)
settings.register_profile("deep", max_examples=500, deadline=None, suppress_health_check=_SPARK)
settings.load_profile("quick")


OBJECTS = 100_000
"""Objects after which a process of tests looks for garbage. By default it would after 700, every few
milliseconds of a rewrite, which took a third of the time of the tests of `migrate`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the long runs are."""
    parser.addoption("--json-texts", type=int, default=1_000_000, help="texts of the long run on JSON")
    parser.addoption("--json-seed", type=int, default=0, help="the seed of the long run on JSON")
    parser.addoption(
        "--window-programs", type=int, default=500, help="native programs with windows to compare"
    )
    parser.addoption("--window-seed", type=int, default=10_000, help="the seed of the first of them")


def pytest_configure(config: pytest.Config) -> None:
    """Before any JVM starts, and before there are several processes of tests."""
    gc.set_threshold(OBJECTS, 10, 10)
    if not pyspark.__version__.startswith("4.3"):
        # Others leave sockets to the garbage collector, in whichever test it may run; 3.5 uses distutils.
        config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")
        config.addinivalue_line("filterwarnings", "ignore:.*distutils:DeprecationWarning")
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        own = os.environ.get("SPARK_SUBMIT_OPTS", "")
        kept = getattr(config, "cache", None)
        cache = kept.mkdir("class-sharing") if kept else Path(tempfile.gettempdir())
        os.environ["SPARK_SUBMIT_OPTS"] = f"{own} {jvm_options(cache)}".strip()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what needs no JVM, while the archive of classes is made, and go on with what takes longest.

    So two processes of tests end together.
    """
    with_spark = {item.path for item in items if "spark_context" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: _turn(item.path, item.path in with_spark))


def pytest_collection_finish() -> None:
    """Look for garbage only among what tests make: modules and tests stay until the end."""
    gc.freeze()


def _turn(path: Path, with_spark: bool) -> int:
    long = ("e2e", "test_survival.py", "verify", "test_failed_batches.py", "learn", "columns", "rules")
    found = next((number for number, name in enumerate(long, 1) if name in path.parts), None)
    return found if found is not None else len(long) + 1 if with_spark else 0


@pytest.fixture(scope="module")
def spark_context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkContext]:
    """A local SparkContext of two cores, with a checkpoint directory and the manual clock."""
    conf = SparkConf().setMaster("local[2]").setAppName("tests")
    conf.set("spark.ui.enabled", "false").set("spark.default.parallelism", "2")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1")
    # By TCP each task of Python waits some 40 ms for an acknowledgement. Spark 4.1 can do without.
    conf.set("spark.python.unix.domain.socket.enabled", "true")
    conf.set("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    context = SparkContext.getOrCreate(conf)
    context.setLogLevel("OFF")
    context.setCheckpointDir(str(tmp_path_factory.mktemp("checkpoint")))
    yield context
    active = StreamingContext.getActive()
    if active is not None:
        active.stop(stopSparkContext=False)
    context.stop()


@pytest.fixture(scope="module")
def spark(spark_context: SparkContext) -> Iterator[SparkSession]:
    """A session on `spark_context`."""
    session = SparkSession.builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session", params=["rdd", "structured"])
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine in turn: for tests that say what a program does, whatever runs it."""
    return str(request.param)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """An empty directory for a program to watch or to write to."""
    path = tmp_path / "watched"
    path.mkdir()
    return path
