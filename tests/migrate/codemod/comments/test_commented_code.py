"""Code of the old API in comments goes, or calls the query, where what stands beside it changes."""

from __future__ import annotations

from textwrap import dedent

import pytest

from migrate.codemod.comments.commented_code import Names
from migrate.codemod.comments.hanging_together import old_code
from tests.migrate.codemod.written import native, native_result, native_socket, new_text
from tests.migrate.programs import run, socket_program

CONTEXTS = frozenset({"ssc"})


@pytest.mark.parametrize(
    "comment",
    [
        "# count the words",
        "# ---- (words) ----",
        "# words.filter(len).count()",
        "# rdd.map(len).reduceByKey(add)",
        "# show(rdd, lambda rdd: rdd.map(len).reduceByKey(add))",
        "# spark.stop()",
        "# print(words)",
        "# start (see above)",
        "# 'words.pprint()'",
    ],
)
def test_what_is_no_code_of_the_old_api_stays(comment: str) -> None:
    assert not list(old_code([comment], CONTEXTS, "query"))


@pytest.mark.parametrize(
    ("comment", "new"),
    [
        ("# words.pprint()", None),
        ("# ssc = StreamingContext.getOrCreate('state')", None),
        ("# pairs = words.filter(lambda word: '#' in word) \\", None),
        ("#words = lines.flatMap(lambda line: line.split())", None),
        ("## ssc = StreamingContext(sc, 1)", None),
        ("# lines = ssc.textFileStream('in')", None),
        ("# sc = SparkContext(master='yarn', appName='Words')", None),
        ("#kvs = KafkaUtils.createStream(ssc, zookeeper, 'words', {topic: 1})", None),
        ("# words.foreachRDD(lambda time, rdd: seen.append(rdd.collect()))", None),
        ("# ssc.start()", None),
        ("# from pyspark.streaming.kafka import KafkaUtils", None),
        ("# s = KafkaUtils.createStream(ssc, [ZK quorum], [consumer group id], {})", None),
        ("# ssc.awaitTermination()", "# query.awaitTermination()"),
        ("#ssc.awaitTerminationOrTimeout(60)", "# query.awaitTermination(60)"),
        ("# ssc.stop(True, True)", "# query.stop()"),
    ],
)
def test_code_of_the_old_api_goes_or_calls_the_query(comment: str, new: str | None) -> None:
    assert [*old_code([comment], CONTEXTS, "query").items()] == [(0, new)]
    assert [*old_code([comment], CONTEXTS, "").items()] == [(0, None)]


VALUES = [
    "# brokers='a:3200,b:3200'",
    '# topic = {"likes": 1}',
    "# lines = KafkaUtils.createStream(ssc, brokers, 'g', topic)",
]


def test_values_that_only_code_of_the_old_api_reads_go_with_it() -> None:
    assert dict(old_code(VALUES, CONTEXTS, "")) == dict.fromkeys(range(3))


def test_so_do_others_that_nothing_else_reads() -> None:
    code = ["# log = open('a.log', 'w')", "# words.foreachRDD(lambda rdd: show(rdd, log))"]
    assert dict(old_code(code, CONTEXTS, "")) == dict.fromkeys(range(2))
    assert dict(old_code(["# log = opened('a.log')", code[1]], CONTEXTS, "")) == dict.fromkeys(range(2))
    assert not [*old_code([*code, "# log.close()"], CONTEXTS, "")]


def test_a_parameter_of_a_lambda_keeps_its_name() -> None:
    names = Names(others={"rdd": "counts"})
    assert (
        names.in_code("# kept.foreachRDD(lambda rdd: show(rdd))")
        == "# kept.foreachRDD(lambda rdd: show(rdd))"
    )
    assert names.in_code("# show(rdd)") == "# show(counts)"


