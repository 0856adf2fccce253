"""What the program broke over lines keeps its shape: as it stands, or moved with what it hangs from."""

from __future__ import annotations

from textwrap import dedent

from tests.migrate.codemod.written import native, native_socket

_LOADED = """\
loaded = lines.map(records.parse)
"""


def _program(functions: str, body: str) -> str:
    return (
        "import records\n"
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext\n\n"
        f"{dedent(functions)}\n"
        'sc = SparkContext("local[2]")\n'
        "ssc = StreamingContext(sc, 1)\n"
        'lines = ssc.socketTextStream("localhost", 9999)\n'
        f"{body}"
        "ssc.start()\n"
        "ssc.awaitTermination()\n"
    )


STEP = '''
    def large(loaded):
        """The large ones."""
        known = loaded.filter(lambda record: ("size" in record.keys() and
                                               "name" in record.keys()))
        pairs = known\\
            .filter(lambda record: record["size"] > 3)\\
            .map(lambda record: (record["name"],
                                 record["size"]))
        return pairs.filter(lambda pair: pair[0] and
                            pair[1])
'''


def test_a_chain_that_stays_an_rdd_s_stays_as_it_is_broken() -> None:
    new = native(_program(STEP, f"{_LOADED}large(loaded).pprint()\n"))
    assert dedent(STEP).strip() in new


def test_comments_within_stay_too() -> None:
    function = """
        def large(loaded):
            known = loaded.filter(lambda record: ("size" in record.keys() and
                                                   # of those with a name
                                                   "name" in record.keys()))
            return known.filter(lambda record: record["size"] >
                                3)  # the large
    """
    new = native(_program(function, f"{_LOADED}large(loaded).pprint()\n"))
    assert new.count("# of those with a name") == 1
    assert new.count("# the large") == 1


def test_hanging_lines_move_with_what_they_hang_from() -> None:
    body = """
        loaded = lines.map(records.parse)
        kept = loaded.filter(lambda record: (record["size"] > 3 and
                                             # with a name
                                             record["name"]))
        kept.pprint()
    """
    new = native_socket("import records\n" + dedent(body).lstrip())
    kept = """
        kept = loaded.filter(lambda record: (record["size"] > 3 and
                                             # with a name
                                             record["name"]))
    """
    assert _indented(dedent(kept).strip()) in new


def test_lines_that_hang_from_a_lambda_alone_move_with_it() -> None:
    body = """
        kept = lines.map(records.parse).filter(lambda record: (record["size"] > 3 and
                                                               record["name"])).map(str)
        kept.pprint()
    """
    new = native_socket("import records\n" + dedent(body).lstrip())
    rows = new.split("\n")
    (first,) = [row for row in rows if "lambda record: (" in row]
    behind = rows[rows.index(first) + 1]
    assert behind.index('record["name"]') == first.index('record["size"]')


def _indented(code: str) -> str:
    return "\n".join(f"    {row}" for row in code.split("\n"))


def test_a_text_between_statements_is_indented_as_they_are() -> None:
    body = """
        loaded = lines.map(records.parse)

        '''
        Keep the large
          ones.
        '''
        kept = loaded.filter(lambda record: record["size"] > 3)
        kept.pprint()
    """
    new = native_socket("import records\n" + dedent(body).lstrip())
    text = """
        '''
        Keep the large
          ones.
        '''
        kept = loaded.filter(
    """
    assert _indented(dedent(text).strip()) in new


def test_lines_behind_a_backslash_move_with_their_statement() -> None:
    body = """
        loaded = lines.map(records.parse)
        pairs = loaded.map(lambda record: {"name": record["name"], \\
            "size": record["size"]})
        kept = pairs\\
            .filter(lambda record: record["size"] > 3)\\
            .map(lambda record: record["name"])
        kept.pprint()
    """
    new = native_socket("import records\n" + dedent(body).lstrip())
    moved = """
        pairs = loaded.map(lambda record: {"name": record["name"], \\
            "size": record["size"]})
        kept = pairs\\
            .filter(lambda record: record["size"] > 3)\\
            .map(lambda record: record["name"])
    """
    assert _indented(dedent(moved).strip()) in new


def test_a_statement_of_two_calls_is_broken_inside_the_first() -> None:
    rows = "rows = lines.map(lambda line: line.split(',')).filter(lambda row: len(row) > 3)\nrows.pprint()\n"
    new = native_socket(f"{rows}rows.map(lambda row: '|'.join((row[0], row[2]))).pprint()\n")
    written = """
    rows.select(
        F.concat_ws("|", F.col("row")[0], F.col("row")[2]).alias("value")
    ).show(10, truncate=False)
"""
    assert written in new.replace("'", '"')
    new = native_socket(f"{rows}rows.map(lambda row: '|'.join((row[0], row[2], row[1]))).pprint()\n")
    assert "    (\n        rows.select(\n" in new, "a call of more lines stands in parentheses"
