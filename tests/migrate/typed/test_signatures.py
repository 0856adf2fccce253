"""Python functions whose types are proven: their results are of these types, in Python and through Arrow."""

from __future__ import annotations

import ast
import contextlib
import datetime
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

from migrate.columns import Refusal, Scalar, Scope, column_named, leaves
from migrate.columns.shapes import Bool, Date, Float, Int, List, Maybe, Shape, Str, Timestamp
from migrate.plan.new_code.spark_types import type_name
from migrate.typed import Result, result_of_filter, result_of_flat_map, result_of_map
from migrate.typed.signatures import ATTRIBUTES, CHECKING, LIBRARIES, SIGNATURES, Signature
from tests.migrate.columns.both_ways import SHAPES, Row, edge_rows, elements, flat, rows, same

MODULES = (
    *(
        "math",
        "random",
        "hashlib",
        "zlib",
        "binascii",
        "base64",
        "json",
        "re",
        "string",
        "html",
        "unicodedata",
    ),
    *("urllib.parse", "datetime", "os.path", "time", "csv", "itertools", "collections", "io"),
    *("calendar", "shlex", "uuid"),
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
    "dict": ("{'text': s, 'number': n}",),
    "bytes": ("s.encode('utf-8')",),
    "data": ("s", "n", "x", "b", "o", "words", "(s, n)", "{'text': s}"),
    "tuple": ("(s, n)", "(s, t)"),
    "set": ("set(words)",),
    "none": ("None",),
    "date": (f"{WHEN}.date()", "day"),
    "timedelta": (f"({WHEN} - {WHEN})",),
    "match": ("re.search('', s)",),
    "pattern": ("re.compile('a')",),
    "hash": ("hashlib.sha256(s.encode('utf-8'))",),
    "datetime": (WHEN, "when"),
    "daytime": ("datetime.time(13, 45)", "when.time()"),
    "struct_time": ("time.gmtime(0)",),
    "url": ("urllib.parse.urlparse(s)",),
    "uuid": ("uuid.uuid4()",),
    "table": ("str.maketrans('ab', 'ba')",),
    "any_table": ("str.maketrans({'a': s})",),
}
CONSTANTS = {
    "datetime.datetime.strptime": ("'29 Feb 2024'", "'%d %b %Y'"),
    "unicodedata.normalize": ("'NFC'", "s"),
    "str.index": ("s", "''"),
    "str.rindex": ("s", "''"),
    "list.index": ("words", "words[0]"),
    "math.log": ("n", "2"),
    "format": ("x", "'>9.2f'"),
    "match.group": ("re.search('(?P<a>)', s)", "'a'"),
    "tuple.index": ("(s, n)", "n"),
    "json.loads": ("'[1]'",),
    "datetime.date.fromisoformat": ("'2024-02-29'",),
    "time.strptime": ("'29 Feb 2024'", "'%d %b %Y'"),
    "random.randint": ("1", "9"),
    "random.randrange": ("1", "9", "2"),
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
            if [owner] != list(kinds[:1]):
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
    *(
        "words[n % 2:]",
        "''.join(re.split('(a)|b', s))",
        "sorted(words)[0]",
        "s.title().split()",
        "(s.title(), (abs(n), x))",
    ),
    *(
        "s.title() if b else t",
        "None if b else s.title()",
        "not s.istitle()",
        "s.casefold() in words",
        "o.title()",
    ),
    *("[w.title() for w in words]", "' '.join(sorted(words))", "max(abs(n), abs(m))", "len(s.title())"),
    "''.join(re.split('(a)|b', s))",
    *("re.sub('A', t, s, flags=re.IGNORECASE)", "re.sub(t, 'x', s, count=n % 3)", "sorted(words, reverse=b)"),
    *("s.split(maxsplit=n % 3)", "s.encode(errors='replace').decode('utf-8', 'ignore')"),
    *("json.dumps([s, t], indent=n % 3)", "json.dumps({'a': x}, sort_keys=True)"),
    *("re.match('(?P<a>.*)', s).groupdict()['a']", "re.match('(.*)', s)[1]"),
    *("re.match('(.*)(x)?', s).groups()[0]", "re.search('(.)(.)?', s + t).groups('-')"),
    *("re.compile('(.*)').match(s).group(1, 0)", "[m.groups('')[-1] for m in re.finditer('(a)|b', s)]"),
    *("s.translate(str.maketrans('', '', 'abc'))", "s.translate(str.maketrans(t, t))", "list(s.encode())[0]"),
    *("sum([n % 9], n)", "sum([n % 9, 5])", "sum([x, x], x)", "'%s %r' % (s.encode(), n)"),
    *("next(csv.reader([s], delimiter=';'))", "next(csv.reader(words))", "max({s: n, t: m}, key=len)"),
    *("[w + v for w, v in itertools.combinations(words, 2)]", "list(itertools.chain(words, [s]))"),
    *("len([found for found in re.finditer('a', s)])", "str(datetime.date(2020, n % 12 + 1, 2))"),
    f"{WHEN}.replace(tzinfo=datetime.timezone.utc, microsecond=0).isoformat()",
    *(WHEN, f"{WHEN}.date()", "when - datetime.timedelta(days=2)", "day + datetime.timedelta(2)"),
    *("when.replace(hour=0)", f"{WHEN}.replace(tzinfo=datetime.timezone.utc).replace(tzinfo=None)"),
    *("f'{day} {when} {when.time()}'", "'%s at %s' % (day, when.time())", "when if b else None"),
    *(
        "datetime.datetime(2024, 2, day=n % 9 + 1, hour=5)",
        "datetime.date(year=2024, month=2, day=29)",
        "datetime.datetime.combine(day, when.time())",
    ),
    *("[day, day]", "(day, (when, s.title()))", "time.mktime(when.timetuple())", "min(day, when.date())"),
    *("sorted(collections.Counter(words))", "collections.Counter(words + [s]).most_common(1)[0]"),
    *("collections.Counter(s + t)[t]", "sum(collections.Counter(words).values())"),
    *("dict([(s + '=').split('=', 1)])[s.partition('=')[0]]", "list(dict([[s, n], [t, m]]).values())"),
    *("next(csv.reader(io.StringIO('a,' + s)))", "[line.strip() for line in io.StringIO(s)]"),
    "next(csv.reader(['a,' + s], quoting=csv.QUOTE_NONE))",
    *("next(csv.reader(io.StringIO(o)), [s])", "next((w for w in words if w < s), None)"),
    *("[line.strip() for line in io.StringIO(o)]", "[row[-1] for row in csv.reader(io.StringIO(o)) if row]"),
    *("collections.defaultdict(int)[s] + n", "collections.defaultdict(lambda: n % 9)[s]"),
    *("str(s.encode()) + repr(s.encode())", "collections.defaultdict(float)[s] + x"),
    *(
        "math.fsum([x, n])",
        "math.fsum(numbers)",
        "shlex.split(s, posix=b)",
        "list(shlex.shlex(s, posix=True))",
    ),
    *("round(x, 2)", "sorted([n, m])[0]", "str(x)", "repr(x)", "(1, True, 2.5, 'a', s.title())"),
)
OPAQUE = frozenset(
    {
        "bytes",
        "hash",
        "datetime",
        "daytime",
        "timedelta",
        "struct_time",
        "url",
        "match",
        "match?",
        "pattern",
        "splits",
        "uuid",
    }
    | {"json", "never", "groups", "list[bytes]", "table", "any_table", "matches"}
)
SOURCES = [
    *(call for signature in SIGNATURES if signature.result not in OPAQUE for call in calls(signature)),
    *SYNTAX,
]
PLAIN: dict[type[Shape], type] = {
    Str: str,
    Int: int,
    Float: float,
    Bool: bool,
    Date: datetime.date,
    Timestamp: datetime.datetime,
}


