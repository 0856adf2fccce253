"""Variables that a program binds before it starts are read by their names in Column expressions."""

from __future__ import annotations

from textwrap import indent

import pytest

from migrate.model import Tier
from tests.migrate.programs import SOCKET, run

FUNCTIONS = """\
import csv, os, sys

def words_of(path):
    found = []
    with open(path) as file:
        for line in file:
            found.append(line.strip())
    return set(found)
"""


def rewritten(before: str, stream: str, after: str = "") -> str:
    """The new text of a program with statements before and after a stream."""
    source = FUNCTIONS + before + "\n" + SOCKET.format(body=f"{stream}.pprint()\n{after}")
    (new,) = [file.new for file in run(source).files]
    assert new is not None
    return new


def _asks(new: str | None) -> bool:
    """Whether new code asks a column for the items of the list, set or dict `kept`."""
    return ".isin(kept)" in str(new) or ".isin(*kept)" in str(new)


@pytest.mark.parametrize(
    ("before", "stream", "code"),
    [
        ("word = sys.argv[1]", "lines.filter(lambda x: x == word)", 'F.col("value") == word'),
        ("word = sys.argv[1]", "lines.filter(lambda x: word != x)", 'F.col("value") != word'),
        ("word = sys.argv[1]", "lines.filter(lambda x: word in x)", 'F.col("value").contains(word)'),
        ("word = sys.argv[1]", "lines.map(lambda x: (x, word))", 'F.lit(word).alias("word")'),
        ("word = sys.argv[1]", "lines.map(lambda x: x + word)", 'F.concat("value", F.lit(word))'),
        ("word = sys.argv[1]", "lines.filter(lambda x: x != '#%s' % word)", 'F.col("value") != f"#{word}"'),
        ("w = sys.argv[1]", "lines.filter(lambda x: '{' + w + '!' in x)", '.contains(f"{{{w}!")'),
        ("w = sys.argv[1]", "lines.map(lambda x: f'{w}: ' + x)", 'F.concat(F.lit(f"{w}: "), "value")'),
        ("n = int(sys.argv[1])", "lines.filter(lambda x: len(x) > n)", 'F.length("value") > n'),
        ("n = int(input()) + 1", "lines.filter(lambda x: n <= len(x))", 'F.length("value") >= n'),
        ("x0 = float('0.5')", "lines.filter(lambda x: float(x) > x0)", "> x0"),
        ("loud = '-l' in sys.argv", "lines.filter(lambda x: loud or x)", "F.lit(loud)"),
        ("w, n = sys.argv[1], 2", "lines.filter(lambda x: x == w)", 'F.col("value") == w'),
        ("w, n = sys.argv[1:]", "lines.filter(lambda x: x == w)", 'F.col("value") == w'),
        ("w = os.getenv('W', 'w')", "lines.filter(lambda x: x == w)", 'F.col("value") == w'),
        ("w = os.environ['W']", "lines.filter(lambda x: x == w)", 'F.col("value") == w'),
        ("w = 'a'\nw += sys.argv[1]", "lines.filter(lambda x: x == w)", 'F.col("value") == w'),
        ("if sys.argv[1:]:\n    w = 'a'\nelse:\n    w = 'b'", "lines.filter(lambda x: x == w)", "== w"),
        ("kept = sys.argv[1:]", "lines.filter(lambda x: x in kept)", 'F.col("value").isin(kept)'),
        (
            "kept = words_of('a')",
            "lines.filter(lambda x: x not in kept)",
            'in_kept = F.col("value").isin(*kept)',
        ),
        ("kept = frozenset(open('a'))", "lines.filter(lambda x: x in kept)", 'F.col("value").isin(*kept)'),
        ("kept = open('a').read().split()", "lines.filter(lambda x: x in kept)", ".isin(kept)"),
        ("kept = [int(x) for x in open('a')]", "lines.filter(lambda x: len(x) in kept)", ".isin(kept)"),
        (
            "kept = {}\nfor w in open('a'):\n    kept[w] = 1",
            "lines.filter(lambda x: x in kept)",
            ".isin(*kept)",
        ),
        ("kept = {w: 1 for w in open('a')}", "lines.filter(lambda x: x not in kept)", ".isin(*kept)"),
        (
            "kept = []\nfor row in csv.reader(open('a')):\n    kept.append(row[0])\nprint(len(kept), kept)",
            "lines.filter(lambda x: x in kept)",
            ".isin(kept)",
        ),
        (
            "kept = ['#A']\nkept = [word.lower() for word in kept]",
            "lines.filter(lambda x: x in kept)",
            ".isin(kept)",
        ),
        (
            "file = open('a')\nkept = set(file.readline().split())\nfile.close()\nkept.add('more')",
            "lines.map(lambda x: 'yes' if x in kept else 'no')",
            "F.when(in_kept, 'yes')",
        ),
        (
            "kept = sys.argv[1:]\nkept\nshared = sc.broadcast(kept)",
            "lines.filter(lambda x: x in kept)",
            ".isin(kept)",
        ),
        (
            "import json\nkept = ['#' + tag.lower() for tag in list(json.load(open('a')).values())]",
            "lines.filter(lambda x: x in kept)",
            ".isin(kept)",
        ),
        (
            "def load(name):\n    return set(word.strip() for word in open(name))\n"
            "good, bad = load('a'), load('b')\nkept = good.union(bad)",
            "lines.filter(lambda x: x in kept)",
            ".isin(*kept)",
        ),
        (
            "good, bad = set(open('a')), set(open('b'))\nkept = good | bad",
            "lines.filter(lambda x: x in kept)",
            ".isin(*kept)",
        ),
        (
            "more = ['rt', 'ff']\nkept = ['a', 'the']\nkept.extend(more)",
            "lines.filter(lambda x: x not in kept)",
            ".isin(kept)",
        ),
        (
            "more = open('b').read().split()\nkept = set(open('a'))\nkept.update(more)",
            "lines.filter(lambda x: x not in kept)",
            ".isin(*kept)",
        ),
        (
            "more = open('b').read().split()\nkept = set(open('a'))\nkept |= {*more, 'rt'}",
            "lines.filter(lambda x: x not in kept)",
            ".isin(*kept)",
        ),
        (
            "good, bad = set(open('a')), set(open('b'))\nkept = set(open('c'))\nkept |= good",
            "lines.filter(lambda x: x in kept)",
            ".isin(*kept)",
        ),
        (
            "good, bad = set(open('a')), open('b').read().split()\nkept = [*good, *bad, 'rt']",
            "lines.filter(lambda x: x in kept)",
            ".isin(kept)",
        ),
        (
            "def read(path):\n    print(path)\n    try:\n        words = open(path).read().split()\n"
            "    except IOError as error:\n        print(error)\n    return set(words)\nkept = read('a')",
            "lines.filter(lambda x: x in kept)",
            ".isin(*kept)",
        ),
    ],
)
def test_the_new_code_reads_it_by_its_name(before: str, stream: str, code: str) -> None:
    assert code in rewritten(before, stream)


