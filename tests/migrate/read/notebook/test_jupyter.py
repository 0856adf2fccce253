from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import FileResult, Module, Options, Outcome, Result, Status
from migrate.read.notebook import jupyter
from migrate.read.notebook.cells import NewCell
from migrate.read.parse import parse, parse_bytes
from migrate.read.scan import SourceFile
from tests.migrate.read.notebook.notebooks import CELLS, codes, module, notebook, run


@pytest.mark.parametrize("one_text", [False, True])
def test_only_the_sources_of_changed_cells_change(one_text: bool) -> None:
    old = notebook(CELLS, one_text=one_text)
    result = run(old)
    assert result.graphs[0].outcome is Outcome.NATIVE
    new = result.files[0].new
    assert codes(new) == [
        "%pip install kafka-python\nfrom pyspark.sql import SparkSession",
        "spark = SparkSession.builder.getOrCreate()\n"
        "lines = spark.readStream.format('socket').options(host='localhost', port=9999).load()\n"
        "files = !ls\n",
        "def process_batch(batch, batch_id):\n"
        "    counts = batch.groupBy('value').count()\n"
        "    counts.show(10, truncate=False)",
        "%%bash\nls",
        "# now\n!date\n"
        "query = lines.writeStream.trigger(processingTime='1 second')"
        ".foreachBatch(process_batch).start()",
    ]
    blank = [dict(cell, source=None) for cell in json.loads(old)["cells"]]
    for cell in (blank[1], blank[2], blank[4], blank[6]):
        cell |= {"outputs": [], "execution_count": None}
    del blank[3]  # nothing is left of it
    assert [dict(cell, source=None) for cell in json.loads(new)["cells"]] == blank
    assert json.dumps(json.loads(new), indent=1, ensure_ascii=False) + "\n" == new, "as Jupyter writes it"


NOTE = (
    "a.ipynb: what {} showed below {} code is left out, as other code stands there now; run it to see its own"
)


@pytest.mark.parametrize("write", [True, False], ids=["rewrite", "check"])
@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
def test_outputs_of_other_code_go_and_a_note_counts_them(target: Outcome, write: bool) -> None:
    result = migrate([module(notebook(CELLS))], Options(target=target), write=write)
    told = {Outcome.NATIVE: ("5 cells", "their"), Outcome.COMPAT: ("a cell", "its")}[target]
    assert [note for note in result.graphs[0].notes if "showed" in note] == [NOTE.format(*told)]


def test_nothing_is_said_of_outputs_where_no_cell_had_any() -> None:
    (graph,) = run(notebook(CELLS, shown=False)).graphs
    assert not any("showed" in note for note in graph.notes)


def test_outputs_stay_where_only_a_comment_changes() -> None:
    cells = [*CELLS[:2], "# Print each RDD of the DStream\nlongest = 3", *CELLS[2:]]
    old, new = notebook(cells), run(notebook(cells)).files[0].new
    assert codes(new)[2] == "# Print each batch\nlongest = 3"
    assert json.loads(new)["cells"][3]["outputs"] == json.loads(old)["cells"][3]["outputs"]
    assert json.loads(new)["cells"][3]["execution_count"] == 3


def test_a_cell_of_comments_alone_gets_other_words() -> None:
    cells = [*CELLS[:2], "# Print each RDD of the DStream", *CELLS[2:], "# ssc.stop()\n"]
    (graph,), (file,) = (result := run(notebook(cells))).graphs, result.files
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert codes(file.new)[2] == "# Print each batch"


@pytest.mark.parametrize(
    "cells",
    [[*CELLS, "print repr(x)"], [CELLS[0], "def f(ssc):\n    ssc.socketTextStream('h', 1).pprint()"]],
    ids=["Python 2", "Python 3"],
)
def test_outputs_stay_beside_a_mark_for_a_person(cells: list[str]) -> None:
    old = notebook(cells)
    (graph,), (file,) = (result := run(old)).graphs, result.files
    assert (graph.outcome, file.status) == (Outcome.MANUAL, Status.MANUAL)
    assert "# dstream-migrate: manual" in file.new
    assert file.new.count("\u2028") == len(cells)
    assert not any("showed" in note for note in graph.notes)


