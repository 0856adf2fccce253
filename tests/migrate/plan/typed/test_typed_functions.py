"""Typed Python functions: where they stand, how they are called, and where RDD code is better."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome, Tier
from migrate.plan.typed.typed_calls import OVER_ARROW, PRINTS
from tests.migrate.programs import SOCKET, file, flat, kafka_program, native_body, run, socket_program


def tiers(body: str) -> dict[str, Tier]:
    result = run(SOCKET.format(body=body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return {site.operator: site.tier for site in result.sites}


def test_a_typed_function_is_reported_as_python() -> None:
    result = run(SOCKET.format(body="lines.map(lambda line: line.title()).pprint()"))
    (site,) = (site for site in result.sites if site.operator == "map")
    assert (site.tier, site.safe) == (Tier.PYTHON, True)
    assert "`.title` of a str has no proven Column form" in site.reason


@pytest.mark.parametrize(
    "output",
    [
        "titles.foreachRDD(lambda rdd: print(rdd.takeOrdered(3)))",
        "titles.foreachRDD(lambda rdd: rdd.map(store).foreach(print))",
        "titles.map(lambda t: unknown[t]).pprint()",
    ],
)
def test_what_goes_on_as_rdd_code_is_rdd_code_from_there(output: str) -> None:
    body = f"def store(x):\n    print(x)\ntitles = lines.map(lambda line: line.title())\n{output}"
    assert tiers(body)["map"] is Tier.RDD


def test_an_aggregate_is_where_rdd_code_may_begin() -> None:
    body = (
        "counts = lines.map(lambda line: (line.title(), 1)).reduceByKey(lambda a, b: a + b)\n"
        "counts.foreachRDD(lambda rdd: rdd.foreach(lambda pair: open(pair[0])) or print(rdd.max()))"
    )
    found = tiers(body)
    assert (found["map"], found["reduceByKey"], found["foreachRDD"]) == (Tier.PYTHON, Tier.COLUMN, Tier.RDD)


def test_a_running_sum_can_count_what_a_function_makes() -> None:
    body = (
        "lines.map(lambda line: (line.title(), 1))"
        ".updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    )
    assert tiers(body)["map"] is Tier.PYTHON
    assert 'outputMode("complete")' in run(SOCKET.format(body=body)).files[0].new


PROGRAM = """
import re
def clean(s):
    return s.strip().title()
def parse(line):
    ip, _, size = line.partition(" ")
    return ip, len(size)
def words(s):
    for word in s.title().split():
        yield word
NUMBER = re.compile("[0-9]+")
LOG = re.compile("".join(["(?P<request>.+)", "!"]))
def getFirstWord(line):
    for word in line.split():
        return word
def first_number(line):
    found = NUMBER.search(line)
    for sign in "+-":
        line = line.replace(sign, "")
    return found[0] if found else line
def request(line):
    found = LOG.match(line)
    if found:
        for part in found.groupdict()["request"].split():
            if part != "GET":
                return part
def accepts(pair):
    return pair[0].istitle()
def is_longer(pair):
    return len(pair[0].title()) > pair[1]
def mood(line):
    score = 0.0
    for word in line.split():
        if word.lower() in ("good", "great"):
            score += 1
    return score
