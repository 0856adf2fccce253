"""Functions that made the context are called after what they return now."""

from __future__ import annotations

import pytest

from migrate.plan.names.builder_names import builder_name
from tests.migrate.codemod.written import native_result, new_text

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def {name}(host):
    sc = SparkContext(appName="Lines")
    ssc = StreamingContext(sc, 5)
    lines = ssc.socketTextStream(host, 9999)
    lines.pprint()
    return ssc


ssc = {name}("localhost")
ssc.start()
ssc.awaitTermination()
{end}"""
RECOVERED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

# functionToCreateContext makes it
def functionToCreateContext():
    ssc = StreamingContext(SparkContext("local[2]", "Boats"), 5)
    ssc.checkpoint("boats")
    return ssc

ssc = StreamingContext.getOrCreate("boats", functionToCreateContext)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("name", ["main", "contextual", "make_contexts", "process", "assctx"])
def test_other_names_stay(name: str) -> None:
    assert builder_name(name, "session") == name
    assert f"def {name}(host):" in new_text(native_result(PROGRAM.format(name=name, end="")))


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("createContext", "createWriter"),
        ("create_ssc", "create_writer"),
        ("getSparkStreamingContext", "getWriter"),
        ("setup_streaming_context", "setup_writer"),
    ],
)
def test_what_returns_a_writer_says_so(name: str, new: str) -> None:
    result = native_result(PROGRAM.format(name=name, end=""))
    assert f"def {new}(host):" in new_text(result) and f'writer = {new}("localhost")' in new_text(result)
    assert any(f"`{name}` is `{new}`" in note for note in result.graphs[0].notes)


def test_what_returns_the_session_says_so_and_comments_name_it() -> None:
    new = new_text(native_result(RECOVERED))
    assert "# functionToCreateSession makes it\ndef functionToCreateSession():" in new
    assert "spark = functionToCreateSession()\n" in new


@pytest.mark.parametrize("end", ["createWriter = 3\n", "print(globals()['createContext'])\n"])
def test_a_name_that_is_taken_or_a_text_stays(end: str) -> None:
    new = new_text(native_result(PROGRAM.format(name="createContext", end=end)))
    assert "def createContext(host):" in new


OF_CLASS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class App:
    {decorator}def create_context({own}seconds):
        ssc = StreamingContext(SparkContext(appName="Lines"), seconds)
        return ssc

    def run(self):
        ssc = {read}(5)
        ssc.socketTextStream("localhost", 9999).pprint()
        ssc.start()
        ssc.awaitTermination()


App().run()
{end}"""


@pytest.mark.parametrize(
    ("decorator", "own", "owner"), [("", "self, ", "self"), ("@staticmethod\n    ", "", "App")]
)
def test_a_method_is_renamed_where_it_is_read(decorator: str, own: str, owner: str) -> None:
    read = f"{owner}.create_context"
    program = OF_CLASS.format(decorator=decorator, own=own, read=read, end="")
    new = new_text(native_result(program))
    assert "def create_session(" in new and f"spark = {owner}.create_session(" in new
    assert "create_context" not in new
    named = new_text(native_result(program + "print('create_context')\n"))
    assert "def create_context(" in named and f"spark = {read}(" in named
