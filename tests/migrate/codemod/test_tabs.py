"""New code is indented as the file is, with helpers and all that stands inside of brackets."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import compiled, kafka_program, run, socket_program

BLOCK = "def first(line):\n    if line:\n        return line\n    return None\n\n"
SESSION = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
BODIES = {
    "a column": "lines.map(len).pprint()",
    "whole numbers": "lines.map(lambda w: int(w)).pprint()",
    "numbers": "lines.map(lambda w: float(w)).pprint()",
    "letters": "lines.map(lambda w: w.lower()).pprint()",
    "records": "lines.map(clean).pprint()",
    "over Arrow": "lines.map(lambda w: w.title()).pprint()",
    "sums": "lines.map(lambda w: (w, len(w))).reduceByKey(lambda a, b: a + b).pprint()",
    "a running sum": (
        "lines.pprint()\n"
        "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    ),
    "a state of pairs": (
        "totals = lines.map(clean).map(lambda w: (w, 1))\n"
        "totals.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    ),
    "every interval": "seen = []\nlines.foreachRDD(lambda rdd: seen.append(rdd.count()))",
    "the batch time": "lines.foreachRDD(lambda t, rdd: store(t.hour, rdd.collect()))",
    "a check": (
        f"{SESSION}def save(rdd):\n    pairs = rdd.map(lambda w: (w, 1))\n"
        "    spark.createDataFrame(pairs, ['a', 'b']).show()\nlines.foreachRDD(save)"
    ),
    "saved": "lines.saveAsTextFiles('out')",
    "raw messages": "messages.map(lambda m: m[1]).pprint()",
}
UNITS = ["\t", "  ", "   ", "        "]


@pytest.mark.parametrize("unit", UNITS, ids=map(repr, UNITS))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_line_is_indented_as_in_another_file(body: str, unit: str) -> None:
    """But for lines that line up with what is above them, all are indented by whole steps."""
    make = kafka_program if "messages" in body else socket_program
    source = (BLOCK * 3 + make(body)).replace("    ", unit)
    new = run(source).files[0].new
    assert new != source
    for line in new.splitlines():
        white = line[: len(line) - len(line.lstrip())]
        assert white == unit * (len(white) // len(unit)), repr(line)


@pytest.mark.parametrize("unit", UNITS, ids=map(repr, UNITS))
def test_a_graph_in_a_function_in_a_class(unit: str) -> None:
    graph = socket_program("lines.map(lambda w: int(w)).pprint()")
    imports, _, rest = graph.partition("\n\n")
    inner = "".join(f"        {line}\n" for line in rest.splitlines())
    source = f"{imports}\n\nclass Job:\n    def run(self):\n{inner}\nJob().run()\n".replace("    ", unit)
    new = native(source)
    compiled(new)
    assert f"\n{unit * 2}def process_batch(batch, batch_id):\n{unit * 3}" in new
    for line in new.splitlines():
        white = line[: len(line) - len(line.lstrip())]
        assert white == unit * (len(white) // len(unit)), repr(line)


def test_spaces_behind_tabs_stay() -> None:
    source = socket_program("def f(a,\n\t\t\t\t\t  b):\n\treturn (a,\n\t        b)\n\nlines.pprint()")
    assert "def f(a,\n\t\t\t\t\t  b):\n\treturn (a,\n\t        b)\n" in native(source)


TWO = """\
count = 0


def read(rdd):
  global count
  count += 1
  if not rdd.isEmpty():
    print(rdd.collect(), count)
    if count == 60:
        print(count)
        for k in range(2):
            print(k)
        for k in range(2):
            print(k)
        for k in range(2):
            print(k)


lines.foreachRDD(read)"""


def test_a_block_in_a_function_is_indented_as_that_is() -> None:
    new = native(socket_program(TWO))
    assert (
        "\n  if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n    return\n"
        in new
    )


def test_lines_in_brackets_are_indented_as_the_block_that_they_stand_in() -> None:
    source = kafka_program("messages.map(lambda m: m[1]).pprint()")
    imports, _, rest = source.partition("\n\n")
    inner = "".join(f"\t{line}\n" for line in rest.splitlines())
    new = native(f"{imports}\n\n{BLOCK * 8}if __name__ == '__main__':\n{inner}")
    assert '\t\tspark.readStream.format("kafka")\n' in new
    assert "\t " not in new
    compiled(new)


def test_new_statements_of_a_block_stand_one_blank_line_below_the_batch_function() -> None:
    source = socket_program("lines.map(len).filter(bool).pprint()\nlines.pprint()\n\n\n")
    imports, _, rest = source.partition("\n\n")
    inner = "".join(f"    {line}\n" if line else "\n" for line in rest.splitlines())
    inner = inner.replace("    ssc.start()", "\n\n    ssc.start()")
    new = native(f"{imports}\n\nif __name__ == '__main__':\n{inner}")
    assert "\n\n    query = " in new and "\n\n\n    query = " not in new