def test_a_change_of_imports_changes_one_line_of_the_file() -> None:
    old = notebook(CELLS, shown=False)
    new = run(old, Options(target=Outcome.COMPAT)).files[0].new
    changed = [(a, b) for a, b in zip(old.splitlines(), new.splitlines(), strict=True) if a != b]
    assert changed == [
        (
            '    "from pyspark.streaming import StreamingContext"',
            '    "from compat.streaming import StreamingContext"',
        )
    ]


def test_sites_are_in_cells() -> None:
    result = run(notebook(CELLS))
    assert {site.operator: (site.cell, site.line, site.column) for site in result.sites} == {
        "StreamingContext": (3, 1, 7),
        "socketTextStream": (3, 2, 13),
        "map": (4, 1, 16),
        "reduceByKey": (4, 1, 38),
        "pprint": (5, 1, 8),
        "start": (7, 3, 5),
    }


def test_reasons_name_the_cell() -> None:
    (graph,) = run(notebook([*CELLS[:3], "counts.glom().pprint()", "ssc.start()"])).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons[0].startswith("cell 5, line 1: `glom`")
    (graph,) = run(notebook([*CELLS[:3], "x = 1\nxs = [counts]", "counts.pprint()", "ssc.start()"])).graphs
    assert graph.reasons[0].startswith("cell 5, line 2: `counts` is handed on in a way that is not followed")


@pytest.mark.parametrize(
    "line",
    [
        "%time counts.count().pprint()",
        "%timeit -n 3 f(counts)",
        "%store counts",
        "!echo {counts}",
        "counts?",
        "?counts",
        "%whos \\\n  counts",
    ],
)
def test_a_stream_in_a_line_that_is_not_python_is_not_taken_away(line: str) -> None:
    result = run(notebook([*CELLS[:3], line, "counts.pprint()", "ssc.start()"]))
    assert result.graphs[0].outcome is not Outcome.NATIVE
    assert codes(result.files[0].new)[3] == line


@pytest.mark.parametrize(
    "cell",
    [
        "%matplotlib inline\nx = '''\n%s\n!no\n''' % 3\n",
        "x = (1\n% 3)\ny = \\\n 4\n",
        "%%time\nx = 1",
        "%%capture out\nx = 1",
        "%%html\n<b>'''</b>",
        "x = %sql select 1\n",
        "a, b = !ls -l \\\n   *.py\nx = 1\n",
        "if x:\n    !ls\n    %cd ..\n",
        "pip install kafka-python\nls -l",
        "help?\nx.y??\n?z",
        "",
        "# only a comment",
        "\n\nx = 1\n\n",
        "# 100% !\nx = '!' # '''\n!ls",
        "text = 'don\\'t' + \"%d\" % 3\ny = {'a': [1,\n2]} != 1",
    ],
)
def test_what_ipython_reads_stays_as_it_is(cell: str) -> None:
    old = notebook([CELLS[0], cell, *CELLS[1:], cell], shown=False)
    result = run(old, Options(target=Outcome.COMPAT))
    new = result.files[0].new
    assert new == old.replace("from pyspark.streaming", "from compat.streaming")
    native = run(old)
    assert native.graphs[0].outcome is Outcome.NATIVE, native.graphs[0].reasons
    assert codes(native.files[0].new)[-1] == cell


