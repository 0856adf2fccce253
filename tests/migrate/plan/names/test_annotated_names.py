"""Programs whose variables say what they hold: ``ssc: StreamingContext = StreamingContext(sc, 5)``."""

from __future__ import annotations

from tests.migrate.programs import run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import DStream, StreamingContext

sc{context} = SparkContext(appName="words")
ssc{streaming} = StreamingContext(sc, 5)
lines{stream} = ssc.socketTextStream("localhost", 9999)
words{stream} = lines.flatMap(lambda line: line.split(" "))
words.pprint()
ssc.start()
ssc.awaitTermination()
"""
PLAIN = PROGRAM.format(context="", streaming="", stream="").replace("DStream, ", "")


def test_contexts_and_streams_may_be_annotated() -> None:
    annotated = PROGRAM.format(
        context=": SparkContext", streaming=": StreamingContext", stream=": DStream[str]"
    )
    (file,), (plain,) = run(annotated).files, run(PLAIN).files
    assert file.new == plain.new
    assert "DStream" not in file.new
