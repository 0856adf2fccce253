"""Functions of streams that stay: functions of DataFrames, which the batch function calls."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome, Tier
from tests.migrate.programs import KAFKA, SOCKET, file, run

PAIRS = "pairs = lines.map(lambda line: (line, 1))\n"
STATE = "    return stream.updateStateByKey(lambda new, old: sum(new) + (old or 0))\n"


def _native(functions: str, body: str, program: str = SOCKET) -> str:
    source = functions + "\n\n" + program.format(body=body)
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return file(source).new


def test_it_keeps_its_name_parameters_docstring_and_comments() -> None:
    count = (
        'def count(stream, least=2):\n    """Counts.\n\n    Of a batch.\n    """\n    # as pairs\n'
        "    pairs = stream.map(lambda line: (line, 1))\n    # by line\n"
        "    return pairs.reduceByKey(lambda a, b: a + b)\n"
    )
    new = _native(count, "# how many\ncounts = count(lines)\ncounts.pprint()\n")
    assert 'def count(stream, least=2):\n    """Counts.\n\n    Of a batch.\n    """\n' in new
    assert "    # as pairs\n    # by line\n" in new
    assert '    return stream.groupBy(F.col("value").alias("line")).count()\n' in new
    assert "    # how many\n    counts = count(batch)\n    counts.show(10, truncate=False)\n" in new


def test_one_that_puts_something_out_and_returns_nothing() -> None:
    new = _native('def show(stream):\n    """Print it."""\n    stream.pprint()\n', "show(lines)\n")
    assert 'def show(stream):\n    """Print it."""\n    stream.show(10, truncate=False)\n' in new
    assert ".foreachBatch(lambda batch, batch_id: show(batch))\n" in new


def test_a_state_is_a_variable_of_the_module() -> None:
    new = _native(f"def totals_of(stream):\n{STATE}", PAIRS + "totals_of(pairs).pprint()\n")
    assert "def totals_of(stream):\n    global totals\n    added = " in new
    assert "    return totals\n" in new
    assert new.count("\ntotals = spark.createDataFrame(") == 1
    assert "global" not in new[new.index("def process_batch(") :]


def test_a_state_has_the_name_that_the_function_gives_it() -> None:
    state = STATE.replace("return", "counted =") + "    return counted\n"
    new = _native(f"def totals_of(stream):\n{state}", PAIRS + "totals_of(pairs).pprint()\n")
    assert "    global counted\n" in new
    assert "    counted = (\n        counted.union(added)\n" in new
    assert "    return counted\n" in new


def test_a_state_with_the_name_of_another_variable_is_returned_by_its_new_one() -> None:
    state = STATE.replace("return", "totals =") + "    return totals\n"
    body = PAIRS + "totals = totals_of(pairs)\ntotals.pprint()\n"
    new = _native(f"def totals_of(stream):\n{state}", body)
    assert "    global totals_state\n" in new
    assert "    return totals_state\n" in new
    assert "    totals = totals_of(" in new


SHOWS = (
    "def title_of(word):\n    return word.strip().title()\n\n\n"
    "def show(stream, mark):\n    stream.map({}).map(lambda one: (one, 1))"
    ".reduceByKey(lambda a, b: a + b).pprint()\n"
)


def test_a_typed_function_stands_above_it() -> None:
    new = _native(SHOWS.format("title_of"), 'show(lines, "x")\n')
    assert '\ntitle_of_udf = F.udf(title_of, "string")\n\n\ndef show(stream, mark):\n    ' in new
    assert '.foreachBatch(lambda batch, batch_id: show(batch, "x"))\n' in new


def test_a_typed_function_that_reads_its_parameters_stands_in_it() -> None:
    new = _native(SHOWS.format("lambda one: title_of(one) + str(mark)"), 'show(lines, "x")\n')
    assert "\ndef show(stream, mark):\n    convert_udf = F.udf(lambda one: title_of(one) + str(mark), " in new
    assert '.foreachBatch(lambda batch, batch_id: show(batch, "x"))\n' in new


def test_a_typed_function_of_one_that_is_called_twice_is_made_once() -> None:
    new = _native(SHOWS.format("title_of"), 'show(lines, "x")\nshow(lines, "y")\n')
    assert new.count("F.udf(") == 1
    assert '    show(batch, "x")\n    show(batch, "y")\n' in new


def test_each_of_two_functions_has_its_own_typed_function() -> None:
    both = SHOWS.format("lambda one: title_of(one) + str(mark)")
    again = both[both.index("def show") :].replace("def show", "def tell")
    new = _native(f"{both}\n\n{again}", 'show(lines, "x")\ntell(lines, "y")\n')
    first, second = new.split("\ndef tell(")
    assert first.count("    convert_udf = F.udf(") == second.count("    convert_udf_2 = F.udf(") == 1


IN_MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{outside}

def main():
    sc = SparkContext()
    ssc = StreamingContext(sc, 1)
{inside}    pairs = ssc.socketTextStream("localhost", 9999).map(lambda line: (line, 1))
    counted = totals_of(pairs)
    counted.pprint()
    pairs.pprint()
    ssc.start()
    ssc.awaitTermination()


main()
"""


