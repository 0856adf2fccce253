"""Functions that emitted code calls: guards that fail where a Column would give null or another value.

They are ordinary Column code, copied into the migrated module, and behave alike with ANSI mode on and off.
`IN_PYTHON` are those that call a function of Python for each row, which fails for none.
"""

from __future__ import annotations

from collections.abc import Collection

from migrate.columns.element import Helper, Origin
from migrate.frozen import replace

WHITESPACE = r"(?U)[\s\x1c-\x1f]+"
"""Python's whitespace as a Java regular expression: Unicode's, and the four separators U+001C to U+001F."""
CONSTANT = "WHITESPACE"
"""The helper that is no function but a constant, of this pattern."""

_SOURCES = {
    CONSTANT: f'{CONSTANT} = r"{WHITESPACE}"  # what Python takes for white space',
    "required": '''\
def required(column, message):
    """The column; where it is null the query fails with this message."""
    return F.coalesce(column, F.raise_error(F.lit(message)))''',
    "int_of": '''\
def int_of(number):
    """int(number) of a float; where it has more than 64 bits the query fails."""
    too_large = F.raise_error(F.lit("no int of 64 bits"))
    return F.when(F.abs(number) < 2.0**63, number.cast("bigint")).otherwise(too_large)''',
    "strip": '''\
def strip(text):
    """The text without white space at its ends, of which Python knows more than `F.trim`."""
    return F.regexp_replace(text, r"(?U)\\A[\\s\\x1c-\\x1f]+|[\\s\\x1c-\\x1f]+\\z", "")''',
    "lstrip": '''\
def lstrip(text):
    """The text without white space at its beginning, of which Python knows more than `F.ltrim`."""
    return F.regexp_replace(text, r"(?U)\\A[\\s\\x1c-\\x1f]+", "")''',
    "rstrip": '''\
def rstrip(text):
    """The text without white space at its end, of which Python knows more than `F.rtrim`."""
    return F.regexp_replace(text, r"(?U)[\\s\\x1c-\\x1f]+\\z", "")''',
    "ordered": '''\
def ordered(column):
    """The column; the query fails for NaN, with which the greatest depends on the order of the values."""
    return F.when(F.isnan(column), F.raise_error(F.lit("NaN has no order"))).otherwise(column)''',
    "json_parsed": '''\
def json_parsed(text):
    """The text as JSON, or null; for lone surrogates, which Spark before 4.3 takes for `?`, null as well."""
    high, low = r"\\\\u[dD][89aAbB][0-9a-fA-F]{2}", r"\\\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    escaped = F.regexp_replace(text, r"\\\\\\\\", "_")  # a backslash that begins no surrogate
    lone = escaped.rlike(f"{high}(?!{low})|(?<!{high}){low}")
    return F.when(~lone, F.try_parse_json(text))''',
    "json_record": '''\
def json_record(text, schema, fact):
    """A record: its JSON as far as the schema names it, its text, and its place."""
    parsed = F.from_json(text, f"{schema}, _corrupt_record STRING")
    place = F.struct(F.lit(fact).alias("fact"){place})
    record = F.struct(parsed.alias("json"), text.alias("text"), place.alias("place"))
    return F.explode(F.array(record))  # Spark would parse again for each condition''',
    "json_text": '''\
def json_text(json, path):
    """A text in JSON, or null; fails for a number or a list, which `variant_get` would read as texts, too."""
    return F.variant_get(json, path, "binary").cast("string")''',
    "json_variant": '''\
def json_variant(text, fact):
    """A record: its JSON, its text, and its place."""
    place = F.struct(F.lit(fact).alias("fact"){place})
    return F.struct(json_parsed(text).alias("json"), text.alias("text"), place.alias("place"))''',
    "json_exact": '''\
def json_exact(record):
    """A record with all of its JSON, in place of what a schema names."""
    text, place = F.col(f"{record}.text"), F.col(f"{record}.place")
    return F.struct(json_parsed(text).alias("json"), text.alias("text"), place.alias("place"))''',
    "json_checked": '''\
def json_checked(value, record, path, type_, others):
    """The value, or null for `others`; where it is null the query fails, and names what is there instead."""
    whole, place = record["json"], record["place"]
    part = F.variant_get(whole, path, "VARIANT")
    no_json = F.when(whole.isNull(), F.format_string("no JSON that Spark takes: %s", record["text"]))
    found = F.coalesce(no_json, F.to_json(part), F.lit("nothing"))
    message = "unexpected JSON: %s expected at %s, found %.200s in %s; {advice}"
    where = [F.to_json(place){learn}]
    instead = F.raise_error(F.format_string(message, F.lit(type_), F.lit(path), found, *where))
    if "null" in others:
        instead = F.when(F.is_variant_null(part), None).otherwise(instead)
    if "missing" in others or "absent" in others:  # its key, or one above it as well
        above = "$" if "absent" in others else path.rpartition("[" if path.endswith("]") else ".")[0]
        kind = F.schema_of_variant(F.variant_get(whole, above, "VARIANT"))
        instead = F.when(part.isNull() & kind.startswith("OBJECT<"), None).otherwise(instead)
    return F.coalesce(value, instead)''',
    "json_at": '''\
def json_at(record, path, *others):
    """The part at a path of JSON as a record of its own; the query fails for none, but for `others`."""
    record = F.col(record) if isinstance(record, str) else record
    part = F.variant_get(record["json"], path, "VARIANT")
    if not others:
        part = json_checked(part, record, path, "a value", others)
    return F.struct(part.alias("json"), record["text"].alias("text"), record["place"].alias("place"))''',
    "json_value": '''\
def json_value(record, path, type_, *others):
    """The value of this type at a path of JSON, or one of `others`: "null", "missing", "absent"."""
    record = F.col(record) if isinstance(record, str) else record
    if type_ == "STRING":  # only texts are read as BINARY; as STRING all is
        value = F.try_variant_get(record["json"], path, "BINARY").cast("STRING")
        return json_checked(value, record, path, type_, others)
    kind = F.schema_of_variant(F.variant_get(record["json"], path, "VARIANT"))
    value, fits = F.try_variant_get(record["json"], path, type_), kind == type_
    if type_ == "DOUBLE":
        # an int beyond 64 bits is a DECIMAL without places, one beyond 38 digits a DOUBLE
        fits = (fits & (F.abs(value) < 1e38)) | kind.rlike(r"DECIMAL\\((\\d+,[1-9]|(\\d|1[0-8]),0)")
    return json_checked(F.when(fits, value), record, path, type_, others)''',
    "json_field": '''\
def json_field(record, key, type_, *others):
    """The value of this type under a key of JSON that the schema names, or one of `others`, as `json_value`.

    `from_json` makes text of 1, a double of 7, `?` of half a character and null of what is missing,
    without an error: what may be such a value is read again.
    """
    value, sound = F.col(f"{record}.json.{key}"), F.col(f"{record}.json._corrupt_record").isNull()
    sure = {
        "STRING": ~value.rlike(r"""^(-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$|[{\\["]|(true|false)$)|\\?"""),
        "DOUBLE": (F.abs(value) < 1e15) & (value % 1 != 0),
    }.get(type_, value.isNotNull())
    exact = json_value(json_exact(record), f"$.{key}", type_, *others)
    return F.when(sound & sure, value).otherwise(exact)''',
    "json_list": '''\
def json_list(record, path, type_=None, *others):
    """The list at a path of JSON, of one type or of records, or one of `others`, as `json_value`."""
    record = F.col(record) if isinstance(record, str) else record
    text, place = record["text"].alias("text"), record["place"].alias("place")
    items = F.try_variant_get(record["json"], path, "ARRAY<VARIANT>")
    items = F.transform(items, lambda item: F.struct(item.alias("json"), text, place))
    if type_ is not None:
        items = F.transform(items, lambda item: json_value(item, "$", type_))
    return json_checked(items, record, path, "ARRAY", others)''',
    "json_has": '''\
def json_has(record, path):
    """Whether an object of JSON has the key at a path."""
    record = F.col(record) if isinstance(record, str) else record
    found = F.when(F.variant_get(record["json"], path, "VARIANT").isNotNull(), True)
    return F.coalesce(json_checked(found, record, path, "OBJECT", ["missing"]), F.lit(False))''',
    "json_only": '''\
def json_only(record, *keys):
    """True; the query fails for an object of JSON with other keys, which would be columns."""
    record = F.col(record) if isinstance(record, str) else record
    same = F.sort_array(F.json_object_keys(record["text"])) == F.array(*map(F.lit, keys))
    return json_checked(F.when(same, True), record, "$", f"only {', '.join(keys)}", ())''',
    "utf8": '''\
def utf8(name):
    """The text that a binary column holds in UTF-8; the query fails on bytes that are none."""
    text = F.decode(name, "UTF-8")
    # U+FFFD stands for what is none, and for itself
    same = ~text.contains("\\ufffd") | (F.encode(text, "UTF-8") == F.col(name))
    failing = F.raise_error(F.concat(F.lit("not UTF-8: "), F.hex(name)))
    return F.when(same, text).when(F.col(name).isNotNull(), failing).alias(name)''',
    "parse_int": '''\
def parse_int(text):
    """int(text) for up to 18 ASCII digits with an optional sign; the query fails on anything else."""
    number = F.when(text.rlike(r"\\A\\s*[+-]?[0-9]{1,18}\\s*\\z"), text.cast("bigint"))
    return F.coalesce(number, F.raise_error(F.concat(F.lit("not an int of up to 18 digits: "), text)))''',
    "parse_float": '''\
def parse_float(text):
    """float(text) for plain decimal numbers; the query fails on anything else."""
    decimal = r"\\A\\s*[+-]?([0-9]{1,99}(\\.[0-9]{0,99})?|\\.[0-9]{1,99})([eE][+-]?[0-9]{1,2})?\\s*\\z"
    number = F.when(text.rlike(decimal), text.cast("double"))
    return F.coalesce(number, F.raise_error(F.concat(F.lit("not a decimal number: "), text)))''',
    "exact_sum": '''\
def exact_sum(column):
    """The sum of whole numbers, null for no rows; the query fails where it is beyond 64 bits."""
    total = F.coalesce(F.try_sum(column), F.raise_error(F.lit("sum beyond 64 bits")))
    return F.when(F.count(column) > 0, total)''',
    "exact_double": '''\
def exact_double(number):
    """A whole number as a double; the query fails beyond 2**53, where a double does not hold it exactly."""
    exact = F.when(number.between(-(2**53), 2**53), number.cast("double"))
    return F.coalesce(exact, F.raise_error(F.lit("int beyond 2**53 in floating-point arithmetic")))''',
    "floor_div": '''\
def floor_div(number, divisor):
    """number // divisor for whole numbers and a divisor above 0, rounded down as Python does."""
    quotient = F.call_function("div", number, divisor)
    return F.when(number % divisor < 0, quotient - 1).otherwise(quotient)''',
    "lower": '''\
@F.udf
def lower(text):
    """text.lower() by Python: F.lower follows another version of Unicode."""
    return text and text.lower()''',
    "upper": '''\
@F.udf
def upper(text):
    """text.upper() by Python: F.upper follows another version of Unicode."""
    return text and text.upper()''',
    "consists_of": '''\
def consists_of(text, characters, kind):
    """Whether a text is of these ASCII characters and not empty; fails where others of their kind decide."""
    other = (text == "") | text.rlike(rf"[^{kind}\\p{{Cn}}]")  # Unicode gives no kind to some yet
    decided = F.when(other, False).when(text.rlike(rf"\\A[{characters}]+\\z"), True)
    return F.coalesce(decided, F.raise_error(F.concat(F.lit("not decided by ASCII: "), text)))''',
}


