"""Static methods as functions of elements: columns by their bodies, or typed functions without an object."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, kafka_program, socket_program

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
    assert 'batch.select(F.split("value", ",")' in file(socket_program(body)).new


def test_it_reads_a_part_of_a_message() -> None:
    body = PARSER.format(parameter="e", result='e[1].split(",")', stream="messages", function="self.parse")
    new = file(kafka_program(body)).new
    assert 'batch.select(F.split("value", ",")' in new
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
