"""Functions whose results only `pprint` reads, and that have no columns: the loop that prints calls them."""

from __future__ import annotations

import pytest

from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome, Tier
from tests.migrate.programs import LIMITED, file, kafka_program, native_body, run, socket_program

IMPORTS = "import json, re, time\nfrom collections import namedtuple\nfrom datetime import datetime\n"
PAIRS = "counts = lines.map(lambda t: (t, 1)).reduceByKey(lambda a, b: a + b)\n"


@pytest.mark.parametrize(
    ("body", "loop"),
    [
        ("lines.map(json.loads).pprint()", 'for row in batch.take(10):\n    print(json.loads(row["value"]))'),
        (
            "lines.map(lambda line: json.loads(line)['a']).pprint(3)",
            "for line in batch.take(3):\n    print(json.loads(line[\"value\"])['a'])",
        ),
        (
            "lines.map(lambda t: [len(t), time.time()]).pprint()",
            'for t in batch.take(10):\n    print([len(t["value"]), time.time()])',
        ),
        (
            "def total(d):\n    return sum(d.values())\nlines.map(json.loads).map(total).pprint()",
            'for row in batch.take(10):\n    print(total(json.loads(row["value"])))',
        ),
        (
            "parsed = lines.map(lambda t: json.loads(t))\nparsed.map(lambda d: d['a'] + [1]).pprint()",
            "for t in batch.take(10):\n    print(json.loads(t[\"value\"])['a'] + [1])",
        ),
        (
            "lines.map(json.loads).map(lambda d: (d['a'], d['b'])).map(lambda t: '%s' % t[0]).pprint()",
            "for row in batch.take(10):\n    d = json.loads(row['value'])\n"
            "    print('%s' % (d['a'], d['b'])[0])",
        ),
        (
            "def first(d):\n    try:\n        return d['a']\n"
            "    except (KeyError, TypeError):\n        return d\n"
            "lines.map(json.loads).map(first).pprint()",
            'for row in batch.take(10):\n    print(first(json.loads(row["value"])))',
        ),
        (
            f"Word = namedtuple('Word', 'text n')\n{PAIRS}counts.map(lambda p: [Word(p[0], p[1])]).pprint()",
            "for p in counts.take(10):\n    print([Word(p[0], p[1])])",
        ),
        (
            f"{PAIRS}counts.map(lambda p: [p, time.time()]).pprint()",
            "for p in counts.take(10):\n    print([tuple(p), time.time()])",
        ),
        (
            "import joblib\nmodel = sc.broadcast(joblib.load('model'))\n"
            "lines.map(lambda t: model.value.predict([t]).reshape(1, -1)).pprint()",
            'for t in batch.take(10):\n    print(model.value.predict([t["value"]]).reshape(1, -1))',
        ),
        (
            "import pickle\nwith open('model', 'rb') as file:\n    model = pickle.load(file)\n"
            "lines.map(lambda t: model.predict([t])[0]).pprint()",
            'for t in batch.take(10):\n    print(model.predict([t["value"]])[0])',
        ),
        (
            "import cv2\nimport numpy\n"
            "def picture(t):\n    return cv2.imdecode(numpy.frombuffer(t.encode(), dtype='uint8'), -1)\n"
            "lines.map(picture).pprint()",
            'for row in batch.take(10):\n    print(picture(row["value"]))',
        ),
        (
            "import cv2\ndef picture(t):\n    cv2.imdecode(t, -1)\nlines.map(picture).pprint()",
            'for row in batch.take(10):\n    print(picture(row["value"]))',
        ),
    ],
)
def test_the_loop_that_prints_calls_them_for_its_rows(body: str, loop: str) -> None:
    new = native_body(IMPORTS + body)
    assert loop in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        (
            "def show(r):\n    for d in r.collect():\n        print(d['a'])\n"
            "lines.map(json.loads).foreachRDD(show)",
            "for row in batch.collect():\n        d = json.loads(row[\"value\"])\n        print(d['a'])",
        ),
        (
            "lines.map(lambda t: json.loads(t)).foreachRDD(lambda r: r.isEmpty() or print(r.take(3)))",
            'batch.isEmpty() or print([json.loads(t["value"]) for t in batch.take(3)])',
        ),
        (
            "def show(r, name):\n    print(name, r.collect())\n"
            "lines.map(json.loads).map(lambda d: d['a'] + [1]).foreachRDD(lambda r: show(r, 'all'))",
            "print(name, [json.loads(row[\"value\"])['a'] + [1] for row in batch.collect()])",
        ),
        (
            "lines.pprint()\nlines.map(json.loads).foreachRDD(lambda r: r.foreach(put))",
            'batch.foreach(lambda row: put(json.loads(row["value"])))',
        ),
        (
            "def save(dicts):\n    for d in dicts:\n        put(d)\n"
            "lines.map(json.loads).foreachRDD(lambda r: r.foreachPartition(save))",
            'batch.foreachPartition(lambda rows: save(json.loads(row["value"]) for row in rows))',
        ),
        (
            "def show(r):\n    print(r.count(), r.take(3), r.collect())\n"
            "lines.map(json.loads).foreachRDD(show)",
            'print(batch.count(), [json.loads(row["value"]) for row in batch.take(3)], '
            '[json.loads(row["value"]) for row in batch.collect()])',
        ),
        (
            "def show(r):\n    for d in r.collect():\n        print(d)\n"
            "lines.map(json.loads).map(lambda d: (d['a'], d['b'])).foreachRDD(show)",
            'for row in batch.collect():\n        d = json.loads(row["value"])\n'
            "        d = (d['a'], d['b'])\n        print(d)",
        ),
        (
            "def save(dicts):\n    for d in dicts:\n        put(d)\n"
            "lines.map(lambda t: json.loads(t)).map(lambda t: {'a': t['a'], 'b': t['b']})"
            ".foreachRDD(lambda r: r.foreachPartition(save))",
            "lambda rows: save(\n            {'a': t['a'], 'b': t['b']}\n"
            "            for t in (json.loads(row['value']) for row in rows)\n        )",
        ),
        (
            "p = lines.map(json.loads).filter(len)\n"
            "p.map(lambda d: (d['a'], d['b'])).map(lambda ab: [ab[0], ab[1]])"
            ".foreachRDD(lambda r: print(r.take(2)))\np.pprint()",
            "            [ab[0], ab[1]]\n"
            "            for ab in ((d['a'], d['b']) for d in (json.loads(value) for (value,) in rows.take(",
        ),
        (
            "lines.map(lambda t: requests.get(t)).foreachRDD(lambda r: r.foreach(put))\nlines.pprint()",
            'batch.foreach(lambda t: put(requests.get(t["value"])))',
        ),
        (
            "def save(answers):\n    for answer in answers:\n        put(answer)\n"
            "lines.map(requests.get).foreachRDD(lambda r: r.foreachPartition(save))",
            'batch.foreachPartition(lambda rows: save(requests.get(row["value"]) for row in rows))',
        ),
        (
            "def told(t):\n    print(t)\n    return {t: 1}\nlines.pprint()\n"
            "lines.map(told).foreachRDD(lambda r: r.foreach(put))",
            'batch.foreach(lambda row: put(told(row["value"])))',
        ),
        (
            "def save(dicts):\n    for d in dicts:\n        put(d)\np = lines.map(json.loads)\n"
            "p.foreachRDD(lambda r: r.foreachPartition(save))\np.pprint()\np.foreachRDD(lambda r: r.count())",
            "batch.foreachPartition(lambda rows: save(json.loads(value) for (value,) in rows))\n"
            "    for (value,) in batch.take(10):\n        print(json.loads(value))\n    batch.count()",
        ),
        (
            "p = lines.map(json.loads).filter(lambda d: 'a' in d)\np.foreachRDD(lambda r: print(r.take(2)))\n"
            "p.map(lambda d: d['a']).foreachRDD(lambda r: print(r.collect()))",
            "    print([json.loads(value) for (value,) in p.take(2)])\n"
            '    rows = batch.where(keep_udf("value"))\n'
            "    print([json.loads(value)['a'] for (value,) in rows.collect()])",
        ),
        (
            "lines.map(json.loads).foreachRDD(lambda r: r.foreach(print))",
            '\n    .foreach(lambda row: print(json.loads(row["value"])))\n    .start()',
        ),
    ],
)
def test_a_callback_that_takes_the_elements_calls_them(body: str, becomes: str) -> None:
    result = run(socket_program(IMPORTS + body))
    new = str(result.files[0].new)
    assert becomes in new
    assert ".rdd" not in new
    assert {site.tier for site in result.sites} <= {Tier.COLUMN, Tier.PYTHON, Tier.CONTEXT}


