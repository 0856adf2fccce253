"""A callback does itself what the batch function would do beside calling it, if that is little."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.migrate.codemod.written import function, native, native_socket
from tests.migrate.programs import socket_program

SHOW = """\
def show(rdd):
    \"\"\"Show some words.\"\"\"
    # how many
    print(rdd.count(), rdd.take(3))

# split into words
words = lines.flatMap(lambda line: line.split(" "))
words.foreachRDD(show)
"""
TIMED = """\
def show(time, rdd):
    print(time)
    try:
        if rdd.isEmpty():
            {}
        print(rdd.count(), sorted(rdd.collect()))
    except ValueError:
        print("none")

lines.foreachRDD(show)
"""


MANY = """\
def show(rdd):
    print(sorted(rdd.collect()))

words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show)
"""


def test_what_it_gets_is_made_and_persisted_in_it() -> None:
    new = native_socket(SHOW)
    assert "process_batch" not in new
    assert ".foreachBatch(show)" in new
    assert (
        dedent("""\
        def show(batch, batch_id):
            \"\"\"Show some words.\"\"\"
            # split into words
            words = batch.select(F.explode(F.split("value", " ")).alias("word")).persist()
            # how many
            print(words.count(), [row["word"] for row in words.take(3)])
            words.unpersist()
        """)
        in new
    )


def test_a_time_that_it_reads_has_its_own_name() -> None:
    new = function(native_socket(TIMED.format("return")), "show")
    assert new.startswith(
        "def show(batch, batch_id):\n    time = datetime.now().replace(microsecond=0)\n    batch.persist()\n"
    )


def test_where_it_returns_the_batch_is_released_in_the_end() -> None:
    new = function(native_socket(TIMED.format("return")), "show")
    assert new.endswith("        print('none')\n    finally:\n        batch.unpersist()")


def test_without_a_return_it_is_released_below() -> None:
    new = function(native_socket(TIMED.format("print('no rows')")), "show")
    assert new.endswith("        print('none')\n    batch.unpersist()")


EARLY = """\
def show(rdd):
    count = rdd.count()
    if count == 0:
        {}
    print(count, rdd.take(3))

lines.foreachRDD(show)
"""


@pytest.mark.parametrize("end", ["return", "return None", "print('none')\n        return"])
def test_above_a_return_the_batch_is_released(end: str) -> None:
    new = native_socket(EARLY.format(end))
    released = end.replace("return", "batch.unpersist()\n        return")
    assert f"    if count == 0:\n        {released}\n" in new
    assert function(new, "show").endswith("\n    batch.unpersist()")
    assert ".foreachBatch(show)" in new


@pytest.mark.parametrize(
    "body",
    [
        EARLY.format("return rdd"),
        EARLY.format("return").replace(":\n        return", ": return"),
        EARLY.format("return\n    if count == 1:\n        return\n    if count == 2:\n        return"),
        EARLY.format("return").replace(
            "    print(", "    if count > 3:\n        return\n    else:\n        print("
        ),
    ],
    ids=["a value", "on one line", "many", "at the end"],
)
def test_not_above_any_return(body: str) -> None:
    assert "def process_batch(" in native_socket(body)


def test_a_function_named_after_rdds_is_the_batch_function() -> None:
    new = native_socket(SHOW.replace("show", "process_rdd"))
    assert "def process_batch(batch, batch_id):" in new
    assert new.count("process_batch") == 2


def test_an_output_above_is_one_of_its_statements() -> None:
    new = native_socket(SHOW.replace("words.foreachRDD", "lines.pprint()\nlines.foreachRDD"))
    assert "    batch.show(10, truncate=False)\n    # how many\n" in new
    assert "process_batch" not in new


def in_function(body: str) -> str:
    """A socket's program with what makes its streams in a function, below the callback."""
    head, _, rest = socket_program(body).partition("def show")
    show, _, main = f"def show{rest}".partition("# split")
    imports, _, made = head.partition("sc = ")
    inside = "\n".join(f"    {row}" for row in f"sc = {made}# split{main}".splitlines())
    return f"import sys\n{imports}{show}\ndef main():\n    limit = sys.argv[1]\n{inside}\n\nmain()\n"


def test_in_a_program_within_a_function() -> None:
    new = native(in_function(SHOW))
    assert "process_batch" not in new
    assert ".persist()" in function(new, "show")


def test_not_with_a_variable_of_the_function_around_the_query() -> None:
    new = native(in_function(SHOW.replace('split(" ")', "split(limit)")))
    assert ".persist()" in function(new, "process_batch")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    # how many", "    batch = 3"),
        ("    # how many", "    words = 3"),
        ("    # how many", "    if len(name) > 1: return"),
        ("words.foreach", "words.pprint()\nwords.foreach"),
        ("foreachRDD(show)", "foreachRDD(show)\nwords.pprint()"),
        ("foreachRDD(show)", "foreachRDD(show)\nlines.foreachRDD(show)"),
        ("words.foreach", "lines.foreachRDD(lambda rdd: print(rdd.count()))\nlines.foreach"),
    ],
    ids=[
        "a variable called batch",
        "a variable called as the stream",
        "it returns where nothing releases what is persisted",
        "a step and an output",
        "an output below",
        "two callbacks",
        "another callback above",
    ],
)
def test_a_callback_is_called_where_more_is_done_or_names_are_others(old: str, new: str) -> None:
    assert "def process_batch(" in native_socket("name = input()\n" + SHOW.replace(old, new))


