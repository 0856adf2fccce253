"""Comments stay with what they speak of; what is left out with the code that it spoke of is listed."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.migrate.codemod.written import (
    beside,
    comments,
    function,
    is_kept_or_noted,
    native,
    native_result,
    native_socket,
    new_text,
)
from tests.migrate.programs import file, run, socket_program

# --- statements that go -------------------------------------------------------------------------------------

GONE = [
    pytest.param('ssc.checkpoint("cp")', id="checkpoint"),
    pytest.param("words.cache()", id="cache"),
    pytest.param("words.persist(StorageLevel.MEMORY_ONLY)", id="persist"),
    pytest.param("unused = words.map(len)", id="a stream that nobody reads"),
    pytest.param("ssc.remember(60)", id="remember"),
]
WORDS = 'words = lines.flatMap(lambda line: line.split(" "))\n'


@pytest.mark.parametrize("statement", GONE)
def test_a_comment_above_a_statement_that_goes_is_kept_or_noted(statement: str) -> None:
    body = f"{WORDS}# why this is here\n{statement}\nwords.pprint()"
    assert is_kept_or_noted(native_result(socket_program(body)), "# why this is here")


@pytest.mark.parametrize("statement", GONE)
def test_a_comment_behind_a_statement_that_goes_is_kept_or_noted(statement: str) -> None:
    body = f"{WORDS}{statement}  # why this is here\nwords.pprint()"
    assert is_kept_or_noted(native_result(socket_program(body)), "# why this is here")


@pytest.mark.parametrize("statement", GONE)
def test_if_it_is_kept_it_stands_above_what_followed(statement: str) -> None:
    body = f"{WORDS}# why this is here\n{statement}\nwords.pprint()"
    new = native_socket(body)
    if "# why this is here" in new:
        assert beside(new, "# why this is here").startswith("query = (")


@pytest.mark.parametrize("statement", GONE)
def test_no_comment_is_noted_that_is_there(statement: str) -> None:
    body = f"# what comes\n{WORDS}{statement}\n# what is seen\nwords.pprint()  # ten"
    result = native_result(socket_program(body))
    assert not [note for note in result.graphs[0].notes if "what comes" in note or "what is seen" in note]
    new = new_text(result)
    assert beside(new, "# what comes").startswith("words = ")
    assert beside(new, "# what is seen").startswith("query = (")
    assert beside(new, "# ten").startswith("query = (")


EVERY = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

# 1
conf = SparkConf()  # 2
# 3
conf.setAppName("x")  # 4
# 5
conf.set("spark.a", "b")  # 6
# 7
sc = SparkContext(conf=conf)  # 8
# 9
ssc = StreamingContext(sc, 1)  # 10
# 11
ssc.checkpoint("cp")  # 12
# 13
lines = ssc.socketTextStream("h", 1)  # 14
# 15
sizes = lines.map(len)  # 16
# 17
unused = sizes.map(str)  # 18
# 19
sizes.pprint()  # 20
# 21
ssc.start()  # 22
# 23
ssc.awaitTermination()  # 24
# 25
"""


def test_every_comment_of_a_program_is_kept_or_noted() -> None:
    result = native_result(EVERY)
    numbers = [f"# {number}" for number in range(1, 26)]
    assert [comment for comment in numbers if not is_kept_or_noted(result, comment)] == []


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ((1, 3, 5, 7, 8), "spark = "),
        ((13,), "lines = "),
        ((15, 16), "sizes = "),
        ((19, 20, 21), "query = "),
        ((23, 24), "query.awaitTermination("),
    ],
)
def test_comments_stand_with_what_came_of_their_statement(numbers: tuple[int, ...], code: str) -> None:
    new = native(EVERY)
    for number in numbers:
        assert beside(new, f"# {number}").startswith(code), number


def test_blank_lines_and_several_lines_of_a_comment_stay() -> None:
    above = "# first\n#\n#   second, indented\n"
    new = native_socket(f"{above}{WORDS}\n# apart\n\nwords.pprint()")
    assert f"\n{above}words = " in new
    assert "# apart\n" in new


def test_they_stay_in_a_batch_function() -> None:
    above = "# first\n#\n#   second, indented\n"
    new = native_socket(f"{above}{WORDS}\n# apart\n\nwords.countByValue().pprint()")
    assert "    # first\n    #\n    #   second, indented\n    words = " in new
    assert "    # apart\n" in new