MAIN = """\
if __name__ == "__main__":
    sc = SparkContext("local[2]")
    ssc = StreamingContext(sc, 1)
    {before}
    lines = ssc.socketTextStream("localhost", 9999)
    lines.filter(lambda x: x == word).pprint()
    {after}
    ssc.start()
    ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("before", "after", "is_settled"),
    [
        ("word = sys.argv[1]", "", True),
        ("try:\n        word = sys.argv[1]\n    except IndexError:\n        word = 'a'", "", True),
        ("with open('a') as file:\n        word = file.readline()", "", True),
        ("for word in sys.argv:\n        print(word)", "", True),
        ("word = sys.argv[1]", "word = 'b'", False),
        ("word = sys.argv[1]", "if word:\n        word = 'b'", False),
        ("word = sys.argv[1]", "for word in sys.argv:\n        print(word)", False),
    ],
)
def test_in_a_branch_what_stands_above_runs_before(before: str, after: str, is_settled: bool) -> None:
    head = "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    (new,) = [file.new for file in run(head + MAIN.format(before=before, after=after)).files]
    assert ('F.col("value") == word' in new) is is_settled


def test_in_a_loop_it_runs_again() -> None:
    """The stream of the first round would have the word of the last one."""
    body = MAIN.partition("\n")[2].format(before="word = sys.argv[1]", after="word = 'b'")
    loop = "while True:\n" + body.replace(
        "    ssc.awaitTermination()", "    ssc.awaitTermination()\n    break"
    )
    head = "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    (file,) = run(head + loop).files
    assert 'F.col("value") == word' not in file.new


@pytest.mark.parametrize(
    "after",
    [
        *("word = 'b'", "kept = ['b']", "kept.append('b')", "kept += ['b']", "kept[0] = 'b'", "del kept[0]"),
        *(
            "box.extend(kept)",
            "also = kept",
            "kept.sort()",
            "globals()['kept'] = ['b']",
            "other(kept)",
            "for word in 'ab': pass",
        ),
        "def change():\n    kept.append('b')",
        "def change():\n    global kept\n    kept = ['b']",
        "def change():\n    global word\n    word = 'b'",
        "import word, kept",
    ],
)
def test_what_may_change_later_is_no_column(after: str) -> None:
    """Each of them changes one of the two variables, or may."""
    news = [
        rewritten("word = sys.argv[1]\nkept = sys.argv[2:]", f"lines.filter(lambda x: {test})", after)
        for test in ("x == word", "x in kept")
    ]
    assert any("lambda x:" in new for new in news), news


@pytest.mark.parametrize(
    "before",
    [
        "kept = [1, 'a', str(sys.argv)]",
        "kept = [line for line in open('a', 'rb')]",
        "kept = [line for line in open('a', errors='surrogateescape')]",
        "shared = [sys.argv[1]]\nkept = shared",
        "shared = ([sys.argv[1]], 1)\nkept, n = shared",
        "import unknown\nkept = unknown.words()",
        "kept = [sys.argv[1] or None]",
        "kept = [sys.argv[1]]\ndef add(words):\n    words.append(1)\nadd(kept)",
        "counts = {'a': 1}\nkept = counts.keys()\ncounts[1] = 2",
        "lists = {'a': ['b']}\nkept = lists.get('a', ['c'])",
        "import json\nkept = list(json.load(open('a')).values())",
        "kept = unknown.parallelize(['a']).collect()",
        "def read(path):\n    try:\n        words = open(path).read().split()\n"
        "    except IOError as error:\n        words = [error]\n    return words\nkept = read('a')",
        "import datetime\nkept = ['a']\nfor kept in datetime.datetime.strptime('1', '%d'): pass",
    ],
)
def test_items_of_unknown_types_or_with_a_second_name_are_no_column(before: str) -> None:
    assert "lambda x: x in kept" in rewritten(before, "lines.filter(lambda x: x in kept)")


def test_a_view_of_a_dict_that_changes_later_is_no_column() -> None:
    new = rewritten(
        "kept_by = {'a': 1}\nkept = kept_by.keys()",
        "lines.filter(lambda x: x in kept)",
        "kept_by.setdefault('b', 2)",
    )
    assert "lambda x: x in kept" in new


def test_the_last_value_of_a_loop_is_not_that_of_its_turns() -> None:
    """The functions of DStreams read a variable when a batch runs."""
    source = SOCKET.format(
        body="for word in open('a'):\n    lines.filter(lambda x: x == word.strip()).pprint()\nprint(word)"
    )
    (graph,) = run(source).graphs
    assert not any(site.tier is Tier.COLUMN and site.operator == "filter" for site in run(source).sites), (
        graph
    )


def test_a_local_variable_of_the_same_name_is_another_one() -> None:
    source = "import sys\nword = sys.argv[1]\n" + SOCKET.format(
        body="def out(rdd):\n    word = rdd.first()\n    print(rdd.filter(lambda x: x == word).count())\n"
        "lines.foreachRDD(out)"
    )
    (new,) = [file.new for file in run(source).files]
    assert new is None or 'F.col("value") == word' not in new


PARAMETERS = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def stream(ssc, kept, least=2):
    lines = ssc.socketTextStream("localhost", 9999)
    lines.filter(lambda x: x in kept and len(x) > least).pprint()
    ssc.start()
    ssc.awaitTermination()

def main():
    ssc = StreamingContext(SparkContext(appName="words"), 10)
    kept = set(open("words.txt").read().split())
    {call}

main()
"""


