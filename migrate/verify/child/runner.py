"""Runs one program as `__main__` with its sources supplied; the file of its `Spec` is the only argument."""

from __future__ import annotations

import ast
import atexit
import os
import re
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from migrate.verify.child import guard
from migrate.verify.child.daemon import LOG, ROOTS
from migrate.verify.child.order import leave_as_they_came
from migrate.verify.child.patching import replace, replace_for_programs
from migrate.verify.child.session import Refused, Session, Unsupported
from migrate.verify.child.stand_ins import stand_in
from migrate.verify.child.streams_of_kafka import stand_in_for_pyspark
from migrate.verify.child.topics import Topics
from migrate.verify.imported import imported
from migrate.verify.spec import LEFT, Kafka, Spec

_SHORT_WAIT = 0.01
_CONNECTOR = re.compile(r"--(packages|jars)[ =]\S*kafka\S*")
_LOCAL = re.compile(r"local(-cluster)?(\[.*\])?")


def main() -> None:
    """Run the program, write down how it ended, and leave."""
    spec = Spec.read(Path(sys.argv[1]))
    session = Session(spec)
    source = Path(spec.program).read_bytes()
    whole = b"\n".join((source, *(text.encode() for text in imported(Path(spec.program)))))
    if spec.kafka is not None:
        session.topics = Topics(session)
        stand_in_for_pyspark(whole)
    if b"StreamingContext" not in whole:
        session.clock.take_over()
    _take_over(session)
    status, detail = _run(spec, source)
    session.recorder.finished(status, detail)
    # The JVM goes with this process; stopping it in good order would take seconds and show nothing.
    os._exit(0)


def _take_over(session: Session) -> None:
    from migrate.verify.child import compat, dstreams, frames, json_taps, queries, rdds, taps, targets

    spec = session.spec
    if spec.kafka is not None:
        _start_with_connector(spec.kafka)
    _configure_spark(session)
    rdds.follow_sorts()
    rdds.record_exits(session)
    frames.record_exits(session)
    targets.check_targets(session)
    dstreams.drive_pyspark(session)
    compat.drive_when_imported(session)
    queries.drive_queries(session)
    if spec.as_they_came:
        leave_as_they_came()
    if spec.learns:
        taps.tap_pyspark(session)
        json_taps.ask_workers(spec.work, spec.program, str(spec.seen), examples=spec.examples)
    _drive_at_waits(session)
    stand_in(spec.stand_ins, print)
    if not spec.side_effects:
        roots = [spec.work, spec.private]
        os.environ[ROOTS], os.environ[LOG] = os.pathsep.join(roots), str(spec.log)
        guard.watch(roots, session.refuse)


def _configure_spark(session: Session) -> None:
    from pyspark import SparkConf, SparkContext

    settings = {
        "spark.streaming.clock": "org.apache.spark.util.ManualClock",
        "spark.streaming.concurrentJobs": "1",
        "spark.streaming.backpressure.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.python.daemon.module": "migrate.verify.child.daemon",
        "spark.local.dir": os.environ["TMPDIR"],
    }

    def init(
        original: Callable[..., Any],
        self: Any,
        master: str | None = None,
        *args: Any,
        conf: Any = None,
        **kwargs: Any,
    ) -> None:
        # The workers run here as well, whatever Python the program names.
        os.environ["PYSPARK_PYTHON"] = sys.executable
        conf = conf if conf is not None else SparkConf()
        if session.spec.kafka is not None:
            use_connector(conf, session.spec.kafka)
        for key, value in settings.items():
            conf.set(key, value)
        wanted = master or conf.get("spark.master") or "local[2]"
        # The trial runs here, wherever the program runs in production.
        chosen = wanted if _LOCAL.fullmatch(wanted) else "local[2]"
        conf.setMaster(chosen)
        original(self, chosen, *args, conf=conf, **kwargs)

    def checkpoint(original: Callable[..., Any], self: Any, directory: str) -> None:
        original(self, session.checkpoint(directory))

    replace(SparkContext, "__init__", init)
    replace_for_programs(SparkContext, "setCheckpointDir", checkpoint)


def _start_with_connector(kafka: Kafka) -> None:
    """The connector for a JVM that starts before there is a context, as ``getOrCreate`` has it."""
    submit = _CONNECTOR.sub("", os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {','.join(kafka.jars)} {submit}"


def use_connector(conf: Any, kafka: Kafka) -> None:
    """The connector that fits, in place of what the program asks for; and no limits.

    A batch ends where the harness says.
    """
    submit = os.environ.get("PYSPARK_SUBMIT_ARGS")
    if submit is not None:
        os.environ["PYSPARK_SUBMIT_ARGS"] = _CONNECTOR.sub("", submit)
    for key, ours in (("spark.jars.packages", ()), ("spark.jars", kafka.jars)):
        others = [part for part in (conf.get(key, None) or "").split(",") if part and "kafka" not in part]
        if others or ours:
            conf.set(key, ",".join([*others, *ours]))
        elif conf.contains(key):
            conf.set(key, "")
    for limit in ("spark.streaming.kafka.maxRatePerPartition", "spark.streaming.receiver.maxRate"):
        conf.set(limit, "0")


def _drive_at_waits(session: Session) -> None:
    """Where the program's main thread sleeps, the batches happen."""

    def is_ours() -> bool:
        return threading.current_thread() is threading.main_thread() and session.engine is not None

    def sleep(original: Callable[[float], None], seconds: float) -> None:
        if is_ours():
            session.on_wait()
        else:
            original(seconds)

    def wait(original: Callable[..., bool], self: Any, timeout: float | None = None) -> bool:
        if is_ours():
            session.on_wait()
            timeout = _SHORT_WAIT
        return original(self, timeout)

    replace_for_programs(time, "sleep", sleep)
    replace_for_programs(threading.Event, "wait", wait)


def _run(spec: Spec, source: bytes) -> tuple[str, str]:
    """How the program ended, and the text of its error."""
    try:
        _execute(spec, source)
        atexit._run_exitfuncs()
    except SystemExit as error:
        if error.code in (None, 0):
            return "ended", ""
        return "crashed", f"{LEFT} {error.code}"
    except KeyboardInterrupt:
        return "ended", ""
    except Refused as error:
        return "refused", str(error)
    except Unsupported as error:
        return "unsupported", str(error)
    except TimeoutError as error:
        return "timeout", str(error)
    except BaseException:
        return "crashed", traceback.format_exc()
    return "ended", ""


def _execute(spec: Spec, source: bytes) -> None:
    main_module = types.ModuleType("__main__")
    top, package = _package_of(Path(spec.program), source)
    main_module.__dict__.update(__file__=spec.program, __builtins__=__builtins__, __package__=package)
    sys.modules["__main__"] = main_module
    sys.argv = [spec.program, *spec.arguments]
    sys.path.insert(0, str(top))
    exec(compile(source, spec.program, "exec", dont_inherit=True), main_module.__dict__)


def _package_of(program: Path, source: bytes) -> tuple[Path, str | None]:
    """Where imports begin, and the package that a program is a module of, if it imports relative to it.

    It is started with ``python -m package.program`` then.
    """
    directory = program.parent
    if not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(ast.parse(source))):
        return directory, None
    names = []
    while (directory / "__init__.py").is_file():
        names.append(directory.name)
        directory = directory.parent
    return (directory, ".".join(reversed(names))) if names else (program.parent, None)


if __name__ == "__main__":
    main()