def test_a_comment_that_is_set_off_moves_once_where_new_code_stands_in_its_place() -> None:
    parsed = "def n(line):\n    return json.loads(line)['n']"
    saved = "lines.foreachRDD(lambda rdd: print(rdd.filter(n).count()))"
    new = native_socket(f"import json\n{parsed}\n\n# one\n# two\n\n{saved}")
    assert "['n']\n\nn_udf = F.udf(lambda value: bool(n(value))" in new
    assert "    # one\n    # two\n" in new
    assert new.count("# one\n") == 1


# --- functions that melt into columns -----------------------------------------------------------------------

MELTED = '''\
# above it
def words_of(line):
    """Words of a line."""
    # at spaces
    return line.split(" ")  # all of them
    # nothing more

words = lines.flatMap(words_of)
words.pprint()
'''


@pytest.mark.parametrize("comment", ["# above it", "# at spaces", "# all of them", "# nothing more"])
def test_a_comment_of_a_function_that_melts_is_kept_or_noted(comment: str) -> None:
    assert is_kept_or_noted(native_result(socket_program(MELTED)), comment)


@pytest.mark.parametrize("comment", ["# above it", "# at spaces", "# all of them", "# nothing more"])
def test_none_of_them_is_left_behind_where_the_function_was(comment: str) -> None:
    new = native_socket(MELTED)
    if any(found.string == comment for found in comments(new)):
        assert beside(new, comment).startswith("words = ")


def test_the_comments_of_a_function_that_stays_stay() -> None:
    body = MELTED.replace('line.split(" ")', "clean(line)").replace("def", "@traced\ndef")
    assert body[: body.index("words = ")].rstrip() in native_socket(body)


def test_a_comment_below_a_function_that_melts_is_not_its_own() -> None:
    body = MELTED.replace("\nwords = ", "\n# the words\nwords = ")
    assert beside(native_socket(body), "# the words").startswith("words = ")


def test_spaces_at_the_end_of_a_comment_stay_above_a_statement_that_changes() -> None:
    program = socket_program(f"{WORDS}words.pprint()").replace(
        "lines = ", "# what comes, \n# line by line\nlines = ", 1
    )
    assert "# what comes, \n# line by line\nlines = " in new_text(native_result(program))


# --- imports ------------------------------------------------------------------------------------------------

IMPORTS = """\
# the head of the file

# for the path
import sys
{imports}
sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream(sys.argv[1], 1).pprint()
ssc.start()
"""
ORDERS = [
    ("pyspark", "streaming", "numpy"),
    ("streaming", "pyspark", "numpy"),
    ("numpy", "pyspark", "streaming"),
    ("streaming", "numpy", "pyspark"),
    ("pyspark", "numpy", "streaming"),
]
LINES = {
    "pyspark": "# the context\nfrom pyspark import SparkContext  # of Spark\n",
    "streaming": "# the streams\nfrom pyspark.streaming import StreamingContext  # of old\n",
    "numpy": "# arrays\nimport numpy  # fast\n",
}


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_comment_above_an_import_that_goes_never_speaks_of_another_one(order: tuple[str, ...]) -> None:
    result = native_result(IMPORTS.format(imports="".join(LINES[name] for name in order)))
    new = new_text(result)
    assert beside(new, "# for the path") == "import sys"
    assert beside(new, "# arrays") == beside(new, "# fast") == "import numpy"
    assert new.startswith("# the head of the file\n\n# for the path\n")
    for comment in ("# the context", "# the streams", "# of Spark", "# of old"):
        assert is_kept_or_noted(result, comment)
        if comment in new:
            assert beside(new, comment).startswith("from pyspark.sql import")


def test_a_comment_above_an_import_that_gets_shorter_stays_above_it() -> None:
    imports = (
        "# settings and the context\nfrom pyspark import SparkConf, SparkContext  # both\n"
        "from pyspark.streaming import StreamingContext\nprint(SparkConf)\n"
    )
    new = native(IMPORTS.format(imports=imports))
    assert beside(new, "# settings and the context") == "from pyspark import SparkConf"
    assert beside(new, "# both") == "from pyspark import SparkConf"


def test_the_comments_of_names_in_brackets_stay_with_their_names() -> None:
    imports = (
        "from pyspark import (\n    # settings\n    SparkConf,  # all\n    # context\n"
        "    SparkContext,  # one\n    # files\n    SparkFiles,  # some\n)\n"
        "from pyspark.streaming import StreamingContext\nprint(SparkConf, SparkFiles)\n"
    )
    result = native_result(IMPORTS.format(imports=imports))
    new = new_text(result)
    assert beside(new, "# settings") == beside(new, "# all") == "SparkConf,"
    assert beside(new, "# files") == beside(new, "# some") == "SparkFiles,"
    assert is_kept_or_noted(result, "# one")
    assert is_kept_or_noted(result, "# context")