@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("stream(ssc, kept)", True),
        ("stream(ssc, kept=kept, least=int(sys.argv[1]))", True),
        ("stream(ssc, sys.argv[1:])", True),
        ("def show():\n        stream = sys.stdout\n        stream.flush()\n    stream(ssc, kept)", True),
        ("stream(ssc, kept)\n    kept.add('b')", False),
        ("stream(ssc, *[kept])", False),
        ("run = stream\n    run(ssc, kept)", False),
    ],
)
def test_a_parameter_is_what_all_calls_give(call: str, known: bool) -> None:
    (file,) = run(PARAMETERS.format(call=call)).files
    assert _asks(file.new) is known, file.new


@pytest.mark.parametrize(
    ("own", "known"),
    [
        ("return word in kept", True),
        ("return known(word[1:], kept)", True),
        ("return len(kept) > 3 and other(kept)", True),
        ("return [one for one in kept if one == word] + kept", True),
        ("return sorted(kept, key=len)", True),
        ("kept.append(word)\n    return True", False),
        ("return change(kept)", False),
        ("return kept", False),
        ("return known(kept, [word]) if word else word.append(1)", False),
        ("kept += [word]\n    return True", False),
    ],
)
def test_functions_that_hand_it_to_one_another_only_look_at_it(own: str, known: bool) -> None:
    functions = (
        "def other(words):\n    return words[0] == 'a'\n\n"
        "def change(words):\n    words.append('a')\n\n"
        f"def known(word, kept):\n    {own}\n\n"
    )
    stream = (
        "def stream(lines, kept):\n    lines.filter(lambda x: x in kept).pprint()\n    known('a', kept)\n\n"
    )
    source = functions + stream + SOCKET.format(body="kept = open('a').read().split()\nstream(lines, kept)")
    (file,) = run(source).files
    assert _asks(file.new) is known, file.new