IN_PYTHON = frozenset({"lower", "upper"})
MAY_FAIL = _SOURCES.keys() - IN_PYTHON - {CONSTANT, "strip", "lstrip", "rstrip"}
"""Helpers that may fail for a row."""
_NEEDS = {
    "json_variant": ("json_parsed",),
    "json_exact": ("json_parsed",),
    "json_at": ("json_checked",),
    "json_value": ("json_checked",),
    "json_field": ("json_value", "json_exact"),
    "json_list": ("json_value", "json_checked"),
    "json_has": ("json_checked",),
    "json_only": ("json_checked",),
}
"""The helpers that others call."""

_LEARN = "to accept it: `dstream-migrate learn OLD {} -- ARGS`, `rewrite`, start again"
_PLACES = {
    Origin.KAFKA: (
        ', "topic", "partition", "offset"',
        ', place["topic"], place["partition"], place["offset"], place["offset"] + 1',
        _LEARN.format("--from-topic %s --from-broker BROKER --offsets %s:%s-%s"),
    ),
    Origin.FILES: (
        ', F.input_file_name().alias("file")',
        ', place["file"]',
        _LEARN.format("--input %s"),
    ),
    Origin.UNKNOWN: ("", "", _LEARN.format("--input RECORDS")),
}
"""What says where a record is: its columns, and those that fill in the command that learns of it."""


