"""The end of the JVM, by SIGTERM to ``spark-submit`` or by ``System.exit``: the run is stopped first.

As by Spark's ``StreamingContext.stopOnShutdown``: gracefully where the setting
``spark.streaming.stopGracefullyOnShutdown`` says so. A Python that starts its JVM itself dies of SIGTERM
before that, on either engine."""

from __future__ import annotations

import atexit
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from py4j.protocol import Py4JError
from pyspark.java_gateway import ensure_callback_server_started

if TYPE_CHECKING:
    from pyspark import SparkContext

_BEFORE_SPARK = 50
"""Spark's own hooks, which stop the SparkContext and a local executor, are at 40: Hadoop's
``FileSystem.SHUTDOWN_HOOK_PRIORITY`` and 30."""
_TIMEOUT = "spark.shutdown.timeout"
"""Without it Hadoop waits 30 seconds for each hook, Spark's among them."""


class Shutdown:
    """Calls `stop` before the JVM ends.

    Args:
        spark_context: whose JVM.
        stop: stops the run; whether gracefully.
    """

    def __init__(self, spark_context: SparkContext, stop: Callable[[bool], None]) -> None:
        jvm: Any = spark_context._jvm
        conf = spark_context.getConf()
        gracefully = conf.get("spark.streaming.stopGracefullyOnShutdown", "false").lower() == "true"
        ensure_callback_server_started(spark_context._gateway)
        self._hooks = jvm.org.apache.hadoop.util.ShutdownHookManager.get()
        # A thread that is never started: it is a Runnable that is equal to itself.
        self._hook = jvm.java.lang.Thread(_Stop(lambda: stop(gracefully)), "stop streaming")
        asked = conf.get(_TIMEOUT)
        if asked is None:
            self._hooks.addShutdownHook(self._hook, _BEFORE_SPARK)
        else:
            milliseconds = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsMs(asked)
            unit = jvm.java.util.concurrent.TimeUnit.MILLISECONDS
            self._hooks.addShutdownHook(self._hook, _BEFORE_SPARK, milliseconds, unit)
        atexit.register(self.forget)

    def forget(self) -> None:
        """The run has ended, or this process does: nobody is there to be called."""
        atexit.unregister(self.forget)
        with contextlib.suppress(Py4JError, OSError):  # the JVM may have ended, or be about to
            self._hooks.removeShutdownHook(self._hook)


class _Stop:
    """A Runnable."""

    class Java:
        implements: ClassVar = ["java.lang.Runnable"]

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop

    def run(self) -> None:
        """Called by the JVM."""
        self._stop()