def test_a_state_beside_a_batch_function_that_stands_in_a_function() -> None:
    source = IN_MAIN.format(outside=f"def totals_of(stream):\n{STATE}", inside="")
    assert run(source).graphs[0].outcome is Outcome.NATIVE
    new = file(source).new
    assert "def totals_of(stream):\n    global totals\n" in new
    assert "    global totals\n    totals = spark.createDataFrame(" in new[new.index("def main") :]


def test_a_state_of_a_function_inside_of_the_one_that_starts() -> None:
    inside = "".join(f"    {row}\n" for row in f"def totals_of(stream):\n{STATE}".splitlines())
    source = IN_MAIN.format(outside="", inside=inside)
    assert run(source).graphs[0].outcome is Outcome.NATIVE
    new = file(source).new
    assert "    def totals_of(stream):\n        nonlocal totals\n" in new
    assert "global" not in new


def test_what_nothing_reads_goes_from_it() -> None:
    function = f"def totals_of(stream):\n    stream.updateStateByKey(lambda new, old: 1)\n{STATE}"
    new = _native(function, PAIRS + "totals_of(pairs).pprint()\n")
    assert new.count("localCheckpoint()") == 1


def test_one_whose_streams_no_output_reads_goes() -> None:
    new = _native(f"def totals_of(stream):\n{STATE}", PAIRS + "unread = totals_of(pairs)\nlines.pprint()\n")
    assert "totals" not in new


TIMES = (
    "def stamped(stream{more}):\n"
    "    return stream.transform(lambda time, rdd: rdd.map(lambda line: (line, time.year)))\n"
)


def test_it_is_given_the_batch_time() -> None:
    new = _native(TIMES.format(more=", name"), 'stamped(lines, "x").pprint()\n')
    assert "def stamped(stream, name, batch_time):\n" in new
    assert 'stamped(batch, "x", batch_time)' in new


def test_it_dissolves_where_it_has_no_place_for_the_batch_time() -> None:
    new = _native(TIMES.format(more=", name=1"), "stamped(lines).pprint()\n")
    assert "stamped" not in new


WINDOW = (
    "def recent(stream, length):\n"
    "    counts = stream.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
    "    return counts.window(length{more})\n"
)


def test_it_is_given_what_its_window_holds() -> None:
    new = _native(WINDOW.format(more=""), "recent(lines, 4).pprint()\n")
    assert "\ndef recent(stream, length, now, window):\n" in new
    assert "    window.append((now, counts.persist()))\n    while window[0][0] <= now - length:\n" in new
    assert "\nwindow = deque()  # pairs of a batch time and its rows, of the last 4 seconds\n" in new
    assert "    now = int(time.time())\n    rows = recent(batch, 4, now, window)\n" in new


