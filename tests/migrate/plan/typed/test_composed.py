"""Functions whose results no column holds: the next typed function calls them."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome, Tier
from migrate.plan.typed.typed_calls import PRINTS
from tests.migrate.programs import SOCKET, file, native_body, run, socket_program

IMPORTS = "import json\nfrom datetime import datetime\n"
COUNT = ".reduceByKey(lambda a, b: a + b).pprint()"


def decorated(type_: str, name: str, *lines: str, given: str = "value") -> str:
    """A typed function of several lines."""
    return "\n    ".join([f"@F.udf({type_})\ndef {name}({given}):", *lines]) + "\n"


@pytest.mark.parametrize(
    ("body", "function", "call"),
    [
        (
            'words = lines.map(json.loads).flatMap(lambda t: t["x"].title().split())\n'
            "words.map(lambda w: (w, 1))",
            'lambda value: json.loads(value)["x"].title().split(), "array<string>", useArrow=True',
            'words = batch.select(F.explode(word_udf("value")).alias("word"))',
        ),
        (
            'lines.map(lambda line: json.loads(line)).map(lambda t: t["n"] or 1)'
            ".map(lambda n: (str(n + 1), len(str(n))))",
            decorated(
                '"struct<key string, value bigint>"',
                "convert_udf",
                'n = json.loads(line)["n"] or 1',
                "return (str(n + 1), len(str(n)))",
                given="line",
            ),
            'batch.select(convert_udf("value").alias("result"))',
        ),
        (
            'lines.map(json.loads).filter(lambda t: "n" in t).map(lambda d: (float(d["n"]) > 1, 1))',
            decorated(
                '"array<boolean>"',
                "n_udf",
                "t = json.loads(value)",
                'return [float(t["n"]) > 1] if "n" in t else []',
            ),
            'batch.select(F.explode(n_udf("value")).alias("value"))',
        ),
        (
            "tweets = lines.map(json.loads)\n"
            'named = tweets.filter(lambda t: t["lang"] == "en" and "user" in t)\n'
            'named.map(lambda t: t["user"]).filter(lambda u: u.get("verified"))'
            '.map(lambda u: (str(u["name"]).strip(), 1))',
            decorated(
                '"array<string>", useArrow=True',
                "name_udf",
                "tweet = json.loads(value)",
                'if tweet["lang"] == "en" and "user" in tweet:',
                '    u = tweet["user"]',
                '    if u.get("verified"):',
                '        return [str(u["name"]).strip()]',
                "return []",
            ),
            'batch.select(F.explode(name_udf("value")).alias("name"))',
        ),
        (
            'lines.flatMap(lambda line: json.loads(line)["tags"]).filter(lambda t: t["n"] > 3 or t.get("x"))'
            '.map(lambda t: (t["text"].lower(), 1))',
            '[t["text"].lower() for t in json.loads(line)["tags"] if t["n"] > 3 or t.get("x")]',
            'batch.select(F.explode(text_udf("value")).alias("text"))',
        ),
        (
            'lines.map(lambda t: datetime.strptime(t, "%H").time()).map(lambda time: (time.hour, 1))',
            'hour_udf = F.udf(lambda t: datetime.strptime(t, "%H").time().hour, "bigint")',
            'batch.groupBy(hour_udf("value").alias("hour")).count()',
        ),
        (
            'lines.map(json.loads).map(lambda t: [t["id"], t["text"].lower()]).mapValues(str.split)'
            ".flatMapValues(lambda ws: ws).filter(lambda p: p[0] and p[1]).map(lambda p: (p[1], 1))",
            decorated(
                '"array<string>", useArrow=True',
                "key_udf",
                "t = json.loads(value)",
                'pair = [t["id"], t["text"].lower()]',
                "return [item for item in str.split(pair[1]) if pair[0] and item]",
            ),
            'batch.select(F.explode(key_udf("value")).alias("value"))',
        ),
        (
            "def tags(t):\n    return [w for w in t['text'].title().split() if w[0] == '#']\n"
            "lines.map(json.loads).flatMap(tags).map(lambda w: (w, 1))",
            'F.udf(lambda value: tags(json.loads(value)), "array<string>", useArrow=True)',
            'batch.select(F.explode(tags_udf("value"))',
        ),
    ],
)
def test_one_typed_function_calls_them_all(body: str, function: str, call: str) -> None:
    new = file(socket_program(IMPORTS + body + COUNT)).new
    assert function in new
    assert call in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    "body",
    [
        'lines.map(json.loads).map(lambda json: (f"{json}", 1))',  # a local `json` would hide the module
        'lines.map(json.loads).map(lambda t: [t, t]).map(lambda t: (str(t[0]) + len("x") * "y", 1))',
        "lines.map(json.loads).flatMap(lambda lines: lines).map(lambda t: (str(t), len(str(t))))",
    ],
)
def test_no_name_is_hidden_and_none_is_read_twice(body: str) -> None:
    new = file(socket_program(IMPORTS + body + COUNT)).new
    compile(new, "new", "exec")
    assert new.count("json.loads(") == 1
    assert "json = json" not in new


@pytest.mark.parametrize(
    "output",
    [
        ".foreachRDD(lambda rdd: print(rdd.max(key=str)))",
        '.map(lambda t: (t["lang"], t["n"])).reduceByKey(lambda a, b: a + b).pprint()',
        ".countByWindow(10, 5).pprint()",
        ".map(lambda t: store(t)).foreachRDD(lambda rdd: print(rdd.collect()))",
        ".map(lambda t: str(t).encode()).saveAsTextFiles('out')",
    ],
)
def test_rdd_code_makes_what_no_typed_function_does(output: str) -> None:
    new = native_body(f"{IMPORTS}def store(t):\n    print(t)\n    return t\nlines.map(json.loads){output}")
    assert '.rdd.map(lambda row: json.loads(row["value"]))' in new or "json.loads" not in new
    assert "F.udf" not in new


def test_a_clock_is_read_where_spark_does_not_move_it() -> None:
    twice = "lines.map(json.loads).map(lambda t: (str(t) + str(len(t)), datetime.now().hour))"
    assert "F.udf" not in file(socket_program(IMPORTS + twice + COUNT)).new
    once = "lines.map(json.loads).map(lambda t: (len(t), datetime.now().hour))"
    assert ").asNondeterministic()\n" in file(socket_program(IMPORTS + once + COUNT)).new


def test_a_stream_of_them_is_rdd_code_for_all_if_it_is_for_one() -> None:
    body = (
        "tweets = lines.map(json.loads)\n"
        'tweets.map(lambda t: (len(t["text"]), 1)).reduceByKey(max).pprint()\n'
        'tweets.map(lambda t: (t["lang"], t["n"])).reduceByKey(max).pprint()'
    )
    new = native_body(IMPORTS + body)
    assert new.count("json.loads") == 1
    assert "F.udf" not in new


def test_what_becomes_a_part_is_reported_as_python() -> None:
    body = 'lines.map(json.loads).filter(lambda t: "n" in t).map(lambda t: (len(t["n"]), 1))' + COUNT
    result = run(SOCKET.format(body=IMPORTS + body))
    assert result.graphs[0].outcome is Outcome.NATIVE
    parts = [s.operator for s in result.sites if s.reason == "it becomes a part of the next typed function"]
    assert parts == ["map", "filter", "map"]
    assert [s.operator for s in result.sites if s.tier is Tier.PYTHON] == ["map", "filter", "map"]


def test_where_spark_does_not_raise_over_arrow_the_result_is_checked() -> None:
    body = 'lines.map(json.loads).map(lambda t: (t["text"].strip(), 1))' + COUNT
    new = file(socket_program(IMPORTS + body), Options(spark=SparkVersion("3.5"))).new
    assert 'checked(json.loads(value)["text"].strip())' in new


def test_comments_of_the_parts_stand_above_the_whole() -> None:
    body = (
        "# parse\ntweets = lines.map(json.loads)\n"
        "# words\nwords = tweets.flatMap(lambda t: t['text'].title().split())\n"
        "# count\ncounts = words.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\ncounts.pprint()"
    )
    new = file(socket_program(IMPORTS + body)).new
    above, _, below = new.partition("def process_batch")
    assert above.index("# parse\n") < above.index("word_udf = ")
    assert "    # words\n    words = batch.select(" in below
    assert "    # count\n    counts = words" in below


STEPS = """
# parse