def test_an_entry_below_a_dict_that_goes_goes_with_it() -> None:
    entry = '# "auto.commit.interval.ms": 60000 }'
    settings = f'params = {{"metadata.broker.list": "localhost:9092"}}\n{entry}\n'
    source = f"""\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
{settings}
kvs = KafkaUtils.createDirectStream(ssc, ["words"], params)
kvs.map(lambda m: m[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""
    result = native_result(source)
    assert entry not in new_text(result)
    assert entry in " ".join(result.graphs[0].notes)
    kept = 'topics = {"words": 1}\n# "sentences": 2 }\n'
    assert kept in native(source.replace("kvs = ", f"{kept}print(topics)\nkvs = ", 1))


@pytest.mark.parametrize("there", ["topic", "brokers"])
def test_values_of_variables_that_the_program_has_stay(there: str) -> None:
    assert not [*old_code(VALUES, CONTEXTS, "", names=Names(there=frozenset({there})))]


def test_other_values_keep_the_piece() -> None:
    assert not [*old_code([*VALUES, "# group = 'test'"], CONTEXTS, "")]


def test_a_call_of_a_stream_goes_also_where_it_is_no_python() -> None:
    assert [*old_code(["#words.saveAsTextFiles(/users/out/)"], CONTEXTS, "").items()] == [(0, None)]
    assert not [*old_code(["#words.save(/users/out/)"], CONTEXTS, "")]


def test_an_example_in_prose_stays() -> None:
    prose = ["# a lambda:", "#", "#   words.flatMap(lambda line: line.split())", "#", "# is a function"]
    assert not list(old_code(prose, CONTEXTS, "query"))
    assert len(list(old_code(prose[:4], CONTEXTS, "query"))) == 1, "prose goes on below"
    assert len(list(old_code([prose[0], prose[2], prose[4]], CONTEXTS, "query"))) == 1, "set off"


OTHERS = ["# slide = 2", "# show(found)", "# for word in words:", "# else:", "#     .select(len) \\"]


@pytest.mark.parametrize("other", OTHERS)
def test_code_stays_where_some_of_it_is_other_code(other: str) -> None:
    block = ["# words = lines.flatMap(split)", other, "# words.pprint()"]
    assert not list(old_code(block, CONTEXTS, "query"))
    assert len(list(old_code([block[0], "# 한국어", "# as seen", block[2]], CONTEXTS, "query"))) == 2


def test_so_does_a_function_of_python_2_that_was_commented_out_behind_its_indentation() -> None:
    body = """
words = lines.map(lambda line: line.split("&"))
#def show(rdd):
    #print rdd.collect()
    #words.foreachRDD(show)