@pytest.mark.parametrize(
    ("held", "base"),
    [
        ("stream", "stream"),
        ("stream.cache()", "stream"),
        ("stream.map(lambda line: line)", "held"),
        ("stream.map(lambda line: (line,))", "held"),
    ],
)
def test_what_it_is_given_and_holds_in_a_window_is_its_own(held: str, base: str) -> None:
    """Spark releases equal DataFrames together, and the batch function persists what it hands over."""
    function = f"def last(stream):\n    held = {held}\n    return held.window(4)\n"
    body = "words = lines.flatMap(str.split)\nlast(words).pprint()\nwords.count().pprint()\n"
    new = _native(function, body)
    assert f"    added = {base}.localCheckpoint()\n    window.append((now, added.persist()))\n" in new
    other = _native(function.replace(f"= {held}", "= stream.filter(lambda line: line != '')"), body)
    assert "    window.append((now, held.persist()))\n" in other


def test_the_length_of_its_window_in_batches_is_made_of_what_it_is_given() -> None:
    body = "length = int(sys.argv[2])\nrecent(lines, length).pprint()\n"
    program = SOCKET.replace("(sc, 1)", "(sc, float(sys.argv[1]))").replace("from", "import sys\nfrom", 1)
    new = _native(WINDOW.format(more=""), body, program)
    assert "def recent(stream, length_2, now, window):\n" in new
    assert "length_2 = round(length / interval)  # in intervals\n" in new
    assert "    while window[0][0] <= now - length_2:\n" in new


@pytest.mark.parametrize(
    ("call", "new_call"),
    [
        ("recent(lines, 4, 2)", "recent(batch, 4, now, window)"),
        ("recent(lines, slide=2, length=4)", "recent(batch, length=4, now=now, window=window)"),
    ],
)
def test_the_slide_of_its_window_goes_where_that_triggers_the_query(call: str, new_call: str) -> None:
    function = (
        "def recent(stream, length, slide):\n    pairs = stream.map(lambda line: (line, 1))\n"
        "    return pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, length, slide)\n"
    )
    new = _native(function, f"{call}.pprint()\n")
    assert "def recent(stream, length, now, window):\n" in new
    assert f"    rows = {new_call}\n" in new
    assert 'trigger(processingTime="2 seconds")' in new


def test_a_parameter_goes_that_only_old_code_read() -> None:
    """Also the last one, which others stand behind now; not one that code beside the streams reads."""
    function = (
        "def counted(stream, seconds, name):\n"
        "    counts = stream.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
        "    counts.checkpoint(seconds)\n"
        "    return counts.filter(lambda pair: pair[0] != name)\n"
    )
    new = _native(function, "counted(lines, 3, 'a').pprint()\n")
    assert "def counted(stream, name):\n" in new and "counted(batch, 'a')" in new


def test_a_window_of_rdds_is_united_by_their_context() -> None:
    """A function does not see a session that is a variable of another one."""
    function = (
        "import json\n\ndef recent(stream):\n    kept = stream.map(json.loads).filter(bool)\n"
        "    return kept.map(lambda found: (found, 1)).window(4).reduceByKey(lambda a, b: a + b)\n"
    )
    new = _native(function, "recent(lines).pprint()\n")
    assert "kept.context.union([rdd for _, rdd in window])" in new
    assert "sparkContext" not in new


@pytest.mark.parametrize(
    ("function", "call"),
    [
        pytest.param(WINDOW.format(more=", 2"), "recent(lines, 4)", id="a slide"),
        pytest.param(
            "def recent(stream, length=4):\n    return stream.window(length)\n",
            "recent(lines)",
            id="a default",
        ),
    ],
)
def test_it_dissolves_where_it_cannot_be_given_that(function: str, call: str) -> None:
    new = _native(function, f"{call}.pprint()\nlines.pprint()\n")
    assert "def recent" not in new
    assert "deque()" in new


def test_a_variable_with_its_name_does_not_hide_it() -> None:
    function = "def words(stream):\n    parts = stream.flatMap(str.split)\n    return parts\n"
    new = _native(function, "words = words(lines)\nwords.pprint()\n")
    assert "    parts = words(batch)\n    parts.show(" in new


def test_annotations_say_what_it_takes_and_gives_now() -> None:
    head = "from pyspark.streaming import DStream\n\n"
    function = "def long(stream: DStream, least: int) -> DStream:\n    return stream.filter(len)\n"
    new = _native(head + function, "long(lines, 3).pprint()\n")
    assert "def long(stream: DataFrame, least: int) -> DataFrame:\n" in new
    assert "from pyspark.sql import DataFrame, SparkSession\n" in new
    assert "pyspark.streaming" not in new