"""


@pytest.mark.parametrize(
    ("stream", "declared", "called"),
    [
        pytest.param(
            "lines.map(clean)",
            'clean_udf = F.udf(clean, "string")',
            'select(clean_udf("value").alias("clean"))',
            id="a function of the program is given as it is",
        ),
        pytest.param(
            "lines.map(lambda line: clean(line))",
            'clean_udf = F.udf(clean, "string")',
            'select(clean_udf("value").alias("clean"))',
            id="a lambda that only calls one is that function",
        ),
        pytest.param(
            "lines.map(lambda line: (len(line), line)).map(lambda pair: clean(pair[1]))",
            'clean_udf = F.udf(clean, "string")',
            'select(clean_udf("line").alias("clean"))',
            id="so is one that gives it a part of a tuple",
        ),
        pytest.param(
            "lines.map(getFirstWord)",
            'getFirstWord_udf = F.udf(getFirstWord, "string")',
            'select(getFirstWord_udf("value").alias("firstWord"))',
            id="its column is named after what it gets",
        ),
        pytest.param(
            "lines.map(first_number)",
            'first_number_udf = F.udf(first_number, "string")',
            'select(first_number_udf("value").alias("first_number"))',
            id="a regular expression that is compiled above",
        ),
        pytest.param(
            "lines.map(lambda line: request(line))",
            'request_udf = F.udf(request, "string")',
            'select(request_udf("value").alias("request"))',
            id="named groups",
        ),
        pytest.param(
            "lines.map(parse)",
            'parse_udf = F.udf(parse, "struct<ip string, value bigint>")',
            'select(parse_udf("value").alias("result")).select("result.*")',
            id="a tuple has the names that the code uses",
        ),
        pytest.param(
            "lines.flatMap(words)",
            'words_udf = F.udf(lambda value: list(words(value)), "array<string>")',
            'select(F.explode(words_udf("value")).alias("value"))',
            id="a generator becomes a list",
        ),
        pytest.param(
            "lines.map(lambda line: (mood(line), len(line), (line, 1)))",
            'mood_udf = F.udf(mood, "double")',
            'select(mood_udf("value").alias("mood"), F.length("value").alias("field2"), '
            'F.col("value").alias("line"), F.lit(1).alias("count"))',
            id="each item of a tuple by itself, as a column where that is proven",
        ),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).map(lambda kv: kv[0].title() * kv[1])",
            'convert_udf = F.udf(lambda line, value: line.title() * value, "string")',
            'select(convert_udf("line", "value").alias("value"))',
            id="columns that a lambda reads are its parameters",
        ),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).filter(is_longer)",
            'is_longer_udf = F.udf(is_longer, "boolean")',
            'where(is_longer_udf(F.struct("line", "value")))',
            id="a function of a tuple gets a struct",
        ),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).filter(lambda pair: is_longer(pair))",
            'is_longer_udf = F.udf(is_longer, "boolean")',
            'where(is_longer_udf(F.struct("line", "value")))',
            id="so does one that a lambda gives the tuple",
        ),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).filter(accepts)",
            'accepts_udf = F.udf(accepts, "boolean")',
            'where(accepts_udf("line"))',
            id="one that reads one item of it gets its column",
        ),
        pytest.param(
            "lines.map(lambda line: (line, len(line))).mapValues(lambda n, key=3: bin(n + key))",
            'bin_udf = F.udf(lambda n, key=3: bin(n + key), "string")',
            'select("line", bin_udf("value").alias("value"))',
            id="the key stays",
        ),
        pytest.param(
            "lines.map(lambda line: ((line, 1), len(line))).flatMapValues(lambda n: [bin(n)])",
            'convert_udf = F.udf(lambda n: [bin(n)], "array<string>")',
            'select("line", "count", F.explode(convert_udf("field3")).alias("value"))',
            id="a key of two columns stays",
        ),
        pytest.param(
            "lines.filter(lambda s: s.istitle() and len(s))",
            'keep_udf = F.udf(lambda s: bool(s.istitle() and len(s)), "boolean")',
            'where(keep_udf("value"))',
            id="what is no bool becomes one",
        ),
        pytest.param(
            "lines.flatMap(lambda s: [(word.title(), len(word)) for word in s.split()])",
            "convert_udf = F.udf(lambda s: [(word.title(), len(word)) for word in s.split()], "
            '"array<struct<key string, value bigint>>")',
            'select(F.explode(convert_udf("value")).alias("item")).select("item.*")',
            id="a list of tuples",
        ),
        pytest.param(
            "errors = lines.filter(lambda s: s.istitle())\nerrors",
            'is_error = F.udf(lambda s: s.istitle(), "boolean")',
            'where(is_error("value"))',
            id="a condition is named after the stream",
        ),
    ],
)
def test_how_a_function_is_declared_and_called(stream: str, declared: str, called: str) -> None:
    new = native_body(f"{PROGRAM}{stream}.pprint()")
    assert flat(declared) in flat(new), new
    assert flat(called) in flat(new), new


def test_a_name_of_the_program_is_left_alone() -> None:
    body = "clean_udf = 1\ndef clean(s):\n    return s.title()\nlines.map(clean).pprint()\nprint(clean_udf)"
    assert "clean_udf_2 = F.udf(clean, " in run(SOCKET.format(body=body)).files[0].new


def test_one_declaration_for_one_function() -> None:
    body = f"{PROGRAM}lines.map(clean).pprint()\nlines.map(lambda line: (clean(line), 1)).pprint()"
    assert run(SOCKET.format(body=body)).files[0].new.count("F.udf(") == 1


@pytest.mark.parametrize(
    "stream",
    [
        "lines.filter(str.istitle).filter(lambda s: s.title()[0] > 'A')",
        "lines.map(lambda s: s.title()).filter(lambda s: s > 'A').filter(lambda s: s.swapcase()[0] > 'A')",
        "lines.filter(lambda s: s.istitle()).map(lambda s: s.title()[0]).filter(lambda s: s > 'A')",
    ],
)
def test_a_condition_that_may_raise_comes_behind_earlier_ones(stream: str) -> None:
    """Spark asks conditions together unless the function of the earlier one must not be moved."""
    new = native_body(f"{stream}.pprint()")
    (first, *others) = [line for line in new.split(" = F.udf(")[1:] if line]
    assert ".asNondeterministic()" in first
    assert not any(".asNondeterministic()" in other for other in others)


def test_a_condition_that_cannot_raise_needs_no_order() -> None:
    new = native_body("lines.filter(lambda s: s.istitle()).filter(lambda s: s > 'A').pprint()")
    assert "asNondeterministic" not in new


def test_a_condition_that_prints_is_asked_of_the_same_rows() -> None:
    kept = "def kept(line):\n    print(line)\n    return len(line) > 2\n"
    result = run(SOCKET.format(body=f"{kept}lines.filter(lambda s: s != 'a').filter(kept).pprint()"))
    pinned = ".asNondeterministic()  # Spark must not move or repeat its calls\n"
    assert f'kept_udf = F.udf(kept, "boolean"){pinned}' in result.files[0].new
    assert PRINTS in result.graphs[0].notes


TOLD = "def told(line):\n    print(line)\n    return line.title()\n"


@pytest.mark.parametrize(
    ("stream", "is_typed"),
    [
        ("lines.map(told).pprint()", True),
        ("lines.map(told).filter(lambda t: t != 'A').count().pprint()", True),
        ("lines.map(lambda s: (told(s), 1)).reduceByKey(lambda a, b: a + b).pprint()", True),
        ("lines.map(told).foreachRDD(lambda rdd: print(rdd.collect()))", True),
        ("lines.map(told).count().pprint()", False),
        ("lines.map(told).map(lambda t: 1).reduce(lambda a, b: a + b).pprint()", False),
        ("lines.map(lambda s: (told(s), s)).map(lambda p: p[1]).pprint()", False),
        ("lines.map(told).foreachRDD(lambda rdd: print(rdd.count()))", False),
        ("lines.map(lambda s: (s, told(s))).groupByKey().mapValues(len).pprint()", False),
    ],
)
def test_a_function_that_prints_is_typed_where_its_result_is_read(stream: str, is_typed: bool) -> None:
    """Spark calls no function of a column that nothing reads."""
    result = run(SOCKET.format(body=TOLD + stream))
    assert (".rdd" not in result.files[0].new) is is_typed, result.files[0].new
    assert (PRINTS in result.graphs[0].notes) is is_typed


@pytest.mark.parametrize(
    "body",
    [
        "import json\nlines.map(lambda s: int(json.loads(s)['n'] or 0)).pprint()",
        "import json\nlines.map(lambda s: json.loads(s)['text'].title().split(' ')).pprint()",
    ],
)
def test_what_a_column_cannot_hold_raises(body: str) -> None:
    """An int beyond 64 bits, and a lone surrogate: over Arrow on Spark 4.3, by a helper before it."""
    result = run(SOCKET.format(body=body))
    assert "useArrow=True" in result.files[0].new
    assert OVER_ARROW in result.graphs[0].must_change
    old = run(SOCKET.format(body=body), Options(spark=SparkVersion.parse("3.5.9"))).files[0].new
    assert "useArrow" not in old
    assert "def checked(value):" in old
    assert "lambda s: checked(" in old


TAKEN = "foreachRDD(lambda rdd: print(rdd.take(3)))"
COUNTED = "foreachRDD(lambda rdd: print(rdd.countByValue()))"
ANNOTATED = """
import json
def price(line) -> {}:
    return json.loads(line)["price"]
