"""The result types of Python's own methods and functions, by the types of their arguments.

For those that have no Column form, or none for all their arguments: they are pure, they depend on nothing but
their arguments, and the type of what they return is known. https://docs.python.org/3/library/ is the source.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

from migrate.frozen import dataclass
from migrate.typed.types import (
    ANY_TEXT,
    JSON,
    NAIVE,
    NEVER,
    NOTHING,
    REAL,
    SIZE,
    TEXT,
    TRUTH,
    WHOLE,
    DictOf,
    Foreign,
    Instance,
    Items,
    Iterating,
    Json,
    Kind,
    ListOf,
    Match,
    Nothing,
    Opaque,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Whole,
    items_of,
    join,
    joined,
    kinds_of,
    one,
)


@dataclass(frozen=True)
class Signature:
    """One way to call a method, whose receiver is the first parameter, or a function.

    Attributes:
        name: qualified: ``str.title``, ``math.sqrt``.
        parameters: kinds, as in `_KINDS`; those from `required` on may be left out.
        result: a kind; ``=`` is the type of the first argument, ``between`` that of ints between
            the arguments or 0, ``never`` that of what always raises.
    """

    name: str
    parameters: tuple[str, ...]
    required: int
    result: str


_TABLE = """
str.capitalize(str) str; str.casefold(str) str; str.lower(str) str; str.swapcase(str) str
str.title(str) str; str.upper(str) str; str.expandtabs(str, int?) str; str.zfill(str, int) str
str.center(str, int, str?) str; str.ljust(str, int, str?) str; str.rjust(str, int, str?) str
str.strip(str, str?) str; str.lstrip(str, str?) str; str.rstrip(str, str?) str
str.replace(str, str, str, int?) str; str.join(str, list[str]) str; str.removeprefix(str, str) str
str.removesuffix(str, str) str; str.encode(str, str?, str?) bytes; str.isalnum(str) bool
str.isalpha(str) bool; str.isascii(str) bool; str.isdecimal(str) bool; str.isdigit(str) bool
str.isidentifier(str) bool; str.islower(str) bool; str.isnumeric(str) bool; str.isprintable(str) bool
str.isspace(str) bool; str.istitle(str) bool; str.isupper(str) bool
str.startswith(str, str, int?, int?) bool; str.endswith(str, str, int?, int?) bool
str.startswith(str, tuple) bool; str.endswith(str, tuple) bool
str.count(str, str, int?, int?) size; str.find(str, str, int?, int?) place
str.index(str, str, int?, int?) size; str.rfind(str, str, int?, int?) place
str.rindex(str, str, int?, int?) size
str.split(str, str?, int?) parts; str.split(str, none, int?) parts
str.rsplit(str, str?, int?) parts; str.rsplit(str, none, int?) parts
str.splitlines(str) list[str]
str.partition(str, str) texts3; str.rpartition(str, str) texts3
str.maketrans(str, str, str?) table; str.maketrans(dict) any_table
str.translate(str, table) str; str.translate(str, any_table) any_str

list.count(list, any) size; list.index(list, any) size; tuple.count(tuple, any) size
tuple.index(tuple, any) size; bytes.decode(bytes) str
bytes.decode(bytes, str, str?) any_str
bytes.split(bytes, bytes?, int?) list[bytes]; bytes.split(bytes, none, int?) list[bytes]
bytes.splitlines(bytes) list[bytes]; bytes.replace(bytes, bytes, bytes, int?) bytes
bytes.strip(bytes, bytes?) bytes; bytes.lstrip(bytes, bytes?) bytes; bytes.rstrip(bytes, bytes?) bytes
bytes.lower(bytes) bytes; bytes.upper(bytes) bytes; bytes.startswith(bytes, bytes) bool
bytes.endswith(bytes, bytes) bool; bytes.find(bytes, bytes) place; bytes.count(bytes, bytes) size
bytes.hex(bytes) str; int.bit_length(int) size; float.is_integer(float) bool; float.hex(float) str
hash.hexdigest(hash) str; hash.digest(hash) bytes
datetime.strftime(datetime, str) str; datetime.isoformat(datetime, str?) str
datetime.timestamp(datetime) float; datetime.weekday(datetime) size; datetime.isoweekday(datetime) size
datetime.year(datetime) size; datetime.month(datetime) size; datetime.day(datetime) size
datetime.hour(datetime) size; datetime.minute(datetime) size; datetime.second(datetime) size
datetime.microsecond(datetime) size; datetime.date(datetime) date; datetime.time(datetime) daytime
datetime.timetuple(datetime) struct_time; date.timetuple(date) struct_time; date.strftime(date, str) str
daytime.hour(daytime) size; daytime.minute(daytime) size; daytime.second(daytime) size
daytime.microsecond(daytime) size; daytime.strftime(daytime, str) str; daytime.isoformat(daytime) str
date.isoformat(date) str; date.weekday(date) size; date.isoweekday(date) size; date.year(date) size
date.month(date) size; date.day(date) size; date.toordinal(date) size
timedelta.total_seconds(timedelta) float; timedelta.days(timedelta) span
timedelta.seconds(timedelta) size; timedelta.microseconds(timedelta) size
url.scheme(url) str; url.netloc(url) str
url.path(url) str; url.params(url) str; url.query(url) str; url.fragment(url) str; url.geturl(url) str
match.group(match, int?) str?; match.group(match, str) str?; match.start(match, int?) place
match.end(match, int?) place; match.groupdict(match) groups