# print them
words.pprint()
"""
    new = native_socket(body)
    assert "show" not in new.replace(".show(", "") and "collect" not in new and "# print them\n" in new
    other = native_socket(body.replace("words.foreachRDD(show)", "log(rdd)"))
    assert "#print rdd.collect()\n" in other


def test_code_goes_that_gives_a_stream_a_function_of_the_program() -> None:
    body = """
    def show(rdd):
        print(rdd.count())
    # lines.foreachRDD(show)
    lines.pprint()
    """
    new = native_socket(dedent(body))
    assert "def show(rdd):" in new and "foreachRDD" not in new


@pytest.mark.parametrize("between", ["", "print('made')\n\n"])
def test_a_writer_that_only_comments_start_is_started_in_them(between: str) -> None:
    source = socket_program("lines.pprint()").replace("ssc.start()\nssc.awaitTermination()\n", between)
    new = native(source + "# ssc.start()\n# ssc.awaitTermination()\n")
    assert new.endswith("# query = writer.start()\n# query.awaitTermination()\n")
    assert "query" not in new.split("# query = ")[0]
    assert native(source + "# ssc.awaitTermination()\n").endswith("# ssc.awaitTermination()\n")


def test_commented_code_that_reads_one_variable_goes_or_stays_whole_over_blank_lines() -> None:
    body = "lines.pprint()\n#words = lines.flatMap(str.split)\n\n# for word in words:\n#     add(word)\n\n"
    commented = "#words.pprint()\n"
    assert "word" not in native_socket(f"{body}{commented}")
    assert "\n# for word in found:\n" in native_socket(f"{body}{commented}".replace("in words", "in found"))
    other = "def show():\n    # words = [1]\n    return 1\n"
    new = native_socket(f"{other}{body}{commented}")
    for line in (*body.splitlines()[1:], commented):
        assert line in new


def test_a_function_in_comments_goes_with_its_only_call_or_stays_with_it() -> None:
    function = "# def send(found):\n#     for one in found:\n#         post(one)\n\n"
    body = f"import time\n{function}begun = time.time()\nlines.pprint()\n"
    call = "# lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))\n"
    new = native_socket(f"{body}{call}")
    assert "send" not in new and "foreachPartition" not in new
    new = native_socket(f"{body}{call}# send([])\n")
    assert function in new and call in new
    assert function in native_socket(body)


def test_what_only_commented_prints_read_goes_with_them_also_over_code() -> None:
    body = "# number = lines.count()\n# lines.pprint()\nlines.pprint()\n# number.pprint()\n"
    assert "number" not in native_socket(body)


def test_python_2_in_comments_is_code_too() -> None:
    code = ["# words.map(lambda (word, n): n).pprint()", "# print'words', words.pprint();"]
    assert dict(old_code(code, CONTEXTS, "query")) == dict.fromkeys(range(2))


def test_code_that_reads_what_the_program_has_not_any_more_goes() -> None:
    body = """
    import numpy
    pairs = lines.map(lambda line: (line, 1))
    #pairs.saveAsTextFile()
    #text = sc, "words"  # a file
    counts = pairs.reduceByKey(lambda a, b: a + b)
    counts.pprint()
    # total = sc.accumulator(0)
    # print(total)

    # seen = numpy.zeros(3)
    """
    result = native_result(socket_program(dedent(body)))
    new = new_text(result)
    assert "saveAsTextFile" not in new and "text = sc" not in new and "total" not in new
    assert "# seen = numpy.zeros(3)\n" in new
    assert any('`#text = sc, "words"  # a file`' in note for note in result.graphs[0].notes)


def test_code_that_reads_a_variable_of_the_comment_goes_with_it() -> None:
    block = ["# words = lines.flatMap(split)", "# show(words)", "# words.pprint()"]
    assert len(list(old_code(block, CONTEXTS, "query"))) == 3
    assert not list(old_code(block, CONTEXTS, "query", names=Names(there=frozenset({"words"}))))


def test_rdd_code_of_a_callback_goes_where_its_parameter_is_a_dataframe() -> None:
    body = """
    def show(rdd):
        # upper = rdd.map(str.upper)
        # print(upper.collect())
        print(rdd.count())
    lines.foreachRDD(show)
    """
    assert "upper" not in native_socket(dedent(body))


def test_statements_of_several_lines_go() -> None:
    block = [
        "# try windows:",
        "# sums = lines.reduceByWindow(",
        "#     lambda a, b: a + b,",
        "#     10, slide)",
        "# sums.pprint()",
        "# see above",
    ]
    assert [*old_code(block, CONTEXTS, "query").items()] == [(1, None), (2, None), (3, None), (4, None)]


def test_it_goes_where_statements_change_and_the_report_lists_it() -> None:
    body = "# lines.count().pprint()\n# all of them\nlines.pprint()\n"
    source = socket_program(body).replace("ssc.awaitTermination()", "# ssc.awaitTermination()\nssc.stop()")
    result = native_result(source)
    new = new_text(result)
    assert "lines.count" not in new
    assert "# all of them\nquery = (\n    lines.writeStream" in new
    assert "# query.awaitTermination()\nquery.stop()\n" in new
    assert any("`# lines.count().pprint()`" in note for note in result.graphs[0].notes)


def test_a_heading_goes_with_its_code_but_not_one_that_may_be_about_the_statement_below() -> None:
    body = """
    # as they come
    # lines.map(str.lower).pprint()
    # once each, which
    # is slow
    # lines.countByValue().pprint()
    # how many
    # lines.count().pprint()
    lines.pprint()
    """
    result = native_result(socket_program(dedent(body)))
    new = new_text(result)
    assert "as they come" not in new
    assert "# once each, which\n# is slow\nquery = (" in new
    assert any("`# as they come`, " in note and "`# how many`" in note for note in result.graphs[0].notes)


OWN_RDD = """\
def save(rdd):
    found = {made}
    # found = found.map(lambda line: (None, line))
    found.saveAsTextFile("out")
