"""Imports: the new text compiles, each is where it can run, and the others stay as they were."""

from __future__ import annotations

import ast

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import beside, comments, native, plain
from tests.migrate.programs import compiled, run, socket_program

TIMED = """\
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("h", 1).{output}
ssc.start()
"""
OUTPUTS = [
    pytest.param("foreachRDD(lambda t, rdd: print(t, rdd.count()))", id="datetime"),
    pytest.param("map(clean).pprint()", id="datetime and a helper"),
    pytest.param("map(int).pprint()", id="functions and a helper"),
    pytest.param("pprint()", id="session"),
]
TOPS = [
    "from __future__ import print_function\n",
    "from __future__ import annotations, division\n",
    '"""Docs."""\nfrom __future__ import annotations\n',
    '"""Docs."""; from __future__ import annotations\n',
    "# -*- coding: utf-8 -*-\n# about it\n\nfrom __future__ import annotations\n",
    "from __future__ import (\n    annotations,\n    division,\n)\n",
    "from __future__ import annotations; from __future__ import division\n",
    "from __future__ import annotations\nfrom __future__ import division\n",
    "from __future__ import annotations; print('first')\n",
]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("top", TOPS)
def test_nothing_comes_above_an_import_from_the_future(top: str, output: str) -> None:
    inside = "    from pyspark.streaming import StreamingContext\n"
    body = TIMED.format(output=output)
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    for source in (
        f"{top}def main(sc):\n{inside}{indented}",
        f"{top}{inside.strip()}\n{body}",
        f"{top}import pyspark.streaming as s\n{body.replace('Streaming', 's.Streaming')}",
    ):
        new = native(source)
        first = next(statement for statement in ast.parse(new).body if not isinstance(statement, ast.Expr))
        assert isinstance(first, ast.ImportFrom)
        assert first.module == "__future__"
        head = top[: top.index("from __future__")]
        assert new.startswith(head)


def test_the_only_import_is_from_the_future() -> None:
    source = (
        '"""Docs."""\nfrom __future__ import print_function\n\n\ndef main(sc):\n'
        "    from pyspark.streaming import StreamingContext\n    ssc = StreamingContext(sc, 1)\n"
        "    ssc.socketTextStream('h', 1).foreachRDD(lambda t, rdd: print(t, rdd.count()))\n    ssc.start()\n"
        "    ssc.awaitTermination()\n"
    )
    assert native(source).startswith(
        '"""Docs."""\nfrom __future__ import print_function\n\nfrom datetime import datetime\n'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import os; from pyspark import SparkContext; import sys\n",
            "import os; import sys\n",
        ),
        ("from pyspark import SparkContext; import sys\n", "import sys\n"),
        ("import os; from pyspark import SparkContext\n", "import os\n"),
    ],
)
def test_an_import_that_goes_from_a_line_of_several_leaves_the_others(before: str, after: str) -> None:
    graph = f"sc = SparkContext()\n{TIMED.format(output='pprint()')}"
    source = f"{before}from pyspark.streaming import StreamingContext\n{graph}print(os, sys)\n"
    new = native(source)
    assert after in new
    assert "pass" not in new


def test_an_import_that_changes_on_a_line_of_several_stays_on_it() -> None:
    source = "import os; from pyspark.streaming import StreamingContext; import sys\n" + TIMED
    new = native(source.format(output="pprint()") + "print(os, sys)\n")
    assert plain(new).startswith("import os\n")
    assert {"os", "sys"} <= {
        alias.name for node in ast.parse(new).body if isinstance(node, ast.Import) for alias in node.names
    }


# --- compat -------------------------------------------------------------------------------------------------

WINDOWED = """
ssc = {module}StreamingContext(SparkContext("local[2]"), 1)
ssc.socketTextStream("h", 1).glom().pprint()
ssc.start()
"""


def compat(source: str) -> str:
    """The new text of a program that can only go to compat."""
    result = run(source)
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT], result.graphs[0].reasons
    new = result.files[0].new
    compiled(new)
    return new