abs(int) int; abs(float) float; abs(bool) size; round(int) int; round(float) int; round(bool) size
round(int, int) int; round(float, int) float; ascii(data) str; bin(int) str; chr(int) any_str
hex(int) str; oct(int) str; ord(str) size; repr(data) str; str(data) str; len(str) size; len(list) size
ascii(bytes) str; repr(bytes) str; str(bytes) str; str(bytes, str, str?) any_str
len(bytes) size; len(tuple) size; len(dict) size; len(set) size; len(int) never
len(float) never; len(bool) never; bool(any) bool; str() str
int(str, int?) int; int(bytes, int?) int; int(float) int; int(int) =; int(bool) size; int(list) never
int(dict) never; int() size; int(date) never; int(datetime) never; int(daytime) never
float(str) float; float(bytes) float; float(float) float; float(int) float; float(bool) float
float(list) never; float(dict) never; float(date) never; float(datetime) never; float(daytime) never
format(plain, str?) str; hash(int) int

math.sqrt(number) float; math.exp(number) float; math.expm1(number) float; math.log(number, number?) float
math.log1p(number) float; math.log2(number) float; math.log10(number) float; math.sin(number) float
math.cos(number) float; math.tan(number) float; math.asin(number) float; math.acos(number) float
math.atan(number) float; math.atan2(number, number) float; math.sinh(number) float; math.cosh(number) float
math.tanh(number) float; math.hypot(number, number) float; math.degrees(number) float
math.radians(number) float; math.fabs(number) float; math.fmod(number, number) float
math.pow(number, number) float; math.floor(number) int; math.ceil(number) int; math.trunc(number) int
math.isnan(number) bool; math.isinf(number) bool; math.isfinite(number) bool; math.gcd(int, int) int