def typed(source: str) -> Result:
    function = ast.parse(f"lambda {', '.join(SHAPES)}: {source}", mode="eval").body
    assert isinstance(function, ast.Lambda)
    return result_of_map(function, [elements()[name] for name in SHAPES], SCOPE)


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
        found, python = typed(source), function(source)
        columns = leaves(found.element)
        for row in data:
            try:
                result = python(*row)
            except Exception:
                continue
            values = flat(result, found.element)
            assert all(is_of(leaf.shape, value) for leaf, value in zip(columns, values, strict=True)), (
                f"{source} on {row!r}: {result!r} is not of {[leaf.shape for leaf in columns]}"
            )
            assert not found.fits or all(map(can_hold, values)), (
                f"{source} on {row!r}: no column holds {result!r}"
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


@pytest.mark.parametrize("arrow", [False, True], ids=["pickled", "arrow"])
def test_all_of_them_as_typed_functions(spark: SparkSession, arrow: bool) -> None:
    if arrow and not spark.version.startswith("4.3"):
        pytest.skip("only from 4.3 on is code written that asks for Arrow")
    data, kinds = edge_rows(), [typed(source).element for source in SOURCES]
    fields = [
        (f"c{number}_{place}", type_name(leaf.shape))
        for number, kind in enumerate(kinds)
        for place, leaf in enumerate(leaves(kind))
    ]
    functions = [function(source) for source in SOURCES]
    holds = can_hold

    def tried(*row: Any) -> tuple[Any, ...]:
        """All results; None in place of those of a function that raises."""
        found: list[Any] = []
        for made, kind in zip(functions, kinds, strict=True):
            try:
                values = flat(made(*row), kind)
            except Exception:
                values = ()
            width = len(leaves(kind))
            found += values if len(values) == width and all(map(holds, values)) else [None] * width
        return tuple(found)

    expected = [tried(*row) for row in data]
    rows = iter(expected)  # one partition, in order
    kind = ", ".join(f"{name} {type_}" for name, type_ in fields)
    udf = F.udf(lambda n: next(rows), f"struct<{kind}>", useArrow=arrow)
    made = spark.range(len(data), numPartitions=1).select(udf("id").alias("p")).select("p.*").collect()
    assert len(made) == len(expected)
    for row, native, python in zip(data, made, expected, strict=True):
        for (name, _), one, other in zip(fields, native, python, strict=True):
            assert same(one, other), (SOURCES[int(name[1:].partition("_")[0])], row, one, other)
    assert any(math.isnan(value) for row in expected for value in row if isinstance(value, float))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("print(s) or n", "prints"),
        ("print(s, file=o) or n", "`file` is not followed"),
        ("print(unknown) or n", "constant"),
        ("unknown(s)", "not known"),
        ("datetime.datetime.fromisoformat(s)", "no type that a column holds"),  # it may have a time zone
        ("datetime.datetime.strptime(s, '%H %z')", "no type that a column holds"),
        ("datetime.datetime.strptime(s, t)", "no type that a column holds"),
        ("when.replace(tzinfo=datetime.timezone.utc)", "no type that a column holds"),
        ("datetime.datetime(2024, 2, 29, minute=n)", "."),
        ("when.time()", "no type that a column holds"),
        ("time.sleep(n)", "clock"),
        ("s.encode('utf-8')", "no type that a column holds"),
        ("s.title() if b else n", "."),
        ("{'a': s.title()}", "no type that a column holds"),
        ("open(s).read()", "file"),
        ("[s.title(), n]", "."),
        ("round(x, ndigits=2)", "."),
        ("sum([x, n][:n])", "."),
        ("x ** x", "."),
        ("s.title(t)", "."),
        ("math.sqrt(s)", "."),
        ("words.append(s)", "."),
        ("urllib.parse.urljoin(s, o)", "."),
        ("float.fromhex(s)", "."),
        ("len(dict.fromkeys(words, 0)) or s", "."),
        ("s.translate({97: s})", "."),
        ("next(words)", "."),
        ("next(words, s)", "."),
        ("next((w for w in words), n)", "."),
        ("next(csv.reader(numbers))", "."),
        ("next(csv.reader([s], quoting=csv.QUOTE_NONNUMERIC))", "`quoting` is not followed"),
        ("next(csv.reader([s], quoting=2))", "`quoting` is not followed"),
        ("[w for w, in itertools.combinations(words, n)]", "."),
        ("sorted(words, key=unknown.get)", "."),
        ("collections.Counter(unknown)", "."),
        ("collections.Counter(words) - collections.Counter(s)", "."),
        ("collections.defaultdict(list)[s]", "."),
        ("dict([(s, n, x)])", "."),
        ("io.StringIO(n)", "."),
        ("re.match(s, t).groups()[0]", "."),
        ("re.search('(.*)', s).groups(n, m)", "."),
    ],
)
def test_what_is_not_known_is_refused(source: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        typed(source)


@pytest.mark.parametrize("asked", ["group(1)", "groups()[0]", "groupdict()['a']", "group(0, 1)"])
def test_what_is_found_in_a_text_that_no_column_holds(asked: str) -> None:
    assert typed(f"re.match('(?P<a>.*)', s).{asked}").fits
    assert not typed(f"re.match('(?P<a>.*)', chr(n)).{asked}").fits
    assert not typed(f"re.compile('(?P<a>.*)').search(chr(n)).{asked}").fits


def test_conditions_and_lists() -> None:
    words = column_named("words", List(Str()))
    line = column_named("value", Str())

    def lambda_(source: str) -> ast.expr:
        return ast.parse(source, mode="eval").body

    made = result_of_flat_map(lambda_("lambda line: line.title().split()"), [line], SCOPE)
    assert (made.element, made.exact) == (Scalar("F.lit(None)", Str()), True)
    made = result_of_flat_map(lambda_("lambda line: line.title()"), [line], SCOPE)
    assert (made.element, made.exact) == (Scalar("F.lit(None)", Str()), False)
    assert not result_of_filter(lambda_("lambda words: [w for w in words if w]"), [words], SCOPE).exact
    assert result_of_filter(lambda_("lambda line: line.istitle()"), [line], SCOPE).exact
    with pytest.raises(Refusal, match="not known to return a list"):
        result_of_flat_map(lambda_("lambda line: len(line)"), [line], SCOPE)
    assert result_of_flat_map(lambda_("lambda line: print(line) or line.split()"), [line], SCOPE).prints
    with pytest.raises(Refusal, match="prints"):  # a count of rows would leave the column out
        result_of_map(lambda_("lambda line: print(line) or len(line)"), [line], SCOPE)
    assert result_of_filter(lambda_("lambda line: print(line)"), [line], SCOPE).stays
    assert not result_of_filter(lambda_("lambda line: line.istitle()"), [line], SCOPE).stays


@pytest.mark.parametrize("signature", [one for one in SIGNATURES if one.name.startswith(LIBRARIES)], ids=str)
def test_functions_of_libraries_raise_for_what_is_none(signature: Signature) -> None:
    """So a message of Kafka that may be null does not keep a function from being of a known type."""
    names = {**NAMES, "s": "a", "t": "b", "n": 1, "m": 2, "x": 0.5, "b": True, "o": None, "words": ["a"]}
    kinds = [VALUES[kind.removesuffix("?")][0] for kind in signature.parameters]
    for place in range(len(kinds)):
        given = [*kinds[:place], "None", *kinds[place + 1 : max(signature.required, place + 1)]]
        if signature.name.startswith("pattern."):
            given[0] = VALUES["pattern"][0] if place else "None"
            call = f"({given[0]}).{signature.name.partition('.')[2]}({', '.join(given[1:])})"
        else:
            call = f"{signature.name}({', '.join(given)})"
        with pytest.raises((TypeError, AttributeError)):
            eval(call, dict(names))


WRONG: dict[str, Sequence[str]] = {
    "str": ("7", "1.5", "True", "[]", "['a']", "{}", "{'a': 1}"),
    "number": ("'a'", "''", "[]", "[1]", "{}"),
}
"""Values of JSON of other kinds than such a parameter takes."""


@pytest.mark.parametrize(
    "signature",
    [
        signature
        for signature in SIGNATURES
        if signature.name.startswith(CHECKING) and signature.name.count(".")
        if signature.name not in ("str.join", "str.maketrans")  # of a class, and not of its first argument
    ],
    ids=lambda signature: f"{signature.name}-{len(signature.parameters)}",
)
def test_what_json_has_in_the_place_of_an_argument_raises_unless_it_fits(signature: Signature) -> None:
    """The table is trusted where a part of JSON is given: other kinds must raise, as it says."""
    good = dict(NAMES, s="2024-02-29", t="b", n=3, m=1, x=1.5, b=True, o="", words=["a"], numbers=[1])
    for call in calls(signature):
        tree = ast.parse(call, mode="eval").body
        assert isinstance(tree, ast.Call)
        method = 1 if signature.name.startswith(("str.", "pattern.")) else 0
        for place, kind in enumerate(signature.parameters[method:][: len(tree.args)]):
            for value in WRONG.get(kind, ()):
                wrong = ast.parse(call, mode="eval")
                assert isinstance(wrong.body, ast.Call)
                wrong.body.args[place] = ast.parse(value, mode="eval").body
                others = [
                    other for other in SIGNATURES if other.name == signature.name and other is not signature
                ]
                if any(_takes(other, method + place) for other in others):
                    continue
                with pytest.raises(Exception):  # noqa: B017 - any error is one of the batch
                    eval(compile(ast.fix_missing_locations(wrong), "", "eval"), good)


def _takes(signature: Signature, place: int) -> bool:
    """Whether another way to call a function has more than texts at a place."""
    return place < len(signature.parameters) and signature.parameters[place] in (
        "any",
        "number",
        "tuple",
        "int",
    )
