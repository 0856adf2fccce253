"""Strings over several lines: they hold what they held, and no line of them is code or a comment."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import beside, native, native_socket, strings
from tests.migrate.programs import run, socket_program

IN_A_FUNCTION = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext


def main():
    conf = SparkConf(){settings}
    sc = SparkContext(conf=conf)
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream({host}, 9999)
    lines.{output}
    ssc.start()
    ssc.awaitTermination()


main()
"""
TEXT = '"""Two\n  lines,\nand # one"""'
VALUE = "Two\n  lines,\nand # one"


@pytest.mark.parametrize(
    ("settings", "host", "output"),
    [
        (f".setAppName({TEXT})", '"h"', "pprint()"),
        (f'.set("spark.x", {TEXT})', '"h"', "pprint()"),
        (f".setAppName({TEXT})\n    conf.set('spark.y', {TEXT})", '"h"', "pprint()"),
        ("", TEXT, "pprint()"),
        ("", f"str({TEXT})", "pprint()"),
        ("", '"h"', f"filter(lambda line: line != {TEXT}).pprint()"),
        ("", '"h"', f"map(lambda line: clean(line, {TEXT})).pprint()"),
        ("", '"h"', f"saveAsTextFiles({TEXT})"),
        ("", '"h"', f"foreachRDD(lambda rdd: rdd.foreach(lambda line: store(line, {TEXT})))"),
        ("", '"h"', f"foreachRDD(lambda rdd: print({TEXT}, rdd.count()))"),
    ],
    ids=[
        *("name", "setting", "both", "host", "inside a call", "column", "kept lambda", "prefix", "RDD"),
        "print",
    ],
)
def test_a_string_over_several_lines_in_a_function_holds_what_it_held(
    settings: str, host: str, output: str
) -> None:
    new = native(IN_A_FUNCTION.format(settings=settings, host=host, output=output))
    assert VALUE in strings(new)
    assert not {text for text in strings(new) if "lines," in text} - {VALUE}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'''a\n\tb'''", "a\n\tb"),
        ('r"""a\\n\n  b"""', "a\\n\n  b"),
        ('"""a\n\n\n"""', "a\n\n\n"),
        ('"""a\\\n    b"""', "a    b"),
        ('"a\\\n  b"', "a  b"),
        ('("a"\n         "b  ")', "ab  "),
        ('"""   \n   """', "   \n   "),
    ],
)
def test_every_kind_of_string_over_several_lines(text: str, value: str) -> None:
    new = native(IN_A_FUNCTION.format(settings=f".setAppName({text})", host='"h"', output="pprint()"))
    assert value in strings(new)


def test_a_string_over_several_lines_in_an_f_string() -> None:
    text = 'f"""a\n    {job}\n  b"""'
    new = native(IN_A_FUNCTION.format(settings=f".setAppName({text})", host='"h"', output="pprint()"))
    assert {"a\n    ", "\n  b"} <= strings(new)


def test_a_context_s_arguments_may_be_strings_over_several_lines() -> None:
    source = IN_A_FUNCTION.replace("conf=conf", f'"local[2]", {TEXT}').replace(
        "    conf = SparkConf(){settings}\n", ""
    )
    new = native(source.format(host='"h"', output="pprint()").replace("SparkConf, ", ""))
    assert f".appName({TEXT})" in new


def test_such_a_string_stays_as_it_was_written() -> None:
    new = native(IN_A_FUNCTION.format(settings="", host=TEXT, output="pprint()"))
    assert f".options(host={TEXT}, " in new


def test_a_docstring_of_a_function_that_holds_the_graph_stays() -> None:
    docs = '"""Runs it.\n\n  # not a comment\n    """'
    source = IN_A_FUNCTION.format(settings="", host='"h"', output="pprint()")
    assert f"def main():\n    {docs}\n" in native(source.replace("main():\n", f"main():\n    {docs}\n", 1))


# --- lines of strings that look like comments ---------------------------------------------------------------

STATEMENTS = [
    "lines.map(len).pprint()",
    'words = lines.flatMap(lambda line: line.split(" "))\nwords.pprint()',
    'ssc.checkpoint("x")\nlines.pprint()',
    "lines.cache()\nlines.pprint()",
    "unused = lines.map(len)\nlines.pprint()",
    "print(lines)\nlines.pprint()",
    "def size(line):\n    return len(line)\nlines.map(size).pprint()",
]
HELD = 'text = """first\n# last"""\n'


@pytest.mark.parametrize("body", STATEMENTS)
def test_a_string_s_last_line_is_no_comment(body: str) -> None:
    new = native_socket(f"{HELD}{body}")
    assert HELD in new


@pytest.mark.parametrize("body", STATEMENTS)
def test_what_a_string_s_last_line_looks_like_is_no_reason(body: str) -> None:
    (graph,) = run(socket_program(f"{HELD}{body}")).graphs
    assert (graph.outcome, graph.reasons) == (Outcome.NATIVE, ())


def test_a_string_in_a_function_is_no_comment_either() -> None:
    text = '    text = """first\n    # last"""\n'
    new = native_socket(f"def main():\n{text}    lines.map(len).pprint()\n    print(text)\nmain()")
    assert text in new
    assert new.count("    print(text)\n") == 1
    assert new.count("return writer") == 1


def test_a_comment_below_such_a_string_is_one() -> None:
    new = native_socket(f"{HELD}# sizes\nsizes = lines.map(len)\nsizes.pprint()")
    assert HELD in new
    assert beside(new, "# sizes").startswith("sizes = ")


def test_a_string_that_ends_the_settings_is_no_comment() -> None:
    source = socket_program("lines.pprint()").replace("sc = SparkContext", f"{HELD}sc = SparkContext")
    assert HELD in native(source)


def test_a_mark_in_a_string_is_not_replaced() -> None:
    """The codemod's own comments are replaced where it says something new."""
    mark = 'text = """\n# dstream-migrate: manual: mine"""\n'
    source = socket_program(f"{mark}lines.pprint()").replace("ssc = StreamingContext(sc, 1)", "ssc = given()")
    assert mark in run(source).files[0].new
    source = f"{mark}ssc.socketTextStream('h', 1).pprint()\nssc.start()\n"
    source = f"from pyspark.streaming import StreamingContext\nssc: StreamingContext\n{source}"
    assert mark in run(source).files[0].new


def test_an_ignore_comment_in_a_string_asks_for_nothing() -> None:
    source = socket_program('lines.saveAsTextFiles("""\n# dstream-migrate: ignore""")')
    assert run(source).graphs[0].outcome is Outcome.NATIVE