def test_a_comment_that_ends_the_imports_stays_below_them() -> None:
    imports = LINES["pyspark"] + LINES["streaming"] + "# here it begins\n"
    assert beside(native(IMPORTS.format(imports=imports)), "# here it begins").startswith("spark = ")


# --- chains over several lines ------------------------------------------------------------------------------

CHAIN = """\
counts = (
    lines
    # words
    .flatMap(lambda line: line.split(" "))
    .filter(lambda word: len(word) > 3)  # long ones
    # pairs
    .map(lambda word: (word, 1))
    .reduceByKey(lambda a, b: a + b)  # sums
)
counts.pprint()
"""


@pytest.mark.parametrize(
    ("comment", "step", "others"),
    [
        ("# words", ".select(F.explode", (".where(", ".groupBy(")),
        ("# long ones", ".where(", (".select(", ".groupBy(")),
        ("# pairs", ".groupBy(", (".select(", ".where(")),
        ("# sums", ".count()", (".select(", ".where(")),
    ],
)
def test_the_comments_of_a_chain_s_steps_stay_beside_their_steps(
    comment: str, step: str, others: tuple[str, ...]
) -> None:
    code = beside(native_socket(CHAIN), comment)
    assert step in code
    assert not [other for other in others if other in code]


def test_a_chain_with_comments_stays_over_several_lines_however_short() -> None:
    chain = "n = (\n    lines.map(len)  # sizes\n    .filter(lambda n: n > 3)  # long\n)\nn.pprint()"
    new = native_socket(chain)
    sizes, long = beside(new, "# sizes"), beside(new, "# long")
    assert (".select(" in sizes, ".where(" in sizes) == (True, False)
    assert (".select(" in long, ".where(" in long) == (False, True)


def test_the_comments_of_rdd_steps_stay_beside_their_steps() -> None:
    chain = (
        "kept = (\n    lines\n    # cleaned\n    .map(clean)\n    .filter(known)  # known ones\n"
        "    # to be sure\n    .map(check)\n)\nkept.pprint()\n"
    )
    new = native_socket(chain)
    assert beside(new, "# cleaned").endswith('.map(lambda row: clean(row["value"]))')
    assert beside(new, "# known ones") == ".filter(known)"
    assert beside(new, "# to be sure") == ".map(check)"


def test_the_comments_of_an_output_s_chain_stay_beside_their_steps() -> None:
    chain = (
        "(\n    lines\n    # words\n    .flatMap(lambda line: line.split(' '))\n"
        "    # to the screen\n    .pprint(5)  # five\n)"
    )
    new = native_socket(chain)
    words = beside(new, "# words")
    assert (".select(F.explode" in words, ".format(" in words) == (True, False)
    assert "numRows=5" in beside(new, "# to the screen")
    assert "numRows=5" in beside(new, "# five")


def test_the_comments_of_a_source_s_arguments_stay() -> None:
    source = 'lines = ssc.socketTextStream(\n    "localhost",  # here\n    9999,  # any port\n)'
    old = 'lines = ssc.socketTextStream("localhost", 9999)'
    new = native(socket_program("lines.pprint()").replace(old, source))
    assert '"localhost"' in beside(new, "# here")
    assert "9999" in beside(new, "# any port")


def test_the_comments_of_a_context_s_arguments_stay() -> None:
    made = 'sc = SparkContext(\n    "local[2]",  # two cores\n    # for the page\n    appName="Test",\n)'
    new = native(socket_program("lines.pprint()").replace('sc = SparkContext(appName="Test")', made))
    assert "local[2]" in beside(new, "# two cores")
    assert "Test" in beside(new, "# for the page")


# --- code that is the user's --------------------------------------------------------------------------------


def test_a_lambda_whose_code_is_kept_stays_as_it_was_written() -> None:
    body = (
        "kept = lines.map(odd).map(lambda line: clean(\n    line,\n    {'a': 1,\n"
        "     \"b\": 2},  # settings\n    other='x',\n))\nkept.pprint()"
    )
    new = [line.strip() for line in native_socket(body).splitlines()]
    written = ["line,", "{'a': 1,", '"b": 2},  # settings', "other='x',"]
    assert "|".join(written) in "|".join(new)


