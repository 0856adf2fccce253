"""Python functions whose types are proven: their results are of these types, in Python and through Arrow."""

from __future__ import annotations

import ast
import contextlib
import importlib
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns import Element, Refusal, Scalar, Scope, leaves, type_filter, type_flat_map, type_map
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape, Str
from migrate.columns.signatures import ATTRIBUTES, SIGNATURES, Signature
from migrate.columns.typed import Typing
from migrate.plan.python_rows import PYTHON_ROWS, type_name
from tests.migrate.columns.both_ways import SHAPES, Row, edge_rows, elements, flat, rows, same, table

MODULES = (
    *("math", "hashlib", "zlib", "binascii", "base64", "json", "re", "string", "html", "unicodedata"),
    *("urllib.parse", "datetime", "os.path"),
)
NAMES = {name.partition(".")[0]: importlib.import_module(name.partition(".")[0]) for name in MODULES}
for _module in MODULES:
    importlib.import_module(_module)
SCOPE = Scope(imports={name: name for name in NAMES})

WHEN = "datetime.datetime.strptime('2024-02-29 13:45:59', '%Y-%m-%d %H:%M:%S')"
VALUES: dict[str, Sequence[str]] = {
    "str": ("s", "t"),
    "int": ("n", "m"),
    "float": ("x",),
    "bool": ("b",),
    "number": ("x", "n", "b"),
    "any": ("s", "n"),
    "plain": ("s", "n", "x", "b", "o"),
    "list": ("words", "numbers"),
    "list[str]": ("words",),
    "list[int]": ("numbers",),
    "dict": ("{'text': s, 'number': n}",),
    "bytes": ("s.encode('utf-8')",),
    "hash": ("hashlib.sha256(s.encode('utf-8'))",),
    "datetime": (WHEN,),
    "url": ("urllib.parse.urlparse(s)",),
}
CONSTANTS = {
    "datetime.datetime.strptime": ("'29 Feb 2024'", "'%d %b %Y'"),
    "unicodedata.normalize": ("'NFC'", "s"),
    "str.index": ("s", "''"),
    "str.rindex": ("s", "''"),
    "list.index": ("words", "words[0]"),
    "math.log": ("n", "2"),
    "format": ("x", "'>9.2f'"),
}
"""Arguments where hostile texts would all raise."""


def calls(signature: Signature) -> list[str]:
    """Expressions that call it, with each number of arguments and each kind of value."""
    found = []
    for count in range(signature.required, len(signature.parameters) + 1):
        for turn in range(3):
            kinds = signature.parameters[:count]
            values = [_value(kind, place, turn + place) for place, kind in enumerate(kinds)]
            constants = CONSTANTS.get(signature.name, ())[:count]
            values = [*constants, *values[len(constants) :]]
            owner, _, name = signature.name.rpartition(".")
            if owner != kinds[0]:
                found.append(f"{signature.name}({', '.join(values)})")
            elif signature.name in ATTRIBUTES:
                found.append(f"{values[0]}.{name}")
            else:
                receiver = values[0] if values[0].isidentifier() else f"({values[0]})"
                found.append(f"{receiver}.{name}({', '.join(values[1:])})")
    return list(dict.fromkeys(found))


def _value(kind: str, place: int, turn: int) -> str:
    values = VALUES[kind]
    value = values[turn % len(values)]
    return f"{value} % 9" if kind == "int" and place else value  # `s.center(2 ** 62)` would take a while


SYNTAX = (
    *("s.title() + t", "s.zfill(3) * 2", "[s.title()] + words", "[s.title(), t][0]", "s.title()[::-2]"),
    *(
        "n ** 2",
        "x ** 3",
        "n << 2",
        "n & m",
        "n | 1",
        "n ^ m",
        "n / m",
        "x / n",
        "-abs(n)",
        "x % 3",
        "x // 2",
    ),
    *("f'{n:>5}|{x:.2f}|{s!r}'", "'%5.2f %s' % (x, s)", "'%08.3f' % x", "s.title() == t", "1 < abs(n) < 9"),
    *("words[n % 2:]", "sorted(words)[0]", "s.title().split()", "(s.title(), (abs(n), x))"),
    *(
        "s.title() if b else t",
        "None if b else s.title()",
        "not s.istitle()",
        "s.casefold() in words",
        "o.title()",
    ),
    *("[w.title() for w in words]", "' '.join(sorted(words))", "max(abs(n), abs(m))", "len(s.title())"),
    *("re.sub('A', t, s, flags=re.IGNORECASE)", "re.sub(t, 'x', s, count=n % 3)", "sorted(words, reverse=b)"),
    *("s.split(maxsplit=n % 3)", "s.encode(errors='replace').decode(errors='ignore')"),
    *("json.dumps([s, t], indent=n % 3)", "json.dumps({'a': x}, sort_keys=True)"),
    *("round(x, 2)", "sorted([n, m])[0]", "str(x)", "repr(x)", "(1, True, 2.5, 'a', s.title())"),
)
OPAQUE = frozenset({"bytes", "hash", "datetime", "url"})
SOURCES = [
    *(call for signature in SIGNATURES if signature.result not in OPAQUE for call in calls(signature)),
    *SYNTAX,
]
PLAIN: dict[type[Shape], type] = {Str: str, Int: int, Float: float, Bool: bool}