LOOP = "def show(r):\n{}\nlines.map(json.loads).foreachRDD(show)"


@pytest.mark.parametrize(
    ("callback", "becomes"),
    [
        (
            "    for a, b in r.take(3):\n        print(a)\n    else:\n        print('none')",
            '    for row in batch.take(3):\n        a, b = json.loads(row["value"])\n        print(a)\n',
        ),
        (
            "    for row in r.collect(): print(row)",
            '    for row in batch.collect():\n        row = json.loads(row["value"])\n        print(row)\n',
        ),
        (
            "    with open('all', 'w') as out:\n        for d in r.collect():\n            out.write(str(d))",
            '        for row in batch.collect():\n            d = json.loads(row["value"])\n',
        ),
    ],
)
def test_a_loop_over_the_elements_goes_through_the_rows(callback: str, becomes: str) -> None:
    assert becomes in str(run(socket_program(IMPORTS + LOOP.format(callback))).files[0].new)


@pytest.mark.parametrize(
    "callback",
    [
        "    try:\n        for d in r.collect():\n            print(d)\n    except Exception:\n        pass",
        "    with suppress(Exception):\n        for d in r.collect():\n            print(d)",
        "    for d in r.collect():\n        print(d, row)",
        "    for row in [1]:\n        print(row)\n    for d in r.collect():\n        print(d)",
        "    for d in r.collect():\n        put(d, key=lambda row: row)",
        "    for d in sorted(r.collect(), key=str):\n        print(d)",
    ],
    ids=["caught", "suppressed", "a name", "another loop", "a parameter", "sorted"],
)
def test_a_loop_that_could_see_it_has_a_list_of_them(callback: str) -> None:
    new = str(run(socket_program(IMPORTS + LOOP.format(callback))).files[0].new)
    assert '[json.loads(row["value"]) for row in batch.collect()]' in new


