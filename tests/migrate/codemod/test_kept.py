"""What is not of the graph stays byte for byte, however it is written."""

from __future__ import annotations

import ast
import sys

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import native, native_socket
from tests.migrate.conftest import STREAM, Cli
from tests.migrate.programs import run, socket_program

ODD = {
    "semicolons": "x=1;y = 2 ;z=x\\\n+y\nx;y;\n",
    "continued": "total = 1 + \\\n   2 + \\\n 3\nassert total, \\\n'no'\n",
    "white space at the end": "x = 1   \n\t\ny = [1,\t\n  2 ]  \n   \n",
    "on one line": "if True: x=1\nelse : x =2\nfor i in(1,2): pass\nwhile 0: x;x\nclass A : a=1 ; b=2\n",
    "odd brackets": "f = ( lambda  *a,**k :(a , k) )( 1,*[2 ], ** { 'a' :3} )\nd = {  'a':1,'b' : 2 ,}\n",
    "decorators": "@ staticmethod\n@(lambda f: f) # why\n\ndef f ( a,b = 1,*,c )->int :\n\n    return a\n",
    "nested": (
        "def outer():\n  def inner(x): return x\n  class In:\n      def m(self):\n         return inner\n"
        "  return In\n"
    ),
    "async": (
        "import asyncio\nasync def a(it):\n    async for x in it :\n        await  x\n"
        "    async with x as y , y as z:return[i async for i in it]\n"
    ),
    "walrus": "if (n:=len('abc'))>2 : print (n )\n",
    "f-strings": "n = 1\ns = f'{n!r:>{n}}' f\"{'a' if n else 'b'}\" rf'\\d{{{n}}}'\nt = f'''\n{n\n}'''\n",
    "type comments": (
        "x = [] # type: list[int]\ndef f(a, # type: int\n      b):\n    # type: (...) -> None\n    pass\n"
    ),
    "prefixes": "a = R'\\d' u'b' + U'c'; b = Rb'\\x' bR'\\y' B'z'\n",
    "numbers": "n = 0XFF+0b1_0 +1_000.5E-3+ 1J -0o17\n",
    "form feeds": "x = 1\n\x0c\ny = 2\n\x0c# a page\ndef f():\n\x0c    return 1\n",
    "comments": "#no space\n#!odd\n    # indented\nx = [ #a\n  #b\n  1, #c\n]  #d\n  #e\n\n\n\n\n#f\n",
    "blank lines": "x = 1\n\n\n\n\n\n\ny = 2\n\n\n",
    "strings": "s = 'a\\\nb'\nt = '''a\n\tb\n   '''\n'alone'\n\"\"\"also\n# alone\"\"\"\n",
    "names": "é = 'ü'; 雪 = \"☃\" # ☃\nprint ( é ,雪)\n",
    "statements": (
        "global_x = 1\ndef f():\n    global  global_x ; del  global_x\n    yield\n    x =yield  1\n"
        "    raise  ValueError from  None\n    return ( )\n"
    ),
    "try": "try :\n    pass\nexcept (A , B)as e : pass\nelse:pass\nfinally :\n    pass\nwith a as b,c:x\n",
    "annotations": "x : int=1\ny:'list'\nz  :  dict [ str,int ]  = {}\n",
    "slices": "x = a [ 1 : 2,::3 , ... ]\ndel a [0 ],a[1]\nprint(* a,sep = '')\n",
    "match": (
        "match x :\n  case [1,*rest]if rest : pass\n  case {'a':1 ,** k}: pass\n  case A( b = 2): pass\n"
        "  case ( 1|2 ) as n :\n     pass\n  case _: pass\n"
    ),
    "brackets of with": "with (open('a')as f,\n      open('b') as g,):\n  pass\n",
    "operators": "x = not(1)if 1 else-1 ** - 2@3//4<<5\ny = x<2 !=z is not  x not  in  a\nx@=1;x//= 2\n",
}
if sys.version_info >= (3, 12):
    ODD["new f-strings"] = "s = f'{'a' + f'{1!r}'}' f\"{\n 'x' # why\n}\"\n"
    ODD["types"] = "type A [T]= list [ T ]\ndef f [ T:int ](x :T)->T :return x\nclass B[T] : pass\n"