def typed(source: str) -> Element:
    function = ast.parse(f"lambda {', '.join(SHAPES)}: {source}", mode="eval").body
    assert isinstance(function, ast.Lambda)
    return type_map(function, [elements()[name] for name in SHAPES], SCOPE)


def function(source: str) -> Callable[..., Any]:
    made: Callable[..., Any] = eval(f"lambda {', '.join(SHAPES)}: {source}", dict(NAMES))
    return made


def is_of(shape: Shape, value: Any) -> bool:
    if isinstance(shape, Maybe):
        return value is None or is_of(shape.of, value)
    if isinstance(shape, List):
        return type(value) is list and all(is_of(shape.of, item) for item in value)
    return type(value) is PLAIN[type(shape)]


def can_hold(value: Any) -> bool:
    """Whether Arrow takes a value of the right type: it raises for others."""
    if isinstance(value, list):
        return all(map(can_hold, value))
    if isinstance(value, str):
        return value.encode(errors="replace").decode() == value
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def check_types(data: Sequence[Row]) -> None:
    for source in SOURCES:
        kind, python = typed(source), function(source)
        columns = leaves(kind)
        for row in data:
            try:
                result = python(*row)
            except Exception:
                continue
            values = flat(result, kind)
            assert all(is_of(leaf.shape, value) for leaf, value in zip(columns, values, strict=True)), (
                f"{source} on {row!r}: {result!r} is not of {[leaf.shape for leaf in columns]}"
            )


def test_each_signature_gives_what_it_says() -> None:
    check_types(edge_rows())


@settings(max_examples=10, deadline=None)
@given(st.lists(rows, min_size=20, max_size=20))
def test_each_signature_gives_what_it_says_of_generated_values(data: Sequence[Row]) -> None:
    check_types(data)


def test_no_signature_only_raises() -> None:
    def gives(source: str) -> bool:
        made = function(source)
        for row in edge_rows():
            with contextlib.suppress(Exception), warnings.catch_warnings():
                # Python 3.13 warns of places where 3.12 had none, as of the third one of `re.sub`
                warnings.simplefilter("ignore", DeprecationWarning)
                made(*row)
                return True
        return False

    assert [source for source in SOURCES if not gives(source)] == []


def test_all_of_them_through_arrow(session: SparkSession) -> None:
    data, kinds = edge_rows(), [typed(source) for source in SOURCES]
    types = {
        f"c{number}_{place}": type_name(leaf.shape)
        for number, kind in enumerate(kinds)
        for place, leaf in enumerate(leaves(kind))
    }
    functions = [function(source) for source in SOURCES]

    def tried(row: Sequence[Any]) -> tuple[Any, ...]:
        """All results; None in place of those of a function that raises."""
        found: list[Any] = []
        for made, kind in zip(functions, kinds, strict=True):
            try:
                values = flat(made(*row[: len(SHAPES)]), kind)
            except Exception:
                values = ()
            width = len(leaves(kind))
            found += values if len(values) == width and all(map(can_hold, values)) else [None] * width
        return tuple(found)

    namespace: dict[str, Any] = {}
    exec(PYTHON_ROWS, namespace)
    frame = table(session, data).drop("id")
    expected = [tried(row) for row in data]
    given_rows = iter(expected)  # one partition, in order
    made = namespace["python_rows"](frame, lambda *row: [next(given_rows)], types).collect()
    assert len(made) == len(expected)
    for row, native, python in zip(data, made, expected, strict=True):
        for name, one, other in zip(types, native, python, strict=True):
            assert same(one, other), (SOURCES[int(name[1:].partition("_")[0])], row, one, other)
    assert any(math.isnan(value) for row in expected for value in row if isinstance(value, float))


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (2**63, "bigint"),
        ("\ud800", "string"),
        ("a", "double"),
        (b"a", "bigint"),
        (True, "bigint"),
        (1, "boolean"),
        ([1], "array<string>"),
    ],
)
def test_arrow_raises_where_a_result_is_of_another_type(spark: SparkSession, result: Any, kind: str) -> None:
    namespace: dict[str, Any] = {}
    exec(PYTHON_ROWS, namespace)
    with pytest.raises(Exception, match=r"(?s)Overflow|Unicode|truncated|Arrow|could not|convert"):
        namespace["python_rows"](spark.range(1), lambda n: [result], {"value": kind}).collect()