def test_a_lambda_over_several_lines_without_comments_stays_over_them() -> None:
    body = (
        "def odd(x): return x\n"
        "kept = lines.map(clean).map(lambda line: {\n    'line': line,\n    'size': odd(line),\n})\n"
        "kept.pprint()"
    )
    new = [line.strip() for line in native_socket(body).splitlines()]
    assert "'line': line,|'size': odd(line),|}" in "|".join(new)


def test_a_lambda_whose_body_becomes_columns_keeps_its_comments_with_them() -> None:
    body = "words = lines.filter(lambda line: (\n    # no errors\n    'ERROR' not in line\n))\nwords.pprint()"
    assert "ERROR" in beside(native_socket(body), "# no errors")


def test_a_callback_in_a_lambda_stays_as_it_was_written() -> None:
    inner = (
        "lambda rdd: rdd.foreach(\n        # one by one\n        lambda line: store(\n"
        "            line,  # the text\n            'quoted',\n            \"other\",\n        )\n    )"
    )
    new = native_socket(f"lines.map(odd).foreachRDD(\n    {inner}\n)")
    lines = [line.strip() for line in new.splitlines()]
    written = ["# one by one", "lambda line: store(", "line,  # the text", "'quoted',", '"other",', ")"]
    assert "|".join(written) in "|".join(lines)


@pytest.mark.parametrize(
    ("written", "others"),
    [
        ("store(line, \"a\", 'b')", "x = 'many', 'single', 'quotes', 'here', 'and', 'there', 'too'"),
        ("store(line, 'a', \"b\")", 'x = "many", "double", "quotes"'),
        ("store(line, u'a', r\"b\")", "x = 'many', 'single', 'quotes', 'here', 'and', 'there', 'too'"),
    ],
)
def test_the_user_s_quotes_stay_in_the_user_s_code(written: str, others: str) -> None:
    for body in (
        f"lines.map(odd).foreachRDD(lambda rdd: rdd.foreach(lambda line: {written}))",
        f"lines.map(odd).map(lambda line: {written}).pprint()",
        f"lines.map(odd).map(lambda line: clean(\n    {written}))\\\n    .pprint()",
    ):
        assert written in native_socket(f"{others}\n{body}")


def test_a_new_text_has_the_quotes_of_the_user_s_own_in_its_statement() -> None:
    """In a file with both, ``.format("socket").options(host='twitter')`` would have both in one line."""
    program = socket_program("x = 'many', 'single', 'quotes', 'here', 'and', 'there', 'too'\nlines.pprint()")
    new = file(program.replace('ssc.socketTextStream("localhost"', 'ssc.socketTextStream("twitter"')).new
    assert '.format("socket")' in new and 'host="twitter"' in new
    assert ".trigger(processingTime='1 second')" in new


def test_the_user_s_quotes_stay_in_what_is_moved() -> None:
    source = socket_program("x = 'many', 'single', 'quotes', 'here', 'and', 'there', 'too'\nlines.pprint()")
    source = source.replace(
        'sc = SparkContext(appName="Test")', 'sc = SparkContext("local[2]", "My" + name("x"))'
    )
    new = native(source)
    assert '"local[2]"' in new
    assert '"My" + name("x")' in new
    assert '"localhost"' in new


def test_a_callback_on_frames_keeps_its_comments() -> None:
    body = (
        "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
        "# saves it\ndef save(rdd):\n    # as pairs\n    pairs = rdd.map(lambda w: (w, 1))  # ones\n\n"
        "    # if any\n    if not rdd.isEmpty():  # there\n"
        '        # named\n        frame = spark.createDataFrame(pairs, ["a", "b"])  # two\n'
        "        frame.show()  # all\n    # done\n\nlines.foreachRDD(save)"
    )
    result = native_result(socket_program(body))
    new = new_text(result)
    assert "batch.select(" in function(new, "save")
    assert beside(new, "# saves it") == "def save(batch, batch_id):"
    assert beside(new, "# if any") == beside(new, "# there") == "if not batch.isEmpty():"
    assert beside(new, "# named").startswith("frame = ")
    assert beside(new, "# all") == "frame.show()"
    for comment in ("# as pairs", "# ones", "# two", "# done"):
        assert is_kept_or_noted(result, comment)
    if "# as pairs" in new:
        assert beside(new, "# as pairs") in ("if not batch.isEmpty():", "")


def test_a_comment_behind_an_expression_of_other_letters_stays() -> None:
    """`ast` counts bytes: two for each of these letters."""
    body = "lines.foreachRDD(\n    lambda rdd: store('éééééééé', rdd.isEmpty())  # what is stored\n)"
    assert beside(native_socket(body), "# what is stored").startswith("store(")