@pytest.mark.parametrize(
    ("made", "known"),
    [
        ("sc.parallelize(['a', 'b'], 2).collect()", True),
        ("sc.textFile('a').collect()", True),
        ("set(sc.textFile('a').map(lambda x: x.strip()).filter(len).distinct().collect())", True),
        ("sc.textFile('a').flatMap(lambda x: x.split(',')).cache().take(9)", True),
        ("sc.textFile('a').map(lambda x: (x[:1], len(x))).collectAsMap()", True),
        ("sc.textFile('a').map(lambda x: (x, 1)).collect()", False),
        ("sc.textFile('a').map(lambda x: [x]).collect()", False),
        ("sc.textFile('a').sample(False, 0.5).map(unknown).collect()", False),
        ("sc.wholeTextFiles('a').collect()", False),
        ("sc.parallelize(open('a').read().split()).collect()", True),
        ("sc.parallelize(['a', 1]).collect()", False),
        ("sc.parallelize(unknown()).collect()", False),
        ("sc.parallelize(['a']).map(unknown).collect()", False),
    ],
)
def test_what_is_collected_of_a_list_that_was_parallelized_is_a_list_of_its_items(
    made: str, known: bool
) -> None:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    source = head + MAIN.partition("\n")[2].format(before=f"kept = {made}", after="")
    source = source.replace("    sc =", "if True:\n    sc =", 1).replace("x == word", "x in kept")
    (file,) = run(source).files
    assert _asks(file.new) is known, file.new


IN_FUNCTIONS = """\
import codecs
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{made}

def load({given}):
    {body}

def stream(ssc, kept):
    lines = ssc.socketTextStream("localhost", 9999)
    def label(word):
        return "in" if word in kept else "out"
    lines.map(lambda x: (label(x), 1)).reduceByKey(lambda x, y: x + y).pprint()
    ssc.start()
    ssc.awaitTermination()

def main():
    {main}

main()
"""
OF_MODULE = "sc = SparkContext()\nssc = StreamingContext(sc, 1)"
OF_MAIN = "sc = SparkContext()\n    ssc = StreamingContext(sc, 1)\n    "


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("return {}.textFile(name).collect()", True),
        ("words = {}.textFile(name)\nreturn words.collect()", True),
        (
            "words = {}.textFile(name).map(str.strip)\nwords = words.filter(len)\nreturn set(words.take(9))",
            True,
        ),
        ("words = {}.textFile(name)\nwords.foreach(print)\nreturn words.collect()", False),
        ("words = {}.textFile(name).map(lambda x: [x])\nreturn words.collect()", False),
        ("words = {}.wholeTextFiles(name)\nreturn words.collect()", False),
        ("words = codecs.textFile(name)\nreturn words.collect()", False),
        (
            "words = []\nfor x in codecs.open(name, encoding='utf8'):\n    words.append(x)\nreturn words",
            True,
        ),
    ],
)
@pytest.mark.parametrize("where", ["of the module", "handed over", "of the session"])
def test_a_list_that_a_function_makes_of_a_file_is_known(body: str, known: bool, where: str) -> None:
    given, made, main = "name", OF_MODULE, 'stream(ssc, load("a"))'
    if where == "of the module":
        body = body.format("sc")
    elif where == "of the session":
        session = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
        made = session + OF_MODULE.replace("SparkContext()", "spark.sparkContext")
        body = body.format("spark.sparkContext")
    else:
        given, made, main = "name, sc", "", f'{OF_MAIN}words = load("a", sc)\n    stream(ssc, words)'
        body = body.format("sc")
    (file,) = run(
        IN_FUNCTIONS.format(given=given, made=made, body=indent(body, "    ").lstrip(), main=main)
    ).files
    assert _asks(file.new) is known, file.new