def test_a_window_keeps_the_rows_that_they_are_made_of() -> None:
    body = "lines.map(json.loads).filter(len).map(lambda d: d['a']).window(4, 2).foreachRDD(show)\n"
    show = "def show(rdd):\n    print(rdd.count(), rdd.collect())\n"
    new = run(socket_program(LIMITED + IMPORTS + show + body)).files[0].new
    assert 'added = batch.where(keep_udf("value")).persist()\n    window.append((now, added))\n' in new
    assert "print(rows.count(), [json.loads(value)['a'] for (value,) in rows.collect()])" in new
    assert "    if is_due:\n        show(reduce(DataFrame.union, [rows for _, rows in window]))\n" in new


def test_another_function_may_have_the_variable() -> None:
    body = (
        "def total(n):\n    return sum(t for t in n)\nlines.map(lambda t: json.loads(t)).pprint()\ntotal([])"
    )
    assert "for t in batch.take(10):" in native_body(IMPORTS + body)


def test_variables_between_them_go() -> None:
    body = (
        "import numpy as np\npairs = lines.map(lambda t: (t, len(t)))\n"
        "arrays = pairs.map(lambda p: np.array(p))\nshaped = arrays.map(lambda a: a.reshape(1, -1))\n"
        "shaped.pprint()"
    )
    new = native_body(body)
    assert "for p in pairs.take(10):\n    print(np.array(tuple(p)).reshape(1, -1))" in new
    assert "arrays" not in new and "shaped" not in new
    sites = run(socket_program(body)).sites
    called = [
        site for site in sites if site.reason == "the loop that prints calls it, for the rows that it prints"
    ]
    assert [site.operator for site in called] == ["map", "map"]
    assert {site.tier for site in called} == {Tier.PYTHON}


def test_rows_that_take_more_than_a_variable_have_one() -> None:
    new = native_body(IMPORTS + "lines.filter(lambda t: t != '').map(lambda w: [w, time.time()]).pprint()")
    assert 'rows = batch.where(F.col("value") != "")\nfor w in rows.take(10):\n    print([w["value"], ' in new


PARSED = """\
import json

def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return {}

# all records
records = lines.map(parsed).filter(lambda record: len(record) > 0)
numbers = records.map(lambda record: record.get("n"))

# print them
numbers.pprint()
"""


def test_rows_have_the_variable_of_the_program_and_each_statement_its_comment() -> None:
    new = file(socket_program(PARSED)).new
    assert "    # all records\n    numbers = batch.select(F.explode(text_udf(" in new
    assert "\n\n    # print them\n    for (text,) in numbers.take(10):\n" in new