INSIDE = """\
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def save(rdd):
    # above
    {code}
lines.foreachRDD(save)
"""
WRITTEN = "spark.createDataFrame(rdd.map(  # pairs\n        lambda w: (w, 1)), ['a', 'b'])"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(f"{WRITTEN}.show()", id="a statement"),
        pytest.param(f"store({WRITTEN})", id="an argument"),
        pytest.param(f"if store({WRITTEN}): pass", id="a condition"),
        pytest.param(
            f"if late: pass\n    elif not rdd.isEmpty(): {WRITTEN}.show()", id="a block of one line"
        ),
        pytest.param(f"with lock: {WRITTEN}.show()", id="a block of one line that gets more"),
        pytest.param(f"x = 1; {WRITTEN}.show()", id="a line of several"),
    ],
)
def test_a_comment_inside_an_expression_that_changes_stands_above(code: str) -> None:
    new = native_socket(INSIDE.format(code=code))
    assert beside(new, "# pairs")
    assert new.index("# above") < new.index("# pairs") < new.index("batch.select(")


def test_a_comment_inside_what_is_quoted_is_there_once_though_its_statement_becomes_several() -> None:
    new = native_socket("""\
known = sc.parallelize(zip("ab", range(2)))
joined = lines.map(lambda w: (w, 1)).transform(lambda rdd: rdd.leftOuterJoin(known))
joined.mapValues(lambda v: 1).updateStateByKey(
    lambda new, last:  # sums
        sum(new) + (last or 0)
).pprint()
""")
    assert beside(new, "# sums").endswith("lambda new, last:")


def test_a_comment_that_goes_with_the_last_graph_of_a_file_is_noted() -> None:
    job = """\
def job_{}():
    sc = SparkContext.getOrCreate()
    ssc = StreamingContext(sc, 1)
    ssc.socketTextStream("h", 1).pprint()
    ssc.start()
"""
    head = "from pyspark import SparkContext  # for both\nfrom pyspark.streaming import StreamingContext\n"
    result = run(f"{head}\n{job.format(1)}\n{job.format(2)}")
    assert [graph.outcome.value for graph in result.graphs] == ["native", "native"]
    assert is_kept_or_noted(result, "# for both")
    assert sum("for both" in note for graph in result.graphs for note in graph.notes) <= 1


def test_a_comment_of_several_lines_goes_whole_or_stays_whole() -> None:
    source = socket_program("lines.pprint()").replace(
        "ssc = ",
        "# The streaming context is the main entry point;\n# it is made of the context above.\nssc = ",
    )
    result = run(source)
    assert "# it is made" not in result.files[0].new
    (note,) = [note for note in result.graphs[0].notes if "comments left out" in note]
    assert "# The streaming context" in note and "# it is made" in note


def test_comments_above_settings_stand_above_the_session_that_has_them() -> None:
    source = socket_program("lines.pprint()").replace("import SparkContext", "import SparkConf, SparkContext")
    settings = '# settings\nconf = SparkConf()\nconf.setAppName("Test")  # for the page\n\n# the context\n'
    source = source.replace(
        'sc = SparkContext(appName="Test")\n', f"{settings}sc = SparkContext(conf=conf)\n"
    )
    new = run(source).files[0].new
    session = 'spark = SparkSession.builder.appName("Test").getOrCreate()  # for the page'
    assert f"# settings\n# the context\n{session}\n" in new


# --- cells of a notebook that is a script now ---------------------------------------------------------------


@pytest.mark.parametrize("mark", ["# In[ ]:", "# In[12]:", "# %%", "#%%"])
def test_where_a_cell_began_is_left_out_within_the_batch_function(mark: str) -> None:
    body = f"{mark}\n\n# words\n{WORDS}\n{mark}\n\n# out\nwords.countByValue().pprint()\n\n"
    body += f"{mark}\n\nprint('started')"
    result = native_result(socket_program(body))
    new = new_text(result)
    place = new.index("def process_batch")
    assert mark not in new[place : new.index(".show(")]
    assert new.count(mark) == 2
    assert {"# words", "# out"} <= {comment.string for comment in comments(new)}
    assert not [note for note in result.graphs[0].notes if mark in note]


@pytest.mark.parametrize("mark", ["# In[4]:", "# %%"])
def test_where_a_cell_began_is_left_out_where_nothing_of_it_is_left(mark: str) -> None:
    cell = f"\n\n{mark}\n\n\n"
    source = socket_program(f"{cell}lines.pprint()\n{cell}").replace("ssc =", f"{cell}ssc =")
    source = source.replace("lines = ", f"{cell}# all lines\nlines = ")
    new = native(source)
    assert new.count(mark) == source.count(mark) - 2, "those of the context and of the output"
    assert f".getOrCreate()\n{cell}# all lines\nlines = " in new