def test_an_rdd_that_has_a_variable_is_collected_as_one_without() -> None:
    before = "words = sc.textFile('a')\n    kept = words.collect()"
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    source = head + MAIN.format(before=before, after="").replace("x == word", "x in kept")
    assert _asks(run(source).files[0].new)


def test_a_function_within_another_one_may_have_the_same_name() -> None:
    before = "word = sys.argv[1]\ndef other():\n    def word():\n        pass\n    word()\n"
    assert 'F.col("value") == word' in rewritten(before, "lines.filter(lambda x: x == word)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("kept = {'a': 1}\nkept.update(more())", ""),
        ("kept = {w: 1 for w in open('a')}", "kept['a'] = 2"),
        ("kept = {w: 1 for w in open('a')}\nfor w in open('b'):\n    kept[w] += 1", ""),
        ("kept = {w: 1 for w in open('a')}\ndel kept['a']", ""),
        ("kept = {w: 1 for w in open('a')}\ndef see(x):\n    kept[x] = 1", "see('a')"),
        ("kept = {w: 1 for w in open('a')}\nothers = kept", "others['a'] = 1"),
        ("kept = {w: 1 for w in open('a')}\nkept[1] = 'a'", ""),
        ("first = {'a': 1}\nkept = first", "first['b'] = 1"),
        ("kept = []\nkept[0] = 'a'", ""),
    ],
    ids=[
        *("unknown", "changed later", "counted", "deleted", "changed in a function", "a second name"),
        *("keys of two types", "a second name before", "a list"),
    ],
)
def test_a_dict_that_may_change_is_not_read_by_its_name(before: str, after: str) -> None:
    assert not _asks(rewritten(before, "lines.filter(lambda x: x in kept)", after))


@pytest.mark.parametrize(
    ("before", "is_known"),
    [
        ("kept = 'a b'\nkept = kept.split()", True),
        ("kept = ['a']\nkept.append(1)\nkept = open('a').read().split()\nkept.append('b')", True),
        ("kept = []\nalso = kept\nkept = open('a').read().split()\nalso.append(1)", True),
        ("kept = 'a b'\nkept = kept.split()\nalso = kept", False),
        ("kept = ['a']\nalso = kept\nkept += ['b']\nalso.append('c')", False),
        ("kept = 'a b'\nif sys.argv[1:]:\n    kept = kept.split()", False),
        ("for kept in sys.argv:\n    kept = kept.split()", False),
        ("kept = 'a b'\ndef size():\n    return len(kept)\nn = size()\nkept = kept.split()", False),
    ],
    ids=[
        *("two types", "changed before", "a second name of the first"),
        *(
            "a second name of the last",
            "a second name of what grows",
            "in a branch",
            "in a loop",
            "read by a function between",
        ),
    ],
)
def test_a_variable_that_is_bound_again_is_what_it_is_at_last(before: str, is_known: bool) -> None:
    assert _asks(rewritten(before, "lines.filter(lambda x: x in kept)")) is is_known


@pytest.mark.parametrize(
    ("before", "function", "type_"),
    [
        ("table = dict(zip(words, words))", "table[x].title()", "string"),
        ("table = {x: (x, len(x)) for x in words}", "table[x][1] + 1", "bigint"),
        ("table = [(x, len(x)) for x in words]", "[t[0] for t in table]", "array<string>"),
        ("table = words + [None]", "[t or x for t in table]", "array<string>"),
        ("table = {x: [x] for x in words}", "table[x][0].title()", None),
        ("table = {x: words for x in words}", "table[x][0].title()", None),
    ],
)
def test_a_typed_function_knows_what_is_in_it(before: str, function: str, type_: str | None) -> None:
    """A list inside of it may be changed by way of itself."""
    new = rewritten(f"words = open('a').read().split()\n{before}", f"lines.map(lambda x: {function})")
    assert (f'"{type_}")' in new) is (type_ is not None), new
    assert ("F.udf" in new) is (type_ is not None)


