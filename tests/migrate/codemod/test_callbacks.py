"""Callbacks that become code on DataFrames: what is the user's stays, and what is added is in its place."""

from __future__ import annotations

import ast

import pytest

from migrate.model import Options
from tests.migrate.codemod.written import function, native, native_socket, plain
from tests.migrate.programs import flat, run, socket_program

SESSION = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
FRAME = 'spark.createDataFrame(rdd.map(lambda w: (w, 1)), ["a", "b"])'
SELECTED = 'batch.select(F.col("value").alias("a"), F.lit(1).cast("bigint").alias("b"))'
FIRST = "    if batch_id == 0 and batch.isEmpty():\n        return\n"
GUARD = 'if batch.isEmpty():\n    raise ValueError("RDD is empty")'


def save(body: str) -> str:
    """The callback `save` after the migration, with its checks for empty batches, as `ast` writes it."""
    source = socket_program(f"{SESSION}{body}lines.foreachRDD(save)")
    return function(native(source, Options(strict=True)), "save").replace(FIRST, "")


# --- several statements on a line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        'pairs = rdd.map(lambda w: (w, 1)); print("saving")',
        'print("saving"); pairs = rdd.map(lambda w: (w, 1))',
        'pairs = rdd.map(lambda w: (w, 1)); print("saving");  # says so',
        'pairs = rdd.map(lambda w: (w, 1)); \\\n    print("saving")',
    ],
)
def test_what_shares_a_line_with_an_rdd_that_goes_stays(line: str) -> None:
    body = f'def save(rdd):\n    {line}\n    spark.createDataFrame(pairs, ["a", "b"]).write.parquet("x")\n'
    printed = f'def save(batch, batch_id):\n    print("saving")\n    {SELECTED}.write.parquet("x")'
    new = save(body).replace(plain(GUARD).replace("\n", "\n    ") + "\n    ", "")
    assert new == plain(printed)


def test_what_shares_a_line_in_a_branch_stays_in_the_branch() -> None:
    body = (
        'def save(rdd):\n    if not rdd.isEmpty(): pairs = rdd.map(lambda w: (w, 1)); print("saving"); '
        'spark.createDataFrame(pairs, ["a", "b"]).write.parquet("x")\n'
    )
    printed = (
        "def save(batch, batch_id):\n    if not batch.isEmpty():\n"
        f'        print("saving")\n        {SELECTED}.write.parquet("x")'
    )
    assert save(body) == plain(printed)


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        (f"    one = {FRAME}\n    two = {FRAME}\n", 1),
        (f"    one = {FRAME}\n    if loud:\n        for _ in range(2):\n            two = {FRAME}\n", 1),
        (
            f"    try:\n        one = {FRAME}\n        two = {FRAME}\n    except ValueError:\n        pass\n",
            1,
        ),
        (f"    if loud:\n        one = {FRAME}\n    two = {FRAME}\n", 2),
        (f"    try:\n        one = {FRAME}\n    except ValueError:\n        two = {FRAME}\n", 2),
    ],
)
def test_an_empty_batch_is_asked_for_once_where_the_first_question_comes_before(
    body: str, asked: int
) -> None:
    assert save(f"def save(rdd):\n{body}").count(".isEmpty()") == asked


@pytest.mark.parametrize("clause", ["if loud: {}", "for _ in range(2): {}", "with lock: {}"])
def test_a_block_whose_only_statement_goes_is_still_a_block(clause: str) -> None:
    """An RDD is lazy: what is left of the block is nothing, which Python spells `pass`."""
    made = clause.format("unused = rdd.map(lambda w: (w, 1))")
    new = save(f"def save(rdd):\n    {made}\n    if not rdd.isEmpty():\n        {FRAME}.show()\n")
    assert new == plain(
        f"def save(batch, batch_id):\n    {clause.format('pass')}\n"
        f"    if not batch.isEmpty():\n        {SELECTED}.show()"
    )