"""


@pytest.mark.parametrize("annotation", ["float", "'float'", "float | None", "Optional[float]"])
@pytest.mark.parametrize("function", ["price", "lambda s: price(s)"])
def test_what_only_an_annotation_says_is_checked(annotation: str, function: str) -> None:
    new = native_body(f"{ANNOTATED.format(annotation)}lines.map({function}).pprint()")
    assert "of_type(price(" in new and "{float, None})" in new
    assert '"double")' in new


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("{float, None}", (1.5, None), (1, True, "1.5")),
        ("{int, None}", (1, -(2**63), None), (1.0, True, 2**63)),
        ("{str, None}", ("a", None), (1, b"a", "\ud800")),
        ("{bool, None}", (True, None), (1, 0.0, "")),
        ("float", (1.5,), (None, 1)),
        ("(int, {str, None})", ((1, "a"), (2, None)), ((None, "a"), (1, 2), (1, "a", 2), [1, "a"], "ab", 1)),
        ("((int,), str)", (((1,), "a"),), ((1, "a"), ((1.0,), "a"))),
        ("[int]", ([1, 2], []), ([1.0], [1, None], (1,), 1)),
        ("[(int, str)]", ([(1, "a")], []), ([(1, 2)], [1])),
    ],
)
def test_the_check_of_a_type(kind: str, good: tuple[object, ...], bad: tuple[object, ...]) -> None:
    new = run(SOCKET.format(body=f"{ANNOTATED.format('int')}lines.map(price).pprint()")).files[0].new
    (helper,) = [
        node
        for node in ast.walk(ast.parse(new))
        if isinstance(node, ast.FunctionDef) and node.name == "of_type"
    ]
    namespace: dict[str, Callable[[object, object], object]] = {}
    exec(ast.unparse(helper), namespace)
    check, asked = namespace["of_type"], eval(kind)
    assert [check(value, asked) for value in good] == list(good)
    for value in bad:
        with pytest.raises((TypeError, UnicodeEncodeError)):
            check(value, asked)


def test_the_check_calls_itself_where_the_program_has_its_name() -> None:
    body = f"{ANNOTATED.format('int')}of_type = 1\nlines.map(price).pprint()\nprint(of_type)"
    new = run(SOCKET.format(body=body)).files[0].new
    (helper,) = [
        node
        for node in ast.walk(ast.parse(new))
        if isinstance(node, ast.FunctionDef) and node.name == "of_type_2"
    ]
    assert "of_type(" not in ast.unparse(helper)


@pytest.mark.parametrize("annotation", ["list", "dict", "Price", "None"])
def test_other_annotations_say_too_little(annotation: str) -> None:
    assert tiers(f"{ANNOTATED.format(annotation)}lines.map(price).{COUNTED}")["map"] is Tier.RDD


@pytest.mark.parametrize(
    "function",
    [
        "lambda s: 1 if s else 1.5",
        "lambda s: s or 0",
        "lambda s: print(s)",
        "lambda s: input(s)",
        "lambda s: __import__('random').random()",
        "lambda s: {'a': s}",
    ],
)
def test_unknown_types_and_effects_stay_rdd_code(function: str) -> None:
    assert tiers(f"lines.map({function}).{COUNTED}")["map"] is Tier.RDD


@pytest.mark.parametrize(
    "stream",
    [
        "lines.map(clean)",
        "lines.flatMap(words)",
        "lines.map(lambda line: (mood(line), 1))",
        "lines.map(lambda line: (line, len(line))).filter(accepts)",
        "lines.map(lambda line: clean(line))",
    ],
)
def test_the_function_that_is_called_stays(stream: str) -> None:
    new = run(SOCKET.format(body=f"{PROGRAM}{stream}.pprint()")).files[0].new
    (called,) = [name for name in ("clean", "words", "mood", "accepts") if name in stream]
    assert f"def {called}(" in new


LIBRARY = """\
import numpy as np
from nltk.corpus import stopwords
from nltk.sentiment.vader import SentimentIntensityAnalyzer
from nltk.tokenize import RegexpTokenizer, word_tokenize
from textblob import TextBlob
analyzer = SentimentIntensityAnalyzer()
common = set(stopwords.words("english"))
def mood(text):
    score = analyzer.polarity_scores(text)["compound"]
    return "good" if score > 0.1 else "bad" if score < -0.1 else "so so"