def test_where_a_cell_began_stays_above_a_comment_that_is_of_no_statement() -> None:
    source = socket_program("lines.pprint()").replace("ssc =", "# In[2]:\n\n# ## The context\n\nssc =")
    assert "# In[2]:\n\n# ## The context\n" in native(source)


def test_blanks_at_the_end_of_comments_at_the_head_of_a_file_stay() -> None:
    head = "# -*- coding: utf-8 -*- \n# \n# All RDDs of the DStream \n\n"
    new = native(head + socket_program("lines.pprint()"))
    assert new.startswith("# -*- coding: utf-8 -*- \n# \n# All ")


def test_a_mark_without_a_blank_line_is_left_out_too_and_begins_what_stays() -> None:
    body = f"#%%\n# words\n{WORDS}\n#%%\nwords.pprint()\n#%%"
    new = native(socket_program(body).replace("ssc.start()", "ssc.start()  # go"))
    assert new.count("#%%") == 2
    assert "\n\n#%%\n# go\nquery = " in new


IN_CELLS = """\
from pyspark import SparkContext
from pyspark.sql import Row, SQLContext
from pyspark.streaming import StreamingContext
{0}
sc = SparkContext(appName="Test")
{0}
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("h", 1)
{0}
def get_sql(context):
    if "sql" not in globals():
        globals()["sql"] = SQLContext(context)
    return globals()["sql"]


def show(rdd):
    get_sql(rdd.context).createDataFrame(rdd.map(lambda word: Row(word=word))).show()
{0} words
# all words
words = lines.flatMap(lambda line: line.split(" "))
{0}
print("ready")
{0} out
words.foreachRDD(show)
{0}
ssc.start()
{0}
ssc.awaitTermination()
"""


@pytest.mark.parametrize("mark", ["# In[4]:", "#%%", "# %%"])
def test_marks_of_cells_stay_where_they_are(mark: str) -> None:
    result = native_result(IN_CELLS.format(mark))
    cells = new_text(result).split(mark)
    begins = [cell.lstrip("\n").splitlines()[0] for cell in cells]
    assert begins == [
        "from pyspark.sql import SparkSession",
        'spark = SparkSession.builder.appName("Test").getOrCreate()',
        "# one partition keeps the lines in order",
        "def show(batch, batch_id):",
        'print("ready")',
        'query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(show).start()',
        "query.awaitTermination()",
    ]
    assert "# all words\n" in cells[3]
    (told,) = [note for note in result.graphs[0].notes if "comments left out" in note]
    assert f"`{mark} words`, `{mark} out`" in told


def test_the_batch_function_stands_in_the_cell_of_its_last_statement() -> None:
    body = f"# %% words\n{WORDS}\n# %%\nprint('ready')\n# %% out\nwords.countByValue().pprint()\n"
    new = native(socket_program(body))
    assert "# %% words" not in new
    assert "# %%\nprint('ready')\n# %% out\ndef process_batch(" in new


def test_a_comment_behind_a_statement_stands_below_those_above_it() -> None:
    source = socket_program("lines.pprint()").replace(
        "ssc.start()", "# go\nssc.start()  # " + "and go on " * 6
    )
    new = native(
        source.replace("sc = Spark", "# of all\nsc = Spark").replace(
            '"Test")\n', '"Test")\nsc.setLogLevel("WARN")  # few\n'
        )
    )
    assert f"# go\n# {'and go on ' * 6}".strip() + "\nquery = " in new
    assert "# of all\nspark = (" in new and '    .config("spark.log.level", "WARN")  # few\n' in new


@pytest.mark.parametrize(
    "host", ["h", "house.example", "readings.of.a.house.example", "readings.of.all.houses.example"]
)
def test_what_is_said_of_a_source_stands_below_what_the_program_says_of_it(host: str) -> None:
    source = socket_program("lines.pprint()\nlines.saveAsTextFiles('out')").replace("localhost", host)
    rows = native(source.replace("lines = ", "# of all sensors\nlines = ")).splitlines()
    assert rows[rows.index("# of all sensors") + 1].startswith(("lines = ", "# one partition"))
    assert not rows[rows.index("# of all sensors") - 1].startswith("# one partition")