def test_python_2() -> None:
    result = run(notebook([*CELLS, "print 'done'"]))
    assert (result.files[0].python, codes(result.files[0].new)[-1]) == (2, "print('done')")
    manual = run(notebook([*CELLS, "print repr(x)"]))
    assert manual.graphs[0].reasons[0].startswith("cell 8, line 1: `repr`")
    assert codes(manual.files[0].new)[-1] == "print repr(x)"
    assert codes(manual.files[0].new)[1].startswith("# dstream-migrate: manual: `repr`")


def test_format_3() -> None:
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "language": "python",
            "input": ["from pyspark.streaming import StreamingContext\n"],
            "prompt_number": 7,
            "outputs": [{"output_type": "stream", "stream": "stderr", "text": ["FutureWarning"]}],
        },
        {
            "cell_type": "code",
            "language": "python",
            "input": ["ssc = StreamingContext(sc, 1)\nssc.queueStream([]).glom().pprint()\nssc.start()"],
        },
    ]
    old = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3})
    shown = json.dumps(cells[0]["outputs"])
    new = old.replace("pyspark", "compat").replace(shown, "[]").replace("7", "null")
    assert run(old, Options(target=Outcome.COMPAT)).files[0].new == new


@pytest.mark.parametrize(
    ("text", "status", "error"),
    [
        ("{", Status.UNPARSED, "not a notebook"),
        ("[]", Status.UNPARSED, "not a notebook"),
        ("", Status.UNPARSED, "not a notebook"),
        ('{"cells": [3]}', Status.UNPARSED, "not a notebook"),
        ('{"cells": [{"cell_type": "code", "source": [3]}]}', Status.UNPARSED, "not a notebook"),
        ("[" * 100_000, Status.UNPARSED, "not a notebook"),
        (notebook(["x = 1", "def f(:"]), Status.UNPARSED, "cell 3, line 1: "),
        (notebook(["x = (", "1)"]), Status.UNPARSED, "cell 2"),
        (notebook(["x = 1", "y = 2\ntry:", "z"]), Status.UNPARSED, "'try' statement on line 2"),
        (notebook(['x = """', '"""']), Status.UNPARSED, "cell 2 ends in the middle"),
        (notebook(["val x = 1"], kernelspec={"language": "scala"}), Status.UNTOUCHED, None),
        (notebook(["%%sql\nselect 1"]), Status.UNTOUCHED, None),
        (notebook([]), Status.UNTOUCHED, None),
        ("{}", Status.UNTOUCHED, None),
    ],
)
def test_what_is_no_notebook_or_not_python(text: str, status: Status, error: str | None) -> None:
    found = parse(SourceFile(Path("a.ipynb"), "a.ipynb", text.encode()))
    if isinstance(found, Module):
        found = migrate([found], Options()).files[0]
    assert isinstance(found, FileResult)
    assert found.status is status
    assert error is None or error in (found.error or "")


DIVIDING = ["from pyspark.streaming import StreamingContext\nprint(7 / 2)", *CELLS[1:]]
KERNEL_2 = {"display_name": "Python 2", "language": "python", "name": "python2"}
KERNEL_3 = {"display_name": "Python 3", "language": "python", "name": "python3"}


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
def test_a_notebook_of_python_2_by_its_kernel_gets_that_of_python_3(target: Outcome) -> None:
    result = run(notebook(DIVIDING, kernelspec=KERNEL_2), Options(target=target))
    new = json.loads(result.files[0].new)
    assert any("print(7 // 2)" in code for code in codes(result.files[0].new))
    assert new["metadata"] == {"kernelspec": KERNEL_3}
    assert any("because of its kernel, `python2`" in note for note in result.graphs[0].notes)
    assert not result.graphs[0].must_change


