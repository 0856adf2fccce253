"""Functions and variables of the program whose last use is gone are gone, too."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome, Tier
from tests.migrate.codemod.written import native
from tests.migrate.programs import file, kafka_program, module, run, socket_program


def program(before: str, body: str = "lines.pprint()") -> str:
    return socket_program(body).replace("sc = ", f"{before}\nsc = ", 1)


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ('DIRECTORY = "checkpoint"', "ssc.checkpoint(DIRECTORY)\nlines.pprint()"),
        (
            'BASE = "checkpoint"\nDIRECTORIES = [BASE, None]',
            "ssc.checkpoint(DIRECTORIES[0])\nlines.pprint()",
        ),
        (
            "from collections import namedtuple\nfields = ('word', 'n')\nCount = namedtuple('Count', fields)",
            "lines.map(lambda l: Count(l, 1)).foreachRDD(lambda rdd: rdd.toDF().show())",
        ),
        (
            "from pyspark.sql import SQLContext\n"
            "from pyspark.sql.types import StructField, StructType, StringType\n"
            "schema = [StructField('word', StringType(), True)]\n"
            "schema = sorted(schema, key=lambda field: field.name)\n"
            "schema = StructType(fields=schema)\n"
            "def context_of(sc):\n"
            "    if 'context' not in globals():\n"
            "        globals()['context'] = SQLContext(sc)\n"
            "    return globals()['context']\n"
            "def show(rdd):\n"
            "    context_of(rdd.context).createDataFrame(rdd.map(lambda w: (w,)), schema).show()\n",
            "lines.foreachRDD(show)",
        ),
    ],
    ids=["a text", "one of another", "a namedtuple", "a schema, beside a function that reads names by text"],
)
def test_what_only_served_what_is_gone_goes(before: str, body: str) -> None:
    new = native(program(before, body))
    names = {
        name for line in before.splitlines() if (name := line.partition(" = ")[0]) != line and " " not in name
    }
    assert not [name for name in names if name in new]
    assert "namedtuple" not in new and "StructType" not in new


IN_FUNCTION = """\
from collections import namedtuple
from pyspark import SparkContext
from pyspark.sql import Row
from pyspark.streaming import StreamingContext

def main():
    ssc = StreamingContext(SparkContext(), 1)
    lines = ssc.socketTextStream("localhost", 9999)
    {made}
    lines.map(lambda line: Line(line, 1)).pprint()
    ssc.start()
    ssc.awaitTermination(){more}