def definitions(
    names: Collection[str],
    reserved: frozenset[str],
    *,
    parse_json_fails: bool = True,
    origin: Origin = Origin.UNKNOWN,
) -> tuple[Helper, ...]:
    """Return the helpers of these names.

    Code uses `spelled(name, reserved)`, the name that collides with nothing in the module.

    Args:
        names: those that are called.
        reserved: the names of the module.
        parse_json_fails: whether Spark fails by itself on JSON with lone surrogates.
        origin: where records come from.
    """
    if not names:
        return ()
    wanted: set[str] = set()
    pending = [*names]
    while pending:
        name = pending.pop()
        if name == "json_parsed" and parse_json_fails:
            continue
        if name not in wanted:
            wanted.add(name)
            pending += _NEEDS.get(name, ())
    made = [_definition(name, reserved) for name in _SOURCES if name in wanted]
    replaced = dict(zip(("{place}", "{learn}", "{advice}"), _PLACES[origin], strict=True))
    if parse_json_fails:
        replaced["json_parsed("] = "F.try_parse_json("
    for old, new in replaced.items():
        made = [
            replace(helper, source=helper.source.replace(old, new), of=helper.of.replace(old, new))
            for helper in made
        ]
    return tuple(made)


def spelled(name: str, reserved: frozenset[str]) -> str:
    """Return a helper's name, with underscores after it if the module uses that name already."""
    while name in reserved:
        name += "_"
    return name


def _definition(name: str, reserved: frozenset[str]) -> Helper:
    own = spelled(name, reserved)
    source = _SOURCES[name].replace(f"def {name}(", f"def {own}(").replace(f"{CONSTANT} = ", f"{own} = ")
    for called in _NEEDS.get(name, ()):
        source = source.replace(f" {called}(", f" {spelled(called, reserved)}(")
        source = source.replace(f"({called}(", f"({spelled(called, reserved)}(")
    calls = tuple(spelled(called, reserved) for called in _NEEDS.get(name, ()))
    is_parse, is_function = "{place}" in _SOURCES[name], name != CONSTANT
    return Helper(own, source, is_parse, is_function=is_function, of=_SOURCES[name], calls=calls)