@pytest.mark.parametrize(
    ("first", "kernel", "version", "named"),
    [
        ("print(f'{7 / 2}')", "python2", "2.7.13", True),
        ("print(7 / 2)", "pyspark", "2.7.13", True),
        ("print(7 / 2)", "pyspark", "3.9.1", False),
        ("print(7 / 2)", "python3", "2.7.13", False),
    ],
)
def test_other_kernels_stay_and_those_of_python_2_are_named(
    first: str, kernel: str, version: str, named: bool
) -> None:
    metadata: dict[str, Any] = {
        "kernelspec": {"name": kernel},
        "language_info": {"name": "python", "version": version},
    }
    result = run(notebook([first, *CELLS], **metadata), Options())
    assert json.loads(result.files[0].new)["metadata"] == metadata
    assert result.files[0].python == 3
    assert [f"that of its kernel, `{kernel}`" in must for must in result.graphs[0].must_change] == [
        True
    ] * named


PARTS = [
    "%time x",
    "!ls \\",
    "%%bash",
    "x = !ls",
    "x?",
    "'''",
    "(",
    ")",
    "# é",
    "x = 1",
    "if x:",
    "    y",
    "\\",
    "%",
    "pip install a",
]


@given(
    st.lists(st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=5).map("\n".join), max_size=4),
    st.sampled_from([None, 1, 2]),
    st.booleans(),
    st.booleans(),
)
def test_what_is_put_back_is_what_was_taken(
    cells: list[str], indent: int | None, ascii_only: bool, one_text: bool
) -> None:
    whole = json.loads(notebook(cells, one_text=one_text))
    text = json.dumps(whole, indent=indent, ensure_ascii=ascii_only)
    found = jupyter(text)
    if found is not None:
        assert found.restore(found.code, adopted=True) == text


BROKEN = "for line in lines_of(file:\n    print(line"


def test_a_cell_that_cannot_be_parsed_stays_and_the_others_are_migrated() -> None:
    result = run(notebook([*CELLS, BROKEN, "print('done')"]))
    assert result.graphs[0].outcome is Outcome.NATIVE
    (file,) = result.files
    assert codes(file.new)[-2:] == [BROKEN, "print('done')"]
    (remark,) = file.remarks
    assert (remark.cell, remark.line, remark.name) == (8, 1, "")
    assert "left as it is" in remark.text
    assert not file.is_whole


def test_a_stream_that_such_a_cell_names_stays_with_it() -> None:
    result = run(notebook([*CELLS, "counts.filter("]))
    assert result.graphs[0].outcome is Outcome.COMPAT


def test_in_a_notebook_of_python_2_only_what_neither_can_parse_is_broken() -> None:
    result = run(notebook([*CELLS, "print 'started'", BROKEN]))
    assert (result.files[0].python, [remark.cell for remark in result.files[0].remarks]) == (2, [9])
    assert codes(result.files[0].new)[-2:] == ["print('started')", BROKEN]


def test_a_statement_that_goes_on_in_the_next_cell_runs_in_neither() -> None:
    result = run(notebook([*CELLS, "print(", "1)"]))
    assert [remark.cell for remark in result.files[0].remarks] == [8, 9]
    assert codes(result.files[0].new)[-2:] == ["print(", "1)"]


def test_a_notebook_in_which_nothing_can_be_parsed_is_unparsed() -> None:
    found = parse(SourceFile(Path("a.ipynb"), "a.ipynb", notebook([BROKEN]).encode()))
    assert isinstance(found, FileResult)
    assert found.status is Status.UNPARSED


def test_a_notebook_without_streams_does_not_count_as_clean_either() -> None:
    (file,) = run(notebook(["print('a')", BROKEN, BROKEN])).files
    assert file.status is Status.UNPARSED
    assert (file.error or "").startswith("cell 3, line 1: ")
    assert "and 1 more" in (file.error or "")


def test_a_cell_in_another_language_as_databricks_has_it_is_none_of_ours() -> None:
    result = run(notebook([*CELLS, "%sql\nselect count(*) from words", "%md\n# The end of *all*"]))
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert not result.files[0].remarks


SOURCE = "ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream('localhost', 9999)\n"
SHORT = "lines.filter(lambda line: len(line) > longest).pprint()\nssc.start()"


