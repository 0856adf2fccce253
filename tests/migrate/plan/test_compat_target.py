"""The outcomes compat and manual: imports change, or a comment says why not; all else stays byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome, Status, Tier
from tests.migrate.programs import file, module, run

COMPAT = Options(target=Outcome.COMPAT)
BODY = "\nssc = {name}(sc, 1)\nssc.queueStream([]).pprint()  # a comment\nssc.start()\n"

NO_STREAMS = [
    pytest.param("", id="empty"),
    pytest.param("x = 1  \r\nif x:\r\n\ty = 2\r\n", id="CRLF and tabs"),
    pytest.param(
        "from pyspark.streaming import DStream\ndef f(s: DStream): pass\n", id="an annotation alone"
    ),
    pytest.param("import functools\nfunctools.reduce(f, xs)\n", id="functools"),
    pytest.param("# -*- coding: utf-8 -*-\ns = 'ä' ; t = 1", id="no newline at the end"),
]


@pytest.mark.parametrize("source", NO_STREAMS)
def test_files_without_streams_stay_as_they_are(source: str) -> None:
    result = file(source)
    assert (result.new, result.status) == (source, Status.UNTOUCHED)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (
            "from pyspark.streaming import StreamingContext",
            "from compat.streaming import StreamingContext",
            "StreamingContext",
        ),
        (
            "from pyspark.streaming import StreamingContext as SC",
            "from compat.streaming import StreamingContext as SC",
            "SC",
        ),
        ("import pyspark.streaming as st", "import compat.streaming as st", "st.StreamingContext"),
        ("from pyspark import streaming", "from compat import streaming", "streaming.StreamingContext"),
        (
            "from pyspark import SparkContext, streaming",
            "from pyspark import SparkContext\nfrom compat import streaming",
            "streaming.StreamingContext",
        ),
        (
            "from pyspark import streaming as s, SparkContext",
            "from pyspark import SparkContext\nfrom compat import streaming as s",
            "s.StreamingContext",
        ),
        (
            "from pyspark.streaming import (  # why\n    DStream,\n    StreamingContext\n)",
            "from compat.streaming import (  # why\n    DStream,\n    StreamingContext\n)",
            "StreamingContext",
        ),
        ("from pyspark.streaming import *", "from compat.streaming import *", "StreamingContext"),
        (
            "from pyspark.streaming.context import StreamingContext",
            "from compat.streaming.context import StreamingContext",
            "StreamingContext",
        ),
    ],
)
def test_every_import_of_pyspark_streaming_becomes_one_of_compat(old: str, new: str, name: str) -> None:
    body = BODY.format(name=name)
    result = file(old + body, COMPAT)
    assert (result.new, result.status) == (new + body, Status.COMPAT)


def test_dotted_uses_follow_their_import_and_other_uses_keep_theirs() -> None:
    source = (
        "import pyspark.streaming\nsc = pyspark.SparkContext()\n"
        "ssc = pyspark.streaming.StreamingContext(sc, 1)\nssc.start()\n"
    )
    assert file(source, COMPAT).new == (
        "import pyspark\nimport compat.streaming\nsc = pyspark.SparkContext()\n"
        "ssc = compat.streaming.StreamingContext(sc, 1)\nssc.start()\n"
    )


@pytest.mark.parametrize(
    ("imported", "name"), [("import pyspark", "pyspark"), ("import pyspark as ps", "ps")]
)
def test_what_pyspark_imports_by_itself_is_imported_of_compat(imported: str, name: str) -> None:
    source = (
        f"import os\n{imported}\nsc = {name}.SparkContext()\n"
        f"ssc = {name}.streaming.StreamingContext(sc, 1)\nssc.start()\n"
    )
    new = file(source, COMPAT).new
    assert new == (
        f"import os\nimport compat.streaming\n{imported}\nsc = {name}.SparkContext()\n"
        "ssc = compat.streaming.StreamingContext(sc, 1)\nssc.start()\n"
    )
    assert file(new, COMPAT).new == new


def test_an_import_inside_a_function_and_line_ends_are_kept() -> None:
    source = (
        "def main():\r\n\tfrom pyspark.streaming import StreamingContext\r\n"
        "\tssc = StreamingContext(sc, 1)\r\n\tssc.start()\r\n"
    )
    assert file(source, COMPAT).new == source.replace("pyspark", "compat")


def test_a_file_on_compat_that_stays_there_does_not_change() -> None:
    source = "from compat.streaming import StreamingContext" + BODY.format(name="StreamingContext")
    result = run(source)
    assert (result.files[0].new, result.graphs[0].outcome) == (source, Outcome.COMPAT)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            "from pyspark.streaming import StreamingContext\n"
            "from pyspark.streaming.zeromq import ZeroMQUtils\n"
            "ssc = StreamingContext(sc, 1)\nZeroMQUtils.createStream(ssc, 'h', 1).pprint()\n",
            "pyspark.streaming.zeromq",
        ),
        (
            "from notebook import *\nfrom pyspark.streaming import DStream\n"
            "ssc.socketTextStream('h', 1).pprint()\n",
            "never defined",
        ),
        (
            "from pyspark.streaming import *\nexec(code)\nssc.socketTextStream('h', 1).pprint()\n",
            "never defined",
        ),
        (
            (
                "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
                "ssc._jssc.stop()\n"
            ),
            "internal",
        ),
        (
            "from pyspark.streaming import StreamingContext\nimport pyspark_cassandra.streaming\n"
            "ssc = StreamingContext(sc, 1)\nssc.socketTextStream('h', 1).saveToCassandra('k', 't')\n",
            "`pyspark_cassandra.streaming` may add it to its classes: "
            "make a DataFrame of the table's columns in a function for `foreachBatch`, and write "
            "`rows.write.format(\"org.apache.spark.sql.cassandra\").options(keyspace='k', table='t')"
            '.mode("append").save()`',
        ),
        (
            "from pyspark.streaming import StreamingContext\nimport pyspark_cassandra.streaming\n"
            "ssc = StreamingContext(sc, 1)\n"
            "ssc.socketTextStream('h', 1).joinWithCassandraTable(table=NAME, keyspace='k').pprint()\n",
            "options(keyspace='k', table=NAME).load()` in a function for `foreachBatch`",
        ),
        (
            (
                "from pyspark.streaming import StreamingContext\nimport lib\n"
                "ssc = StreamingContext(sc, 1)\nlib.run(ssc)\n"
            ),
            "its code was not read",
        ),
        (
            (
                "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
                "made = getattr(pipelines, name)(ssc)\n"
            ),
            "`getattr(pipelines, name)` receives a context or a stream, and its code was not read",
        ),
    ],
)
def test_what_compat_cannot_run_is_left_under_a_comment_that_says_why(source: str, why: str) -> None:
    result = run(source)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.MANUAL
    assert why in " ".join(graph.reasons)
    lines = [line for line in result.files[0].new.splitlines(keepends=True) if "dstream-migrate:" not in line]
    assert "".join(lines) == source
    assert len(lines) + 1 == len(result.files[0].new.splitlines())
    assert {site.tier for site in result.sites} == {Tier.MANUAL}


@pytest.mark.parametrize(
    ("used", "why"),
    [
        ("pprint.pprint(lines)", "not followed"),
        ("data = json.loads(lines)", "the program fails there as it is"),
        ("charts.draw(lines.count())", "not followed"),
    ],
)
def test_packages_that_know_no_spark_take_a_stream_for_any_object(used: str, why: str) -> None:
    source = (
        "import json\nimport pprint\nimport charts\nfrom pyspark.streaming import StreamingContext\n"
        "ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream('h', 1)\nlines.pprint()\n"
        f"{used}\nssc.start()\n"
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in " ".join(graph.reasons)
    (graph,) = run(
        source.replace(used, "sparkcharts.draw(lines)").replace("import charts", "import sparkcharts")
    ).graphs
    assert graph.outcome is Outcome.MANUAL


def test_what_is_chosen_at_run_time_moves_over_with_all_that_the_project_has_under_its_name() -> None:
    pipeline = (
        "class Pipeline:\n"
        "    def __init__(self, ssc, topic):\n"
        "        from pyspark.streaming.kafka import KafkaUtils\n"
        "        self._stream = KafkaUtils.createStream(ssc, 'h:1', 'g', {topic: 1})\n"
        "    @property\n"
        "    def stream(self):\n"
        "        return self._stream.map(lambda x: x[1])\n"
    )
    modules = [
        module(
            "import pipelines\nfrom pyspark.streaming import StreamingContext\n"
            "ssc = StreamingContext(sc, 1)\n"
            "pipeline = getattr(pipelines, kind).Pipeline(ssc, 'pages')\n"
            "pipeline.stream.pprint()\nssc.start()\n"
        ),
        module("", "pipelines/__init__.py"),
        module(pipeline, "pipelines/dns.py"),
        module(pipeline.replace("x[1]", "x[0]"), "pipelines/flow.py"),
    ]
    result = migrate(modules, Options())
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.files == ("job.py", "pipelines/dns.py", "pipelines/flow.py")
    assert "`getattr(pipelines, kind).Pipeline` is chosen when the program runs" in " ".join(graph.reasons)
    assert {file.path: file.new.count("compat.streaming") for file in result.files if file.changed} == {
        "job.py": 1,
        "pipelines/dns.py": 1,
        "pipelines/flow.py": 1,
    }
    assert [site.operator for site in result.sites].count("map") == 2


def test_a_function_that_hides_its_module_takes_the_caller_to_compat_with_it() -> None:
    modules = [
        module("from lib import make\nssc = make(sc)\nssc.socketTextStream('h', 1).glom().pprint()\n"),
        module("from .make import make\n", "lib/__init__.py"),
        module(
            "from pyspark.streaming import StreamingContext as S\ndef make(sc):\n    return S(sc, 1)\n",
            "lib/make.py",
        ),
    ]
    (graph,) = migrate(modules, Options()).graphs
    assert (graph.outcome, graph.files) == (Outcome.COMPAT, ("job.py", "lib/make.py"))


def test_a_module_that_its_package_imports_is_still_the_module() -> None:
    modules = [
        module("from lib import make\nssc = make.it(sc)\nssc.socketTextStream('h', 1).glom().pprint()\n"),
        module("from . import make\n", "lib/__init__.py"),
        module(
            "from pyspark.streaming import StreamingContext as S\ndef it(sc):\n    return S(sc, 1)\n",
            "lib/make.py",
        ),
    ]
    (graph,) = migrate(modules, Options()).graphs
    assert (graph.outcome, graph.files) == (Outcome.COMPAT, ("job.py", "lib/make.py"))


def test_the_spark_context_by_its_internal_name_is_there_on_compat() -> None:
    result = run(
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc._sc.broadcast(1)\nssc.socketTextStream('h', 1).pprint()\nssc.start()\n"
    )
    assert result.graphs[0].outcome is Outcome.COMPAT


def test_a_member_that_nothing_can_add_fails_on_compat_as_it_does_on_pyspark() -> None:
    source = (
        "from kafka import KafkaProducer\nfrom pyspark.streaming import StreamingContext\n"
        "ssc = StreamingContext(sc, 1)\nssc.socketTextStream('h', 1).select('a').pprint()\nssc.start()\n"
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "`select`: it is no member of pyspark.streaming" in graph.reasons[0]


@pytest.mark.parametrize("comment", ["# dstream-migrate: ignore", "# dstream-migrate: ignore[pprint]"])
def test_an_ignored_call_leaves_its_whole_graph_as_it_was(comment: str) -> None:
    source = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
    source += f"ssc.socketTextStream('h', 1).pprint()  {comment}\nssc.start()\n"
    result = run(source)
    assert result.files[0].new == source
    assert {site.tier for site in result.sites} == {Tier.IGNORED}


def test_an_ignore_comment_for_another_rule_changes_nothing() -> None:
    source = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
    source += "ssc.queueStream([]).pprint()  # dstream-migrate: ignore[map]\nssc.start()\n"
    assert run(source).graphs[0].outcome is Outcome.COMPAT


def test_a_module_called_compat_of_their_own_refuses_compat(tmp_path: Path) -> None:
    (tmp_path / "compat.py").touch()
    source = (
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc.queueStream([]).pprint()\nssc.start()\n"
    )
    result = migrate([module(source, "job.py", tmp_path / "job.py")], Options())
    assert result.graphs[0].outcome is Outcome.MANUAL
    assert "compat.py" in result.graphs[0].reasons[0]


def test_a_package_s_own_compat_is_found_by_its_scripts_only(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "compat.py").touch()
    source = (
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc.queueStream([]).pprint()\nssc.start()\n"
    )
    for code, outcome in [
        (source, Outcome.COMPAT),
        (f"if __name__ == '__main__':\n    pass\n{source}", Outcome.MANUAL),
    ]:
        result = migrate([module(code, "job.py", tmp_path / "job.py")], Options())
        assert result.graphs[0].outcome is outcome


def test_sites_are_where_the_member_is_named_in_code_points() -> None:
    source = (
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ä = ssc.queueStream([1])\nä.map(str)\\\n   .pprint()\nssc.start()\n"
    )
    places = {(site.operator, site.line, site.column) for site in run(source).sites}
    assert places == {
        ("StreamingContext", 2, 7),
        ("queueStream", 3, 9),
        ("map", 4, 3),
        ("pprint", 5, 5),
        ("start", 6, 5),
    }


def test_compat_has_every_member() -> None:
    from compat.streaming import DStream, StreamingContext
    from migrate.knowledge.streaming import CONTEXT, STREAM

    for name in CONTEXT:
        assert hasattr(StreamingContext, name)
    for name in STREAM:
        assert hasattr(DStream, name)


ELSEWHERE = [
    pytest.param(
        "from pyspark.streaming.kafka import KafkaUtils\n\ndef read(ssc):\n"
        "    return KafkaUtils.createDirectStream(ssc, ['t'], {})\n",
        "from compat.streaming.kafka import KafkaUtils",
        "gets its value outside",
        id="a context of who calls a helper",
    ),
    pytest.param(
        "from pyspark.streaming import StreamingContext\nimport sources\n\nssc = StreamingContext(sc, 1)\n"
        "sources.add(ssc)\nssc.queueStream([]).pprint()\nssc.start()\n",
        "from compat.streaming import StreamingContext",
        "its code was not read",
        id="a context that is handed on",
    ),
]


@pytest.mark.parametrize("target", [Outcome.COMPAT, Outcome.NATIVE])
@pytest.mark.parametrize(("source", "imported", "why"), ELSEWHERE)
def test_code_that_was_not_read_may_be_taken_for_one_of_compat(
    source: str, imported: str, why: str, target: Outcome
) -> None:
    (left,) = run(source, Options(target=target)).graphs
    assert (left.outcome, left.reasons) == (Outcome.MANUAL, left.reasons) and why in left.reasons[0]
    result = run(source, Options(target=target, assume_compat=True))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in graph.reasons[0]
    assert any(note.startswith("--assume-compat") for note in graph.notes)
    assert imported in result.files[0].new
    assert not any(site.safe for site in result.sites)


def test_what_compat_does_not_have_is_left_for_a_person_all_the_same() -> None:
    source = "def save(stream, ssc):\n    ssc.socketTextStream('h', 1)._jdstream.print()\n"
    (graph,) = run(source, Options(assume_compat=True)).graphs
    assert graph.outcome is Outcome.MANUAL
    assert "an internal of pyspark.streaming" in "; ".join(graph.reasons)


def test_a_context_that_no_code_defines_fails_as_it_did() -> None:
    source = (
        "from pyspark.streaming import StreamingContext\nfrom pyspark.sql.functions import *\n"
        "# ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream('h', 1)\nlines.pprint()\nssc.start()\n"
    )
    result = run(source)
    (graph,) = result.graphs
    assert (graph.outcome, result.files[0].new) == (
        Outcome.COMPAT,
        source.replace("pyspark.str", "compat.str"),
    )
    assert graph.reasons == (
        "`ssc` is never defined in the files that were read: the program fails there as it is",
    )
    assert graph.must_change[0].startswith("define `ssc` as a `StreamingContext` of `compat.streaming`")


UNIMPORTED = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n{}\n"
    "ssc = StreamingContext(SparkContext(), 1)\nlines = KafkaUtils.createDirectStream(ssc, ['t'], {{}})\n"
    "lines.pprint()\nssc.start()\n"
)


def test_what_gets_a_context_and_is_never_imported_fails_as_it_did() -> None:
    (graph,) = run(UNIMPORTED.format("")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons == (
        "`KafkaUtils` is never defined in the files that were read: the program fails there as it is",
    )
    assert graph.must_change == ("define or import `KafkaUtils`, which no file that was read does",)


@pytest.mark.parametrize("head", ["from streams import *", "exec(open('setup.py').read())"])
def test_a_name_that_other_code_may_define_is_code_that_was_not_read(head: str) -> None:
    (graph,) = run(UNIMPORTED.format(head)).graphs
    assert graph.outcome is Outcome.MANUAL
    assert "its code was not read" in graph.reasons[0]


def test_a_function_of_streams_without_imports_runs_on_what_it_is_given() -> None:
    source = "def read(ssc):\n    return ssc.socketTextStream('h', 1).map(str.strip)\n"
    result = run(source)
    (graph,) = result.graphs
    assert (graph.outcome, result.files[0].new) == (Outcome.COMPAT, source)
    assert graph.reasons == (
        "the StreamingContext is unknown: `ssc` gets its value outside the files that were read; "
        "nothing imports `pyspark.streaming` here, so it runs on what it is given",
    )


@pytest.mark.parametrize(
    "call",
    [
        "threading.Thread(target=wait, args=(ssc,)).start()",
        "atexit.register(wait, ssc)",
        "functools.partial(wait, ssc)()",
        "with unittest.mock.patch.object(ssc, 'stop'): ssc.start()",
    ],
)
def test_the_standard_library_takes_a_context_for_any_object(call: str) -> None:
    source = (
        "import atexit, functools, threading, unittest.mock\n"
        "from pyspark.streaming import StreamingContext\ndef wait(context):\n    context.awaitTermination()\n"
        f"ssc = StreamingContext(sc, 1)\nssc.socketTextStream('h', 1).pprint()\n{call}\n"
    )
    (graph,) = run(source).graphs
    assert (graph.outcome, graph.reasons) == (Outcome.COMPAT, graph.reasons)