FROM = [
    pytest.param(
        "try: from pyspark import SparkContext, streaming\nexcept ImportError: raise\n",
        "try:\n    from pyspark import SparkContext\n    from compat import streaming\n"
        "except ImportError:\n    raise\n",
        id="try",
    ),
    pytest.param(
        "try: import nothing\nexcept ImportError: from pyspark import streaming, SparkContext\n",
        "try:\n    import nothing\nexcept ImportError:\n    from pyspark import SparkContext\n"
        "    from compat import streaming\n",
        id="except",
    ),
    pytest.param(
        "if version > 2: from pyspark import SparkContext, streaming\n",
        "if version > 2:\n    from pyspark import SparkContext\n    from compat import streaming\n",
        id="if",
    ),
    pytest.param(
        "if version > 2: pass\nelse: from pyspark import SparkContext, streaming\n",
        "if version > 2:\n    pass\nelse:\n    from pyspark import SparkContext\n"
        "    from compat import streaming\n",
        id="else",
    ),
    pytest.param(
        "x = 1; from pyspark import SparkContext, streaming; y = 2\n",
        "x = 1\nfrom pyspark import SparkContext\nfrom compat import streaming\ny = 2\n",
        id="a line of several",
    ),
    pytest.param(
        "try: x = 1; from pyspark import SparkContext, streaming; y = 2\nfinally: z = 3\n",
        "try:\n    x = 1\n    from pyspark import SparkContext\n    from compat import streaming\n    y = 2\n"
        "finally:\n    z = 3\n",
        id="a line of several in a block",
    ),
    pytest.param(
        "from pyspark import SparkContext, \\\n    streaming\n",
        "from pyspark import SparkContext\nfrom compat import streaming\n",
        id="continued",
    ),
    pytest.param(
        "from pyspark import (streaming, SparkContext,)\n",
        "from pyspark import SparkContext\nfrom compat import streaming\n",
        id="brackets",
    ),
    pytest.param(
        "from pyspark import streaming; from pyspark import SparkContext\n",
        "from compat import streaming\nfrom pyspark import SparkContext\n",
        id="alone",
    ),
]


@pytest.mark.parametrize(("before", "after"), FROM)
def test_streaming_among_other_names_of_pyspark(before: str, after: str) -> None:
    body = WINDOWED.format(module="streaming.")
    assert plain(compat(before + body)) == plain(after + body)


def test_streaming_among_other_names_in_a_function_on_one_line() -> None:
    load = "def load(): {}; return streaming\n"
    body = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    body += WINDOWED.format(module="") + "print(load())\n"
    before = load.format("from pyspark import SparkConf, streaming") + body
    after = load.format("from pyspark import SparkConf; from compat import streaming") + body
    assert plain(compat(before)) == plain(after.replace("pyspark.streaming", "compat.streaming"))


DOTTED = [
    pytest.param(
        "if version > 2: import pyspark\nelse: import pyspark, os\n",
        {"pyspark", "compat.streaming"},
        id="pyspark in else",
    ),
    pytest.param(
        "try: import numpy\nexcept ImportError: import pyspark\nimport pyspark\n",
        {"pyspark", "compat.streaming", "numpy"},
        id="pyspark in except",
    ),
    pytest.param(
        "x = 1; import pyspark\n", {"pyspark", "compat.streaming"}, id="pyspark in a line of several"
    ),
    pytest.param(
        "if version > 2: import os\nelse: import pyspark.streaming\nimport pyspark.streaming\n",
        {"compat.streaming", "os", "pyspark"},
        id="pyspark.streaming in else",
    ),
    pytest.param("import pyspark \\\n    .streaming\n", {"compat.streaming", "pyspark"}, id="continued"),
    pytest.param("import pyspark . streaming\n", {"compat.streaming", "pyspark"}, id="with white space"),
]