@pytest.mark.parametrize(
    ("value", "function", "is_typed"),
    [
        ("set(open('a').read().split())", "[w.title() for w in x.split() if w in tags.value]", True),
        ("{w: [w] for w in open('a').read().split()}", "tags.value[x][0].title()", True),
        ("joblib.load('model')", "int(tags.value.predict(numpy.array([x], dtype=str)))", True),
        ("joblib.load('model')", "int(tags.value.fit(x))", False),
        ("unknown()", "tags.value[x].title()", False),
        ("set(open('a').read().split())", "[tags.value.add(x), x][1]", False),
        ("set(open('a').read().split())", "str(look(tags)) + x", False),
    ],
)
def test_a_typed_function_reads_a_broadcast_variable(value: str, function: str, is_typed: bool) -> None:
    """Executors have it as it was made, whatever the driver does with it."""
    body = f"tags = sc.broadcast({value})\nlines.map(lambda x: {function}).pprint()\n"
    head = "import joblib, numpy\ndef look(it):\n    return it.value\n"
    (file,) = run(head + SOCKET.format(body=body)).files
    assert ("F.udf(" in file.new) is is_typed, file.new
    assert "tags = spark.sparkContext.broadcast(" in file.new


@pytest.mark.parametrize(
    ("context", "is_typed"),
    [
        ("SparkSession.builder.getOrCreate().sparkContext", True),
        ("SparkContext.getOrCreate()", True),
        ("SparkContext.getOrCreate(SparkConf())", True),
        ("contexts.pop()", False),
    ],
)
def test_the_context_of_a_broadcast_variable_is_any_that_a_session_has(context: str, is_typed: bool) -> None:
    head = "import joblib\nfrom pyspark import SparkConf\nfrom pyspark.sql import SparkSession\n"
    body = (
        "model = sc.broadcast(joblib.load('a'))\nlines.map(lambda x: int(model.value.predict(x))).pprint()\n"
    )
    text = SOCKET.format(body=body).replace('SparkContext(appName="Test")', context)
    (file,) = run(head + text).files
    assert ("F.udf(" in file.new) is is_typed, file.new


def test_a_broadcast_variable_that_is_bound_again_is_not() -> None:
    bound = "tags = sc.broadcast({1})\ntags = sc.broadcast({2})\n"
    body = f"{bound}lines.map(lambda x: len(x) in tags.value).pprint()\n"
    (file,) = run(SOCKET.format(body=body)).files
    assert "F.udf(" not in file.new


LOOKS = """\
def is_tagged(line):
    found = 0
    for word in line.split(" "):
        for tags in topics:
            {inner}
                found += 1
    return found == 1
"""


@pytest.mark.parametrize(
    ("value", "inner", "after", "is_typed"),
    [
        pytest.param("[['#a', '#b'], ['#c']]", "if word in tags:", "", True, id="literals"),
        pytest.param("[['a', 1], ['b', 2]]", "if tags[0] == word:", "", True, id="items are read"),
        pytest.param(
            "sc.parallelize([['#a'], ['#b']]).collect()\nsc.broadcast(topics)",
            "if word in tags:",
            "print(len(topics), ['#a'] in topics)",
            True,
            id="collected",
        ),
        pytest.param("[['#a']]", "if tags.append(word) or tags:", "", False, id="a loop changes one"),
        pytest.param("[['#a']]", "tags += [word]\n            if tags:", "", False, id="one grows"),
        pytest.param("[['#a']]", "if word in tags:", "topics[0].append('#b')", False, id="by its place"),
        pytest.param("[['#a']]", "if word in tags:", "keep(topics)", False, id="it is handed on"),
        pytest.param("[['#a']]", "if word in tags:", "first, *rest = topics", False, id="another name"),
        pytest.param("[['#a']]", "if word in tags:", "topics.append(words)", False, id="it gets another"),
        pytest.param("[words]", "if word in tags:", "words.append('#b')", False, id="one has a name"),
        pytest.param("[[['#a']]]", "if [word] in tags:", "", False, id="deeper lists"),
    ],
)
def test_a_typed_function_reads_a_list_of_lists_that_nothing_changes(
    value: str, inner: str, after: str, is_typed: bool
) -> None:
    body = f"words = ['#a']\ntopics = {value}\n{LOOKS.format(inner=inner)}\n"
    (file,) = run(SOCKET.format(body=f"{body}lines.filter(is_tagged).pprint()\n{after}\n")).files
    assert ("F.udf(is_tagged" in str(file.new)) is is_typed, file.new