def test_annotations_of_rdds() -> None:
    head = "from pyspark.streaming import DStream\n\n"
    function = "def parsed(stream: DStream) -> DStream:\n    return stream.map(lambda line: eval(line))\n"
    new = _native(head + function, "parsed(lines).foreachRDD(lambda rdd: print(rdd.take(3)))\n")
    assert "def parsed(stream: DataFrame) -> RDD:\n" in new
    assert "from pyspark import RDD\n" in new


def test_a_query_that_hands_each_element_on_itself_has_no_batch_function_for_it() -> None:
    functions = "def long(stream):\n    return stream.filter(lambda line: len(line) > 3)\n"
    new = _native(functions, "long(lines).foreachRDD(lambda rdd: rdd.foreach(print))\n")
    assert ".foreach(lambda row: print(" in new
    assert "process_batch" not in new


@pytest.mark.parametrize("trigger", ["continuous=1s", "realtime"])
def test_a_query_of_a_trigger_without_batches(trigger: str) -> None:
    functions = "def values(stream):\n    return stream.map(lambda kv: kv[1])\n\n\n"
    options = Options(trigger=Trigger.parse(trigger), spark=SparkVersion.parse("4.3"))
    source = functions + KAFKA.format(body="values(messages).pprint()\n")
    result = run(source, options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "process_batch" not in new
    assert "def values" not in new


def test_it_is_kept_where_its_code_is_of_rdds() -> None:
    functions = 'def parsed(stream):\n    """Parse."""\n    return stream.map(lambda line: eval(line))\n'
    source = (
        functions + "\n\n" + SOCKET.format(body="parsed(lines).foreachRDD(lambda rdd: print(rdd.first()))\n")
    )
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert any(site.tier is Tier.RDD for site in result.sites)
    assert '"""Parse."""' in file(source).new


def test_it_returns_the_stream_that_it_returned_by_whatever_name() -> None:
    functions = (
        "def shown(stream):\n    words = stream.flatMap(str.split)\n    kept = words\n"
        "    words = words.filter(lambda word: word.startswith('a'))\n"
        "    words.pprint()\n    kept.pprint()\n\n\n"
        "def frequent(stream):\n    words = stream.flatMap(str.split)\n"
        "    pairs = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)\n"
        "    words = pairs.filter(lambda pair: pair[1] > 2)\n    return words\n"
    )
    new = _native(functions, "shown(lines)\nfrequent(lines).pprint()\n")
    assert '    words_3 = pairs.where(F.col("count") > 2)\n    return words_3\n' in new


def test_pairs_that_it_also_returns_have_a_variable() -> None:
    function = (
        "def paired(stream):\n    pairs = stream.map(lambda line: (line, 1))\n"
        "    pairs.reduceByKey(lambda a, b: a + b).pprint()\n    return pairs\n"
    )
    new = _native(function, "unread = paired(lines)\n")
    assert "    pairs = stream.select(" in new
    assert "    return pairs\n" in new


def test_one_of_several_streams_that_a_function_gives_is_made_where_it_is_read() -> None:
    functions = (
        "def made(stream):\n    long = stream.filter(lambda line: len(line) > 3)\n"
        "    short = long.union(long)\n    short = stream.filter(len)\n    return long, short\n"
    )
    new = _native(functions, "long, short = made(lines)\nlong.foreachRDD(lambda rdd: rdd.foreach(print))\n")
    assert "long = batch.where(" in new
    assert "long.foreach(lambda row: print(" in new


WORDS = (
    "def count(stream):\n    skipped = ['a', 'the']\n{more}"
    "    words = stream.filter(lambda word: word not in skipped)\n    words.countByValue().pprint()\n"
)
COUNTS = "count(lines)\ncount(lines.map(lambda line: line + '!'))\n"


@pytest.mark.parametrize("more", ["", "    skipped.append('an')\n", "    skipped.extend(['rt', 'via'])\n"])
def test_it_makes_its_lists_in_each_batch(more: str) -> None:
    new = _native(WORDS.format(more=more), COUNTS)
    assert f"def count(stream):\n    skipped = ['a', 'the']\n{more}" in new
    assert ".isin(" in new and "skipped" not in new[new.index("def process_batch(") :]


@pytest.mark.parametrize(
    "more",
    [
        "    skipped = SKIPPED\n    skipped.append('an')\n",
        "    SKIPPED.append('an')\n",
        "    note(skipped)\n",
    ],
)
def test_what_others_would_see_in_each_batch_is_refused(more: str) -> None:
    source = f"SKIPPED = []\n{WORDS.format(more=more)}\n\n{SOCKET.format(body=COUNTS)}"
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "does more than make streams in a straight line" in graph.reasons[0]


@pytest.mark.parametrize(
    ("yields", "outcome"),
    [
        ("    def words(line):\n        yield from line.split(' ')\n", Outcome.NATIVE),
        ("    words = str.split\n    yield stream\n", Outcome.COMPAT),
    ],
)
def test_only_a_function_that_yields_itself_is_a_generator(yields: str, outcome: Outcome) -> None:
    count = f"def count(stream):\n{yields}    stream.flatMap(words).countByValue().pprint()\n"
    (graph,) = run(f"{count}\n{SOCKET.format(body='count(lines)')}").graphs
    assert graph.outcome is outcome
    assert outcome is Outcome.NATIVE or "is a generator" in graph.reasons[0]


COUNTER = (
    "class Counter:\n    def __init__(self, least):\n        self.least = least\n"
    "    def count(self, stream):\n        least = self.least\n"
    "        counts = stream.countByValue()\n"
    "        return counts.filter(lambda pair: pair[1] > least)\n{more}"
)
COUNTED = "counter = Counter(3)\nfrequent = counter.count(lines)\nfrequent.pprint()\n"


JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

class Job:
    def __init__(self):
        self.least = 3
        self.ssc = StreamingContext(SparkContext(appName="Test"), 1)

    def long(self, stream):
        return stream.filter(lambda line: len(line) > 3)

    def count(self, stream):
        least = self.least
        counts = stream.countByValue()
        return counts.filter(lambda pair: pair[1] > least)

    def save(self, time, rdd):
        print(time, self.least, rdd.collect())

    def run(self):
        lines = self.ssc.socketTextStream("localhost", 9999)
        long = self.long(lines)
        {read}
        self.ssc.start()
        self.ssc.awaitTermination()

Job().run()
"""


@pytest.mark.parametrize(
    ("read", "calls"),
    [
        ("self.count(long).pprint()", True),
        ("long.foreachRDD(self.save)", True),
        ("long.pprint()", False),
    ],
)
def test_an_idle_method_stays_where_its_object_is_taken_along_anyway(read: str, calls: bool) -> None:
    assert ("self.long(batch)" in file(JOB.format(read=read)).new) is calls


def test_what_it_gives_is_persisted_where_it_is_called() -> None:
    body = "words = split(lines)\nwords.pprint()\nwords.count().pprint()\n"
    new = _native("def split(stream):\n    return stream.flatMap(lambda line: line.split())\n", body)
    assert "    words = split(batch).persist()\n" in new


def test_it_may_read_what_its_object_was_made_with() -> None:
    new = _native(COUNTER.format(more=""), COUNTED)
    assert "        least = self.least\n" in new and 'F.col("count") > least' in new.replace("'", '"')
    assert "    frequent = counter.count(batch)\n" in new


def test_it_may_read_what_its_class_holds() -> None:
    source = COUNTER.replace("def __init__(self, least):\n        self.least = least", "least = 3")
    new = _native(source.format(more=""), COUNTED.replace("Counter(3)", "Counter()"))
    assert "        least = self.least\n" in new and "    frequent = counter.count(batch)\n" in new


@pytest.mark.parametrize(
    "more", ["    def more(self):\n        self.least += 1\n", "setattr(Counter, 'least', 2)\n"]
)
def test_not_where_that_may_change(more: str) -> None:
    source = COUNTER.format(more=more) + "\n\n" + SOCKET.format(body=COUNTED)
    new = file(source).new
    assert "counter.count(batch)" not in new