hashlib.md5(bytes) hash; hashlib.sha1(bytes) hash; hashlib.sha224(bytes) hash; hashlib.sha256(bytes) hash
hashlib.sha384(bytes) hash; hashlib.sha512(bytes) hash; zlib.crc32(bytes, int?) size
zlib.adler32(bytes, int?) size; binascii.crc32(bytes, int?) size; binascii.hexlify(bytes) bytes
base64.b64encode(bytes) bytes; base64.b64decode(bytes) bytes; base64.urlsafe_b64encode(bytes) bytes
json.dumps(data) str; str(datetime) str; str(date) str; str(daytime) str
json.loads(str) json; json.loads(bytes) json
re.sub(str, str, str, int?) str; re.escape(str) str; re.split(str, str) splits; re.search(str, str) match?
re.finditer(str, str) matches; pattern.finditer(pattern, str) matches
re.match(str, str) match?; re.fullmatch(str, str) match?; re.compile(str) pattern
pattern.sub(pattern, str, str, int?) str; pattern.split(pattern, str) splits
pattern.search(pattern, str, int?, int?) match?; pattern.match(pattern, str, int?, int?) match?
pattern.fullmatch(pattern, str, int?, int?) match?
string.capwords(str, str?) str; html.escape(str) str
html.unescape(str) str; unicodedata.normalize(str, str) str; urllib.parse.quote(str, str?) str
urllib.parse.quote_plus(str, str?) str; urllib.parse.unquote(str) str; urllib.parse.unquote_plus(str) str
urllib.parse.urlparse(str) url; urllib.parse.urljoin(str, str) str
datetime.datetime.strptime(str, str) datetime; datetime.datetime.fromisoformat(str) datetime
datetime.date.fromisoformat(str) date; datetime.date(int, int, int) date
datetime.date.fromtimestamp(number) date; datetime.time(int?, int?, int?, int?) daytime
datetime.datetime(int, int, int, int?, int?, int?, int?) naive
datetime.datetime.combine(date, daytime) naive
datetime.datetime.now() naive; datetime.datetime.utcnow() naive; datetime.datetime.today() naive
datetime.date.today() date; datetime.datetime.fromtimestamp(number) naive
datetime.datetime.utcfromtimestamp(number) naive; datetime.timedelta(number?, number?) timedelta
datetime.replace(datetime) datetime; time.time() float; time.ctime(number?) str
time.strftime(str, struct_time?) str; time.localtime(number?) struct_time
time.gmtime(number?) struct_time; time.mktime(struct_time) float; time.strptime(str, str) struct_time
calendar.timegm(struct_time) int; struct_time.tm_year(struct_time) size; struct_time.tm_mon(struct_time) size
struct_time.tm_mday(struct_time) size; struct_time.tm_hour(struct_time) size
struct_time.tm_min(struct_time) size; struct_time.tm_sec(struct_time) size
struct_time.tm_wday(struct_time) size; struct_time.tm_yday(struct_time) size
uuid.uuid1() uuid; uuid.uuid4() uuid; str(uuid) str; uuid.hex(uuid) str; uuid.urn(uuid) str
random.random() float; random.uniform(number, number) float; random.gauss(number, number) float
random.randint(int, int) between; random.randrange(int, int?, int?) between
os.path.basename(str) str; os.path.dirname(str) str; os.path.splitext(str) texts2
os.path.join(str, str) str; shlex.split(str) list[str]; shlex.quote(str) str
"""

RANDOM = ("gauss", "randint", "random", "randrange", "uniform")
"""Functions of the module `random` that give another number at each call."""

CLOCKS: dict[str, int] = {
    **{f"datetime.datetime.{name}": 1 for name in ("now", "utcnow", "today")},
    "datetime.date.today": 1,
    "time.time": 1,
    "time.strftime": 2,
    **dict.fromkeys(("time.ctime", "time.localtime", "time.gmtime"), 1),
    **dict.fromkeys(("uuid.uuid1", "uuid.uuid4"), 1),
    **dict.fromkeys([f"random.{name}" for name in RANDOM], 4),
}
"""Entries that read the clock, make an identifier or are random, if they get fewer arguments: each call may
give something else."""

ATTRIBUTES = frozenset(
    {f"datetime.{name}" for name in ("year", "month", "day", "hour", "minute", "second", "microsecond")}
    | {f"date.{name}" for name in ("year", "month", "day")}
    | {f"daytime.{name}" for name in ("hour", "minute", "second", "microsecond")}
    | {f"timedelta.{name}" for name in ("days", "seconds", "microseconds")}
    | {f"struct_time.tm_{name}" for name in ("year", "mon", "mday", "hour", "min", "sec", "wday", "yday")}
    | {"uuid.hex", "uuid.urn"}
    | {f"url.{name}" for name in ("scheme", "netloc", "path", "params", "query", "fragment")}
)
"""Entries that are read and not called."""

KEYWORDS: dict[str, frozenset[str]] = {
    "re.sub": frozenset({"count", "flags"}),
    **dict.fromkeys(("re.compile", "re.search", "re.match", "re.fullmatch"), frozenset({"flags"})),
    "re.split": frozenset({"maxsplit", "flags"}),
    "csv.reader": frozenset({"delimiter", "quotechar", "quoting", "skipinitialspace"}),
    "shlex.shlex": frozenset({"posix", "punctuation_chars"}),
    "shlex.split": frozenset({"comments", "posix"}),
    "str.splitlines": frozenset({"keepends"}),
    "str.split": frozenset({"sep", "maxsplit"}),
    "str.rsplit": frozenset({"sep", "maxsplit"}),
    "str.encode": frozenset({"encoding", "errors"}),
    "datetime.timedelta": frozenset(
        {"days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"}
    ),
    "datetime.replace": frozenset(
        {"year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"}
    ),
    "json.dumps": frozenset({"sort_keys", "indent", "ensure_ascii", "separators", "allow_nan"}),
    "urllib.parse.quote": frozenset({"safe"}),
    "urllib.parse.quote_plus": frozenset({"safe"}),
}
"""Arguments by keyword that do not change the type of what is returned."""

NAMED_VALUES: dict[str, frozenset[str]] = {
    "csv.reader.quoting": frozenset({"csv.QUOTE_ALL", "csv.QUOTE_MINIMAL", "csv.QUOTE_NONE"}),
}
"""The values that some of them may have: others make a row of numbers, or of None."""


def _signature(text: str) -> Signature:
    match = re.fullmatch(r"([\w.]+)\((.*)\) (\S+)", text)
    assert match is not None, text
    kinds = tuple(kind.strip() for kind in match[2].split(",") if kind)
    return Signature(
        match[1],
        tuple(kind.removesuffix("?") for kind in kinds),
        sum(not kind.endswith("?") for kind in kinds),
        match[3],
    )


SIGNATURES = tuple(_signature(text) for line in _TABLE.splitlines() for text in line.split("; ") if text)
_BY_NAME: dict[str, list[Signature]] = {}
for _known in SIGNATURES:
    _BY_NAME.setdefault(_known.name, []).append(_known)

_OPAQUE = (
    *("bytes", "hash", "url", "match", "pattern", "decimal"),
    *("datetime", "date", "daytime", "timedelta", "struct_time", "table", "any_table", "uuid"),
)
_TIMES = frozenset({"date", "datetime", "daytime", "timedelta"})
_RESULTS: dict[str, Type] = {
    "str": TEXT,
    "any_str": ANY_TEXT,
    "str?": join(TEXT, NOTHING),
    "int": WHOLE,
    "size": SIZE,
    "place": one(Whole(-1, 2**62)),
    "span": one(Whole(-(2**40), 2**40)),
    "splits": one(ListOf(join(TEXT, NOTHING))),
    "float": REAL,
    "bool": TRUTH,
    "none": NOTHING,
    "json": JSON,
    "never": NEVER,
    "list[str]": one(ListOf(TEXT)),
    "list[bytes]": one(ListOf(one(Opaque("bytes")))),
    "texts2": one(Items((TEXT, TEXT))),
    "texts3": one(Items((TEXT, TEXT, TEXT))),
    "groups": one(DictOf(TEXT, join(TEXT, NOTHING))),
    "matches": one(Iterating(one(Opaque("match")))),
    "match?": join(one(Opaque("match")), NOTHING),
    **{kind: one(Opaque(kind)) for kind in _OPAQUE},
    "naive": NAIVE,
}


def result_of(name: str, arguments: Sequence[Type]) -> Type | None:
    """The type of the result for arguments of these types, or None where it is not known.

    Where the first argument, a receiver or the only thing that a function looks at, is None, the call raises
    unless the table says otherwise; functions of libraries raise for any argument that is None.
    """
    if name not in _BY_NAME:
        return None
    choices = [list(kinds_of(argument)) for argument in arguments]
    if math.prod(map(len, choices)) > _MOST:
        return None
    found = []
    for kinds in itertools.product(*choices):
        result = _result(name, kinds)
        looked_at = kinds if name.startswith(LIBRARIES) else kinds[:1]
        raises = name not in _TAKES_NONE and any(isinstance(kind, Nothing) for kind in looked_at)
        raises |= name.startswith(CHECKING) and _is_refused(name, kinds)
        if result is None and not raises:
            return None
        found.append(result or NEVER)
    return joined(found)


LIBRARIES = (
    *("re.", "pattern.", "html.", "hashlib.", "zlib.", "binascii.", "base64.", "math.", "os.path."),
    *("unicodedata.", "urllib.parse.quote", "urllib.parse.unquote", "json.loads"),
)
"""Functions that raise for any argument that is None where the table has none."""
_TAKES_NONE = frozenset({"hash", "urllib.parse.urlparse"})
"""Functions that give something else for None, as bytes for a text."""
CHECKING = (
    *("str.", "re.", "pattern.", "math.", "os.path.", "json.loads", "unicodedata.", "html.escape"),
    *("datetime.datetime.strptime", "datetime.datetime.fromisoformat", "time.strptime"),
)
"""Functions that raise for a number, a list or a dict in the place of a text, and for these but numbers in
the place of a number."""
_MOST = 200
"""The number of combinations of arguments' kinds to look up at most."""