def polarity(text):
    return round(float(TextBlob(text).sentiment.polarity), 2)
def nouns(text):
    return [str(word) for word, tag in TextBlob(text).tags if tag == "NN" and isinstance(word, str)]
"""


@pytest.mark.parametrize(
    ("stream", "declared"),
    [
        ("lines.map(mood)", 'F.udf(mood, "string")'),
        ("lines.map(polarity)", 'F.udf(polarity, "double")'),
        ("lines.map(nouns)", 'F.udf(nouns, "array<string>", useArrow=True)'),
        ("lines.map(lambda s: (s, mood(s)))", 'F.udf(mood, "string")'),
        ("lines.filter(lambda s: TextBlob(s).sentiment.polarity > 0)", '"boolean")'),
        ("lines.map(lambda s: float(np.mean([len(w) for w in s.split()])))", '"double")'),
        ("lines.map(lambda s: '%s' % TextBlob(s))", '"string", useArrow=True)'),
        ("lines.map(lambda s: TextBlob(s).sentiment.polarity)", '"double")'),
        ("lines.map(lambda s: (s, TextBlob(s).sentiment.subjectivity))", '"double")'),
        ("import preprocessor as p\nlines.map(lambda s: TextBlob(p.clean(s)).polarity)", '"double")'),
        (
            "def both(text):\n    return text.title(), len(text)\nlines.map(lambda s: (s, *both(s)))",
            'lambda s: (s, *both(s)), "struct<field1 string, field2 string, field3 bigint>"',
        ),
        ("lines.map(lambda s: analyzer.polarity_scores(s)['compound'])", '"double")'),
        (
            "tool = sc.broadcast(analyzer)\nlines.map(lambda s: tool.value.polarity_scores(s)['neg'])",
            '"double")',
        ),
        (
            "lines.flatMap(word_tokenize)",
            'lambda value: word_tokenize(value), "array<string>", useArrow=True',
        ),
        ("lines.flatMap(lambda s: [w for w in word_tokenize(s) if w not in common])", '"array<string>"'),
        (
            "import jieba\nlines.flatMap(lambda s: jieba.cut(s))",
            'F.udf(lambda s: list(jieba.cut(s)), "array<string>", useArrow=True)',
        ),
        (
            "tool = RegexpTokenizer('[a-z]+')\nlines.flatMap(lambda s: tool.tokenize(s))",
            'F.udf(lambda s: tool.tokenize(s), "array<string>", useArrow=True)',
        ),
        ("from snownlp import SnowNLP\nlines.map(lambda s: SnowNLP(s).sentiments)", '"double")'),
        (
            "from gensim import utils\nlines.flatMap(lambda s: utils.tokenize(s, lowercase=True))",
            'lambda s: list(utils.tokenize(s, lowercase=True)), "array<string>", useArrow=True',
        ),
        ("from gensim.utils import simple_preprocess\nlines.flatMap(simple_preprocess)", '"array<string>"'),
        (
            "def label(text, tool):\n    return 'good' if tool.polarity_scores(text)['pos'] > 0 else 'bad'\n"
            "lines.map(lambda s: label(s, analyzer))",
            'F.udf(lambda s: label(s, analyzer), "string")',
        ),
    ],
)
def test_a_library_may_compute_on_the_way_to_a_known_type(stream: str, declared: str) -> None:
    new = native_body(LIBRARY + f"{stream}.pprint()")
    assert declared in new and ".rdd" not in new


def test_the_groups_of_a_match_are_texts() -> None:
    body = (
        "import re\nlines.map(lambda x: re.match(r'(\\S+) - -', x).groups()[0])"
        ".countByValue().filter(lambda x: x[1] > 20).pprint()"
    )
    new = native_body(body)
    assert 'groups()[0], "string")' in new and ".rdd" not in new


def test_an_object_of_a_library_with_a_second_name_may_change() -> None:
    body = LIBRARY.replace("def mood", "other = analyzer\ndef mood") + "lines.map(mood).pprint()"
    assert tiers(body)["map"] is Tier.RDD


@pytest.mark.parametrize(
    "stream",
    [
        "lines.map(lambda s: TextBlob(s).words[0]).countByValue()",
        "lines.map(lambda s: TextBlob(s).polarity()).countByValue()",
        "lines.map(lambda s: TextBlob(s).sentiment[0]).countByValue()",
        "lines.map(lambda s: np.mean([len(s)])).countByValue()",
        "lines.map(lambda s: str(np.random.rand()))",
        "lines.map(lambda s: str(analyzer.update(s)))",
        "lines.map(lambda s: str(TextBlob(s).to_csv('a')))",
        "lines.map(lambda s: str(unknown(s)))",
        "lines.map(mood)\nanalyzer.lexicon = {}",
        "lines.map(mood)\nanalyzer = None",
        "lines.map(mood)\ndef learn(word):\n    analyzer.lexicon[word] = 1",
        "lines.map(mood)\ndef learn(words):\n    analyzer.lexicon.update(words)",
        "lines.map(mood)\ndef train(texts):\n    analyzer.fit(texts)",
        "lines.map(mood)\ndef train(tool):\n    tool.fit()\ntrain(analyzer)",
        "lines.map(mood)\ndef keep(tool):\n    tools.append(tool)\nkeep(analyzer)",
        "lines.map(mood)\ndef keep(tool):\n    tool.lexicon = {}\nkeep(analyzer)",
        "lines.map(mood)\nunknown(analyzer)",
    ],
)
def test_what_a_library_gives_or_changes_is_not_guessed(stream: str) -> None:
    body = LIBRARY + "from elsewhere import unknown\n" + stream.replace("\n", ".pprint()\n", 1)
    assert tiers(body if "\n" in stream else f"{body}.pprint()")["map"] is Tier.RDD


CLOCKS = {
    "a text": (
        "lines.map(lambda w: w + str(datetime.now()).split('.')[0]).pprint()",
        'select(convert_udf("value").alias("value"))',
    ),
    "a key, which is a column before it is grouped by": (
        "lines.map(lambda w: (datetime.now().hour, len(w))).reduceByKey(max).pprint()",
        '.groupBy("hour").agg(',
    ),
    "a condition": (
        "def is_late(w):\n    return (datetime.now() - datetime.strptime(w, '%Y')).days > 3\n"
        "lines.filter(is_late).pprint()",
        'where(is_late_udf("value"))',
    ),
    "several": (
        "lines.flatMap(lambda w: [w, time.ctime(), time.strftime('%H:%M')]).pprint()",
        "F.explode(",
    ),
    "a value": (
        "lines.map(lambda w: (w, w)).mapValues(lambda v: v + datetime.utcnow().isoformat()).pprint()",
        "asNondeterministic",
    ),
    "a time of yesterday": (
        "def dated(w):\n    day = datetime.now().replace(microsecond=0) - timedelta(days=1)\n"
        "    return '%s %s' % (day.isoformat(), w)\nlines.map(dated).pprint()",
        "F.udf(dated,",
    ),
    "a local time": (
        "lines.map(lambda w: time.strftime('%H', time.localtime())).pprint()",
        '"string"',
    ),
    "seconds": ("lines.map(lambda w: time.time() - len(w)).pprint()", '"double"'),
}


@pytest.mark.parametrize(("body", "new"), CLOCKS.values(), ids=CLOCKS)
def test_a_clock_is_read_once_for_each_element(body: str, new: str) -> None:
    source = f"import time\nfrom datetime import datetime, timedelta\n{body}"
    code = native_body(source)
    assert code.count(".asNondeterministic()") == 1
    assert new in flat(code)
    assert Tier.RDD not in tiers(source).values()


@pytest.mark.parametrize(
    ("made", "function"),
    [
        ("str(uuid4())", "uuid_udf = F.udf(lambda: str(uuid4()), 'string')"),
        ("uuid1().hex", "uuid_udf = F.udf(lambda: uuid1().hex, 'string')"),
    ],
)
def test_an_identifier_is_another_one_for_each_element(made: str, function: str) -> None:
    """Its place in a tuple is a typed function that Spark must not move; the others are columns."""
    body = (
        "from uuid import uuid1, uuid4\n"
        f"lines.map(lambda t: ({made}, t, int(len(t.split())), len(t))).pprint()"
    )
    code = flat(native_body(body))
    assert f"{flat(function)}.asNondeterministic()" in code
    assert Tier.RDD not in tiers(body).values()
    assert code.count("F.udf(") == 1


@pytest.mark.parametrize("again", [".cache()", "\ntagged = tagged.filter(lambda t: t[1]).cache()"])
def test_what_is_cached_is_read_once_for_all_outputs(again: str) -> None:
    """Each would find other times else, or other identifiers."""
    for made in ("time.time()", "len(str(uuid.uuid4()))"):
        body = (
            f"import time\nimport uuid\nlines.pprint()\ntagged = lines.map(lambda w: (w, {made})){again}\n"
            "tagged.filter(lambda t: t[1] < 5).pprint()\ntagged.filter(lambda t: t[1] >= 5).pprint()"
        )
        code = native_body(body)
        assert ".persist()\n" in code.partition("tagged = ")[2]
        assert "    tagged.unpersist()\n" in file(socket_program(body)).new


@pytest.mark.parametrize(
    ("number", "typed"),
    [
        ("random.randint(1, 100)", '"bigint"'),
        ("random.randrange(9)", '"bigint"'),
        ("random.random()", '"double"'),
        ("random.uniform(1, 2)", '"double"'),
    ],
)
def test_a_random_number_is_not_made_again(number: str, typed: str) -> None:
    body = f"import random\nlines.map(lambda line: (line, {number})).pprint()"
    assert f"random_udf = F.udf(lambda: {number}, {typed}).asNondeterministic()" in native_body(body)
    assert tiers(body)["map"] is Tier.PYTHON


def test_a_seed_for_each_element_stays_with_python() -> None:
    body = (
        "import random\ndef f(line):\n    random.seed(1)\n    return random.random()\nlines.map(f).pprint()"
    )
    assert tiers(body)["map"] is Tier.RDD


def test_a_time_that_is_given_is_no_reading() -> None:
    body = "import time\nlines.map(lambda w: time.strftime('%H', time.localtime(len(w)))).pprint()"
    assert "asNondeterministic" not in native_body(body)
    assert tiers(body)["map"] is Tier.PYTHON


def test_columns_made_of_a_reading_are_made_of_the_same_one() -> None:
    body = (
        "import time\nnows = lines.map(lambda w: time.time())\n"
        "nows.map(lambda n: (n, n + 1)).map(lambda p: p[1] - p[0]).pprint()"
    )
    assert flat(native_body(body)).count("now_udf()") == 1


def test_the_groups_of_a_pattern_that_has_a_name_are_known() -> None:
    body = "import re\n{}\nlines.map(lambda line: list(re.findall(P, line)[0])).pprint()"
    typed = '"array<string>"'
    assert typed in native_body(body.format("P = r'(\\S+) (\\d+)'"))
    assert typed in native_body(body.format("P = 'a+'"))
    assert typed not in native_body(body.format("P = input()"))


def test_a_function_of_a_pair_may_leave_its_key_alone() -> None:
    words = "def words(line):\n    print(line[1])\n    return line[1].split(' ')\n"
    new = file(kafka_program(f"{words}messages.flatMap(words).pprint()")).new
    assert 'F.explode(words_udf("value"))' in new
    assert ".rdd" not in new


def test_each_item_of_a_tuple_reads_its_columns_alone() -> None:
    pairs = "pairs = lines.map(lambda line: (line, len(line)))\n"
    items = "(p[0].title(), hex(p[1]), p[0].swapcase() + str(p[1]))"
    new = native_body(f"{pairs}pairs.map(lambda p: {items}).pprint()")
    assert 'F.udf(lambda line: line.title(), "string")' in new
    assert 'F.udf(lambda value: hex(value), "string")' in new
    assert 'convert_udf("line", "value").alias("field3")' in new


def test_a_counter_is_made_of_what_is_there() -> None:
    most = "from collections import Counter\ndef most(s):\n    return Counter(s.split()).most_common(3)\n"
    new = native_body(f"{most}lines.foreachRDD(lambda rdd: print(rdd.map(most).collect()))")
    assert 'print([most(row["value"]) for row in batch.collect()])' in new
    kept = f"{most}seen = Counter()\nlines.map(lambda s: (s, seen.update(s))).pprint()"
    assert ".rdd" in native_body(kept)


def test_what_is_most_often_there_may_be_found_by_the_dict_itself() -> None:
    most = (
        "def most(line):\n    found = {}\n    for word in line.split():\n"
        "        found[word] = found.get(word, 0) + 1\n    return max(found, key=found.get)\n"
    )
    assert 'F.udf(most, "string")' in native_body(f"{most}lines.map(most).pprint()")
    assert "F.udf" not in native_body(f"{most.replace('found.get)', 'seen.get)')}lines.map(most).{COUNTED}")


def test_a_generator_goes_through_what_stands_there_at_once() -> None:
    names = "def known(line):\n    a, b = ['X'], ['Y']\n    a = (x.lower() for x in a)\n{}\n    return {}\n"
    good = names.format("    b = (x.lower() for x in b)", "any(x in line for x in a) or line in list(b)")
    assert 'F.udf(known, "boolean")' in native_body(f"{good}lines.filter(known).pprint()")
    for later in ("(len(b) for x in a)", "(x for x in map(lambda n: len(b), a))"):
        bad = names.format(f"    c = {later}\n    b = 1", "list(c) == [1]")
        assert "F.udf" not in native_body(f"{bad}lines.filter(known).pprint()")


def test_a_handler_may_print_its_error() -> None:
    number = (
        "def number(line):\n    try:\n        return [int(line) % 9]\n"
        "    except ValueError as error:\n        print('no number: ' + str(error))\n        return []\n"
    )
    assert 'F.udf(number, "array<bigint>")' in native_body(f"{number}lines.flatMap(number).pprint()")
    kept = number.replace("return []", "return [error.args]")
    assert ".rdd" in native_body(f"{kept}lines.flatMap(number).pprint()")


LATEST = """\
import html