parsed = lines.map(json.loads)

# those that we want
wanted = parsed.filter(lambda t: t["n"] > 3 or "x" in t)  # or marked ones
# the texts
texts = wanted.map(lambda t: t["text"] or t["title"])
# words
words = texts.flatMap(lambda t: t.split(" ", len(t)))
words.pprint()
"""


def test_each_line_of_a_function_has_the_comment_of_its_statement() -> None:
    above, _, below = file(socket_program(IMPORTS + STEPS)).new.partition("def process_batch")
    function = decorated(
        '"array<string>", useArrow=True',
        "word_udf",
        "# parse",
        "parsed = json.loads(value)",
        "# those that we want",
        "# or marked ones",
        'if parsed["n"] > 3 or "x" in parsed:',
        "    # the texts",
        '    text = parsed["text"] or parsed["title"]',
        '    return text.split(" ", len(text))',
        "return []",
    )
    assert function in above
    assert "    # words\n" in below


def test_comments_of_a_chain_stand_above_the_lines_of_their_links() -> None:
    body = (
        "def parsed(line):\n    return json.loads(line)\n\n"
        "def total(record):\n    n = 0\n    for one in record:\n        n += one.get('n')\n    return n\n\n"
        "# all of it\ntotals = (\n    lines\n    .map(lambda line: parsed(line))  # parse\n"
        "    .filter(lambda record: len(record) > 0)  # no empty ones\n"
        "    # add them up\n    .map(lambda record: total(record))\n)\n# show them\ntotals.pprint()"
    )
    new = file(socket_program(IMPORTS + body)).new
    assert (
        "    # parse\n    record = parsed(line)\n    # no empty ones\n    # add them up\n    return [" in new
    )
    assert "    # all of it\n    totals = batch.select(" in new


def test_comments_stand_in_the_loop_that_prints() -> None:
    body = (
        "tweets = lines.map(json.loads)  # parse\n"
        "wanted = tweets.filter(lambda tweet: len(tweet) > 0)  # no empty ones\n"
        "# the user, or all of it\nusers = wanted.map(lambda tweet: tweet.get('user') or tweet)\n"
        "# show them\nusers.pprint()"
    )
    new = file(socket_program(IMPORTS + body)).new
    assert "    # parse\n    tweet = json.loads(value)\n    return len(tweet) > 0\n" in new
    assert "        # the user, or all of it\n        print(" in new


PARSED = """\
parsed = lines.map(lambda line: [
                 json.loads(line)["id"],
                 json.loads(line)["text"],
             ])