lines.foreachRDD(save)
print(sc)
"""


@pytest.mark.parametrize(
    ("made", "stays"),
    [
        ("sc.parallelize(sorted(rdd.collect()))", True),
        ("sc.parallelize(sorted(rdd.collect()))\n    found = found.map(str)", True),
        ("rdd.map(lambda line: make(line))", True),
        ('rdd.map(lambda line: line.split(" ")[0])', False),
    ],
    ids=["its own", "made of itself", "RDD code", "a DataFrame"],
)
def test_code_stays_that_reads_an_rdd_of_the_program(made: str, stays: bool) -> None:
    body = OWN_RDD.format(made=made)
    if not stays:
        body = body.replace('found.saveAsTextFile("out")', "print(found.count())")
    new = new_text(run(socket_program(body)))
    assert ("# found = found.map(lambda line: (None, line))" in new) is stays


def test_it_stays_in_code_that_stays() -> None:
    body = """
    def shown(values):
        # words.pprint()
        return sorted(values)
    def show(rdd):
        # words.pprint()
        print(shown(rdd.map(hash).collect()))
    lines.foreachRDD(show)
    """
    assert native_socket(body).count("    # words.pprint()\n    return") == 1
    assert native_socket(body).count("# words.pprint()\n") == 1


def test_a_comment_behind_the_context_goes_with_it() -> None:
    source = socket_program("lines.pprint()").replace(
        "ssc = StreamingContext(sc, 1)",
        "ssc = StreamingContext(sc, 1)  # the StreamingContext, of one second",
    )
    result = native_result(source)
    assert "of one second" not in new_text(result)
    assert any("of one second" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize("end", ["\n#ssc.stop()", "\n#ssc.stop()\n\n# ssc is gone"])
def test_code_below_the_last_statement_is_of_the_query(end: str) -> None:
    new = native(socket_program("lines.pprint()") + end.lstrip("\n") + "\n")
    assert "query.awaitTermination()\n# query.stop()\n" in new


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("#sc.stop()\n", "# spark.stop()\n"),
        ("print('started')\n\n#sc.stop()\n", "print('started')\n\n# spark.stop()\n"),
        ("print('started')\n#ssc.stop()\n#sc.stop()\n", "# query.stop()\n# spark.stop()\n"),
        ("print('started')\n# sc.cancelAllJobs()\n", "# sc.cancelAllJobs()\n"),
        ("print('started')\nprint(sc.version, sc.appName)\n# sc.stop()\n", "# sc.stop()\n"),
    ],
)
def test_code_that_stops_a_context_that_is_gone_stops_the_session(end: str, told: str) -> None:
    assert native(socket_program("lines.pprint()") + end).endswith(told)


def test_code_that_ends_the_program_below_all_of_it_stops_the_query() -> None:
    source = socket_program("lines.pprint()").replace("ssc.awaitTermination()\n", "")
    new = native(source + "print('started')\n\n\n#ssc.stop()\n\n#print('done')\n")
    assert new.endswith("print('started')\n\n\n# query.stop()\n\n#print('done')\n")


def test_not_where_it_is_a_part_of_other_code_there() -> None:
    old = "# def main():\n#     other()\n#     ssc.start()\n#     ssc.awaitTermination()\n"
    new = native(socket_program("lines.pprint()") + "print('started')\n\n" + old)
    assert new.endswith(old)


def test_code_at_the_end_stays_whole_where_a_part_of_it_has_no_form() -> None:
    end = "\n#ssc.start()\n#ssc.awaitTermination()\n"
    assert native(socket_program("lines.pprint()") + end).endswith(end)


def test_a_commented_print_shows_the_dataframe_that_is_there() -> None:
    body = """
    # lines.pprint(3)
    words = lines.flatMap(lambda line: line.split(" "))
    # words.pprint()

    longer = words.filter(lambda word: len(word) > 3)
    longer.pprint()
    words.pprint()
    """
    result = native_result(socket_program(dedent(body)))
    new = new_text(result)
    assert "    # batch.show(3, truncate=False)\n    words = " in new
    assert ".persist()\n    # words.show(10, truncate=False)\n\n    longer = " in new
    assert any("`# words.pprint()`" in note and "there now" in note for note in result.graphs[0].notes)


def test_no_print_is_shown_where_one_has_no_dataframe() -> None:
    body = """
    # lines.pprint()
    words = lines.flatMap(lambda line: line.split(" "))
    # words.pprint()
    longer = words.filter(lambda word: len(word) > 3)
    # pairs.pprint()
    longer.pprint()
    """
    assert "# " not in native_socket(dedent(body)).split("writeStream")[0].split(".load()")[1]


@pytest.mark.parametrize(
    "stream",
    ["words.map(len)", "longer"],
    ids=["no variable", "made below"],
)
def test_no_other_print_is_shown(stream: str) -> None:
    body = f"""
    upper = lines.map(lambda line: line.upper())
    # {stream}.pprint()
    words = upper.flatMap(lambda line: line.split(" "))
    longer = words.filter(lambda word: len(word) > 3)
    longer.pprint()
    words.pprint()
    """
    assert "# " not in native_socket(dedent(body)).split("def process_batch")[1].split("words = ")[0]


def test_code_beside_what_changes_goes_and_with_it_what_calls_functions() -> None:
    body = """
    import time
    # words = lines.flatMap(lambda line: line.split(" "))
    # longer = words.filter(lambda word: len(word) > 3)
    begun = time.time()
    lines.pprint()
    """
    new = native_socket(dedent(body))
    assert "# words" not in new and "# longer" not in new and "begun = time.time()" in new
    kept = dedent(body).replace("(lambda word: len(word) > 3)", "(seen)").replace("flatMap", "union")
    assert "# longer = words.filter(seen)\n" in native_socket(kept)


@pytest.mark.parametrize(
    ("above", "stays"), [("hdfs://host/path", True), ("of all lines, we", False)], ids=["address", "sentence"]
)
def test_a_heading_goes_below_an_address_and_with_all_of_its_lines(above: str, stays: bool) -> None:
    body = f"lines.pprint()\n# {above}\n# save them\n# lines.saveAsTextFiles('out')\n\n# count them\n"
    new = native_socket(body + "lines.count().pprint()\n")
    assert "# save them" not in new and "saveAsTextFiles" not in new
    assert (f"# {above}" in new) is stays


def test_settings_in_words_are_a_heading_too() -> None:
    code = "# sums = lines.reduceByWindow(\n#     add, None, 30, 10\n# )\n\n"
    body = f"## summary function\n## window size = 30\n{code}"
    new = native_socket(body + "lines.pprint()\n")
    assert "summary" not in new and "window size" not in new and "reduceByWindow" not in new


def test_a_heading_of_several_lines_stays_right_above_a_statement() -> None:
    new = native_socket("# of all lines, we\n# save some\n# lines.saveAsTextFiles('out')\nlines.pprint()\n")
    assert "# of all lines, we\n# save some\n" in new


def test_a_heading_with_a_colon_goes_also_above_a_statement() -> None:
    new = native_socket("# Debug:\n# lines.map(len).pprint()\nlines.pprint()\n")
    assert "Debug" not in new and "map" not in new


def test_code_stays_where_a_program_puts_nothing_out() -> None:
    body = "# print the words\n# words = lines.flatMap(lambda line: line.split())\n# words.pprint()\n"
    result = native_result(socket_program(body))
    assert body in new_text(result)
    (note,) = [note for note in result.graphs[0].notes if "left as they were" in note]
    assert "`# words = lines.flatMap(lambda line: line.split())`, `# words.pprint()`" in note


def test_code_in_a_callback_names_its_dataframe_if_that_has_all_that_it_calls() -> None:
    body = """
    def look(rdd):
        # for line in rdd.collect():
        #     print(line, {more})
        pass
    lines.foreachRDD(look)
    """
    new = native_socket(dedent(body.format(more="rdd.count()")))
    assert "# for line in batch.collect():\n    #     print(line, batch.count())" in new
    for more in ("rdd.map(len).max()", "rdd", "rdd.id()"):
        assert "for line in" not in native_socket(dedent(body.format(more=more)))


def test_attributes_in_code_keep_their_names() -> None:
    body = "def look(rdd):\n    # print(frame.rdd.collect(), rdd.collect())\n    print(rdd.collect())\n"
    new = native_socket(body + "lines.foreachRDD(look)\n")
    assert "# print(frame.rdd.collect(), batch.collect())" in new


def test_a_heading_that_speaks_of_rdds_goes_also_above_a_statement() -> None:
    new = native_socket("# Print ten elements of each RDD\n#lines.pprint()\nx = 1\nlines.pprint(x)\n")
    assert "Print" not in new


def test_code_in_a_callback_names_what_the_batch_becomes_there() -> None:
    body = """
    def look(rdd):
        # print(rdd.take(3))
        if rdd.count() > 0:
            print(rdd.take(9))
    words = lines.flatMap(lambda line: line.split(" "))
    words.foreachRDD(look)
    """
    new = native_socket(dedent(body))
    assert "# print(words.take(3))\n    if words.count() > 0:" in new


def test_code_reads_the_session_in_place_of_a_context_that_all_else_reads_there() -> None:
    body = """
    from pyspark.sql import SQLContext
    sql = SQLContext(sc)
    def show(rdd):
        words = sql.createDataFrame(rdd.map(lambda line: (line,)), ["line"])
        words.createOrReplaceTempView("words")
        # Sort
        # sql.sql("select sql from words order by line").show()

        # sql = SQLContext(sc)
        sql.sql("select * from words").show()
    lines.foreachRDD(show)
    """
    new = native_socket(dedent(body))
    assert (
        "# Sort\n" in new and 'batch.sparkSession.sql("select sql from words order by line").show()\n' in new
    )
    assert "SQLContext" not in new


def test_so_does_a_comment_of_it() -> None:
    new = native_socket(
        "# # print each word\n# words.pprint()\ndef output(rdd):\n    print(rdd.count())\n"
        "lines.foreachRDD(output)"
    )
    assert "print each word" not in new and "pprint" not in new


def test_code_above_the_imports_goes() -> None:
    program = socket_program("lines.pprint()")
    old = "# from pyspark.streaming import StreamingContext\n\n# ssc = StreamingContext(sc, 2)\n\n"
    new = native(old + program)
    assert new.startswith("from pyspark.sql import SparkSession\n")
    assert "2)" not in new and "pyspark.streaming" not in new
    said = "# Words. Based on:\n# ssc = StreamingContext(sc, 2)\n"
    assert native(said + program).startswith(said)


PARSES = """\
import json
def show(rdd):
    found = rdd.collect()
    print(found)