_FIXED = frozenset({"bool", "float", "int", "len", "repr", "str"})
"""Functions that give one type, whatever they are given, as methods of texts and functions of `math` do.

For an object of a library that is the first row of theirs.
"""


def _is_refused(name: str, arguments: Sequence[Kind]) -> bool:
    """Whether each way to call a function has another kind of value where some argument is."""
    ways = [way for way in _BY_NAME[name] if way.required <= len(arguments) <= len(way.parameters)]
    return bool(ways) and all(
        any(_is_other(kind, wanted) for kind, wanted in zip(arguments, way.parameters, strict=False))
        for way in ways
    )


def _is_other(kind: Kind, wanted: str) -> bool:
    """Whether such functions raise for a kind of values in the place of a text or a number."""
    if wanted in ("str", "bytes"):
        return isinstance(kind, Whole | Real | Truth | ListOf | DictOf) or owner(kind) in _TIMES
    return wanted == "number" and (isinstance(kind, Text | ListOf | DictOf) or owner(kind) in _TIMES)


def _result(name: str, arguments: Sequence[Kind]) -> Type | None:
    is_fixed = name in _FIXED or name.startswith(("str.", "math."))
    for signature in _BY_NAME[name]:
        if not signature.required <= len(arguments) <= len(signature.parameters):
            continue
        pairs = zip(arguments, signature.parameters, strict=False)
        if all(_fits(kind, wanted) or (is_fixed and isinstance(kind, Foreign)) for kind, wanted in pairs):
            result = _of_arguments(signature.result, arguments)
            clean = all(is_clean(kind) for kind in arguments)
            return result if clean else _tainted(result)
    return None