OTHERS = [
    'ssc.checkpoint("x"); print("mine")\nlines.pprint()',
    'lines.cache(); print("mine")\nlines.pprint()',
    'lines.pprint(); print("mine")',
    'words = lines.map(len); print("mine")\nwords.pprint()',
    'unused = lines.map(len); print("mine")\nlines.pprint()',
    'print(lines); print("mine")\nlines.pprint()',
    'def size(line): print("mine"); return len(line)\nlines.map(size).pprint()',
]


@pytest.mark.parametrize("body", OTHERS)
def test_what_shares_a_line_with_a_statement_of_the_graph_stays(body: str) -> None:
    assert run(socket_program(body)).files[0].new.count('print("mine")') == 1


@pytest.mark.parametrize(
    "settings",
    [
        'conf = SparkConf().setAppName("x"); print("mine")\n',
        'conf = SparkConf()\nconf.setAppName("x"); print("mine")\n',
        'print("mine"); conf = SparkConf()\nconf.setAppName("x")\n',
        'conf = SparkConf()\nif True: conf.setAppName("x"); print("mine")\n',
    ],
)
def test_what_shares_a_line_with_settings_stays(settings: str) -> None:
    source = socket_program("lines.pprint()").replace("import SparkContext", "import SparkConf, SparkContext")
    source = source.replace(
        'sc = SparkContext(appName="Test")\n', f"{settings}sc = SparkContext(conf=conf)\n"
    )
    assert run(source).files[0].new.count('print("mine")') == 1


# --- the check of an empty batch ----------------------------------------------------------------------------


def test_the_check_is_in_a_function_that_stands_on_one_line() -> None:
    guarded = f"def save(batch, batch_id):\n    {GUARD}\n    {SELECTED}.show()".replace(
        "\n    raise", "\n        raise"
    )
    assert save(f"def save(rdd): {FRAME}.show()\n") == plain(guarded)