def of_project(**texts: str) -> Result:
    modules = []
    for name, text in texts.items():
        path = name.replace("_nb", ".ipynb").replace("_py", ".py")
        modules.append(parse_bytes(text.encode(), Path("/nowhere") / path, path))
    return migrate(modules, Options())


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"lib_nb": notebook([f"{CELLS[0]}\n{SOURCE}"])}, "%run ./lib.ipynb"),
        ({"lib_py": f"from pyspark.streaming import StreamingContext\n{SOURCE}"}, "%run lib.py"),
    ],
)
def test_a_graph_goes_on_in_the_notebook_that_runs_another(files: dict[str, str], line: str) -> None:
    result = of_project(main_nb=notebook([line, "lines.pprint()", "ssc.start()"]), **files)
    (graph,) = result.graphs
    assert sorted(graph.files)[-1] == "main.ipynb"
    assert graph.outcome is Outcome.NATIVE
    new = {file.path: file.new for file in result.files}
    first, batch, query = codes(new.pop("main.ipynb"))
    assert first == line
    assert batch == "def process_batch(batch, batch_id):\n    batch.show(10, truncate=False)"
    assert query.startswith("query = lines.writeStream.")
    (lib,) = new.values()
    assert "spark.readStream" in lib and "StreamingContext(" not in lib


def test_what_a_notebook_runs_may_bind_any_of_its_names() -> None:
    main = notebook([*CELLS[:1], "longest = 3", "%run ./lib", f"{SOURCE}{SHORT}"])
    assert of_project(main_nb=main, lib_py="shortest = 1").graphs[0].outcome is Outcome.NATIVE
    (graph,) = of_project(main_nb=main, lib_py="longest = 30").graphs
    assert "column" not in {site.tier for site in of_project(main_nb=main, lib_py="longest = 30").sites}
    assert graph.files == ("main.ipynb",)


def test_a_run_line_without_such_a_file_changes_nothing() -> None:
    result = run(notebook([*CELLS[:1], '%run "../my notebooks/lib"', f"{SOURCE}lines.pprint()\nssc.start()"]))
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert '%run "../my notebooks/lib"' in codes(result.files[0].new)


RESET = [
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext",
    "sc = SparkContext('local[2]', 'one')\nssc = StreamingContext(sc, 1)",
    "lines = ssc.socketTextStream('localhost', 9999)\nlines.pprint()\nssc.start()\nssc.stop()",
]


@pytest.mark.parametrize(
    "reset",
    ["# clears all\n%reset -f", "%reset", "get_ipython().magic('reset -sf')"],
    ids=["-f", "asks", "call"],
)
def test_code_below_a_reset_stays_as_it_reads_no_names_from_above(reset: str) -> None:
    result = run(notebook([*RESET, reset, *RESET]))
    above, below = result.graphs
    assert (above.outcome, below.outcome) == (Outcome.NATIVE, Outcome.COMPAT)
    assert below.reasons[0].startswith("cell 5, line ") and "takes away the names" in below.reasons[0]
    new = codes(result.files[0].new)
    assert new[4] == "from pyspark import SparkContext\nfrom compat.streaming import StreamingContext"
    assert new[5:] == RESET[1:]
    assert not any("pyspark.streaming" in code for code in new)


@pytest.mark.parametrize("line", ["%reset_selective other", "%config x.reset"])
def test_other_lines_take_no_names_away(line: str) -> None:
    result = run(notebook([*RESET, line, *RESET]))
    assert {graph.outcome for graph in result.graphs} == {Outcome.NATIVE}


def test_a_reset_above_all_code_is_none() -> None:
    (graph,) = run(notebook(["%reset -f", *RESET])).graphs
    assert graph.outcome is Outcome.NATIVE


