"""The result types of Python's own methods and functions, by the types of their arguments.

For those that have no Column form, or none for all their arguments: they are pure, they depend on nothing but
their arguments, and the type of what they return is known. https://docs.python.org/3/library/ is the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Nothing, Shape, Str, Tuple


@dataclass(frozen=True)
class Opaque(Shape):
    """A value that no column holds, on the way to one: bytes, a hash, a date."""

    kind: str


@dataclass(frozen=True)
class Signature:
    """One way to call a method, whose receiver is the first parameter, or a function.

    Attributes:
        name: qualified: ``str.title``, ``math.sqrt``.
        parameters: kinds, as in `_KINDS`; those from `required` on may be left out.
        result: a kind; ``=`` is the type of the first argument, ``item`` that of its items.
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
str.count(str, str, int?, int?) int; str.find(str, str, int?, int?) int; str.index(str, str, int?, int?) int
str.rfind(str, str, int?, int?) int; str.rindex(str, str, int?, int?) int
str.split(str, str?, int?) list[str]; str.rsplit(str, str?, int?) list[str]; str.splitlines(str) list[str]
str.partition(str, str) texts3; str.rpartition(str, str) texts3

list.count(list, any) int; list.index(list, any) int; bytes.decode(bytes, str?, str?) str
bytes.hex(bytes) str; int.bit_length(int) int; float.is_integer(float) bool; float.hex(float) str
hash.hexdigest(hash) str; hash.digest(hash) bytes; datetime.strftime(datetime, str) str
datetime.isoformat(datetime, str?) str; datetime.timestamp(datetime) float; datetime.weekday(datetime) int
datetime.isoweekday(datetime) int; datetime.year(datetime) int; datetime.month(datetime) int
datetime.day(datetime) int; datetime.hour(datetime) int; datetime.minute(datetime) int
datetime.second(datetime) int; datetime.microsecond(datetime) int; url.scheme(url) str; url.netloc(url) str
url.path(url) str; url.params(url) str; url.query(url) str; url.fragment(url) str; url.geturl(url) str

abs(int) int; abs(float) float; round(int) int; round(float) int; round(int, int) int
round(float, int) float; ascii(any) str; bin(int) str; chr(int) str; hex(int) str; oct(int) str
ord(str) int; repr(plain) str; str(plain) str; len(str) int; len(list) int; len(bytes) int; bool(any) bool
int(str, int?) int; int(float) int; int(int) int; float(str) float; float(float) float; float(int) float
sorted(list) =; list(list) =; sum(list[int]) int; max(list) item; min(list) item; max(int, int) int
min(int, int) int; max(str, str) str; min(str, str) str; max(float, float) float; min(float, float) float
format(plain, str?) str

math.sqrt(number) float; math.exp(number) float; math.expm1(number) float; math.log(number, number?) float
math.log1p(number) float; math.log2(number) float; math.log10(number) float; math.sin(number) float
math.cos(number) float; math.tan(number) float; math.asin(number) float; math.acos(number) float
math.atan(number) float; math.atan2(number, number) float; math.sinh(number) float; math.cosh(number) float
math.tanh(number) float; math.hypot(number, number) float; math.degrees(number) float
math.radians(number) float; math.fabs(number) float; math.fmod(number, number) float
math.pow(number, number) float; math.floor(number) int; math.ceil(number) int; math.trunc(number) int
math.isnan(number) bool; math.isinf(number) bool; math.isfinite(number) bool; math.gcd(int, int) int

