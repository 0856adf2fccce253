"""Callbacks that end the program: Spark gets no answer from a batch function that raises SystemExit."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import file, module, run, socket_program

HANDLED = """\
    except SystemExit as error:  # Spark would wait for an answer without end
        raise RuntimeError("the program ends") from error
"""


def program(*lines: str, body: str = "", imports: str = "import sys") -> str:
    """A program whose callback has some lines."""
    inside = "".join(f"    {line}\n" for line in lines)
    return imports + "\n" + socket_program(f"def show(rdd):\n{inside}{body}\nlines.foreachRDD(show)")


@pytest.mark.parametrize(
    ("ending", "raised"),
    [
        ("exit()", 'RuntimeError("exit()")  # exit() would hang the query'),
        ("quit()", 'RuntimeError("quit()")  # quit() would hang the query'),
        ("sys.exit(1)", 'RuntimeError("sys.exit(1)")  # sys.exit(1) would hang the query'),
        ('sys.exit("no rows")', "RuntimeError(\"no rows\")  # sys.exit('no rows') would hang the query"),
        ("raise SystemExit(why)", "RuntimeError(why)  # raise SystemExit(why) would hang the query"),
        ("raise SystemExit", 'RuntimeError("raise SystemExit")  # raise SystemExit would hang the query'),
    ],
)
def test_a_callback_that_ends_the_program_raises_what_spark_is_told_of(ending: str, raised: str) -> None:
    source = program("why = 'no'", "if rdd.count() > 9:", f"    {ending}", "print(why)")
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert f"    if batch.count() > 9:\n        raise {raised}\n" in result.files[0].new
    assert any("SystemExit" in note for note in result.graphs[0].notes)


ENDS = "def end():\n    sys.exit()\n"


@pytest.mark.parametrize(
    "source",
    [
        program("try:", "    print(rdd.count())", "    exit()", "except Exception:", "    print(1)"),
        program("rdd.count() > 9 and sys.exit()"),
        program("end()", imports=f"import sys\n{ENDS}\nif len(sys.argv) > 2:\n    end()"),
        program("exit()", body="if sys.argv:\n    show(None)\n"),
        socket_program("lines.foreachRDD(lambda rdd: print(rdd.count()) or exit())"),
    ],
    ids=["caught", "expression", "function of others", "called elsewhere", "lambda"],
)
def test_where_its_own_code_may_not_change_the_batch_function_catches_it(source: str) -> None:
    new = file(source).new
    assert "compat" not in new
    assert HANDLED in new
    assert new.count("exit()") == source.count("exit()")


def test_where_nobody_waits_the_next_batch_runs_after_it_too() -> None:
    source = program("rdd.count() > 9 and sys.exit()").replace("ssc.awaitTermination()", "")
    new = file(source).new
    assert "except (Exception, SystemExit):  # the next batch runs all the same\n" in new
    assert "RuntimeError" not in new


@pytest.mark.parametrize(
    "lines",
    [
        ["try:", "    sys.exit()", "except:", "    print(rdd.count())"],
        ["try:", "    sys.exit()", "except (ValueError, SystemExit):", "    print(rdd.count())"],
        ["rdd.foreach(lambda line: sys.exit() if line else None)"],
        ["exit(rdd.count())"],
    ],
    ids=["bare", "caught", "executor", "own"],
)
def test_other_code_stays(lines: list[str]) -> None:
    imports = "import sys\ndef exit(n):\n    print(n)\n" if lines[0].startswith("exit") else "import sys"
    new = file(program(*lines, imports=imports)).new
    assert "compat" not in new
    assert "RuntimeError" not in new


def test_what_is_said_beside_it_stays_below_what_the_new_code_says() -> None:
    new = file(program("if rdd.count() > 5:", "    sys.exit(1)  # enough")).new
    above, said = "        # sys.exit(1) would hang the query\n", "  # enough\n"
    assert f'{above}        raise RuntimeError("sys.exit(1)"){said}' in new


def test_a_function_of_another_module_that_ends_the_program_stays() -> None:
    given = {
        "job.py": "import lib\n" + socket_program("lines.foreachRDD(lambda rdd: lib.check(rdd.collect()))"),
        "lib.py": "import ends\n\ndef check(rows):\n    ends.end(rows)\n",
        "ends.py": "import sys\n\ndef end(rows):\n    if rows:\n        sys.exit(1)\n",
    }
    result = migrate([module(text, path) for path, text in given.items()], Options())
    new = {one.path: one.new for one in result.files}
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert (HANDLED in new["job.py"], new["ends.py"]) == (True, given["ends.py"])