main()
"""
NAMED = 'fields = ("text", "n")\n    Line = namedtuple("Text", fields)'


@pytest.mark.parametrize(
    "made", [NAMED, 'Line = Row("text", "n")', 'if True:\n        Line = namedtuple("Text", "text n")']
)
def test_so_does_what_a_function_makes(made: str) -> None:
    new = native(IN_FUNCTION.format(made=made, more=""))
    assert not [name for name in ("fields", "Line", "namedtuple(", "Row(") if name in new]
    assert 'F.lit(1).alias("n")' in new


@pytest.mark.parametrize(
    ("made", "more"),
    [
        (NAMED, "\n    print(Line)"),
        (NAMED, "\n    print(locals())"),
        (f"{NAMED}\n    Line = Line", ""),
        ('Line = namedtuple("Text", make())', ""),
    ],
    ids=["read", "by name", "bound twice", "a call"],
)
def test_else_it_stays_in_its_function(made: str, more: str) -> None:
    new = file(IN_FUNCTION.format(made=made, more=more)).new
    assert made.partition("\n")[0] in new


def test_parts_of_a_class_stay() -> None:
    before = "class Job:\n    directory = 'checkpoint'"
    assert "    directory = 'checkpoint'\n" in native(
        program(before, "directory = 1\nprint(directory)\nlines.pprint()")
    )


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ('DIRECTORY = "checkpoint"', "lines.pprint()"),
        ('DIRECTORY = "checkpoint"', "ssc.checkpoint(DIRECTORY)\nlines.pprint()\nprint(DIRECTORY)"),
        ('DIRECTORY = "checkpoint"', "ssc.checkpoint(DIRECTORY)\nlines.pprint()\nprint(globals())"),
        ("DIRECTORY = make()", "ssc.checkpoint(DIRECTORY)\nlines.pprint()"),
        (
            'DIRECTORY = "a"\nif len("ab") > 1:\n    DIRECTORY = "b"',
            "ssc.checkpoint(DIRECTORY)\nlines.pprint()",
        ),
    ],
    ids=["never read", "read elsewhere", "by name", "a call", "bound in a branch"],
)
def test_what_else_stays(before: str, body: str) -> None:
    assert before.splitlines()[0] in native(program(before, body))


def test_what_new_code_reads_stays() -> None:
    new = native(program("INTERVAL = 3").replace("(sc, 1)", "(sc, INTERVAL)"))
    assert "INTERVAL = 3\n" in new
    assert "{INTERVAL} seconds" in new


def test_what_another_module_takes_stays() -> None:
    source = program('DIRECTORY = "checkpoint"', "ssc.checkpoint(DIRECTORY)\nlines.pprint()")
    modules = [module(source), module("from job import DIRECTORY\n\nprint(DIRECTORY)\n", "other.py")]
    assert 'DIRECTORY = "checkpoint"\n' in migrate(modules, Options()).files[0].new


def test_docstrings_that_go_with_their_functions_are_told_of() -> None:
    words = (
        'def words_of(stream):\n    """The words."""\n    return stream.flatMap(str.split).window(2, 3)\n'
        'def shown(word):\n    """How."""\n    return word.upper()\n'
        "words_of(lines).map(shown).pprint()"
    )
    (graph,) = run(socket_program(words)).graphs
    (note,) = [note for note in graph.notes if "docstrings" in note]
    assert note == (
        "docstrings left out with functions that the new code has no use for: `words_of`, `shown`"
    )


IDLE = (
    'import json\n\n\ndef saved(word):\n    """Save it."""\n    return json.dumps([word, TABLE, CONF])\n\n\n'
    "# --- the table ---\n\n# its name\nTABLE = 'words'\nCONF = {'table': TABLE}\n\n# --- the stream ---\n\n"
)


def test_what_has_no_output_is_told_of_with_what_it_would_have_called() -> None:
    (graph,) = run(IDLE + socket_program("updates = lines.map(saved)\nlines.pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    told = "`updates` had no output operation, so `saved` never ran: they are left out"
    assert told in graph.notes
    assert not any("docstrings" in note for note in graph.notes)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "lines = ssc.textFileStream('in')\nlines = ssc.socketTextStream('h', 9998)\nlines.pprint()",
            "`ssc.textFileStream(...)` is left out: no output reads its stream,"
            " as `lines` is another one below",
        ),
        (
            "others = ssc.textFileStream('in').map(len)\nlines.pprint()",
            "`ssc.textFileStream(...)` is left out: no output reads its stream",
        ),
        (
            "others = ssc.textFileStream('in')\nothers = others.map(len)\nlines.pprint()",
            "`ssc.textFileStream(...)` is left out: no output reads its stream",
        ),
    ],
)
def test_a_source_that_no_output_reads_is_told_of(body: str, told: str) -> None:
    result = run(program("", body))
    assert told in result.graphs[0].notes
    assert "textFileStream" not in result.files[0].new


def test_constants_that_only_such_a_function_read_stay_below_their_heading() -> None:
    new = file(IDLE + socket_program("updates = lines.map(saved)\nlines.pprint()")).new
    assert "# --- the table ---\n\n# its name\nTABLE = 'words'\nCONF = {'table': TABLE}\n" in new
    assert "def saved" not in new


def test_constants_that_only_such_a_function_read_go_beside_others() -> None:
    source = IDLE.replace("\n\n# --- the stream", "\nOTHER = 1\nprint(OTHER)\n\n# --- the stream")
    new = file(source + socket_program("updates = lines.map(saved)\nlines.pprint()")).new
    assert "TABLE" not in new
    assert "# --- the table ---\n" in new


IGNORED_CONF = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

conf = {conf}
sc = SparkContext(master="local").getOrCreate(conf=conf)
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
"""


