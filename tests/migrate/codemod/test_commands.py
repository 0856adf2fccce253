"""The codemod by LibCST's own means: its test case, and its command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesmith import from_node
from libcst.codemod import CodemodContext, CodemodTest

import migrate
from migrate.codemod.commands import DStreamsToCompat, DStreamsToDataFrames
from migrate.codemod.source import deep
from migrate.facts.file import NAME
from migrate.knowledge.spark_version import installed
from tests.migrate.programs import socket_program

WORDS = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName='Words')
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], 9999)
words = (
    lines.flatMap(lambda line: line.split(' '))  # at spaces
    .filter(lambda word: len(word) > 3)  # the long ones
)
words.pprint()
ssc.start()
ssc.awaitTermination()
"""
ON_DATA_FRAMES = """\
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName('Words').getOrCreate()
lines = (
    spark.readStream.format('socket')
    .options(host=sys.argv[1], port=9999, numPartitions=1)  # one partition keeps the lines in order
    .load()
)
words = (
    lines.select(F.explode(F.split('value', ' ')).alias('word'))  # at spaces
    .where(F.length('word') > 3)  # the long ones
)
query = (
    words.writeStream.format('console')
    .options(truncate=False, numRows=10)
    .trigger(processingTime='1 second')
    .start()
)
query.awaitTermination()
"""
ON_COMPAT = WORDS.replace("pyspark.streaming", "compat.streaming")
BLOCKS = WORDS.replace("words.pprint()", "words.glom().pprint()")
PLAIN = "import  os\nprint( os.name )\n"


class TestDStreamsToDataFrames(CodemodTest):
    TRANSFORM = DStreamsToDataFrames

    def test_a_program(self) -> None:
        self.assertCodemod(WORDS, ON_DATA_FRAMES)

    def test_twice(self) -> None:
        self.assertCodemod(ON_DATA_FRAMES, ON_DATA_FRAMES, expected_warnings=[])

    def test_no_streams(self) -> None:
        self.assertCodemod(PLAIN, PLAIN, expected_warnings=[])

    def test_what_is_not_native_goes_to_compat_and_the_reason_is_a_warning(self) -> None:
        context = CodemodContext()
        self.assertCodemod(
            BLOCKS, BLOCKS.replace("pyspark.streaming", "compat.streaming"), context_override=context
        )
        assert any(warning.startswith("compat: line 13: `glom`") for warning in context.warnings)

    def test_options(self) -> None:
        context = CodemodContext()
        command = DStreamsToDataFrames(context, pprint_exact=True)
        assert "def pprint(rdd, time, num=10):" in command.transform_module(cst.parse_module(WORDS)).code

    def test_windows_line_ends(self) -> None:
        module = cst.parse_module(WORDS.replace("\n", "\r\n"))
        new = DStreamsToDataFrames(CodemodContext()).transform_module(module).code
        assert new == ON_DATA_FRAMES.replace("\n", "\r\n")


class TestDStreamsToCompat(CodemodTest):
    TRANSFORM = DStreamsToCompat

    def test_a_program(self) -> None:
        self.assertCodemod(WORDS, ON_COMPAT)

    def test_no_streams(self) -> None:
        self.assertCodemod(PLAIN, PLAIN, expected_warnings=[])


@given(from_node())
@settings(suppress_health_check=list(HealthCheck))
def test_no_program_without_streams_changes(source: str) -> None:
    with deep():
        tree = cst.parse_module(source)
        for command in (DStreamsToDataFrames, DStreamsToCompat):
            assert command(CodemodContext()).transform_module(tree).code == source


def tool(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What LibCST's tool says and does in a directory."""
    root = Path(migrate.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "libcst.tool", "codemod", "-x", "--no-format", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_tool(tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text(WORDS)
    (tmp_path / "plain.py").write_text(PLAIN)
    done = tool(tmp_path, "migrate.codemod.commands.DStreamsToDataFrames", ".")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "words.py").read_text() == ON_DATA_FRAMES
    assert (tmp_path / "plain.py").read_text() == PLAIN
    assert "the socket source" in done.stderr, "notes are warnings"


def test_a_graph_over_several_files_is_left_as_it_is(tmp_path: Path) -> None:
    making = (
        "from pyspark.streaming import StreamingContext\n\n\n"
        "def context(sc):\n    return StreamingContext(sc, 1)\n"
    )
    using = (
        "from pyspark import SparkContext\nfrom making import context\n\nssc = context(SparkContext())\n"
        "ssc.socketTextStream('localhost', 1).pprint()\nssc.start()\n"
    )
    (tmp_path / "making.py").write_text(making)
    (tmp_path / "using.py").write_text(using)
    done = tool(tmp_path, "migrate.codemod.commands.DStreamsToCompat", ".")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "making.py").read_text() == making
    assert (tmp_path / "using.py").read_text() == using
    assert "its program spans several files (using.py)" in done.stderr
    assert "its program spans several files (making.py)" in done.stderr


@pytest.mark.parametrize("command", ["DStreamsToDataFrames", "DStreamsToCompat"])
def test_help(tmp_path: Path, command: str) -> None:
    done = tool(tmp_path, f"migrate.codemod.commands.{command}", "--help")
    assert done.returncode == 0, done.stderr
    assert ("--event-time COLUMN" in done.stdout) == (command == "DStreamsToDataFrames")


def test_what_is_only_checked_needs_no_libcst(tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text(WORDS)
    code = (
        "import sys; from migrate.cli import main\n"
        "try: main(['check', 'words.py'])\nexcept SystemExit as left: assert left.code == 1, left.code\n"
        "assert 'libcst' not in sys.modules"
    )
    root = Path(migrate.__file__).parents[1]
    subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, check=True
    )


@pytest.mark.skipif(
    not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
)
def test_facts_of_the_project_are_read(tmp_path: Path) -> None:
    """Those beside ``pyproject.toml``, for a program in a folder below."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / NAME).write_text('["jobs/job.py".words]\nrecords = 1\nelement = "str"\n')
    path = tmp_path / "jobs" / "job.py"
    path.parent.mkdir()
    body = (
        'import json\nwords = lines.map(lambda line: json.loads(line)["word"])\nwords.countByValue().pprint()'
    )
    path.write_text(socket_program(body))
    context = CodemodContext(filename=str(path))
    module = cst.parse_module(path.read_text())
    new = DStreamsToDataFrames(context).transform_module(module).code
    assert 'json_variant(F.col("value"), "words"), "$.word", "STRING"' in new
    new = (
        DStreamsToDataFrames(CodemodContext(filename=str(path)), no_learnt=True).transform_module(module).code
    )
    assert "json_value" not in new