RDD = """\
import json
def process(time, rdd):
    print(time)
    for word in rdd.map(lambda w: other(w)).take(4):
        print(word)

# all there is
words = lines.map(lambda line: json.loads(line))
words.foreachRDD(process)
"""


def test_an_rdd_that_it_gets_is_made_in_it_by_its_own_name() -> None:
    new = native_socket(RDD)
    assert "process_batch" not in new
    assert '    # all there is\n    rdd = batch.rdd.map(lambda line: json.loads(line["value"]))\n' in new


def test_a_time_that_is_not_read_is_no_parameter_beside_an_rdd() -> None:
    new = native_socket(RDD.replace("print(time)", "print()"))
    assert "def process(batch, batch_id):\n    # all" in new


def test_rdd_code_on_the_rows_of_the_batch_stands_below_the_time() -> None:
    new = native_socket(RDD.replace("lines.map(lambda line: json.loads(line))", "lines"))
    assert "process_batch" not in new
    assert function(new, "process").count("batch.rdd.map(") == 1


def test_an_rdd_is_handed_on_where_another_output_reads_it() -> None:
    body = RDD.replace("words.foreach", "words.pprint()\nwords.map(str).pprint()\nwords.foreach")
    assert "def process_batch(" in native_socket(body)


def test_declarations_stay_above() -> None:
    body = SHOW.replace("    # how many", "    global seen\n    seen = rdd.count()")
    new = function(native_socket("seen = 0\n" + body), "show")
    assert new.index("global seen") < new.index("words = batch.select(")


def test_comments_on_the_rdd_go_with_it_and_those_on_the_output_with_the_query() -> None:
    new = native_socket(RDD.replace("words.foreach", "# for each batch\nwords.foreach"))
    assert "    # all there is\n    rdd = batch.rdd.map(" in new
    assert "# for each batch\nquery = " in new


SEVERAL = RDD.replace("words.foreach", "words.map(lambda w: w.other()).reduce(max).foreach")


def test_an_rdd_of_several_steps_is_made_by_the_batch_function() -> None:
    assert "def process_batch(" in native_socket(SEVERAL.replace("process", "show_words"))


@pytest.mark.parametrize("name", ["process", "handle", "process_data", "foreach_batch"])
def test_a_function_whose_name_says_nothing_of_its_own_does_all_of_it(name: str) -> None:
    new = native_socket(SEVERAL.replace("process", name))
    assert f".foreachBatch({name})" in new and "process_batch" not in new


@pytest.mark.parametrize(
    ("name", "now"),
    [("count_rdd", "count_batch"), ("rdd_handler", "batch_handler"), ("processStream", "processBatch")],
)
def test_a_function_named_after_rdds_does_all_of_it(name: str, now: str) -> None:
    new = native_socket(MANY.replace("show", name))
    assert f".foreachBatch({now})" in new and new.count("def ") == 1


@pytest.mark.parametrize("name", ["show_rdd", "saveRDD", "send_each_rdd"])
def test_a_function_that_says_how_rows_are_put_out_does_not_make_them(name: str) -> None:
    new = native_socket(MANY.replace("show", name))
    assert "def process_batch(" in new and "(counts):" in new


def test_a_function_of_its_own_name_does_not() -> None:
    new = native_socket(MANY)
    assert "def process_batch(" in new and "def show(counts):" in new


def test_an_rdd_that_is_called_as_the_batch_is_handed_on() -> None:
    new = native_socket(RDD.replace("rdd", "batch"))
    assert "def process_batch(" in new or "def process(micro_batch, batch_id):" in new


def test_a_function_below_the_start_is_called_when_a_batch_comes() -> None:
    show, _, streams = SHOW.partition("\n# split")
    source = socket_program(f"# split{streams}".replace("(show)", "(lambda rdd: show(rdd))"))
    new = native(source.replace("ssc.start()\n", f"ssc.start()\n{show}\n"))
    assert "foreachBatch(process_batch)" in new


PERSISTED = """\
import json

def show(rdd):
    print(rdd.take(1))
    {}make(rdd.context).createDataFrame(rdd).show()

parsed = lines.map(lambda line: json.loads(line))
parsed.foreachRDD(show)
"""


def test_an_rdd_is_released_by_the_name_that_the_callback_has_for_it() -> None:
    new = native_socket(PERSISTED.format(""))
    assert 'rdd = batch.rdd.map(lambda line: json.loads(line["value"])).persist()' in new
    assert "    rdd.unpersist()\n" in new
    assert "parsed" not in new


def test_unless_the_callback_binds_it_anew() -> None:
    new = native_socket(PERSISTED.format("rdd = rdd.filter(bool)\n    "))
    assert "    show(parsed)\n    parsed.unpersist()\n" in new


def test_nor_where_another_rdd_has_that_name() -> None:
    new = native_socket(
        "import json\n\ndef show(parsed):\n    print(parsed.take(1))\n"
        "    make(parsed.context).createDataFrame(parsed).show()\n\n"
        "parsed = lines.map(lambda line: json.loads(line))\n"
        "pairs = parsed.map(lambda event: (event, 1))\npairs.foreachRDD(show)\n"
    )
    released = [line for line in new.splitlines() if line.endswith(".unpersist()")]
    persisted = [line for line in new.splitlines() if line.endswith(".persist()")]
    assert len(released) == len(persisted) == 1
    assert new.count(f"{released[0].strip().removesuffix('.unpersist()')} = ") == 1
