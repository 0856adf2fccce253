"""Constants of libraries in columns, and texts without some letters."""

from __future__ import annotations

import ast
import string

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns import Refusal, Scope, compile_map, leaves
from migrate.columns.element import Scalar
from migrate.columns.shapes import Float, Str
from migrate.frozen import replace
from tests.migrate.columns.both_ways import elements
from tests.migrate.programs import file, socket_program

MODULES = {"math": "math", "string": "string", "marks": "string.punctuation", "re": "re"}
SCOPE = Scope(imports=MODULES, readable=frozenset(MODULES))


def compiled(source: str, scope: Scope = SCOPE) -> Scalar:
    """The result of a function of a text or a float."""
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Lambda)
    given = elements()[node.args.args[0].arg]
    (leaf,) = leaves(compile_map(node, [given], scope).element)
    return leaf


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("lambda s: s.strip(string.punctuation)", 'F.btrim("s", F.lit(string.punctuation))'),
        ("lambda s: s.strip(marks)", 'F.btrim("s", F.lit(marks))'),
        ("lambda s: s in string.digits", 'F.lit(string.digits).contains(F.col("s"))'),
        ("lambda s: s + string.digits", 'F.concat("s", F.lit(string.digits))'),
        ("lambda x: x * math.pi", 'F.col("x") * math.pi'),
        ("lambda x: x / (2 * math.pi)", 'F.col("x") / (2 * math.pi)'),
        ("lambda s: math.e", "F.lit(math.e)"),
        (
            "lambda s: s.translate(str.maketrans('', '', string.punctuation))",
            'F.translate("s", string.punctuation, "")',
        ),
        ("lambda s: s.translate(str.maketrans('', '', '.,'))", 'F.translate("s", ".,", "")'),
        ("lambda s: s.translate(str.maketrans('', '', ''))", 'F.col("s")'),
        ("lambda s: ''.join(c for c in s if c not in marks)", 'F.translate("s", marks, "")'),
        ("lambda s: ''.join([c for c in s if c not in ['.', ',']])", 'F.translate("s", ".,", "")'),
        ("lambda s: ''.join(c for c in s if c not in {'b', 'a'})", 'F.translate("s", "ab", "")'),
    ],
)
def test_constants_of_libraries_are_read_by_their_names(source: str, code: str) -> None:
    assert compiled(source).code == code


def test_in_another_module_they_are_written_out() -> None:
    elsewhere = replace(SCOPE, readable=frozenset())
    assert compiled("lambda s: s.strip(string.digits)", elsewhere).code == 'F.btrim("s", F.lit("0123456789"))'
    assert compiled("lambda x: x * math.e", elsewhere).code == 'F.col("x") * 2.718281828459045'


@pytest.mark.parametrize(
    "source",
    [
        "lambda s: string.capwords",
        "lambda s: math.inf",
        "lambda s: other.punctuation",
        "lambda s: s.translate(str.maketrans('a', 'b', ''))",
        "lambda s: s.translate(str.maketrans({'a': None}))",
        "lambda s: s.translate(str.maketrans('', '', 'é'))",
        "lambda s: ''.join(c for c in s if c not in s)",
        "lambda s: ''.join(c for c in s if c not in ['ab'])",
        "lambda s: ''.join(c for c in s if c in 'ab')",
        "lambda s: ''.join(c + c for c in s if c not in 'ab')",
        "lambda s: ','.join(c for c in s if c not in 'ab')",
    ],
)
def test_what_else_there_is_has_no_column_form(source: str) -> None:
    with pytest.raises(Refusal):
        compiled(source)


def test_all_letters_go_that_python_leaves_out(spark: SparkSession) -> None:
    texts = ["", "a.b,c", "...", string.printable, "é!😀?\U0001d400.", "\0.\u2028,"]
    frame = spark.createDataFrame([(text,) for text in texts], "s string")
    table = str.maketrans("", "", string.punctuation)
    (leaf,) = [compiled("lambda s: s.translate(str.maketrans('', '', string.punctuation))")]
    column = eval(leaf.code, {"F": F, "string": string})
    assert [row[0] for row in frame.select(column).collect()] == [text.translate(table) for text in texts]
    assert isinstance(leaf.shape, Str)
    assert isinstance(compiled("lambda x: x * math.pi").shape, Float)


def test_a_program_keeps_its_import() -> None:
    body = "import string\nlines.map(lambda line: line.strip(string.punctuation)).pprint()"
    new = file(socket_program(body)).new
    assert "import string\n" in new and 'F.btrim("value", F.lit(string.punctuation))' in new
    assert "udf" not in new


@pytest.mark.parametrize(
    ("made", "is_known"),
    [
        pytest.param("['#a', '#k']", True, id="a list"),
        pytest.param("sc.parallelize(['#a', '#k']).collect()\nsc.broadcast(tags)", True, id="collected"),
        pytest.param("['#a', '#\\u00e4']", False, id="not only ASCII"),
        pytest.param("['#a']\ntags.append(input())", False, id="it grows"),
        pytest.param("open('tags').read().split()", False, id="of a file"),
    ],
)
def test_letters_beyond_ascii_are_in_no_list_of_ascii(made: str, is_known: bool) -> None:
    """One letter beyond it has a small form within, in Python as in Java: the sign for kelvins."""
    body = f"tags = {made}\nlines.filter(lambda x: x.lower() in tags).map(lambda x: x.lower()).pprint()"
    new = file(socket_program(body)).new
    assert ('F.lower("value").isin(' in new and 'F.lower("value").alias(' in new) is is_known, new
    assert ("def lower(" in new) is not is_known


def test_what_is_ascii_in_small_letters() -> None:
    small = [chr(point) for point in range(128, 0x110000) if chr(point).lower().isascii()]
    assert small == ["\u212a"]