hashlib.md5(bytes) hash; hashlib.sha1(bytes) hash; hashlib.sha224(bytes) hash; hashlib.sha256(bytes) hash
hashlib.sha384(bytes) hash; hashlib.sha512(bytes) hash; zlib.crc32(bytes, int?) int
zlib.adler32(bytes, int?) int; binascii.crc32(bytes, int?) int; binascii.hexlify(bytes) bytes
base64.b64encode(bytes) bytes; base64.b64decode(bytes) bytes; base64.urlsafe_b64encode(bytes) bytes
json.dumps(plain) str; json.dumps(list) str; json.dumps(dict) str; str(datetime) str
re.sub(str, str, str, int?) str; re.escape(str) str; string.capwords(str, str?) str; html.escape(str) str
html.unescape(str) str; unicodedata.normalize(str, str) str; urllib.parse.quote(str, str?) str
urllib.parse.quote_plus(str, str?) str; urllib.parse.unquote(str) str; urllib.parse.unquote_plus(str) str
urllib.parse.urlparse(str) url; urllib.parse.urljoin(str, str) str
datetime.datetime.strptime(str, str) datetime; datetime.datetime.fromisoformat(str) datetime
os.path.basename(str) str; os.path.dirname(str) str; os.path.splitext(str) texts2
os.path.join(str, str) str
"""

ATTRIBUTES = frozenset(
    {f"datetime.{name}" for name in ("year", "month", "day", "hour", "minute", "second", "microsecond")}
    | {f"url.{name}" for name in ("scheme", "netloc", "path", "params", "query", "fragment")}
)
"""Entries that are read and not called."""

KEYWORDS: dict[str, frozenset[str]] = {
    "re.sub": frozenset({"count", "flags"}),
    "sorted": frozenset({"reverse"}),
    "str.split": frozenset({"sep", "maxsplit"}),
    "str.rsplit": frozenset({"sep", "maxsplit"}),
    "str.encode": frozenset({"encoding", "errors"}),
    "bytes.decode": frozenset({"encoding", "errors"}),
    "json.dumps": frozenset({"sort_keys", "indent", "ensure_ascii", "separators", "allow_nan"}),
    "urllib.parse.quote": frozenset({"safe"}),
    "urllib.parse.quote_plus": frozenset({"safe"}),
}
"""Arguments by keyword that do not change the type of what is returned."""


def _signature(text: str) -> Signature:
    match = re.fullmatch(r"([\w.]+)\((.*)\) (\S+)", text)
    assert match is not None, text
    kinds = tuple(kind.strip() for kind in match[2].split(","))
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

_OPAQUE = ("bytes", "hash", "datetime", "url")
_RESULTS: dict[str, Shape] = {
    "str": Str(),
    "int": Int(),
    "float": Float(),
    "bool": Bool(),
    "list[str]": List(Str()),
    "texts2": Tuple((Str(), Str())),
    "texts3": Tuple((Str(), Str(), Str())),
    **{kind: Opaque(kind) for kind in _OPAQUE},
}


def result_of(name: str, arguments: Sequence[Shape]) -> Shape | None:
    """The shape of the result for arguments of these shapes, or None where it is not known.

    The receiver of a method may be None: the call raises then.
    """
    for signature in _BY_NAME.get(name, ()):
        if not signature.required <= len(arguments) <= len(signature.parameters):
            continue
        if all(_fits(shape, kind) for shape, kind in zip(arguments, signature.parameters, strict=False)):
            if signature.result == "=":
                return arguments[0]
            if signature.result == "item":
                return arguments[0].of if isinstance(arguments[0], List) else None
            return _RESULTS[signature.result]
    return None


def owner(shape: Shape) -> str:
    """The name of a shape's type in the table: ``str`` in ``str.title``."""
    if isinstance(shape, Opaque):
        return shape.kind
    return {Str: "str", Int: "int", Float: "float", Bool: "bool", List: "list"}.get(type(shape), "")


def given(shape: Shape) -> Shape:
    """A shape without None, where None raises."""
    return shape.of if isinstance(shape, Maybe) else shape


def _fits(shape: Shape, kind: str) -> bool:
    if kind == "any":
        return True
    if kind == "plain":
        return isinstance(given(shape), Str | Int | Float | Bool | Nothing)
    if kind == "number":
        return isinstance(shape, Int | Float | Bool)
    if kind == "list[str]":
        return isinstance(shape, List) and isinstance(shape.of, Str)
    if kind == "list[int]":
        return isinstance(shape, List) and isinstance(shape.of, Int)
    return owner(shape) == kind