# `ast` needs no names to be there
NATIVE = socket_program("lines.map(lambda w: int(w)).pprint()")
COMPAT = socket_program("lines.glom().pprint()")
HANDED = socket_program("handed(lines)")


@pytest.mark.parametrize("stream", [NATIVE, COMPAT, HANDED], ids=["native", "compat", "manual"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_code_below_the_graph_stays(odd: str, stream: str) -> None:
    ast.parse(odd)
    result = run(stream + odd)
    assert result.files[0].new != stream + odd
    assert result.files[0].new.endswith(odd)


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_code_above_the_graph_stays(odd: str) -> None:
    """Between the imports and the context; new helpers may stand above it."""
    start = NATIVE.index("sc = ")
    new = native(f"{NATIVE[:start]}before = 1\n{odd}after = 1\n{NATIVE[start:]}")
    assert f"before = 1\n{odd}after = 1\n" in new


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_code_inside_of_the_graph_stays(odd: str) -> None:
    """Between its source and its output, with something on each side that is not the graph's."""
    if "print" in odd or "assert" in odd or "yield" in odd:
        pytest.skip("what it does between them may matter")
    source = socket_program("BODY").replace("BODY", f"before = 1\n{odd}after = 1\nlines.pprint()")
    assert f"before = 1\n{odd}after = 1\n" in run(source).files[0].new


@pytest.mark.parametrize("stream", [NATIVE, COMPAT, HANDED], ids=["native", "compat", "manual"])
@pytest.mark.parametrize(
    "function",
    [
        "def again(n):\n    return n and again(n - 1)\n",
        "def even(n):\n    return n == 0 or odd(n - 1)\n\n\ndef odd(n):\n    return n and even(n - 1)\n",
        "class Tree:\n    def walk(self):\n        yield from self.walk()\n",
    ],
)
def test_a_function_that_only_it_calls_stays(function: str, stream: str) -> None:
    """It was not of the graph, and may be there for others."""
    assert run(stream + function).files[0].new.endswith(function)


AFTER = [
    "ssc.start(); ssc.awaitTermination()\n",
    "ssc.start() ; ssc.awaitTermination() ;\n",
    "ssc.start(); print('started'); ssc.awaitTermination(); print('ended')\n",
    "ssc.start();  # go\nssc.awaitTermination();  # wait\n",
    "ssc.start(); \\\n  ssc.awaitTermination()\n",
    "print('starting'); ssc.start()\nssc.awaitTermination()\n",
    "try: ssc.start(); ssc.awaitTermination()\nfinally: ssc.stop(); print('ended')\n",
    "if __name__ == '__main__': ssc.start(); ssc.awaitTermination()\n",
]


@pytest.mark.parametrize("end", AFTER)
def test_statements_that_share_a_line_with_the_start_stay(end: str) -> None:
    stream = socket_program("lines.pprint()")
    source = stream[: stream.index("ssc.start()")] + end
    new = run(source).files[0].new
    assert new != source
    for printed in ("starting", "started", "ended"):
        assert new.count(f"print('{printed}')") == source.count(f"print('{printed}')")
    for comment in ("# go", "# wait"):
        assert new.count(comment) == source.count(comment)


def test_the_start_on_a_line_of_several_is_written_as_a_person_would() -> None:
    stream = socket_program("lines.pprint()").replace("ssc.start()\nssc.await", "ssc.start(); ssc.await")
    assert native(stream).endswith("    .start()\n)\nquery.awaitTermination()\n")


def test_a_semicolon_at_the_end_of_a_line_is_no_reason() -> None:
    stream = socket_program("lines.pprint();").replace("ssc.start()", "ssc.start();")
    (graph,) = run(stream).graphs
    assert (graph.outcome, graph.reasons) == (Outcome.NATIVE, ())


@pytest.mark.parametrize(
    "line",
    [
        "words = lines.map(len) \\\n    .filter(lambda n: n > 3)\nwords.pprint()",
        "words = lines \\\n\n\nwords.pprint()",
        "words=lines.map( len )\nwords . pprint ( )",
        "( lines\n .map( len )\n\n .pprint( )\n)",
        "words = (lines.map(len))\n(words).pprint()",
        "words = (\n    lines.map(\n        len\n    )\n)\n(\n    words.pprint()\n)",
        "words = lines.map(\\\nlen)\nwords.\\\npprint()",
    ],
)
def test_a_chain_may_be_written_in_any_way(line: str) -> None:
    assert ".options(truncate=False, numRows=10)" in native_socket(line)


ENCODED = [
    pytest.param("# -*- coding: latin-1 -*-\n", "latin-1", b"", id="latin-1"),
    pytest.param("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", "cp1252", b"", id="cp1252"),
    pytest.param("# coding: euc-jp\n", "euc-jp", b"", id="EUC-JP"),
    pytest.param("# coding: utf-8\n", "utf-8", b"\xef\xbb\xbf", id="BOM and cookie"),
    pytest.param("", "utf-8", b"\xef\xbb\xbf", id="BOM"),
    pytest.param("", "utf-8", b"", id="UTF-8"),
]
TEXTS = {"euc-jp": "雪"}
WORDS = STREAM.replace("lines.glom().pprint()", "lines.map(lambda w: int(w)).pprint()")


@pytest.mark.parametrize(("head", "encoding", "mark"), ENCODED)
@pytest.mark.parametrize("stream", [STREAM, WORDS], ids=["compat", "native"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_encodings_stay(cli: Cli, head: str, encoding: str, mark: bytes, stream: str, newline: str) -> None:
    text = TEXTS.get(encoding, "é")
    tail = f"name = '{text}'  # {text}\n"
    data = mark + f"{head}{stream}{tail}".replace("\n", newline).encode(encoding)
    done = cli("rewrite", "-", stdin=data)
    assert done.code == 0
    assert done.out != data
    assert done.out.startswith(mark + head.replace("\n", newline).encode(encoding))
    assert done.out.endswith(tail.replace("\n", newline).encode(encoding))
    done.out.decode("utf-8-sig" if mark else encoding)


@pytest.mark.parametrize("tail", ["x=1;y = 2 ;z  =x  # odd\n", "if x : print( y )\n", "d = {  'a':1 }\n"])
@pytest.mark.parametrize("stream", [STREAM, WORDS], ids=["compat", "native"])
def test_what_is_no_python_2_stays_in_a_file_of_python_2(cli: Cli, tail: str, stream: str) -> None:
    done = cli("rewrite", "-", stdin=f"{stream}print 'a'\n{tail}".encode())
    assert done.code == 0
    assert done.out.decode().endswith(f"print('a')\n{tail}")


BRICK = """\
# Databricks notebook source
# MAGIC %md
# MAGIC   # Odd   text

# COMMAND ----------

x=1;y = 2
# MAGIC %sh ls   

# COMMAND ----------

from pyspark.streaming import StreamingContext
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda w: int(w)).pprint()

# COMMAND ----------

ssc.start()

# COMMAND ----------

# MAGIC %python
# MAGIC z=3   ;w = 4

# COMMAND ----------

def  f ( a ):return a  # kept
"""  # noqa: W291 - white space at the end of a line stays, too


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_other_cells_of_a_databricks_source_stay(cli: Cli, newline: str) -> None:
    done = cli("rewrite", "-", stdin=BRICK.replace("\n", newline).encode())
    new = done.out.decode().split(f"{newline}# COMMAND ----------{newline}")
    old = BRICK.replace("\n", newline).split(f"{newline}# COMMAND ----------{newline}")
    assert len(new) == len(old)
    for number in (0, 4, 5):
        assert new[number] == old[number]
    assert new[2] != old[2]
    assert "foreachBatch" in new[3]
