"""RDD code that reads rows of the batch's DataFrame, without a step that makes tuples of them first."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, kafka_program, native_body, persisted, socket_program

PAIRS = "pairs = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
LOADED = "import json\nmessages.map(lambda message: json.loads({})).foreachRDD(lambda r: r.countByValue())"


def mapped(body: str) -> str:
    """The statement that makes the RDD, in one line."""
    lines = native_body(f"{body}.foreachRDD(lambda rdd: rdd.distinct().foreach(put))").splitlines()
    return "".join(line.strip() for line in lines).partition("rdd.distinct")[0]


@pytest.mark.parametrize(
    ("step", "becomes"),
    [
        ("map(odd)", 'map(lambda row: odd(row["value"]))'),
        ("map(lambda line: odd(line))", 'map(lambda line: odd(line["value"]))'),
        ("map(lambda line: odd(line) or line)", 'map(lambda line: odd(line["value"]) or line["value"])'),
        ("flatMap(lambda line: odd(line))", 'flatMap(lambda line: odd(line["value"]))'),
        # another `line`
        ("map(lambda line: [odd(line) for line in line])", "map(lambda row: (lambda line: ["),
        # quotes inside of quotes
        ('map(lambda line: odd(f"<{line}>"))', 'map(lambda line: odd(f"<{line[0]}>"))'),
        # it gives rows on
        ("filter(odd)", "map(lambda row: row[0]).filter(odd)"),
    ],
)
def test_a_function_of_texts_gets_them_out_of_the_row(step: str, becomes: str) -> None:
    assert f"batch.rdd.{becomes}" in mapped(f"lines.{step}")


@pytest.mark.parametrize(
    ("step", "becomes"),
    [
        ("map(lambda pair: odd(pair[0]))", "map(lambda pair: odd(pair[0]))"),
        ("map(lambda pair: odd(pair))", "map(lambda pair: odd(tuple(pair)))"),
        ("map(lambda pair: (odd(pair[0]), pair))", "map(lambda pair: (odd(pair[0]), tuple(pair)))"),
        ("map(odd)", "map(lambda row: odd(tuple(row)))"),
        (
            "filter(lambda pair: odd(pair[0])).map(lambda pair: odd(pair[1]))",
            "filter(lambda pair: odd(pair[0]",
        ),
        ("filter(lambda pair: odd(pair[0]))", "map(tuple).filter(lambda pair: odd(pair[0]))"),
        ("filter(odd).map(lambda pair: pair[0])", "map(tuple).filter(odd).map("),
        ("mapValues(odd)", "map(tuple).mapValues(odd)"),
        ("reduceByKey(lambda a, b: odd(a))", "map(tuple).reduceByKey("),
    ],
)
def test_a_function_of_pairs_gets_the_row_or_the_pair(step: str, becomes: str) -> None:
    from migrate.model import Options

    body = f"{PAIRS}pairs.{step}.foreachRDD(lambda rdd: rdd.distinct().foreach(put))"
    new = file(socket_program(body), Options(unsafe=True)).new
    assert f".rdd.{becomes}" in "".join(line.strip() for line in new.splitlines())


def test_tuples_that_only_rdd_code_reads_are_made_by_it() -> None:
    pairs = "pairs = lines.map(lambda line: (line, len(line)))\n"
    body = native_body(f"{pairs}pairs.map(odd).pprint()")
    assert 'pairs = batch.rdd.map(lambda line: (line["value"], len(line["value"])))' in body
    assert "pairs.map(odd)" in body
    many = "lines.map(lambda l: (l[0], l[1], l[2], odd(l))).map(odd).pprint()"
    assert 'batch.rdd.map(lambda row: row["value"])' in native_body(many)
    both = native_body(f"{pairs}pairs.map(odd).pprint()\npairs.pprint()")
    assert 'F.length("value")' in both, "others read them as columns"


@pytest.mark.parametrize(
    "output",
    [
        "filter(odd).pprint()",
        "foreachRDD(lambda rdd: rdd.distinct().foreach(put))",
        "foreachRDD(lambda rdd: print(rdd.sortBy(lambda r: r[1:]).collect(), *rdd.toLocalIterator()))",
    ],
)
def test_lists_that_only_rdd_code_reads_are_made_by_it(output: str) -> None:
    rows = "rows = lines.map(lambda line: line.split('|'))\n"
    assert """batch.rdd.map(lambda line: line["value"].split('|'))""" in native_body(f"{rows}rows.{output}")
    counted = native_body(f"{rows}rows.{output}\nrows.count().pprint()")
    assert """rows = batch.rdd.map(lambda line: line["value"].split('|')).persist()""" in counted
    assert "print(rows.count())" in counted, "which reads no list"
    both = native_body(f"{rows}rows.{output}\nrows.map(lambda row: row[0]).pprint()")
    assert r'F.split("value", r"\|")' in both, "others read them as columns"


def test_a_function_that_reads_one_part_of_a_message_is_given_that_one() -> None:
    new = file(kafka_program(LOADED.format("message[1]"))).new
    assert 'batch.rdd.map(lambda row: json.loads(row["value"]))' in new
    assert "key" not in new


def test_in_a_text_by_its_place() -> None:
    new = file(kafka_program(LOADED.format("f'{message[1]}'"))).new
    assert "batch.rdd.map(lambda row: json.loads(f'{row[0]}'))" in new


def test_one_that_hands_the_message_on_is_given_all_of_it() -> None:
    new = file(kafka_program("def text(pair):\n    return pair[1]\n" + LOADED.format("text(message)"))).new
    assert "batch.rdd.map(lambda message: json.loads(text(message)))" in new
    assert '"key"' in new


def test_a_name_that_the_lambda_reads_is_none_for_its_row() -> None:
    new = file(kafka_program("row = 1\n" + LOADED.format("message[1] + row"))).new
    assert 'batch.rdd.map(lambda message: json.loads(message["value"] + row))' in new


PARSED = (
    "import json\ndef parsed(message):\n    {}\nmessages.map(parsed).foreachRDD(lambda rdd: rdd.foreach(put))"
)


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ("return json.loads(message[1])", 'return json.loads(message["value"])'),
        (
            "return [json.loads(message[1]), odd(message[1])]",
            'json.loads(message["value"]), odd(message["value"])]',
        ),
        ("return odd(f'{message[1]}')", "return odd(f'{message[0]}')"),
        ("one = lambda: message[1]\n    return odd(one())", 'one = lambda: message["value"]'),
    ],
)
def test_a_function_that_is_used_once_reads_the_only_part_by_its_name(body: str, becomes: str) -> None:
    new = file(kafka_program(PARSED.format(body))).new
    assert becomes in new
    assert "batch.rdd.map(parsed)" in new
    assert '"key"' not in new


@pytest.mark.parametrize(
    "body",
    [
        "return json.loads(message[-1])",
        "key, value = message\n    return json.loads(value)",
        "return json.loads(message[1]), len(message)",
        "return json.loads(message[1])\nprint(parsed((None, '{}')))",
        "return json.loads(message[1])\nput = [parsed]",
    ],
)
def test_one_that_reads_more_or_is_used_elsewhere_is_given_the_message(body: str) -> None:
    new = file(kafka_program(PARSED.format(body))).new
    assert '["value"]' not in new
    assert '"key"' in new


@pytest.mark.parametrize("cached", ["odds.cache()", "odds = odds.persist()", "pass"])
def test_an_rdd_that_the_program_caches_is_computed_once_for_all_outputs(cached: str) -> None:
    body = native_body(
        f"odds = lines.map(odd)\n{cached}\nodds.pprint()\nodds.foreachRDD(lambda r: r.foreach(put))"
    )
    kept = "batch" if cached == "pass" else "odds"
    assert persisted(body) == [kept] and body.endswith(f"{kept}.unpersist()")
    assert body.count(".persist()") == 1


NESTED = (
    "pairs = lines.map(lambda line: (line, (len(line), 1)))"
    ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
)


@pytest.mark.parametrize(
    ("read", "becomes"),
    [
        ("odd(pair[0], pair[1][0])", "odd(pair[0], pair[1])"),
        ("odd(pair[1][1])", "odd(pair[2])"),
        ("odd(pair[1])", "odd((pair[1], pair[2]))"),
        # all of it, or a place that is not written out
        ("odd(pair)", "odd((pair[0], (pair[1], pair[2])))"),
        ("odd(pair[1][-1])", "odd((pair[1], pair[2])[-1])"),
        ("odd(pair[1][2])", "odd((pair[1], pair[2])[2])"),
    ],
)
def test_an_item_of_a_tuple_is_read_of_the_row(read: str, becomes: str) -> None:
    body = f"{NESTED}pairs.map(lambda pair: {read}).foreachRDD(lambda rdd: rdd.distinct().foreach(put))"
    assert f"map(lambda pair: {becomes})" in native_body(body)


@pytest.mark.parametrize(
    ("step", "becomes"),
    [
        ("map(lambda word: odd(word))", 'map(lambda row: odd(row["word"]))'),
        ("map(lambda word: [odd(word + row) for row in '12'])", 'odd(word["word"] + row)'),
        ("map(lambda text: odd(text))", 'map(lambda text: odd(text["word"]))'),
    ],
)
def test_a_lambda_reads_no_column_of_its_own_name(step: str, becomes: str) -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" "))\nwords.pprint()\n'
    assert becomes in native_body(f"{words}words.{step}.foreachRDD(lambda rdd: rdd.distinct().foreach(put))")


LOOP = "def save(pairs):\n    {}:\n        {}\n\n\n"


@pytest.mark.parametrize(
    ("read", "becomes"),
    [
        ("put(pair[0], pair[1][0] / pair[1][1])", 'put(pair["line"], pair["value"] / pair["count"])'),
        ("put(f'{pair[1][0]}')", "put(f'{pair[1]}')"),
        # there is no row of a part
        ("put(pair[0], pair[1])", "put(pair[0], pair[1])"),
    ],
)
@pytest.mark.parametrize(
    ("loop", "given"),
    [
        ("for pair in pairs", "rdd.foreachPartition(save)"),
        ("rows = pairs.collect()\n    for pair in rows", "save(rdd)"),
    ],
)
def test_a_loop_reads_the_values_of_nested_tuples_by_their_names(
    read: str, becomes: str, loop: str, given: str
) -> None:
    new = file(socket_program(f"{LOOP.format(loop, read)}{NESTED}pairs.foreachRDD(lambda rdd: {given})")).new
    assert becomes in new
    assert ("for row in rows" in new or "for line, value, count in" in new) == (becomes == read)
