"""Static methods as functions of elements: columns by their bodies, or typed functions without an object."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import file, kafka_program, module, run, socket_program

PARSER = """\
class Parser:
    @staticmethod
    def parse({parameter}):
        return {result}

    def run(self):
        {stream}.map({function}).pprint()

Parser().run()
"""


@pytest.mark.parametrize("function", ["self.parse", "Parser.parse", "lambda e: self.parse(e)"])
def test_its_body_is_columns(function: str) -> None:
    body = PARSER.format(parameter="e", result='e.split(",")', stream="lines", function=function)
    assert 'lines.select(F.split("value", ",")' in file(socket_program(body)).new


def test_it_reads_a_part_of_a_message() -> None:
    body = PARSER.format(parameter="e", result='e[1].split(",")', stream="messages", function="self.parse")
    new = file(kafka_program(body)).new
    assert 'messages.select(F.split("value", ",")' in new
    assert ".rdd" not in new


def test_a_typed_function_does_not_hold_its_object() -> None:
    body = PARSER.format(parameter="e", result="e.title()", stream="lines", function="self.parse")
    assert 'parse_udf = F.udf(self.parse, "string")' in file(socket_program(body)).new


def test_a_method_of_an_object_does() -> None:
    body = PARSER.format(parameter="self, e", result="e.title()", stream="lines", function="self.parse")
    new = file(socket_program(body.replace("    @staticmethod\n", ""))).new
    assert 'F.udf(lambda value: self.parse(value), "string")' in new


def test_a_decorator_may_do_anything() -> None:
    body = PARSER.format(parameter="e", result='e.split(",")', stream="lines", function="self.parse")
    new = file(
        socket_program("import functools\n" + body.replace("@static", "@functools.cache\n    @static"))
    ).new
    assert ".rdd.map(" in new


SAVED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    @staticmethod
    def save(rdd):
        print(rdd.collect())

    @classmethod
    def run(cls):
        ssc = StreamingContext(SparkContext(), 1)
        ssc.socketTextStream("h", 1).foreachRDD(cls.save)
        ssc.start()
        ssc.awaitTermination()
"""


def test_a_class_method_finds_it() -> None:
    result = run(f"{SAVED}\n\nJob.run()\n")
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert ".foreachBatch(lambda batch, batch_id: cls.save(batch))\n" in result.files[0].new


def test_a_derived_class_may_have_another() -> None:
    other = "from job import Job\n\nclass Other(Job):\n    @staticmethod\n    def save(rdd):\n        pass\n"
    (graph,) = migrate(
        [module(SAVED, "job.py"), module(f"{other}\n\nOther.run()\n", "other.py")], Options()
    ).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "`cls.save` is not a function of files that were read" in graph.reasons[0]


def test_a_class_method_gets_its_context_behind_its_class() -> None:
    """It was left for a person, as its class was taken for a context."""
    body = "class Job:\n    @classmethod\n    def run(cls, one):\n        one.textFileStream('d').pprint()\n"
    result = run(socket_program(f"{body}Job.run(ssc)"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