def test_nothing_passes_a_step_over_arrow(spark: SparkSession) -> None:
    """What raises before it raises though nobody reads it; what raises in it, though it is filtered out."""
    namespace: dict[str, Any] = {}
    exec(PYTHON_ROWS, namespace)
    rows = namespace["python_rows"]
    numbers = spark.range(3)
    unread = F.when(F.col("id") == 2, F.raise_error(F.lit("read it"))).otherwise("a").alias("unread")
    before = rows(numbers.select("id", unread), lambda n, text: [n], {"n": "bigint"})
    with pytest.raises(Exception, match="read it"):
        before.select(F.lit(1)).where("n = 0").count()
    after = rows(numbers, lambda n: [(n, 6 // (2 - n))], {"n": "bigint", "quotient": "bigint"})
    with pytest.raises(Exception, match="ZeroDivisionError"):
        after.where("n = 0").select("n").count()
    careful = rows(numbers, lambda n: [n] if n < 2 else [], {"n": "bigint"})
    failing = F.when(F.col("n") == 2, F.raise_error(F.lit("not there"))).otherwise("n")
    assert careful.where(failing == "n").count() == 2


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("print(s)", "prints"),
        ("unknown(s)", "has no proven Column form"),
        ("datetime.datetime.now()", "dates and times"),
        ("s.encode('utf-8')", "no type that a column of Arrow's holds"),
        ("s.title() if b else n", "."),
        ("{'a': s.title()}", "a dict"),
        ("open(s).read()", "file"),
        ("[s.title(), n]", "."),
        ("sorted(words, key=len)", "."),
        ("round(x, ndigits=2)", "."),
        ("sum([x])", "not covered for a float"),
        ("x ** x", "."),
        ("words.title()", "."),
        ("s.title(t)", "."),
        ("math.sqrt(s)", "."),
        ("words.append(s)", "."),
        ("urllib.parse.urljoin(s, o)", "."),
    ],
)
def test_what_is_not_known_is_refused(source: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        typed(source)


def test_expressions_that_are_made_up_on_the_way_are_told_apart() -> None:
    """``x += 1`` is looked at as an expression that nobody keeps: another one may get its place in memory."""
    typing = Typing(SCOPE)
    names = {"x": Scalar('F.col("n")', Int(), "n")}
    for _ in range(100):
        for source, shape in (("abs(x) + 1", Int), ("abs(x) / 2", Float), ("bin(x) + 'a'", Str)):
            value = typing.value(ast.parse(source, mode="eval").body, names)
            assert isinstance(value, Scalar) and isinstance(value.shape, shape)


def test_conditions_and_lists() -> None:
    words = Scalar('F.col("words")', List(Str()), "words")
    line = Scalar('F.col("value")', Str(), "value")

    def lambda_(source: str) -> ast.expr:
        return ast.parse(source, mode="eval").body

    assert type_flat_map(lambda_("lambda line: line.title().split()"), [line], SCOPE) == Scalar(
        "F.lit(None)", Str(), columns=frozenset()
    )
    passed = type_filter(lambda_("lambda words: [w for w in words if w.istitle()]"), words, SCOPE)
    assert isinstance(passed, Scalar) and passed.shape == List(Str())
    with pytest.raises(Refusal, match="not known to return a list"):
        type_flat_map(lambda_("lambda line: line.title()"), [line], SCOPE)
    with pytest.raises(Refusal, match="prints"):
        type_filter(lambda_("lambda line: print(line)"), line, SCOPE)