def test_settings_that_spark_ignored_go() -> None:
    new = native(IGNORED_CONF.format(conf='SparkConf().setAppName("words").set("spark.io.encryption", NONE)'))
    assert "conf" not in new.lower()
    assert 'SparkSession.builder.master("local").getOrCreate()' in new


@pytest.mark.parametrize(
    "conf", ["SparkConf().setAppName(named())", "settings().setAppName('words')", "SparkConf(loaded())"]
)
def test_settings_that_call_something_stay(conf: str) -> None:
    assert f"conf = {conf}\n" in native(IGNORED_CONF.format(conf=conf))


def test_a_counter_that_only_itself_reads_stays() -> None:
    """Where the program has no such variable, it fails at the first element, and so does the new one."""
    body = (
        "def pair(m):\n    a, b = m[1].split(' ')\n    return ((a, b), (int(a), b))\n"
        "def save(rdd):\n    global count\n    for x in rdd.collect():\n"
        "        count = count + 1\n        print(x[0][0], x[1][1])\n"
        "messages.map(pair).foreachRDD(lambda rdd: save(rdd))\nmessages.map(lambda m: m[1]).pprint()"
    )
    new = file(kafka_program(body)).new
    assert "        count = count + 1\n" in new


@pytest.mark.parametrize(
    "queue",
    ["[sc.parallelize([1, 2])]", "[sc.range(1, 6)]", "[sc.parallelize([i]) for i in range(3)]"],
)
def test_rdds_of_a_queue_that_no_output_reads_go_with_it(queue: str) -> None:
    body = f"numbers = {queue}\nothers = ssc.queueStream(numbers)\nlines.pprint()"
    assert "numbers" not in file(program("", body)).new
    assert "numbers = " in file(program("", f"{body}\nprint(len(numbers))")).new


def test_what_a_context_remembers_is_no_stream() -> None:
    (graph,) = (result := run(socket_program("ssc.remember(60)\nlines.pprint()"))).graphs
    assert graph.outcome is Outcome.NATIVE
    (site,) = [site for site in result.sites if site.operator == "remember"]
    assert (site.tier, "remember is left out" in site.reason) == (Tier.CONTEXT, True)


SENT = """\
def sent(stream, topic):
    '''Send it.'''
    stream.foreachRDD(lambda rdd: print(topic, rdd.collect()))
"""


def test_a_function_goes_that_nothing_calls_and_that_only_a_stream_could_be_given_to() -> None:
    result = run(program(SENT))
    assert "foreachRDD" not in result.files[0].new and "sent" not in result.files[0].new
    (note,) = [note for note in result.graphs[0].notes if "`sent`" in note]
    assert note.startswith("functions left out that nothing calls, and that could be given nothing but a ")


@pytest.mark.parametrize(
    "before",
    [
        SENT.replace("foreachRDD", "foreach"),
        f"{SENT}print(sent)",
        f"import jobs\n{SENT}jobs.sent(1, 2)",
        f"{SENT}print(globals())",
        "class Job:\n    def sent(self, stream):\n        stream.pprint()",
    ],
    ids=["another object", "read", "an attribute", "by name", "a method"],
)
def test_other_functions_that_nothing_calls_stay(before: str) -> None:
    assert "def sent(" in native(program(before))


@pytest.mark.parametrize(
    ("made", "more", "goes"),
    [
        pytest.param("initial = sc.parallelize([('a', 1), ('b', -1)])", "", True, id="a list"),
        pytest.param(
            "initial = sc.parallelize([('a', 1)])", "print(initial.count())", False, id="it is read"
        ),
        pytest.param("initial = sc.parallelize(found())", "", False, id="of what a function gives"),
        pytest.param("initial = pool.parallelize([1])", "", False, id="of something else"),
        pytest.param("if True:\n    initial = sc.parallelize([1])", "", False, id="alone in its block"),
    ],
)
def test_an_rdd_of_literals_that_nothing_reads_goes(made: str, more: str, goes: bool) -> None:
    """It needed a SparkContext, and did nothing."""
    new = str(file(socket_program(f"# the words at the start\n{made}\nlines.pprint()\n{more}")).new)
    assert ("parallelize" not in new and "at the start" not in new) is goes, new
