"""No guard skips the empty batch at the start where a callback only shows DataFrames and replaces views."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

GUARD = "if batch_id == 0 and batch.isEmpty():"
HEAD = """\
from pyspark.sql import SQLContext
from pyspark.sql.functions import desc
sqlContext = SQLContext(sc)
"""
FRAME = "sqlContext.createDataFrame(rdd.map(lambda w: (w,)), ['word'])"


def is_guarded(callback: str, beside: str = "") -> bool:
    """Whether an empty batch at the start is skipped for a callback of statements with an RDD ``rdd``."""
    body = f"{HEAD}{beside}def output(rdd):\n    {callback}\nlines.foreachRDD(output)"
    new = file(socket_program(body)).new
    assert ".rdd" not in new and "compat" not in new, new
    return GUARD in new


@pytest.mark.parametrize(
    "callback",
    [
        f"{FRAME}.show()",
        f"{FRAME}.sort(desc('word')).limit(10).registerTempTable('words')",
        f"frame = {FRAME}\n    frame.createOrReplaceTempView('words')\n"
        "    sqlContext.sql('select word, count(*) from words group by word').show()",
        f"try:\n        {FRAME}.show()\n    except ValueError:\n        pass",
        f"if not rdd.isEmpty():\n        {FRAME}.write.saveAsTable('words')",
        f"if rdd.isEmpty():\n        return\n    {FRAME}.write.saveAsTable('words')",
    ],
)
def test_an_empty_batch_that_is_only_shown_may_come_first(callback: str) -> None:
    assert not is_guarded(callback)


@pytest.mark.parametrize(
    "callback",
    [
        f"{FRAME}.write.saveAsTable('words')",
        f"{FRAME}.createTempView('words')",
        f"{FRAME}.registerTempTable('words')\n    sqlContext.sql('insert into kept select * from words')",
        f"print({FRAME}.collect()[0])",
        f"print({FRAME}.first().word)",
        f"print(1 / {FRAME}.count() if rdd.first() else 0)",
        f"frame = {FRAME}\n    frame.show()\n    print(rdd.first())",
    ],
)
def test_one_that_leaves_something_or_fails_may_not(callback: str) -> None:
    assert is_guarded(callback)


@pytest.mark.parametrize(
    "beside",
    [
        "def there():\n    try:\n        pass\n    except Exception:\n        pass\n",
        "def there():\n    return sqlContext.tableNames()\n",
    ],
)
def test_code_elsewhere_may_see_that_a_view_is_not_there_yet(beside: str) -> None:
    assert is_guarded(f"{FRAME}.registerTempTable('words')", beside)
    assert not is_guarded(f"{FRAME}.show()", beside)