def test_they_have_another_where_the_program_binds_its_variable_again() -> None:
    assert "for (text,) in rows.take(10):" in native_body(PARSED.replace("numbers", "records"))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("lines.map(lambda t: seen.append(t)).pprint()", id="it changes what it remembers"),
        pytest.param("lines.map(lambda t: requests.get(t)).pprint()", id="it calls what is not known"),
        pytest.param("lines.map(lambda t: [seen.index(t), json]).pprint()", id="it reads what may change"),
        pytest.param("lines.map(lambda t: json.load(open(t))).pprint()", id="it reads files"),
        pytest.param(
            "table = {x: [x] for x in open('a').read().split()}\n"
            "lines.map(lambda t: table[t].pop()).pprint()",
            id="it changes a part of a variable",
        ),
        pytest.param(
            "import joblib\nmodel = sc.broadcast(joblib.load('a'))\n"
            "lines.map(lambda t: model.value.partial_fit([t])).pprint()",
            id="it trains a model",
        ),
        pytest.param(
            "p = lines.map(json.loads)\np.pprint()\np.foreachRDD(lambda r: r.distinct())", id="read twice"
        ),
        pytest.param(
            "lines.pprint()\n"
            "lines.map(json.loads).map(lambda a: (a, a)).foreachRDD(lambda r: r.foreach(put))",
            id="a lambda that is handed each has no lines",
        ),
        pytest.param(
            "lines.map(requests.get).foreachRDD(lambda r: r.isEmpty() or r.foreach(put))",
            id="isEmpty asks for the first one once more",
        ),
        pytest.param("lines.map(json.loads).foreachRDD(lambda r: print(r.countByValue()))", id="no pprint"),
        pytest.param(
            "p = lines.map(json.loads)\np.pprint()\np.foreachRDD(lambda r: r.foreach(put))",
            id="a lambda takes no row apart",
        ),
        pytest.param(
            "lines.map(lambda t: [t, time.time()]).foreachRDD(lambda r: print(r.take(1), r.collect()))",
            id="the clock gives another one each time",
        ),
        pytest.param(
            "def told(t):\n    print(t)\n    return {t: 1}\n"
            "lines.map(told).foreachRDD(lambda r: r.isEmpty() or r.foreach(put))",
            id="isEmpty prints the first one once more",
        ),
        *(
            pytest.param(f"def show(r):\n    {body}\nlines.map(json.loads).foreachRDD(show)", id=name)
            for name, body in {
                "a lambda is handed each": "r.foreach(lambda d: put(d))",
                "elements are counted by their value": "print(r.countByValue(), r.collect())",
                "a handler tells its errors": (
                    "try:\n        print(r.collect())\n    except Exception as error:\n        print(error)"
                ),
                "its name is bound again": "r = r.filter(len)\n    print(r.collect())",
                "nobody sees that an element fails": (
                    "try:\n        print(r.count())\n    except Exception:\n        pass"
                ),
                "a name is the callback's own": "json = len(r.collect())\n    print(json)",
                "it is imported again there": "print(r.collect())\n    import json",
                "a parameter has the name": "print(sorted(r.collect(), key=lambda json: len(json)))",
            }.items()
        ),
        pytest.param(
            "def show(r):\n    print(r.collect())\nlines.map(json.loads).foreachRDD(show)\nshow(old)",
            id="something else calls the callback",
        ),
        pytest.param(
            "def start(n):\n    lines.map(lambda t: [t, n]).foreachRDD(show)\n"
            "def show(r):\n    print(r.collect())\nstart(3)",
            id="the callback does not see a variable",
        ),
    ],
)
def test_others_are_rdd_code(body: str) -> None:
    whole = socket_program(f"import requests\n{IMPORTS}seen = []\n{body}")
    assert any(site.tier is Tier.RDD for site in run(whole).sites)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("lines.map(lambda t: print(t)).pprint()", id="it prints"),
        *(
            pytest.param(f"lines.map(lambda {name}: [{name}, 1]).pprint()", id=f"{name} is new code's")
            for name in ("batch", "batch_id", "rows", "F")
        ),
        pytest.param(
            f"{PAIRS}lines.map(lambda t: (t, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 3).pprint()\n"
            "lines.map(lambda added: [added, 1]).pprint()",
            id="so is what a window adds",
        ),
        pytest.param(
            "def start():\n    t = 3\n    lines.map(lambda t: json.loads(t)).pprint()\n    print(t)\nstart()",
            id="the function around it has the variable",
        ),
        pytest.param(
            "t = 3\nlines.map(lambda t: json.loads(t)).pprint()\nprint(t)", id="the variable is taken"
        ),
    ],
)
def test_a_typed_function_makes_the_text_where_the_loop_cannot(body: str) -> None:
    new = str(file(socket_program(IMPORTS + body)).new)
    assert "for (text,) in rows.take(10):" in new
    assert ".rdd" not in new


def test_the_exact_text_of_pprint_has_no_such_loop() -> None:
    new = native_body(IMPORTS + "lines.map(json.loads).pprint()", Options(pprint_exact=True))
    assert "pprint(rdd, batch_time)" in new