def latest(record):
    {body}

messages.map({given}).pprint()
"""


@pytest.mark.parametrize("given", ["latest", "lambda record: latest(record)"])
def test_a_function_that_reads_one_column_is_given_that(given: str) -> None:
    body = "text = record[1]\n    return html.unescape(text).upper() + record[1]"
    new = file(kafka_program(LATEST.format(body=body, given=given))).new
    assert "def latest(value):\n    text = value\n    return html.unescape(text).upper() + value\n" in new
    assert '(latest_udf("value").alias(' in new


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("return html.unescape(record[1]) + record[0]", ""),
        ("return html.unescape(str(record)) + record[1]", ""),
        ("value = 'a'\n    return html.unescape(record[1]) + value", ""),
        ("import math as value\n    return html.unescape(record[1])", ""),
        ("return html.unescape(record[1])", "\nprint(latest(('a', 'b')))"),
        ("return html.unescape(record[1])", "\nmessages.map(latest).count().pprint()"),
    ],
    ids=[
        "two columns",
        "all of it",
        "another variable has its name",
        "an import has its name",
        "it is called beside",
        "it is named twice",
    ],
)
def test_what_more_is_read_of_stays(body: str, more: str) -> None:
    new = file(kafka_program(LATEST.format(body=body, given="latest") + more)).new
    assert "def latest(record):" in new


JOINED = 'lines.filter(lambda w: w.title() != "a").filter(lambda w: {})'


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (JOINED.format("w.title()[0] != 'b'") + ".pprint()", "w.title() != \"a\" and w.title()[0] != 'b'"),
        (
            JOINED.format("w.title() or w.title() == 'b'").replace("lambda w: w.title() !=", "lambda x: x !=")
            + ".pprint()",
            "",
        ),
        (JOINED.format("(n := w.title()) != 'b'") + ".pprint()", ""),
        (JOINED.format("w.title()[0] != 'b' or w.istitle()") + ".pprint()", "and (w.title()[0] != 'b' or"),
        (JOINED.format("w != 'b'") + ".pprint()", ""),
        (
            "a = "
            + JOINED.replace(".filter", "\nb = a.filter", 2)
            .replace("lines\nb = a", "lines")
            .format("w.title()[0] != 'b'")
            + "\na.pprint()\nb.pprint()",
            "",
        ),
    ],
    ids=["two", "no bool", "a variable", "an or", "a column", "the first one is printed, too"],
)
def test_filters_that_stay_python_are_one_function(body: str, new: str) -> None:
    made = str(file(socket_program(body)).new)
    assert " and " not in made if not new else new in made
    assert not new or (made.count("F.udf(") == 1 and "asNondeterministic" not in made)


def test_a_third_filter_is_not_asked_together_with_them() -> None:
    third = JOINED.format("w.title()[0] != 'b'") + ".filter(lambda w: w.title()[1] != 'c').pprint()"
    made = str(file(socket_program(third)).new)
    assert made.count(" and ") == 1 and made.count("F.udf(") == 2 and "asNondeterministic" in made


@pytest.mark.parametrize(
    ("made", "is_typed"),
    [
        ("((line.title(), line), len(line))", True),
        ("((line.title(), line), (len(line), 1, 2, 3, 4))", False),
        ("(line.title(), line, len(line), 1, 2, 3, 4)", True),
    ],
    ids=["a few parts", "many parts in tuples", "many parts in a row"],
)
def test_tuples_of_many_parts_are_not_put_together_from_columns(made: str, is_typed: bool) -> None:
    show = "def show(rdd):\n    for record in rdd.collect():\n        print(record[0], record[1])\n"
    result = run(SOCKET.format(body=f"{show}lines.map(lambda line: {made}).foreachRDD(show)"))
    assert (".rdd" not in result.files[0].new) is is_typed, result.files[0].new


@pytest.mark.parametrize(
    ("made", "returned"),
    [
        ("((r['a'], 1), (r['b'], 1))", "[(r['a'], 1), (r['b'], 1)]"),
        ("[(r['a'], 1), (r['b'], 1)]", "[(r['a'], 1), (r['b'], 1)]"),
    ],
)
def test_a_tuple_whose_items_become_elements_is_written_as_a_list(made: str, returned: str) -> None:
    body = (
        "FIELDS = 'n,a,b'.split(',')\ndef record(line):\n    words = line.split(',')\n"
        "    return {FIELDS[n]: words[n] for n in range(0, len(FIELDS))}\n"
        f"lines.map(record).flatMap(lambda r: {made}).reduceByKey(lambda a, b: a + b).pprint()"
    )
    assert f"    return {returned}\n" in file(socket_program(body)).new
