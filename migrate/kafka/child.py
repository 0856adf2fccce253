"""Work for Spark in a process of its own: with the connector, and without a word on the user's terminal."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from migrate.errors import EnvironmentProblemError
from migrate.kafka.jars import jars

_START = "import sys; from migrate.kafka.child import work; work(*sys.argv[1:])"
_TIMEOUT = 600.0


class RefusedError(Exception):
    """What a child says to the user instead of an answer; raised in the child, and again here."""


def ask(module: str, request: dict[str, Any], more_jars: tuple[str, ...] = ()) -> str:
    """What ``answer(spark, request)`` of a module returns, in a process that has Spark.

    Args:
        module: its name.
        request: what JSON can hold.
        more_jars: for Spark, beside those of the connector.

    Raises:
        RefusedError: what it raises.
        EnvironmentProblemError: it came to no answer.
    """
    with tempfile.TemporaryDirectory(prefix="dstream-kafka-") as work_directory:
        asked, answered = Path(work_directory, "request.json"), Path(work_directory, "answer.json")
        with_jars = {"request": request, "jars": ",".join([jars().submit, *more_jars])}
        asked.write_text(json.dumps(with_jars), encoding="utf-8")
        command = [sys.executable, "-c", _START, module, str(asked), str(answered)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
        except subprocess.TimeoutExpired as error:
            raise EnvironmentProblemError(f"Spark came to no answer within {_TIMEOUT:g} s") from error
        if not answered.exists():
            said = "\n".join(done.stderr.splitlines()[-3:])
            raise EnvironmentProblemError(f"Spark came to no answer:\n{said}")
        answer = json.loads(answered.read_text(encoding="utf-8"))
        if "refused" in answer:
            raise RefusedError(answer["refused"])
        return str(answer["answer"])


def work(module: str, asked: str, answered: str) -> None:
    """The child: write to the file `answered` what the module's function answers, or refuses."""
    from pyspark.sql import SparkSession

    given = json.loads(Path(asked).read_text(encoding="utf-8"))
    builder = SparkSession.builder.master("local[1]").config("spark.jars", given["jars"])
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    try:
        answer = {"answer": importlib.import_module(module).answer(spark, given["request"])}
    except RefusedError as error:
        answer = {"refused": str(error)}
    Path(answered).write_text(json.dumps(answer), encoding="utf-8")
    spark.stop()
