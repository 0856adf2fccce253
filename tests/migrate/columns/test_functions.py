"""Which functions are compiled, what their code looks like, and why others are refused."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import pytest

from migrate.columns import (
    Compiled,
    Element,
    Record,
    Refusal,
    Scope,
    column_named,
    compile_expression,
    compile_filter,
    compile_map,
    leaves,
)
from migrate.columns.functions import FunctionNode
from migrate.columns.guards import Guards
from migrate.columns.pieces import written_out
from migrate.columns.shapes import Float, Int, List, Maybe, Str, Unknown
from tests.migrate.columns.both_ways import program

LINE = column_named("value", Str())
COUNT = column_named("count", Int())
KEY = column_named("key", Maybe(Str()))
NUMBER = column_named("count", Maybe(Int()))
MESSAGE = Record((KEY, LINE))
SCOPE = Scope(
    imports={"json": "json", "re": "re", "t": "time"}, constants={"LIMIT": 3, "STOP": frozenset({"a", "b"})}
)


def parsed(source: str) -> FunctionNode:
    statement = ast.parse(source).body[0]
    if isinstance(statement, ast.FunctionDef):
        return statement
    assert isinstance(statement, ast.Expr)
    return statement.value


def compiled(source: str, *arguments: Element, scope: Scope = SCOPE) -> Compiled:
    return compile_map(parsed(source), arguments or (LINE,), scope)


def codes(source: str, *arguments: Element, scope: Scope = SCOPE) -> list[str]:
    return [written_out(leaf.code) for leaf in leaves(compiled(source, *arguments, scope=scope).element)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("lambda word: (word, 1)", ['F.col("value")', "F.lit(1)"]),
        ("lambda line: line.split(' ')[0]", ['F.split("value", " ")[0]']),
        ("lambda line: line.split('|')", [r'F.split("value", r"\|")']),
        ("lambda line: len(line) > 10", ['F.length("value") > 10']),
        ("lambda line: 'ERROR' in line", ['F.col("value").contains("ERROR")']),
        ("lambda line: not line.startswith('#')", ['~F.col("value").startswith("#")']),
        ("lambda line: line in STOP", ['F.col("value").isin("a", "b")']),
        (
            "lambda line: 'a' if len(line) > LIMIT else 'b'",
            ['F.when(F.length("value") > 3, "a").otherwise("b")'],
        ),
        ("lambda line: '%s!' % line", ['F.format_string("%s!", "value")']),
        ("lambda line: line + ':' + line", ['F.concat("value", F.lit(":"), "value")']),
        # Spark casts whole numbers there as `str` writes them
        ("lambda line: line + str(len(line))", ['F.concat("value", F.length("value"))']),
        ("lambda line: str(len(line))", ['F.length("value").cast("string")']),
        (
            "lambda line: line + str(line > 'a')",
            ['F.concat("value", F.when(F.col("value") > "a", "True").otherwise("False"))'],
        ),
        ("lambda line: (len(line) + 1) * 2", ['(F.length("value") + 1).cast("bigint") * 2']),
        ("lambda line: 60 * 60", ["F.lit(3600)"]),
        ("str", ['F.col("value")']),
        ("str.strip", ['strip("value")']),
        ("len", ['F.length("value")']),
        ("def f(x):\n    '''Doc.'''\n    return x", ['F.col("value")']),
        (
            "def f(x):\n    if x == '':\n        return 0\n    return len(x)",
            ['F.when(F.col("value") == "", 0).otherwise(F.length("value"))'],
        ),
        ("def f(x):\n    a, b = x, 1\n    b += 1\n    return (a, b)", ['F.col("value")', "F.lit(2)"]),
    ],
)
def test_code_reads_like_a_person_s(source: str, expected: Sequence[str]) -> None:
    assert codes(source) == expected


@pytest.mark.parametrize(
    ("source", "argument", "expected"),
    [
        ("lambda n: n or 0", NUMBER, 'F.coalesce("count", F.lit(0))'),
        ("lambda n: n if n else 0", NUMBER, 'F.coalesce("count", F.lit(0))'),
        ("lambda key: key or ''", KEY, 'F.coalesce("key", F.lit(""))'),
        ("lambda n: n or 0", COUNT, 'F.col("count")'),
        (
            "lambda n: n or 1",
            NUMBER,
            'F.when(F.col("count").isNotNull() & (F.col("count") != 0), F.col("count")).otherwise(1)',
        ),
        (
            "lambda x: x or 0.0",
            column_named("x", Float()),
            'F.when(F.col("x") != 0, F.col("x")).otherwise(0.0)',
        ),
    ],
    ids=["int", "conditional", "text", "never None", "another number", "-0.0 is not 0.0"],
)
def test_a_value_or_its_false_one_is_that_or_what_stands_for_none(
    source: str, argument: Element, expected: str
) -> None:
    assert codes(source, argument) == [expected]


def test_elif_becomes_one_chain() -> None:
    source = "lambda n: 'low' if n < 3 else 'mid' if n < 9 else 'high'"
    chain = 'F.when(F.col("count") < 3, "low").when(F.col("count") < 9, "mid").otherwise("high")'
    assert codes(source, COUNT) == [chain]


def test_tuples_of_elements_are_taken_apart() -> None:
    pair = Record((LINE, COUNT))
    assert codes("lambda kv: (kv[1], kv[0])", pair) == ['F.col("count")', 'F.col("value")']
    assert codes("lambda kv: kv[-1] > 3", pair) == ['F.col("count") > 3']
    assert codes("lambda a, b: (a, (b, a))", LINE, COUNT) == [
        'F.col("value")',
        'F.col("count")',
        'F.col("value")',
    ]


def test_names_come_from_parameters() -> None:
    found = compiled("lambda word: (word, 1)").element
    assert [leaf.name for leaf in leaves(found)] == ["word", None]
    assert [leaf.name for leaf in leaves(compiled("lambda x: (x, 1)").element)] == ["value", None]


def test_a_filter_takes_the_truth_of_any_value() -> None:
    conditions = {
        "lambda line: line": 'F.col("value") != ""',
        "lambda line: line and len(line) > 3": '(F.col("value") != "") & (F.length("value") > 3)',
        "lambda line: len(line)": 'F.length("value") != 0',
        "lambda line: line.split(',')[:2]": "F.lit(True)",
    }
    for source, expected in conditions.items():
        assert written_out(leaves(compile_filter(parsed(source), [LINE]).element)[0].code) == expected


def test_of_what_only_its_truth_counts_of_a_constant_is_true_or_false() -> None:
    known = parsed(
        "def known(line):\n    if line in STOP:\n        return 1\n    elif len(line) > 9:\n        return"
    )
    assert isinstance(known, ast.FunctionDef)
    among = 'F.col("value").isin("a", "b")'
    conditions = {
        "lambda line: True if line in STOP else None": among,
        "lambda line: 0 if line in STOP else 'yes'": f"~{among}",
        "lambda line: known(line)": among,
        "known": among,
        "lambda line: not known(line) or known(line) is None": f"~{among} | F.when({among}, 1).isNull()",
    }
    scope = replace(SCOPE, functions={"known": known})
    for source, expected in conditions.items():
        assert written_out(leaves(compile_filter(parsed(source), [LINE], scope).element)[0].code) == expected


def test_functions_of_the_project_are_inlined() -> None:
    parse = parsed("def parse(line, sep=','):\n    fields = line.split(sep)\n    return fields[0]")
    assert isinstance(parse, ast.FunctionDef)
    scope = Scope(functions={"parse": parse})
    assert codes("lambda line: (parse(line), 1)", scope=scope) == ['F.split("value", ",")[0]', "F.lit(1)"]
    assert codes("parse", scope=scope) == ['F.split("value", ",")[0]']


def test_recursion_is_refused() -> None:
    forever = parsed("def f(x):\n    return f(x)")
    assert isinstance(forever, ast.FunctionDef)
    with pytest.raises(Refusal, match="without end"):
        codes("f", scope=Scope(functions={"f": forever}))


def test_what_bounds_decide_is_constant() -> None:
    """Catalyst decides it too, and then skips what stands beside it, though it may raise."""
    assert codes("lambda x: len(x) >= 0") == ["F.lit(True)"]
    assert codes("lambda x: len(x) < -1") == ["F.lit(False)"]
    assert codes("lambda x: x.find('a') == -2") == ["F.lit(False)"]
    assert codes("lambda x: len(x) > 0") == ['F.length("value") > 0']
    assert codes("lambda x: x.find('a') <= -1") == ['F.instr("value", "a") - 1 <= -1']
    with pytest.raises(Refusal, match="may raise"):
        codes("lambda x: int(x) > 3 and len(x) < 0")


def test_helpers_avoid_the_names_of_the_program() -> None:
    found = compiled("lambda s: int(s)", scope=Scope(reserved=frozenset({"parse_int"})))
    assert leaves(found.element)[0].code == 'parse_int_(F.col("value"))'
    assert found.demands.helpers[0].source.startswith("def parse_int_(text):")
    assert found.demands.raises == ("digits beyond ASCII or with _ between them",)


@pytest.mark.parametrize("name", ["lower", "upper"])
def test_a_helper_that_avoids_a_name_still_calls_the_method_of_it(name: str) -> None:
    found = compiled(f"lambda s: s.{name}()", scope=Scope(reserved=frozenset({name})))
    assert leaves(found.element)[0].code == f'{name}_("value")'
    assert found.demands.helpers[0].source.startswith(f"@F.udf\ndef {name}_(text):")
    assert f"text.{name}()" in found.demands.helpers[0].source


FIELD = 'F.split("value", ",")'


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (
            "lambda line: int(line) > 3 and int(line) < 9",
            '(F.col("value").cast("bigint") > 3) & (F.col("value").cast("bigint") < 9)',
        ),
        (
            "lambda line: int(line) < 3 or int(line) > 9",
            '(F.col("value").cast("bigint") < 3) | (F.col("value").cast("bigint") > 9)',
        ),
        (
            "lambda line: 'x' in line.split(',')[1] and 'y' not in line.split(',')[1]",
            f'{FIELD}[1].contains("x") & ~{FIELD}[1].contains("y")',
        ),
    ],
)
def test_a_condition_that_raises_with_the_one_before_stands_beside_it(source: str, code: str) -> None:
    assert codes(source, scope=replace(SCOPE, guards=Guards.ANSI)) == [code]


@pytest.mark.parametrize(
    "source",
    [
        "lambda line: line != 'a' and int(line) < 9",
        "lambda line: int(line) > 3 and int(line) * 2 < 9",
        "lambda line: 'x' in line.split(',')[1] and 'y' in line.split(',')[2]",
        "lambda line: (line == 'a' or int(line) > 3) and int(line) < 9",
        "lambda line: len([w for w in line.split(',') if int(w) > 3]) > 1"
        " and len([w for w in line.split(';') if int(w) > 3]) > 1",
    ],
)
def test_one_that_may_raise_alone_stands_in_a_branch(source: str) -> None:
    (code,) = codes(source, scope=replace(SCOPE, guards=Guards.ANSI))
    assert code.startswith("F.when(")


def test_so_does_one_of_several_columns_which_catalyst_may_move_alone() -> None:
    (code,) = codes(
        "lambda line, n: int(line) + n > 3 and int(line) < 9",
        LINE,
        replace(COUNT, shape=Int(0, 9)),
        scope=replace(SCOPE, guards=Guards.ANSI),
    )
    assert code.startswith("F.when(")


def test_none_and_what_conditions_say_of_it() -> None:
    assert codes("lambda m: m[0] == 'a'", MESSAGE) == ['F.col("key").eqNullSafe("a")']
    assert codes("lambda m: m[0] is None", MESSAGE) == ['F.col("key").isNull()']
    guarded = ['F.col("key").isNotNull() & F.col("key").startswith("a")']
    assert codes("lambda m: m[0] is not None and m[0].startswith('a')", MESSAGE) == guarded
    assert codes("lambda m: m[0].strip('x') if m[0] else ''", MESSAGE)


def test_where_python_takes_no_none_the_query_fails_for_it() -> None:
    needed = 'required(F.col("key"), "key is None")'
    assert codes("lambda m: m[0].startswith('a')", MESSAGE) == [f'{needed}.startswith("a")']
    assert codes("lambda m: m[0].startswith('a') if m[0] is None else True", MESSAGE) == [
        f'F.when(F.col("key").isNull(), {needed}.startswith("a")).otherwise(True)'
    ]
    reassigned = (
        "def f(k, m):\n    if k is not None:\n        k = m[0]\n        return k + 'x'\n    return ''"
    )
    assert codes(reassigned, KEY, MESSAGE) == [
        f'F.when(F.col("key").isNotNull(), F.concat({needed}, F.lit("x"))).otherwise("")'
    ]


def test_what_may_raise_must_be_used() -> None:
    """A Column that nobody uses is not evaluated; Python evaluates it and may raise."""
    for source in [
        "def f(x):\n    n = int(x)\n    return 1",
        "def f(x):\n    n = int(x)\n    if len(x) > 3:\n        return n\n    return 0",
        "lambda x: (int(x), 1)[1]",
        "lambda x: len([int(x)])",
        "lambda x: int(x) > 3 and False",
        "lambda x: 1 if int(x) > 0 else 1",
        "lambda x: (lambda unused: 1)(int(x))",
    ]:
        with pytest.raises(Refusal):
            codes(source)
    assert codes("def f(x):\n    n = int(x)\n    return n if n > 3 else 0")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("lambda x: json.loads(x)", "JSON fixes no types: where nothing says those of its fields"),
        ("lambda x: print(x)", "it prints"),
        ("lambda x: t.time()", "clock"),
        ("lambda x: re.escape(x)", "regular expressions"),
        ("lambda x: unknown(x)", "`unknown`: it is not known which function this is"),
        ("lambda x: x + limit", "not a constant that is known"),
        ("lambda x: x.title()", "`.title` of a str"),
        ("lambda x: x.encode('utf-8')", "no proven Column form"),
        ("lambda x: x.split('')", "always raises ValueError"),
        ("lambda x: x.split(x)", "not a constant text"),
        ("lambda x: x + 1", "not covered for values of these types"),
        ("lambda x: x < 1", "not known to be of one type"),
        ("lambda x: x == 1", "not known to be of one type"),
        ("lambda x: 1 if x else 'a'", "not of one type"),
        ("lambda x: (x, 1)[2]", "there are 2 items"),
        ("lambda x: {'a': 1}['b']", "KeyError"),
        ("lambda x: 1 / 0", "always raises ZeroDivisionError"),
        ("lambda x: 2 ** 100", "no Column form"),
        ("lambda x: str(float(x))", "prints floats otherwise"),
        ("lambda x: '%.2f' % float(x)", "only %s and %d"),
        ("lambda x: x.foo", "no Column form"),
        ("lambda x: (yield x)", "no Column form"),
        ("lambda *x: x", "parameters"),
        ("lambda x, y: x", "takes 2 arguments"),
        ("lambda x: [w for w in x]", "not covered for a str"),
        ("lambda x: int(x, base=2)", "keyword arguments"),
        ("def f(x):\n    for c in x:\n        pass\n    return x", "a Column form only where"),
        ("def f(x):\n    global y\n    y = x\n    return x", "no Column form"),
        (
            "def f(x):\n    try:\n        return int(x)\n    except ValueError:\n        return 0",
            "no Column form",
        ),
        ("@cached\ndef f(x):\n    return x", "decorated"),
        ("def f(x):\n    yield x", "generator"),
    ],
)
def test_refusals_say_which_expression_and_why(source: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        codes(source)
    assert reason in caught.value.reason
    assert isinstance(caught.value.node, ast.AST)


def test_a_shadowed_builtin_is_not_python_s() -> None:
    with pytest.raises(Refusal):
        codes("lambda x: len(x)", scope=Scope(shadowed=frozenset({"len"})))


def test_nothing_is_done_with_an_element_of_unknown_type() -> None:
    unknown = column_named("value", Unknown("it comes from a library"))
    assert codes("lambda x: x", unknown) == ['F.col("value")']
    with pytest.raises(Refusal, match="it comes from a library"):
        codes("lambda x: x.strip()", unknown)


def test_an_expression_over_named_elements() -> None:
    node = ast.parse("'%s=%d' % (word, count)", mode="eval").body
    found = compile_expression(node, {"word": LINE, "count": COUNT})
    assert leaves(found.element)[0].code == 'F.format_string("%s=%d", "value", "count")'


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("lambda line: len(line) > LIMIT", 'F.length("value") > LIMIT'),
        ("lambda line: LIMIT", "F.lit(LIMIT)"),
        ("lambda line: line in WORDS", 'F.col("value").isin(WORDS)'),
        ("lambda line: line not in WORDS", '~F.col("value").isin(WORDS)'),
        ("lambda line: line == FIRST", 'F.col("value") == FIRST'),
        ("lambda line: LIMIT * 2", "F.lit(LIMIT * 2)"),
        ("lambda line: line.split(FIRST)", 'F.split("value", "a")'),
        ("lambda line: line in PAIR", 'F.col("value").isin("a", "b")'),
        ("lambda line: line in STOP", 'F.col("value").isin("a", "b")'),
    ],
)
def test_constants_have_the_names_that_new_code_can_read(source: str, code: str) -> None:
    constants = {"WORDS": ["a", "b"], "FIRST": "a", "PAIR": ("a", "b")}
    scope = replace(
        SCOPE, constants={**SCOPE.constants, **constants}, readable=frozenset({"LIMIT", *constants})
    )
    assert codes(source, scope=scope) == [code]


@pytest.mark.parametrize(
    ("test", "code"),
    [
        ("isinstance(n, int)", "F.lit(True)"),
        ("isinstance(s, (int, float))", "F.lit(False)"),
        ("isinstance(b, int)", "F.lit(True)"),
        ("not isinstance(x, float)", "F.lit(False)"),
        ("isinstance((s, n), tuple)", "F.lit(True)"),
        ("isinstance([s, s], list)", "F.lit(True)"),
    ],
)
def test_the_type_of_a_value_is_known(test: str, code: str) -> None:
    parameters = ", ".join(sorted({name for name in ("s", "n", "b", "x") if name in test.split("(", 1)[1]}))
    element = program(f"lambda {parameters}: {test}").compiled.element
    assert leaves(element)[0].code == code


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("lambda o: isinstance(o, str)", "may be None"),
        ("lambda s: isinstance(s, unknown)", "one of its types is not known"),
        ("lambda s: isinstance(s)", "how `isinstance` is called"),
        # strict: what raises must be evaluated, also where its type is known
        ("lambda s: isinstance(int(s), int)", "does not always use it"),
    ],
)
def test_or_it_is_refused(function: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        program(function, guards=Guards.STRICT)


ANSI = replace(SCOPE, guards=Guards.ANSI)
VALUES = column_named("value", List(Str()))
WORDS = column_named("row", List(Str()))


@pytest.mark.parametrize(
    ("parts", "arguments"),
    [
        ("w[0], w[2], w[3], w[5], w[2]", '*[F.col("row")[i] for i in (0, 2, 3, 5, 2)]'),
        ("w[0], w[1], w[2], w[3], w[4]", '*[F.col("row")[i] for i in range(5)]'),
        ("w[2], w[3], w[4], w[5], w[6]", '*[F.col("row")[i] for i in range(2, 7)]'),
        (
            "'x', w[5], w[4], w[3], w[2], w[1], v[1]",
            'F.lit("x"), *[F.col("row")[i] for i in (5, 4, 3, 2, 1)], F.col("value")[1]',
        ),
        ("w[0], w[2], w[1], w[3]", 'F.col("row")[0], F.col("row")[2], F.col("row")[1], F.col("row")[3]'),
    ],
    ids=["some", "the first", "in a row", "among others", "few"],
)
def test_many_parts_of_one_array_are_written_once(parts: str, arguments: str) -> None:
    made = codes(
        f"lambda p: (lambda w, v: ','.join([{parts}]))(p[0], p[1])", Record((WORDS, VALUES)), scope=ANSI
    )
    assert made == [f'F.concat_ws(",", {arguments})']