topics = parsed.map(lambda p: [p[0],
            p[1].split(" ")])
topics.flatMapValues(lambda t: t).map(lambda t: t[1]).countByValue().pprint()
"""


def test_steps_of_several_lines_stand_in_the_block_under_the_names_of_their_streams() -> None:
    new = file(socket_program(f"import json\n{PARSED}")).new
    assert (
        "    parsed = [\n"
        '        json.loads(line)["id"],\n'
        '        json.loads(line)["text"],\n'
        "    ]\n"
        "    topic = [parsed[0],\n"
        '                parsed[1].split(" ")]\n'
        "    return [item for item in topic[1]]\n"
    ) in new


def test_a_bracket_that_closes_right_of_other_lines_stays_there() -> None:
    body = PARSED.replace("             ])", "                     ])")
    new = file(socket_program(f"import json\n{body}")).new
    assert '\n                     json.loads(line)["text"],\n                         ]\n' in new


@pytest.mark.parametrize("stream", ["scores", "jsons", "lists"])
def test_no_name_of_a_stream_hides_one_that_is_read(stream: str) -> None:
    body = (
        "def score(t):\n    return t['a'] + 1\n"
        f"{stream} = lines.map(json.loads)\n"
        f"{stream}.filter(lambda t: t['a'] > 1).map(lambda t: (str(t['b']), 1)){COUNT}"
    )
    assert "    t = json.loads(value)\n" in file(socket_program(IMPORTS + body)).new


def test_filters_are_a_condition_of_rows_that_are_only_looked_at() -> None:
    body = (
        'tweets = lines.map(json.loads)\nenglish = tweets.filter(lambda t: t["lang"] == "en")\n'
        "tweets.count().pprint()\nenglish.count().pprint()\n"
        'english.map(lambda t: t["user"]).pprint()\n'
        'english.filter(lambda t: t["n"]).map(lambda t: (t["n"], t)).pprint(3)'
    )
    new = file(socket_program(IMPORTS + body)).new
    one = decorated('"boolean"', "keep_udf", "tweet = json.loads(value)", 'return tweet["lang"] == "en"')
    both = (
        "tweet = json.loads(value)",
        'if tweet["lang"] == "en":',
        '    return bool(tweet["n"])',
        "return False",
    )
    assert one in new
    assert decorated('"boolean"', "keep_udf_2", *both) in new
    assert '    print(batch.count())\n    print(batch.where(keep_udf("value")).count())\n' in new
    loop = "    for (value,) in rows.take({}):\n        t = json.loads(value)\n        print({})\n"
    assert 'rows = batch.where(keep_udf("value"))\n' + loop.format(10, 't["user"]') in new
    assert 'rows = batch.where(keep_udf_2("value"))\n' + loop.format(3, '(t["n"], t)') in new
    assert ".rdd" not in new


def test_several_elements_of_one_that_are_no_json_are_counted_by_rdd_code() -> None:
    output = ".flatMap(lambda t: [(1, t)]).count().pprint()"
    assert ".rdd.map(" in native_body(f"{IMPORTS}lines.map(json.loads){output}")


def test_a_count_calls_the_functions_where_failures_are_caught() -> None:
    options = Options(strict=True)
    assert ".rdd.map(" in native_body(f"{IMPORTS}lines.map(json.loads).count().pprint()", options)


@pytest.mark.parametrize(
    "body",
    [
        "words = ('a',)\nlines.map(lambda words: json.loads(words)).map(lambda t: (str(t['x'] > words), 1))",
        "value = 3\npairs = lines.map(lambda l: (l, len(l))).map(lambda p: {'a': p[0]})\n"
        "pairs.map(lambda d: (d['a'] * value, 1))",
        "lines.map(lambda list: json.loads(list)).flatMap(lambda t: t['x'].partition(' '))"
        ".map(lambda w: (w, 1))",
    ],
)
def test_a_parameter_hides_no_name_that_another_function_reads(body: str) -> None:
    assert ".rdd" in native_body(IMPORTS + body + COUNT)


def test_a_value_of_pairs_is_computed_once_whatever_reads_it() -> None:
    pairs = "lines.map(json.loads).map(lambda t: [t['a'], t['b'].strip()]).mapValues(lambda v: v['x'] + '!')"
    body = f"{pairs}.filter(lambda pair: len(pair) > 1 and pair[0]).map(lambda p: (p[1], 1)){COUNT}"
    new = file(socket_program(IMPORTS + body)).new
    assert "    pair = (pair[0], pair[1]['x'] + '!')\n    return [pair[1]] if len(pair) > 1" in new
    unread = file(socket_program(f"{IMPORTS}{pairs}.map(lambda p: (len(p[0]), 1)){COUNT}")).new
    assert "pair[1]['x'] + '!')[0])" in unread  # it fails without an `x`, as before


def test_a_variable_of_a_comprehension_is_none_of_those_around_it() -> None:
    pairs = "lines.map(json.loads).map(lambda t: [t['a'], t['b'].lower()]).flatMapValues(str.split)"
    body = f"{pairs}.filter(lambda pair: len(pair) > 1 and pair[1]).map(lambda p: (p[1], 1)){COUNT}"
    new = file(socket_program(IMPORTS + body)).new
    assert "for pair_ in [(pair[0], item)] if len(pair_) > 1 and pair_[1]]" in new


COUNTED = "pairs.reduceByKey(lambda a, b: a + b).pprint()"
MOODS = """\
def mood(word):
    if word in ("good", "fine"):
        return ("positive", 1)
    elif word == "bad":
        return ("negative", 1)
    else:
        return