def _of_arguments(result: str, arguments: Sequence[Kind]) -> Type:
    """The type that the table names for a result, which may depend on the arguments."""
    if result == "=":
        return one(arguments[0])
    if result == "parts":
        return one(ListOf(TEXT, at_most=_at_most(arguments)))
    if result != "between":
        return _RESULTS[result]
    bounds = [Whole(0, 0), *(kind for kind in arguments if isinstance(kind, Whole))]
    return one(Whole(min(kind.low for kind in bounds), max(kind.high for kind in bounds)))


def _at_most(arguments: Sequence[Kind]) -> int | None:
    """How many parts a text is split into at most; None where all separators count."""
    match arguments:
        case [_, _, Whole(low, high)] if low >= 0 and isinstance(high, int):
            return high + 1
    return None


def is_clean(kind: Kind) -> bool:
    """Whether UTF-8 holds all texts in a value."""
    match kind:
        case Text(clean):
            return clean
        case ListOf(of) | SetOf(of) | Iterating(of):
            return all(map(is_clean, of))
        case DictOf(keys, values):
            return all(map(is_clean, keys | values))
        case Items(types=types) | Instance(types=types):
            return all(is_clean(inner) for of in types for inner in of)
        case Match():
            return kind.clean
    return not isinstance(kind, Json | Foreign)


def _tainted(result: Type) -> Type:
    """A result whose texts are made of texts that UTF-8 may not hold."""
    match result:
        case _ if result in (TEXT, _RESULTS["str?"]):
            return join(result, ANY_TEXT)
        case _ if result == _RESULTS["table"]:
            return _RESULTS["any_table"]
    kinds = set()
    for kind in result:
        if isinstance(kind, ListOf):
            kind = ListOf(_tainted(kind.of), at_most=kind.at_most)
        elif isinstance(kind, DictOf):
            kind = DictOf(kind.keys, _tainted(kind.values))
        elif isinstance(kind, Items):
            kind = Items(tuple(map(_tainted, kind.types)), kind.names, kind.is_row)
        kinds.add(kind)
    return frozenset(kinds)


def owner(kind: Kind) -> str:
    """The name of a kind in the table: ``str`` in ``str.title``."""
    if isinstance(kind, Opaque):
        return kind.name
    return _OWNERS.get(type(kind), "")


_OWNERS: dict[type[Kind], str] = {
    Text: "str",
    Whole: "int",
    Real: "float",
    Truth: "bool",
    Nothing: "none",
    ListOf: "list",
    SetOf: "set",
    DictOf: "dict",
    Items: "tuple",
}


def _fits(kind: Kind, wanted: str) -> bool:
    if wanted == "any":
        return not isinstance(kind, Instance)  # its class may have methods for it
    if wanted == "plain":
        return isinstance(kind, Text | Whole | Real | Truth | Nothing)
    if wanted == "data":
        return is_data(kind)
    if wanted == "number":
        return isinstance(kind, Whole | Real | Truth)
    if wanted == "list[str]":  # `join` raises for a None among them, as `re.split` may give
        items = kinds_of(items_of(kind) or NEVER)
        holds = isinstance(kind, ListOf | SetOf | Iterating | Items | DictOf)
        return holds and all(isinstance(item, Text | Nothing) for item in items)
    return owner(kind) == wanted


def is_data(kind: Kind) -> bool:
    """Whether a value consists of plain ones, whose text depends on nothing else."""
    match kind:
        case Text() | Whole() | Real() | Truth() | Nothing() | Json():
            return True
        case ListOf(of):
            return all(map(is_data, of))
        case Items(types, names):
            return not names and all(is_data(inner) for of in types for inner in of)
        case DictOf(keys, values):
            return all(map(is_data, keys | values))
    return False