# get the fields
found = lines.map(lambda line: json.loads(line))
found.foreachRDD({})
"""


@pytest.mark.parametrize("given", ["show", "lambda rdd: print(rdd.collect())"])
def test_what_is_said_of_a_function_that_the_callback_calls_stands_there(given: str) -> None:
    new = native(socket_program(PARSES.format(given)))
    assert (
        "    # get the fields\n    " in new and "[json.loads(line[" in new.partition("# get the fields\n")[2]
    )
    assert new.count("# get the fields") == 1


def test_so_does_what_is_said_behind_it() -> None:
    head = "import json\n" + socket_program(
        "found = lines.map(lambda line: json.loads(line))  # parse the json\n"
        "found.foreachRDD(lambda rdd: print(rdd.collect()))"
    )
    assert "    # parse the json\n    print([json.loads(" in native(head)


OLD_TEXT = "'''\n# Count each word\npairs = words.map(lambda word: (word, 1))\n\n{}'''\n"
WORDS = "words = lines.flatMap(lambda line: line.split(' '))\n"


@pytest.mark.parametrize(
    ("more", "goes"),
    [
        pytest.param("# Print them\npairs.reduceByKey(lambda x, y: x + y).pprint()\n", True, id="old code"),
        pytest.param("print(3)\n", False, id="other code"),
        pytest.param("This counts them.\n", False, id="prose"),
    ],
)
def test_code_in_a_text_by_itself_goes(more: str, goes: bool) -> None:
    result = native_result(socket_program(WORDS + OLD_TEXT.format(more) + "words.pprint()\n"))
    assert ("pairs" not in new_text(result)) is goes
    assert (
        any("left out" in note and "`pairs = words.map(" in note for note in result.graphs[0].notes) is goes
    )


def test_docstrings_are_no_such_text() -> None:
    body = f"def show(rdd):\n    {OLD_TEXT.format('')!r}\n    print(rdd.count())\nlines.foreachRDD(show)\n"
    assert "pairs = words.map" in native_socket(body)


def test_a_print_below_the_source_goes_as_the_batch_is_not_there() -> None:
    body = "# lines.pprint()\n\ncounts = lines.countByValue()\ncounts.pprint()"
    assert ".show(" not in native(socket_program(body)).partition("def process_batch")[0]


def test_code_stays_that_reads_the_rdd_of_a_dataframe() -> None:
    body = (
        "def show(rdd):\n    print(rdd.count())\n    # pairs = scores.rdd.map(tuple)\n"
        "    # print(Metrics(pairs).matrix())\n    print(3)\nlines.foreachRDD(show)\n"
    )
    new = native_socket(body)
    assert "    # pairs = scores.rdd.map(tuple)\n    # print(Metrics(pairs).matrix())\n    print(3)\n" in new


EXAMPLES = """
words = lines.flatMap(lambda line: line.split())
# take one of these out of its comment
{examples}