@pytest.mark.parametrize("trigger", ["continuous=1s", "realtime"])
def test_neither_has_a_sink_of_records(trigger: str) -> None:
    body = "messages.map(lambda m: [m[1], 1]).pprint()"
    (graph,) = run(kafka_program(body), Options(unsafe=True, trigger=Trigger.parse(trigger))).graphs
    assert graph.outcome is Outcome.COMPAT


def test_the_report_says_who_calls_it() -> None:
    sites = {
        site.operator: site for site in run(socket_program(IMPORTS + "lines.map(json.loads).pprint()")).sites
    }
    assert (sites["map"].tier, sites["pprint"].tier) == (Tier.PYTHON, Tier.COLUMN)
    assert sites["map"].reason == "the loop that prints calls it, for the rows that it prints"
    assert sites["pprint"].reason == "pprint becomes a loop over the first rows"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("lines", True),
        ("lines.map(len)", True),
        ("lines.map(hash)", True),
        ("lines.map(lambda t: [t, 1])", True),
        ("lines.map(lambda t: (t, 1)).reduceByKey(max)", False),
        ("lines.map(hash).map(lambda t: (t, 1)).reduceByKey(max)", False),
    ],
)
def test_rows_of_files_may_be_others(output: str, told: bool) -> None:
    source = socket_program(f"{output}.pprint()").replace(
        'ssc.socketTextStream("localhost", 9999)', 'ssc.textFileStream("in")'
    )
    (graph,) = run(source).graphs
    assert any("the largest is read first" in note for note in graph.notes) == told


def test_what_comes_later_has_other_names() -> None:
    window = "lines.map(lambda t: (t, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 3).pprint()"
    new = native_body(f"{IMPORTS}lines.map(lambda added: [added, 1.5]).pprint()\n{window}")
    assert "for added in batch.take(10):" in new and "added_2 = batch" in new


def test_loops_may_have_one_variable() -> None:
    new = native_body(f"{IMPORTS}lines.map(json.loads).pprint()\nlines.map(json.loads).pprint(3)")
    assert new.count("for row in batch.take(") == 2


def test_of_a_message_only_the_value_is_a_row_s() -> None:
    text = run(kafka_program("import json\nmessages.map(lambda m: json.loads(m[1])).pprint()")).files[0].new
    assert 'for row in batch.take(10):\n        print(json.loads(row["value"]))' in text


HANDED = "def put(row):\n    print(row)\ndef save(rows):\n    for row in rows:\n        print(row)\n"
TEXTS = "lines.map(lambda t: '{},{}'.format(json.loads(t)['a'], 1))"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            ".foreachRDD(lambda r: r.foreach(put))\nlines.pprint()",
            "batch.foreach(lambda t: put('{},{}'.format(json.loads(t[\"value\"])['a'], 1)))",
        ),
        (
            ".map(lambda t: t.swapcase()).foreachRDD(lambda r: r.foreachPartition(save))",
            "batch.foreachPartition(lambda rows: save("
            "'{},{}'.format(json.loads(t[\"value\"])['a'], 1).swapcase() for t in rows))",
        ),
        (
            ".foreachRDD(lambda r: r.isEmpty() or r.foreachPartition(save))",
            "batch.isEmpty() or batch.foreachPartition(lambda rows: save("
            "'{},{}'.format(json.loads(t[\"value\"])['a'], 1) for t in rows))",
        ),
        (
            ".foreachRDD(lambda r: r.foreach(put))",
            ".foreach(lambda t: put('{},{}'.format(json.loads(t[\"value\"])['a'], 1)))",
        ),
    ],
)
def test_texts_are_made_where_each_is_handed_on(body: str, code: str) -> None:
    source = IMPORTS + socket_program(f"{HANDED}{TEXTS}{body}")
    new = file(source).new
    assert "udf" not in new
    assert flat(code) in flat(new)


@pytest.mark.parametrize(
    "body",
    [
        "p = TEXTS\np.foreachRDD(lambda r: r.foreach(put))\np.pprint()",
        "TEXTS.foreachRDD(lambda r: (r.foreach(put), r.foreach(save)))",
        "TEXTS.reduce(max).foreachRDD(lambda r: r.foreach(put))",
    ],
)
def test_texts_that_more_reads_are_made_once(body: str) -> None:
    source = IMPORTS + socket_program(HANDED + body.replace("TEXTS", TEXTS))
    assert "F.udf(" in file(source).new


def flat(code: str) -> str:
    """Code without the blanks and lines by which it is laid out, and with one kind of quotes."""
    return "".join(code.replace('"', "'").split()).replace(",)", ")")
