"""Templates of new code: parsed once, and made anew only where an expression of the program stands."""

from __future__ import annotations

import libcst as cst
import pytest

from migrate.codemod.codegen import code_of
from migrate.codemod.style import Style
from migrate.codemod.templates import Templates

CODE = 'rows = spark.read.schema("a int").load(user_expression_1__).where("a > 1")'
PLAIN = "if x:\n    y = 1\n"
SINGLE = "if x:\n    y = ''\n    z = ''\n"


def written(source: str, code: str, expression: str = "paths[0]") -> tuple[cst.CSTNode, str]:
    """The statement that a template becomes in a file with an expression of the program, and its code."""
    module = cst.parse_module(source)
    node = cst.parse_expression(expression)
    templates = Templates(Style(source), module, lambda name, prefix: node)
    (statement,) = templates.statements(code)
    return statement, code_of(statement, module).strip()


def test_what_holds_no_expression_of_the_program_is_shared() -> None:
    one, _ = written(PLAIN, CODE)
    other, code = written(PLAIN, CODE.replace("_1__", "_2__"))
    assert code == CODE.replace("user_expression_1__", "paths[0]")
    assert one is not other
    assert _schema(one) is _schema(other)


def test_quotes_are_those_of_the_file_also_where_no_expression_stands() -> None:
    _, code = written(SINGLE, CODE)
    assert code == CODE.replace("user_expression_1__", "paths[0]").replace('"', "'")


def test_a_template_without_expressions_is_shared_whole() -> None:
    one, _ = written(PLAIN, "query.awaitTermination()")
    other, _ = written(PLAIN, "query.awaitTermination()")
    assert one is other


@pytest.mark.parametrize(
    ("template", "expression", "code"),
    [
        ("print({})", "('%s' % x)", "print('%s' % x)"),
        ("print({})", "((x))", "print(x)"),
        ("print({})", "(x, y)", "print((x, y))"),
        ("print({})", "(n for n in x)", "print((n for n in x))"),
        ("f(a={})", "(y := 1)", "f(a=(y := 1))"),
        ("print(*{})", "(x or y)", "print(*(x or y))"),
        ("print({} + 1)", "(x or y)", "print((x or y) + 1)"),
        ("print({})", "(x +\n    y)", "print((x +\n    y))"),
        ("y = {}", "(x or y)", "y = (x or y)"),
        ('f"{{{}}} seconds"', "2 * x", 'f"{2 * x} seconds"'),
    ],
)
def test_an_argument_has_no_brackets_of_its_own(template: str, expression: str, code: str) -> None:
    assert written(PLAIN, template.format("user_expression_1__"), expression)[1] == code


def _schema(statement: cst.CSTNode) -> cst.BaseExpression:
    """The call of ``schema`` in the chain."""
    step: cst.CSTNode = statement
    while not (isinstance(step, cst.Attribute) and step.attr.value == "load"):
        match step:
            case cst.SimpleStatementLine(body=[cst.Assign(value=value)]):
                step = value
            case cst.Call(func=func):
                step = func
            case cst.Attribute(value=value):
                step = value
    return step.value