def test_a_line_of_the_program_that_has_grown_too_long_is_broken() -> None:
    body = (
        "def check_each_record_of_the_partition(rows):\n    for row in rows:\n        print(row[0])\n"
        "fields = lines.map(lambda line: line.split(','))\n"
        "fields.foreachRDD(lambda rdd: rdd.foreachPartition(check_each_record_of_the_partition))\n"
    )
    assert (
        "    fields.foreachPartition(\n"
        '        lambda rows: check_each_record_of_the_partition(row["field"] for row in rows)\n'
        "    )\n"
    ) in file(socket_program(body)).new


HEADING = """
####################
# {heading}
####################
sql = SQLContext(sc)
table = sql.read.csv("table.csv")
print(table.count())
"""


def _with_heading(heading: str) -> str:
    body = HEADING.format(heading=heading) + "####################\n# Count\n####################\n"
    return native("from pyspark.sql import SQLContext\n" + socket_program(body + "lines.count().pprint()"))


def test_a_heading_is_about_what_is_below_the_statement_that_goes_too() -> None:
    text = _with_heading("Load the table")
    assert "# Load the table\n####################\ntable = spark.read.csv(" in text
    assert text.count("# Count\n") == 1 and text.index("# Count") > text.index("def process_batch")


def test_one_about_the_context_goes_with_it() -> None:
    assert "####\ntable" not in _with_heading("Make the SparkContext")


def test_what_is_said_of_a_stream_stands_in_the_batch_function_and_not_above_its_typed_function() -> None:
    new = native_socket(
        "# split into words\n"
        "words = lines.flatMap(lambda line: line.split()).map(lambda word: word.swapcase())\n"
        "words.pprint()\n"
    )
    above, function = new.split("def process_batch")
    assert "F.udf" in above and "# split into words" not in above
    assert "    # split into words\n    words = (" in function


def test_a_comment_set_off_above_a_stream_stands_once_also_with_other_words() -> None:
    body = """
seen = []

# Each element will be a line.
# You need to find all words.
# Keep them, and print them at every step (use the pprint function).
# Put code here

found = lines.flatMap(lambda line: line.split(' '))
found.pprint()

# Keep all of them
counts = []
found.foreachRDD(lambda rdd: counts.append(rdd.count()))
"""
    above, function = native_socket(body).split("def process_batch")
    assert "# Keep them, and print them at every step.\n" in function
    assert "Keep them" not in above and "pprint" not in function


def test_comments_beside_several_arguments_of_one_call_keep_their_order() -> None:
    body = (
        "counts = lines.map(lambda line: (line, 1)).reduceByKey(\n"
        "    lambda a, b: a + b,  # add them up\n    4,  # in few parts\n)\n"
        "counts.pprint()"
    )
    new = file(socket_program(body)).new
    assert "# add them up\n" in new
    assert new.index("# add them up") < new.index("# in few parts")


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ("lambda a, b: a + b,  # what comes in\n    lambda a, b: a - b,  # what goes out\n    4, 2)", []),
        (
            "lambda a, b: a + b, lambda a, b: a - b,  # in and out\n    4, 2)  # the last four seconds",
            [],
        ),
        ("lambda a, b: a + b,  # the sum\n    None, 4,  # the last four seconds\n    2)", ["# the sum"]),
    ],
)
def test_comments_beside_durations_and_a_function_with_an_inverse_go_with_them(
    arguments: str, left: list[str]
) -> None:
    body = (
        "pairs = lines.map(lambda line: (line, [1]))\n"
        f"counts = pairs.reduceByKeyAndWindow(\n    {arguments}\ncounts.pprint()"
    )
    new = file(socket_program(body)).new
    said = ["# what comes in", "# what goes out", "# in and out", "# the sum", "# the last four seconds"]
    assert [one for one in said if one in new] == left


@pytest.mark.parametrize(
    ("source", "comment", "link"),
    [
        (
            'textFileStream("in")',
            "# the directory",
            '    spark.readStream.text("in")  # the directory\n    .where(',
        ),
        (
            'textFileStream("in")',
            f"# {'long ' * 20}",
            f"# {'long ' * 20}".strip() + "\nlines = (\n    spark.read",
        ),
        (
            "socketTextStream(socket.gethostname(), int(9999))",
            "# host and port",
            "    .options(host=socket.gethostname(), port=int(9999))  # host and port\n    .load()",
        ),
    ],
)
def test_what_is_said_of_a_source_stands_beside_its_arguments(source: str, comment: str, link: str) -> None:
    """It does so where the chain has several lines and it fits."""
    text = f"""import socket
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
ssc = StreamingContext(SparkContext(appName="Lines"), 1)
def main():
    lines = ssc.{source}  {comment}
    lines.countByValue().pprint()
    ssc.start()
main()
"""
    assert link in dedent(native(text).partition("def main():\n")[2].partition("\n\n")[0])