SMALL = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext",
    "sc = SparkContext()",
    "ssc = StreamingContext(sc, 1)",
    "lines = ssc.socketTextStream('localhost', 9999)",
    "words = lines.flatMap(lambda line: line.split(' '))",
    "words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()",
    "",
    "ssc.start()",
    "ssc.awaitTerminationOrTimeout(60)",
)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_cell_of_which_nothing_is_left_goes_and_others_stay(indent: int | None, last: bool) -> None:
    text = json.dumps(json.loads(notebook([*SMALL, *(["sc.stop()"] if last else [])])), indent=indent)
    (file,) = run(text).files
    assert file.new is not None
    found = ["".join(cell["source"]) for cell in json.loads(file.new)["cells"]]
    assert "" in found  # which was empty before
    assert len(found) == len(SMALL) + last - 1  # with one of prose
    assert any(cell.startswith("def process_batch") for cell in found)
    assert run(file.new).files[0].new in (None, file.new)


def test_cells_at_the_end_go_with_the_comma_before_them() -> None:
    text = notebook(["a = 1", "b = 2", "c = 3", "d = 4"])
    read = jupyter(text)
    assert read is not None
    new = [NewCell(code, is_other=True) for code in ("", "b = 5", "", " \n")]
    assert codes(read.put(new)) == ["b = 5"]
    assert json.loads(read.put([NewCell("", is_other=True)] * 4))["cells"] == json.loads(text)["cells"][:1]


OLD_PACKAGE = "org.apache.spark:spark-sql-kafka-0-10_2.11:2.2.0"
OLDER_PACKAGE = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.2.0"
KAFKA = """\
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
ssc = StreamingContext(sc, 1)
KafkaUtils.createDirectStream(ssc, ["pages"], {"bootstrap.servers": "a:9092"}).pprint()
ssc.start()"""


@pytest.mark.parametrize("package", [OLD_PACKAGE, OLDER_PACKAGE])
@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ('%%configure -f\n{"conf": {\n  "spark.jars.packages": "PACKAGE"\n}}', 3),
        ("import os\n%env PYSPARK_SUBMIT_ARGS=--packages PACKAGE pyspark-shell", 2),
        ("if True:\n    1\n    !spark-submit --packages PACKAGE other.py", 3),
    ],
)
@pytest.mark.parametrize(
    "code", [KAFKA, "\n".join([*CELLS[:2], CELLS[3].replace("counts", "lines"), CELLS[5]])]
)
def test_a_connector_of_another_spark_must_change_in_lines_that_are_not_python(
    code: str, cell: str, line: int, package: str
) -> None:
    options = Options(spark=SparkVersion.parse("4.0.0"))
    (graph,) = run(notebook(["1", cell.replace("PACKAGE", package), code]), options).graphs
    assert graph.outcome is Outcome.NATIVE
    new = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0"
    assert f"cell 3, line {line}: `{package}` -> `{new}`" in graph.must_change
    assert any(one.startswith("start the shell") for one in graph.must_change) == (
        code == KAFKA and "spark-submit" in cell
    )


def test_in_a_notebook_on_compat_it_must_change_too() -> None:
    cell = f'%%configure\n{{"conf": {{"spark.jars.packages": "{OLD_PACKAGE}"}}}}'
    (graph,) = run(notebook([cell, KAFKA]), Options(target=Outcome.COMPAT)).graphs
    assert any(one.startswith(f"cell 2, line 2: `{OLD_PACKAGE}` -> ") for one in graph.must_change)


def test_text_that_speaks_of_what_is_gone_is_told_of() -> None:
    text = notebook(CELLS).replace("# Söme prose", "# Every StreamingContext")
    (graph,) = migrate([module(text)], Options()).graphs
    said = "text of the notebook left as it was, though it speaks of what is gone: `# Every StreamingContext`"
    assert said in graph.notes
    (other,) = migrate([module(notebook(CELLS))], Options()).graphs
    assert not any("text of the notebook" in note for note in other.notes)