@pytest.mark.parametrize(("before", "names"), DOTTED)
def test_streaming_by_its_full_name(before: str, names: set[str]) -> None:
    body = WINDOWED.format(module="pyspark.streaming.") + "print(pyspark.__version__)\n"
    new = compat(f"{before}from pyspark import SparkContext\n{body}")
    tree = ast.walk(ast.parse(new))
    found = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
    assert names <= found
    assert "compat.streaming.StreamingContext(" in new
    assert "print(pyspark.__version__)" in new


BRACKETS = [
    "from pyspark import (\n    SparkContext,  # the context\n    streaming,  # the streams\n)\n",
    "from pyspark import (\n    SparkContext,  # the context\n    streaming  # the streams\n)\n",
    "from pyspark import (\n    streaming,  # the streams\n    SparkContext,  # the context\n)\n",
    "from pyspark import (\n    # the streams\n    streaming,\n    # the context\n    SparkContext,\n)\n",
    "from pyspark import (\n    # the context\n    SparkContext,\n    # the streams\n    streaming,\n)\n",
    "from pyspark import (  # the context\n    SparkContext,\n    streaming,  # the streams\n)\n",
]


@pytest.mark.parametrize("imported", BRACKETS)
def test_each_name_in_brackets_keeps_its_own_comment(imported: str) -> None:
    new = compat(imported + WINDOWED.format(module="streaming."))
    assert {"# the context", "# the streams"} == {token.string for token in comments(new)}
    assert "streaming" not in beside(new, "# the context")
    assert beside(new, "# the streams") == "from compat import streaming"


def test_names_in_brackets_stay_in_their_lines() -> None:
    imported = (
        "from pyspark import (\n    SparkConf,  # settings\n\n    streaming,  # the streams\n"
        "    SparkContext,  # the context\n)  # all\n"
    )
    new = compat(imported + WINDOWED.format(module="streaming."))
    assert "(\n    SparkConf,  # settings\n" in new
    assert "    SparkContext,  # the context\n)  # all\n" in new
    assert "streaming" in beside(new, "# the streams")


@pytest.mark.parametrize(
    ("imported", "left"),
    [
        ("(SparkConf, SparkContext, Row, SparkFiles)", "(Row, SparkFiles)"),
        ("( SparkContext, Row, SparkFiles )", "( Row, SparkFiles )"),
        ("(SparkConf, Row, SparkContext,)", "Row"),
    ],
)
def test_names_in_brackets_on_one_line_have_the_blanks_that_were_there(imported: str, left: str) -> None:
    body = f"print(Row{', SparkFiles' if 'SparkFiles' in left else ''})\nlines.pprint()"
    new = native(f"from pyspark import {imported}\n" + socket_program(body))
    assert f"from pyspark import {left}\n" in new


def test_the_comments_around_a_changed_import_stay() -> None:
    imported = "# above\nfrom pyspark import SparkContext, streaming  # behind\n# below\nimport os\n"
    new = compat(imported + WINDOWED.format(module="streaming."))
    assert beside(new, "# above") == "from pyspark import SparkContext"
    assert beside(new, "# behind").startswith("from ")
    assert beside(new, "# below") == "import os"


def test_an_import_under_a_condition_of_types_stays_under_it() -> None:
    source = (
        "from typing import TYPE_CHECKING\nfrom pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext\n"
        "if TYPE_CHECKING: from pyspark.streaming import DStream; from pyspark import RDD, streaming\n"
        + WINDOWED.format(module="")
    )
    after = source.replace("pyspark.streaming import", "compat.streaming import").replace(
        "import RDD, streaming", "import RDD; from compat import streaming"
    )
    assert plain(compat(source)) == plain(after)


def test_the_session_has_the_comment_of_the_context_that_it_was() -> None:
    source = (
        "from pyspark import SparkContext  # the way in\n"
        "from pyspark.streaming import StreamingContext  # batches\n"
        "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
        "ssc.socketTextStream('h', 1).pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    assert native(source).startswith("from pyspark.sql import SparkSession  # the way in\nspark = ")