def test_two_blank_lines_at_most_are_left_where_statements_go() -> None:
    body = "print(1)\n\n\n\nlines.pprint()\n\n\n# lines.pprint()\n\n\n\n"
    assert "print(1)\n\n\nquery = (" in native_socket(body)
    inside = "def show(rdd):\n    if rdd.count():\n        print(1)\n\n    \n    \n"
    new = native_socket(f"{inside}lines.foreachRDD(show)\n\n\n\n")
    assert "        print(1)\n\n\nquery = " in new


def test_one_blank_line_is_left_where_a_function_goes_between_statements() -> None:
    body = """
    size = 3


    def add(new, last):
        return sum(new) + (last or 0)


    print(size)


    print("started")
    lines.map(lambda line: (line, 1)).updateStateByKey(add).pprint()
    """
    new = native_socket(dedent(body))
    assert 'size = 3\n\nprint(size)\n\n\nprint("started")' in new


def test_what_is_said_above_a_print_of_a_stream_is_of_the_output_below() -> None:
    new = native_socket("# Print the first of each RDD in this DStream\nprint(type(lines))\nlines.pprint()")
    assert "# Print the first of each batch\nquery = (\n    lines.writeStream" in new
    apart = native_socket("# See what it is\nprint(type(lines))\n\nlines.pprint()")
    assert "See what it is" not in apart


@pytest.mark.parametrize("heading", ["# Global variables", "## Module Constants ##", "# --- settings ---"])
def test_a_heading_of_variables_stays_where_the_first_one_goes(heading: str) -> None:
    body = f'{heading}\nCHECKPOINT = "points"\nLIMIT = 3\nssc.checkpoint(CHECKPOINT)\n'
    new = native_socket(f"{body}lines.filter(lambda line: len(line) > LIMIT).pprint()")
    assert f"{heading}\nLIMIT = 3\n" in new and "CHECKPOINT" not in new
    new = native_socket(f"{body}lines.pprint()".replace(heading, "# Where it goes on"))
    assert "Where it goes on" not in new


def test_what_stands_at_the_end_of_a_function_stands_above_what_it_returns_now() -> None:
    new = native(
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext\n\n\n"
        "def build(ssc):\n"
        '    ssc.socketTextStream("localhost", 9999).map(len).pprint()\n\n'
        "    # the others are for later\n\n\n"
        "def main():\n"
        '    ssc = StreamingContext(SparkContext("local[2]"), 1)\n'
        "    build(ssc)\n    ssc.start()\n    ssc.awaitTermination()\n\n\n"
        "main()\n"
    )
    assert "    # the others are for later\n\n    return " in new


@pytest.mark.parametrize("comment", ["# parsed.filter(bool).pprint()", "# rdd.foreach(print)"])
def test_what_goes_at_the_end_of_a_function_is_left_out_there(comment: str) -> None:
    body = (
        "import records\n\n\n"
        f"def show(rdd):\n    print(rdd.map(records.parse).collect())\n\n    {comment}\n\n\n"
        "parsed = lines.map(records.parse)\nparsed.foreachRDD(show)\n"
    )
    result = native_result(socket_program(body))
    (graph,) = result.graphs
    said = any(comment in note and "left out" in note for note in graph.notes)
    assert said is (comment not in new_text(result))
    assert "\n\n\n\n" not in new_text(result)


SINGLETON = """\
{above}def session_instance(conf):
    if "instance" not in globals():
        globals()["instance"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["instance"]

def show(rdd):
    spark = session_instance(rdd.context.getConf())
    spark.createDataFrame(rdd.map(lambda line: (line, 1)), ["line", "n"]).show()
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("above", "stays"),
    [
        ("# the server sends one line a second\n", True),
        ("\n# the server sends one line a second\n", False),
        ("# makes one session for all\n", False),
        ("# where an instance is made\n", False),
    ],
    ids=["of the source", "below a blank line", "of the function", "another word of its name"],
)
def test_what_stands_between_a_source_and_a_function_that_goes(above: str, stays: bool) -> None:
    program = socket_program(SINGLETON.format(above="ABOVE")).replace("\n\nABOVE", "\nABOVE")
    program = program.replace("ABOVE", above)
    result = run("from pyspark.sql import SparkSession\n" + program)
    new = new_text(result)
    assert "session_instance" not in new
    assert (above in new) is stays
    if stays:
        assert f"    .load()\n)\n{above}" in new
