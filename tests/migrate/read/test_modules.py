"""The files of a project by the names under which they are imported."""

from __future__ import annotations

import pytest

from migrate.read.modules import Imports
from tests.migrate.programs import module

STREAMING = "pyspark/streaming.py"
INIT = "pyspark/__init__.py"


@pytest.mark.parametrize(
    ("files", "name", "found"),
    [
        ([STREAMING], "pyspark.streaming", None),
        ([STREAMING, INIT], "pyspark.streaming", STREAMING),
        (["json/decoder.py"], "json.decoder", None),
        (["json.py"], "json", "json.py"),
        (["kafka/producer.py"], "kafka.producer", None),
        (["kafka/producer.py", "kafka/__init__.py"], "kafka.producer", "kafka/producer.py"),
        (["nltk/tokenize.py"], "nltk.tokenize", None),
        (["jobs/words.py"], "jobs.words", "jobs/words.py"),
    ],
)
def test_a_folder_that_is_no_package_hides_no_installed_one(
    files: list[str], name: str, found: str | None
) -> None:
    imports = Imports([module("", path) for path in files])
    result = imports.find(name, module("", "pyspark/job.py"))
    assert (result.relative if result else None) == found