CLAUSES = [
    "if loud: {}",
    "for _ in range(2): {}",
    "while more(): {}",
    "with lock: {}",
    "if loud: print(1)\n    else: {}",
    "if loud: print(1)\n    elif more(): {}",
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_check_is_in_the_block_that_stands_on_one_line(clause: str) -> None:
    new = save(f"def save(rdd):\n    {clause.format(FRAME + '.show()')}\n")
    guarded = f"\n{GUARD}\n{SELECTED}.show()".replace("\n", "\n        ")
    assert new == plain(f"def save(batch, batch_id):\n    {clause.format(guarded)}")


def test_the_check_comes_after_what_stands_before_it_on_its_line() -> None:
    new = save(f'def save(rdd):\n    print("saving"); {FRAME}.show(); print("saved")\n')
    guarded = GUARD.replace("\n", "\n    ")
    printed = f'print("saving")\n    {guarded}\n    {SELECTED}.show()\n    print("saved")'
    assert new == plain(f"def save(batch, batch_id):\n    {printed}")


def test_the_check_is_in_the_clause_of_a_try_that_stands_on_one_line() -> None:
    """Other exceptions are caught there too, so that the graph may as well stay as it is."""
    body = f"{SESSION}def save(rdd):\n    try: {FRAME}.show()\n    except KeyError: print('no key')\n"
    new = run(socket_program(f"{body}lines.foreachRDD(save)")).files[0].new
    for node in ast.walk(ast.parse(new)):
        if isinstance(node, ast.FunctionDef) and node.name == "save":
            assert [type(statement) for statement in node.body] == [ast.If, ast.Try]  # a guard of ours


# --- names that look like Spark's ---------------------------------------------------------------------------


def of_rows(created: str) -> str:
    """RDD code on texts as RDD code on the rows of the batch."""
    return created.replace("rdd.map(lambda w: (w, ", "batch.rdd.map(lambda w: (w['value'], ")


CREATED = "{}.createDataFrame(rdd.map(lambda w: (w, 1)), ['a', 'b']).write.parquet('x')"


@pytest.mark.parametrize(
    "made",
    [
        "import store\nx = store.open()\n",
        "from store import x\n",
        "import store as x\n",
        "class Store:\n    def createDataFrame(self, rows, names):\n        return self\nx = Store()\n",
    ],
)
def test_create_data_frame_is_sparks_only_of_a_session(made: str) -> None:
    created = CREATED.format("x")
    body = f"{made}def save(rdd):\n    if not rdd.isEmpty():\n        {created}\nlines.foreachRDD(save)"
    new = run(socket_program(body)).files[0].new or ""
    assert of_rows(created) in new.replace('"', "'"), "it may do anything"


def test_create_data_frame_of_a_parameter_or_attribute_is_unknown() -> None:
    for where in ("self.store", "stores[0]", "open_store()"):
        created = CREATED.format(where)
        body = f"from stores import *\ndef save(rdd):\n    if not rdd.isEmpty():\n        {created}\n"
        new = run(socket_program(f"{body}lines.foreachRDD(save)")).files[0].new or ""
        assert of_rows(created) in new.replace('"', "'")


@pytest.mark.parametrize(
    "session",
    [
        "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n",
        "from pyspark.sql import SparkSession as S\nspark = S.builder.getOrCreate()\n",
        "from pyspark.sql import SQLContext\nspark = SQLContext(sc)\n",
        "import pyspark.sql\nspark = pyspark.sql.SparkSession(sc)\n",
    ],
)
def test_create_data_frame_of_a_session_still_becomes_columns(session: str) -> None:
    body = f"{session}def save(rdd):\n    if not rdd.isEmpty():\n        {CREATED.format('spark')}\n"
    new = native_socket(f"{body}lines.foreachRDD(save)")
    assert flat(f"{SELECTED}.write") in flat(new.replace("'", '"'))


ROWS = [
    "def Row(**values):\n    return tuple(values.values())\n",
    "from models import Row\n",
    "from models import *\n",
    "from collections import namedtuple\nRow = namedtuple('Row', names)\n",
    "Row = lambda **values: tuple(values.values())\n",
    "class Row(tuple):\n    def __new__(cls, **kw):\n        return tuple.__new__(cls, kw.values())\n",
    "from pyspark.sql import Row\nRow = dict\n",
]


@pytest.mark.parametrize("made", ["rdd.map({}).toDF()", "spark.createDataFrame(rdd.map({}))"])
@pytest.mark.parametrize("row", ROWS)
def test_row_is_sparks_only_if_it_is_imported_from_it(row: str, made: str) -> None:
    frame = made.format("lambda w: Row(word=w, n=w)")
    body = f"{SESSION}{row}def save(rdd):\n    if not rdd.isEmpty():\n        {frame}.write.parquet('x')\n"
    new = run(socket_program(f"{body}lines.foreachRDD(save)")).files[0].new or ""
    assert 'Row(word=w["value"], n=w["value"])' in new.replace("'", '"')


@pytest.mark.parametrize(
    "imported",
    ["from pyspark.sql import Row", "from pyspark.sql.types import Row", "from pyspark.sql import *"],
)
def test_spark_s_own_row_still_becomes_columns(imported: str) -> None:
    body = (
        f"{SESSION}{imported}\ndef save(rdd):\n    if not rdd.isEmpty():\n"
        f"        rdd.map(lambda w: Row(word=w, n=w)).toDF().write.parquet('x')\n"
    )
    new = native_socket(f"{body}lines.foreachRDD(save)")
    selected = 'batch.select(F.col("value").alias("word"), F.col("value").alias("n"))'
    assert flat(selected) in flat(new.replace("'", '"'))


def test_an_assignment_in_an_argument_is_not_put_into_a_comprehension() -> None:
    new = native_socket("lines.foreachRDD(lambda rdd: store(rdd.take(n := 3), n))")
    assert "store(rdd.take(n := 3), n)" in new