{more}
lines.pprint()
"""
EXAMPLE = "# words.map(lambda word: (word, {})).pprint()"


@pytest.mark.parametrize(
    ("number", "between", "more", "stays"),
    [
        (5, "\n\n# and another one\n", "", True),
        (4, "\n\n", "", False),
        (5, "\n", "", False),
        (5, "\n\n", "words.count().pprint()", False),
    ],
    ids=["five", "four", "in one piece", "code reads the stream"],
)
def test_examples_stay_that_a_reader_is_to_choose_from(
    number: int, between: str, more: str, stays: bool
) -> None:
    examples = between.join(map(EXAMPLE.format, range(number)))
    result = native_result(socket_program(EXAMPLES.format(examples=examples, more=more)))
    assert (f"{EXAMPLE.format(1)}\n" in result.files[0].new) is stays
    assert any("left as they were" in note for note in result.graphs[0].notes) is stays


def test_commented_code_of_an_sql_context_is_of_the_session() -> None:
    above = "from pyspark.sql import SQLContext\nsql = SQLContext(sc)\n"
    show = 'def show(rdd):\n    # sql.sql("DELETE FROM words").collect()\n    print(rdd.count())\n'
    new = native(socket_program(f"{above}{show}lines.foreachRDD(show)"))
    assert '    # spark.sql("DELETE FROM words").collect()\n' in new
    assert "SQLContext" not in new


def test_what_is_left_of_a_block_of_code_goes_with_it() -> None:
    """Half of a block would say what nothing around it is about."""
    shown = ["# lines.pprint()", "# pairs = lines.map(len)", "# pairs.pprint()"]
    frames = {"lines": "batch"}
    assert dict(old_code(shown, CONTEXTS, "query", frames)) == dict.fromkeys(range(3))
    assert dict(old_code(shown[:1], CONTEXTS, "query", frames)) == {0: "# batch.show(10, truncate=False)"}
    ends = ["# ssc.start()", "# ssc.awaitTermination()"]
    assert dict(old_code(ends, CONTEXTS, "query")) == dict.fromkeys(range(2))
    assert dict(old_code(ends[1:], CONTEXTS, "query")) == {0: "# query.awaitTermination()"}


def test_code_above_a_print_of_a_stream_goes_whole() -> None:
    code = "# lines = KafkaUtils.createStream(\n#    ssc,\n#    zk,\n#    'a-group',\n#    {topic: 1}\n# )\n"
    new = native_socket(f"{code}print(type(lines))\nwords = lines.map(len)\nwords.pprint()")
    assert "#" not in new.replace("# one partition keeps the lines in order", "")


def test_code_about_one_stream_goes_or_stays_whole_also_where_that_is_there() -> None:
    code = "# words = lines.map(str.upper)\nwords = lines.map(str.lower)\nwords.pprint()\n# words.pprint()\n"
    assert "map(str.upper)" not in native_socket(f"{code}begun = 1\n")
    new = native_socket(f"{code}# show(begun)\nbegun = 1\n")
    assert "# words = lines.map(str.upper)\n" in new and "# words.pprint()\n" in new


def test_commented_rdd_code_stays_where_the_callback_has_rdds() -> None:
    body = """
    def show(rdd):
        pairs = rdd.map(parse)
        # long = pairs.filter(lambda pair: pair[1])
        print(pairs.collect())
    lines.foreachRDD(show)
    # lines.pprint()
    """
    new = native_socket(f"from helpers import parse\n{dedent(body)}")
    assert "# long = pairs.filter(lambda pair: pair[1])\n" in new and "# lines" not in new


def test_the_settings_of_a_context_in_comments_are_of_the_session() -> None:
    above = '# conf = SparkConf().setMaster("yarn")\n# sc = SparkContext(conf=conf)\n'
    new = native(socket_program("lines.pprint()").replace("sc = Spark", f"{above}sc = Spark", 1))
    assert '# conf = SparkConf().setMaster("yarn")\n# spark = SparkSession.builder.config(conf=conf)' in new


def test_code_of_a_parameter_that_is_no_rdd_any_more_is_not_written_anew() -> None:
    body = """
    from pyspark.sql import Row, SparkSession
    from helpers import row
    def show(time, rdd):
        spark = SparkSession.builder.getOrCreate()
        rows = spark.createDataFrame(rdd.map(lambda w: row(w)))
        # rows = rdd.toDF().limit(10)
        rows.show()
    lines.foreachRDD(show)
    """
    assert "batch.rdd.toDF" not in native_socket(dedent(body))


COMMENTED_CODE = """\
factors = [3, 5]
scale = lambda u: factors[0] * u

# another form of the function
#scale = lambda u: factors[1] * u

# show the batch
lines.foreachRDD(lambda rdd: print(sorted(rdd.collect()), scale(2)))
"""


def test_commented_code_stays_outside_of_the_batch_function() -> None:
    new = native_socket(COMMENTED_CODE)
    assert "\n# another form of the function\n#scale = lambda u: factors[1] * u\n" in new
    assert "\n    # show the batch\n" in new


SAVED = """\
def show(rdd):
    rdd1 = rdd.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    #rdd1.{}
    for word, n in rdd1.collect():
        print(word, n)
lines.foreachRDD(show)
"""


@pytest.mark.parametrize("call", ["saveAsTextFile('x')", "sortByKey().take(3)"])
def test_commented_calls_of_rdds_name_no_dataframe(call: str) -> None:
    new = native_socket(SAVED.format(call))
    assert "df1.collect()" in new
    assert call not in new or f"#rdd1.{call}\n" in new


def test_commented_calls_that_dataframes_have_name_them() -> None:
    assert "#df1.count()\n" in native_socket(SAVED.format("count()"))
