"""What is made of JSON has no columns for a batch without elements, so code that names one waits for some."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import socket_program

GUARD = "if batch_id == 0 and batch.isEmpty():"


def is_guarded(callback: str) -> bool:
    """Whether an empty batch at the start is skipped for a callback of statements with an RDD ``rdd``."""
    head = "from pyspark.sql import SQLContext\nsqlContext = SQLContext(sc)\n"
    body = f"{head}def output(rdd):\n    {callback}\nlines.foreachRDD("
    found = {
        GUARD in native(socket_program(f"{body}{one})")) for one in ("output", "lambda rdd: output(rdd)")
    }
    (is_it,) = found
    return is_it


@pytest.mark.parametrize(
    "callback",
    [
        "sqlContext.read.json(rdd).select('a').show()",
        "df = sqlContext.read.json(rdd)\n    df.where('a > 1').show()",
        "df = sqlContext.read.json(rdd)\n    print(df['a'])",
        "df = sqlContext.read.json(rdd)\n    print(df.a)",
        "df = sqlContext.read.json(rdd).cache()\n    df.groupBy('a').count().show()",
        "df = sqlContext.read.json(rdd)\n    df.registerTempTable('t')\n"
        "    sqlContext.sql('select a from t').show()",
        "sqlContext.read.json(rdd).write.parquet('x')",
        "try:\n        sqlContext.read.json(rdd).select('a').show()\n    except ValueError:\n        pass",
        "try:\n        sqlContext.read.json(rdd).select('a').show()\n    except Exception:\n        raise",
        "try:\n        print(1)\n    except Exception:\n        sqlContext.read.json(rdd).select('a').show()",
    ],
)
def test_a_column_that_is_not_there_yet_is_not_asked_for(callback: str) -> None:
    assert is_guarded(callback)


@pytest.mark.parametrize(
    "callback",
    [
        "sqlContext.read.json(rdd).show()",
        "df = sqlContext.read.json(rdd)\n    df.printSchema()\n    df.show()",
        "for row in sqlContext.read.json(rdd).collect():\n        print(row.a)",
        "if not rdd.isEmpty():\n        sqlContext.read.json(rdd).select('a').show()",
        "if rdd.isEmpty():\n        return\n    df = sqlContext.read.json(rdd)\n    df.select('a').show()",
        "df = sqlContext.read.json(rdd)\n    if df.count() > 0:\n        df.select('a').show()",
        "sqlContext.read.schema('a int').json(rdd).select('a').show()",
        "sqlContext.read.json(rdd, 'a int').select('a').show()",
        "try:\n        sqlContext.read.json(rdd).select('a').show()\n    except:\n        print('none')",
    ],
)
def test_all_else_needs_no_guard(callback: str) -> None:
    assert not is_guarded(callback)