"""


@pytest.mark.parametrize("kept", ["x is not None", "not x is None", "x", "False if x is None else True"])
def test_tuples_that_a_filter_leaves_are_columns(kept: str) -> None:
    """Those of a function that is no condition of columns itself."""
    moods = MOODS.replace('word == "bad"', 'word.swapcase() == "BAD"')
    body = f"{moods}pairs = lines.map(mood).filter(lambda x: {kept})\n{COUNTED}"
    new = file(socket_program(body)).new
    asked = f"({kept})" if " if " in kept else kept
    code = ("x = mood(value)", f"return [x] if {asked} else []")
    assert decorated('"array<struct<key string, value bigint>>"', "mood_udf", *code) in new
    assert 'batch.select(F.explode(mood_udf("value")).alias("item")).select("item.*")' in new
    assert ".rdd" not in new


@pytest.mark.parametrize("kept", ["x is None", "x != ()", "len(x) > 1", "x or True"])
def test_what_a_filter_may_leave_is_none_of_them(kept: str) -> None:
    body = f"{MOODS}pairs = lines.map(mood).filter(lambda x: {kept})\n{COUNTED}"
    assert ".rdd" in native_body(body)


def test_a_part_may_print_of_which_rows_are_made() -> None:
    """Spark calls it for all of them, but not one of a map for a count; no loop calls it on the driver."""
    parts = "def parts(line):\n    print(line)\n    return [{'n': len(line)}]\n"
    result = run(SOCKET.format(body=f"{parts}lines.flatMap(parts).map(lambda d: (d['n'], 1)){COUNT}"))
    assert "lambda value: [d['n'] for d in parts(value)]" in result.files[0].new
    assert PRINTS in result.graphs[0].notes
    result = run(SOCKET.format(body=f"{parts}lines.map(parts).map(lambda d: (d[0]['n'], 1)){COUNT}"))
    assert ".rdd" not in result.files[0].new
    assert PRINTS in result.graphs[0].notes
    assert ".rdd" in native_body(f"{parts}lines.map(parts).count().pprint()")
    assert ".rdd" in native_body(f"{parts}lines.map(parts).foreachRDD(lambda r: print(r.collect()))")
    assert "str(parts(value)[0])" in native_body(f"{parts}lines.map(parts).map(lambda d: d[0]).pprint()")


def test_a_key_of_what_may_be_a_tuple_is_that_of_the_dict_that_it_else_is() -> None:
    """A tuple has no keys: the batch fails for one, as it did."""
    parse = "def parse(line):\n    if not line:\n        return None, None\n    return {'a': line}\n"
    new = native_body(f"{parse}lines.map(parse).map(lambda d: (d['a'], 1)){COUNT}")
    assert "a_udf = F.udf(lambda value: parse(value)['a'], \"string\")" in new
    assert 'batch.groupBy(a_udf("value").alias("a")).count()' in new


PARSE = "def parse(line):\n    return {'a': line.strip().swapcase()}\n"


@pytest.mark.parametrize(
    ("made", "columns"),
    [
        ("('all', d['a'])", "batch.select(F.lit('all').alias('key'), a_udf('value').alias('a'))"),
        ("(d['a'], d['a'])", ".select('result.*')"),
        ("(1, 2)", '.select("result.*")'),
    ],
    ids=["a constant", "no constant", "nothing but constants"],
)
def test_constants_stand_beside_what_the_function_makes(made: str, columns: str) -> None:
    new = native_body(f"{PARSE}lines.map(parse).map(lambda d: {made}).reduceByKey(max).pprint()")
    assert columns in new


def test_models_of_mllib_that_are_python_s_compute() -> None:
    body = (
        "from pyspark.mllib.feature import HashingTF\n"
        "from pyspark.mllib.classification import NaiveBayesModel\n"
        "terms = HashingTF(50000)\nmodel = NaiveBayesModel.load(sc, 'model')\n"
        "found = lines.map(lambda t: terms.transform(t.split())).map(lambda v: model.predict(v))\n"
        "found.map(lambda x: ('good' if x == 1 else 'bad', 1)).reduceByKey(lambda a, b: a + b).pprint()"
    )
    new = native_body(body)
    assert "'good' if model.predict(terms.transform(t.split())) == 1 else 'bad'" in new.replace('"', "'")
    assert ".rdd" not in new


def test_one_that_a_callback_reads_stands_above_it() -> None:
    show = "def show(rdd):\n    counts = rdd.map(lambda d: (d['a'], 1)).reduceByKey(lambda a, b: a + b)\n"
    body = f"{PARSE}{show}    print(counts.collect())\nlines.map(parse).foreachRDD(show)"
    new = file(socket_program(body)).new
    assert new.index("a_udf = F.udf(lambda value: parse(value)['a'], ") < new.index("def show(")
    assert 'counts = batch.groupBy(a_udf("value").alias("a")).count()' in new


def test_what_rdd_code_alone_reads_says_so() -> None:
    body = (
        "import json\nparsed = lines.map(lambda x: json.loads(x)).flatMap(lambda x: x['data'])\n"
        "found = parsed.map(lambda x: x['player'])\n"
        "found.foreachRDD(lambda rdd: print(rdd.map(lambda r: sorted(r)).distinct().collect()))"
    )
    sites = [site for site in run(socket_program(body)).sites if site.tier is Tier.RDD]
    assert any("only RDD code reads what it makes of values that no column holds" in s.reason for s in sites)
    assert not any("typed function" in site.reason for site in sites)


@pytest.mark.parametrize(
    ("pair", "returned"),
    [
        ("(t, TextBlob(t).sentiment.polarity)", "return TextBlob(text).sentiment.polarity"),
        ("('all', TextBlob(t).sentiment.polarity)", "TextBlob(json.loads(value)['text']).sentiment.polarity"),
        (
            "(t.title(), TextBlob(t).sentiment.polarity)",
            "(text.title(), TextBlob(text).sentiment.polarity",
        ),
    ],
    ids=["a name", "a constant", "a call, which may fail"],
)
def test_the_item_of_a_tuple_stands_for_it(pair: str, returned: str) -> None:
    body = (
        "import json\nfrom textblob import TextBlob\ntexts = lines.map(json.loads).map(lambda v: v['text'])\n"
        f"scores = texts.map(lambda text: {pair.replace('(t', '(text')}).map(lambda kv: (kv[1], 1))\n"
        "scores.reduce(lambda x, y: (x[0] + y[0], x[1] + y[1])).pprint()"
    )
    assert returned in str(file(socket_program(body)).new).replace('"', "'")
