"""A note on each name that is imported of PySpark, which has none."""

from __future__ import annotations

import pytest

from migrate.decisions.missing_imports import MISSING
from tests.migrate.programs import run, socket_program


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("from pyspark.ml.feature import LabelEncoder, Tokenizer", "`LabelEncoder` in `pyspark.ml.feature`"),
        ("from pyspark.ml import preprocessing", "`preprocessing` in `pyspark.ml`"),
        ("from pyspark.ml import feature", ""),
        ("from pyspark.sql import Nowhere", "`Nowhere` in `pyspark.sql`"),
        ("from pyspark.sql.functions import nowhere", ""),  # it takes others in by a star
        ("from pyspark.sql.functions import *", ""),
        ("from pyspark.sql.types import StringType", ""),
        ("from .feature import LabelEncoder", ""),
        ("from pyspark.gone.feature import LabelEncoder", ""),
        ("try:\n    from pyspark.ml import LabelEncoder\nexcept ImportError:\n    LabelEncoder = None", ""),
    ],
)
def test_they_are_told_of(head: str, told: str) -> None:
    (graph,) = run(f"{head}\n" + socket_program("lines.pprint()")).graphs
    found = [note for note in graph.must_change if "the installed PySpark has no" in note]
    name, _, home = told.replace("`", "").partition(" in ")
    assert found == ([MISSING.format("line 1", name, home)] if told else [])


def test_one_that_goes_is_not_told_of() -> None:
    source = socket_program("lines.pprint()").replace(
        "import StreamingContext", "import StreamingContext, Lost"
    )
    (graph,) = run(source).graphs
    assert not any("the installed PySpark has no" in note for note in graph.must_change)
