"""The common parts of both Kafka sources: decoders become casts; notes on queries that read Kafka."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from migrate.columns import UNREAD, Element, Helper, Record, Scalar, column_named
from migrate.columns.helpers import definitions, spelled
from migrate.columns.shapes import Bytes, Ignored, Maybe, Str
from migrate.graph.connector_texts import renewals, renewed_comments
from migrate.graph.connectors import connector_told
from migrate.knowledge.connectors import FLUME, KAFKA, KINESIS
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Within
from migrate.plan.new_code.code import Call, Value
from migrate.plan.new_code.inner import Inner
from migrate.plan.sources.only_elements import applied
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.elements.arrival import PLACES
from migrate.proofs.elements.places_read import places_read
from migrate.rules._options import RATE, RATE_SETTING, Parameter, options
from migrate.rules._own_decoders import OwnDecoder, decoder_within
from migrate.syntax.decoders import Decodes, names_utf_8, text_of_utf_8
from migrate.syntax.identity import returns_its_argument
from migrate.syntax.nodes import walk

NO_GROUP = (
    "the query commits no offsets: tools see no lag of its group, unless the listener "
    "compat.kafka.lag.CommitOffsets commits them"
)
DATA_LOSS = "the query fails when unread messages are gone from Kafka; failOnDataLoss=false lets it go on"
RAW = Helper(
    "raw",
    '''def raw(value):
    """The bytes of a binary column, or None, as the decoders of DStreams get them."""
    return None if value is None else bytes(value)''',
)
LATEST = "the query begins with what arrives after its start, a moment later than DStream did"
NOT_EARLIEST = (
    "auto.offset.reset=earliest: Spark 2.4 knew smallest alone and began with what arrived next, and so does "
    "the new query"
)
BYTES_OF_2 = (
    "`{}` left messages the bytes that a text is in Python 2, and they are decoded as UTF-8 now, which fails "
    "for others: lengths and places beyond ASCII count characters"
)
TEXT_AS_DECODER = (
    "the decoder {} is a text, which cannot be called, so that each batch with messages failed: what it was"
    " given for is decoded as UTF-8 now; check that this was meant"
)
NO_DECODER = "its decoder is {}, which cannot be called: each batch with messages fails there as it is"
NONE_OF_OWN = "None for the decoder `{}`"
NO_TEXT = "{} that are not UTF-8"
KEYS_NOT_READ = "a key that is not UTF-8 fails no batch any more: nothing reads keys"
TEXT = Maybe(Str())
BYTES = Maybe(Bytes())
_TIME = "timestamp"
"""Kafka's column of the time at which a message was made, or came."""


@dataclass(frozen=True)
class Decoded:
    """Kafka's columns as the program's elements."""

    selects: tuple[tuple[str, ...], ...]
    """The columns of each ``select`` of the streaming DataFrame; none where nothing reads its columns."""
    element: Element | None
    """One element over the columns then; None where `rdd` makes the elements."""
    rdd: tuple[Call, ...] = ()
    """Calls on the DataFrame of a batch that make an RDD of the elements."""
    within: tuple[Within, ...] = ()
    """The decoder of values that no column holds, which the next function calls."""


def decoded(step: Step, found: Mapping[str, ast.expr]) -> Decoded:
    """Pairs of key and value as the program's decoders make them: texts or None, if it has none."""
    decoders = [found.get("keyDecoder"), found.get("valueDecoder")]
    raw = frozenset(decoder for decoder in decoders if gives_bytes(step, decoder))
    if all(decoder in raw or is_default(step, decoder) for decoder in decoders):
        return _as_columns(step, decoders, raw)
    key, value = decoders
    reads_key = not is_default(step, key) or _reads_key(step)
    if not reads_key:
        step.note(KEYS_NOT_READ)
    if value is not None and is_default(step, key) and (own := decoder_within(step, value)) is not None:
        return _own_values(step, own, reads_key=reads_key)
    columns = [
        column(step, "key") if is_default(step, key) and reads_key else '"key"',
        column(step, "value") if is_default(step, value) else '"value"',
    ]
    parts = [
        f"row.{name}"
        if decoder is None or is_default(step, decoder)
        else decoded_by(step, decoder, f"row.{name}")
        for name, decoder in zip(("key", "value"), decoders, strict=True)
    ]
    names = [node for decoder in decoders if decoder is not None for node in walk(decoder)]
    if any(isinstance(node, ast.Name) and node.id == "row" for node in names):
        raise step.blocked("a decoder speaks of a `row` of its own")
    plain = parts == ["row.key", "row.value"]
    made = Call("map", "tuple" if plain else f"lambda row: ({', '.join(parts)})")
    return Decoded((tuple(columns),), None, (Call("rdd"), made))


def _reads_key(step: Step) -> bool:
    """Whether anything reads the keys of messages, as far as that is known."""
    read = places_read(step.operation, step.facts)
    return read is None or 0 in read or step.choices.for_others or step.choices.all_places


def _own_values(step: Step, own: OwnDecoder, *, reads_key: bool) -> Decoded:
    """Pairs whose values the program's decoder makes, which the next function calls."""
    value = field("value") if own.reads_text else _bytes("value")
    columns = [column(step, "value") if own.reads_text else '"value"']
    if reads_key:
        columns.insert(0, column(step, "key"))
    key = field("key") if reads_key else UNREAD
    return Decoded((tuple(columns),), Record((key, value)), within=(own.within,))


def _as_columns(step: Step, decoders: Iterable[ast.expr | None], raw: Set[ast.expr | None]) -> Decoded:
    """Pairs of texts, or of bytes where a decoder gives these back.

    Texts that nothing reads are not decoded.

    Args:
        step: the call.
        decoders: that of keys and that of values.
        raw: those that give back their bytes.
    """
    parts = dict(zip(("key", "value"), decoders, strict=True))
    read = places_read(step.operation, step.facts)
    all_read = read is None or len(read) == len(parts) or step.choices.for_others
    left = [] if all_read or read is None else [name for place, name in enumerate(parts) if place not in read]
    failing = [name for name in left if _fails_for_bytes(step, parts[name])]
    if "key" in failing:
        step.note(KEYS_NOT_READ)
    step.need(gives=tuple(NO_TEXT.format(f"{name}s") for name in failing if name != "key"))
    columns, items = [], []
    for name, decoder in parts.items():
        if name not in left:
            columns.append(f'"{name}"' if decoder in raw else column(step, name))
            items.append(column_named(name, BYTES) if decoder in raw else field(name))
        elif step.choices.all_places:
            columns.append(f'"{name}"')
            items.append(_bytes(name))
        else:
            items.append(UNREAD)
    # beside another source, columns that nothing reads may have its names and other types
    selects = (tuple(columns),) if columns or len(step.program.sources) > 1 else ()
    return Decoded(selects, Record(tuple(items)))


def _fails_for_bytes(step: Step, decoder: ast.expr | None) -> bool:
    """Whether a decoder failed for bytes that are no UTF-8."""
    return decoder is None or not (gives_text_of_2(step, decoder) or gives_bytes(step, decoder))


def _bytes(name: str) -> Scalar:
    """A column that is left as it comes, as nothing reads it."""
    return column_named(name, Ignored("its bytes are not decoded, as nothing reads them"))


def field(name: str) -> Scalar:
    """A column of texts, of which any may be None."""
    return column_named(name, TEXT)


def column(step: Step, name: str, alias: str | None = None) -> str:
    """The text of one of Kafka's two columns of bytes, as Python decodes it."""
    decode_fails = step.options.spark.decode_fails
    if decode_fails or not step.basis.guards.fail_as_python_does:
        if not decode_fails:
            step.need(gives=(NO_TEXT.format(f"{name}s"),))
        return f'F.decode("{name}", "UTF-8").alias("{alias or name}")'
    reserved = step.scope.reserved
    step.need(helpers={helper.name: helper for helper in definitions(("utf8",), reserved)})
    text = f'{spelled("utf8", reserved)}("{name}")'
    return text if alias is None else f'{text}.alias("{alias}")'


def is_default(step: Step, decoder: ast.expr | None) -> bool:
    """Whether a decoder is ``utf8_decoder``, given or not, or decodes UTF-8 as it does.

    Raises:
        Blocked: it is a constant that does not name this encoding, and cannot be called.
    """
    if decoder is None:
        return True
    if isinstance(decoder, ast.Constant):
        if not names_utf_8(decoder):
            raise step.blocked(NO_DECODER.format(f"`{ast.unparse(decoder)}`"))
        step.must_change(TEXT_AS_DECODER.format(f"`{ast.unparse(decoder)}`"))
        return True
    if gives_text_of_2(step, decoder):
        step.note(BYTES_OF_2.format(ast.unparse(decoder)))
        return True
    if decodes_utf_8(step, decoder):
        return True
    name = step.facts.qualified(decoder) or ""
    module, _, function = name.replace("compat.", "pyspark.", 1).rpartition(".")
    return function == "utf8_decoder" and module in (KAFKA, KINESIS, FLUME)


def decodes_utf_8(step: Step, decoder: ast.expr) -> bool:
    """Whether a decoder of the program makes a text of UTF-8; where it failed for None there is NULL now."""
    text = text_of_utf_8(function_of(step, decoder))
    if text is Decodes.ALL_BUT_NONE:
        if step.basis.guards.fail_as_python_does:
            return False
        step.need(gives=(NONE_OF_OWN.format(step.shown(decoder)),))
    return text is not None


def function_of(step: Step, decoder: ast.expr) -> ast.AST | None:
    """The function of the program that a decoder is."""
    if isinstance(decoder, ast.Lambda):
        return decoder
    called = called_function(decoder, step.facts)
    return None if called is None or called.bound else called.node


def gives_text_of_2(step: Step, decoder: ast.expr) -> bool:
    """Whether a decoder returns its bytes, which are a text in Python 2."""
    if step.program.module_of(decoder).python != 2:
        return False
    function = step.facts.only_binding(decoder.id) if isinstance(decoder, ast.Name) else decoder
    return returns_its_argument(function)


def gives_bytes(step: Step, decoder: ast.expr | None) -> bool:
    """Whether a decoder gives back its bytes, which rows have as well; `bytes` failed for None."""
    if decoder is None or step.program.module_of(decoder).python == 2:
        return False
    if not step.options.spark.rows_have_bytes:
        return False
    if isinstance(decoder, ast.Name) and decoder.id == "bytes" and "bytes" not in step.facts.shadowed:
        if step.basis.guards.fail_as_python_does:
            return False
        step.need(gives=(NONE_OF_OWN.format("bytes"),))
        return True
    return returns_its_argument(function_of(step, decoder))


def decoded_by(step: Step, decoder: ast.expr, given: str) -> str:
    """A decoder of the program on the bytes of a column."""
    raw = given if step.options.spark.rows_have_bytes else f"{step.helper(RAW)}({given})"
    if isinstance(decoder, ast.Lambda) and (made := applied(step, decoder, Value(raw))):
        return made.code
    function = step.argument(decoder)
    return f"({function})({raw})" if isinstance(decoder, ast.Lambda) else f"{function}({raw})"


def source(
    step: Step,
    rows: Iterable[Call],
    given: Mapping[str, Parameter],
    made: Decoded,
    told: Iterable[str],
    *,
    sure: bool,
    topic: bool,
) -> Input:
    """The Kafka source.

    Args:
        step: the call.
        rows: its options so far.
        given: the program's Kafka parameters.
        made: the elements over Kafka's columns.
        told: notes for the user, beside those on every Kafka source.
        sure: whether DStream has a partition in a batch without messages.
        topic: whether it reads a single topic, whose name says nothing of the order.
    """
    given_so = (*rows, *options(step, given))
    read = (Call("readStream"), Call("format", '"kafka"'), *given_so, Call("load", ""))
    places = (PLACES[1:] if topic else PLACES) if step.choices.in_order else ()
    beside = PLACES if step.choices.places and step.basis.needs_places and made.element is not None else ()
    timed: dict[str, tuple[Call, ...]] = {}
    if len(made.selects) <= 1:
        timed[_TIME] = (*read, *_selecting(made.selects, (*places, _TIME)))
    return Input(
        name="messages",
        calls=(*read, *_selecting(made.selects, (*places, *beside))),
        places=places,
        beside=beside,
        element=made.element,
        within=made.within,
        rdd=made.rdd,
        notes=(*_notes(step, given), *told),
        timed=timed,
        sure=sure,
    )


def _selecting(selects: tuple[tuple[str, ...], ...], more: tuple[str, ...]) -> list[Call]:
    """The calls of ``select``, the last one with more of Kafka's columns."""
    if not selects:
        return []
    *others, last = selects
    named = (*last, *(f'"{name}"' for name in more))
    return [Call("select", ", ".join(columns)) for columns in (*others, named)]


def _notes(step: Step, given: Mapping[str, Parameter]) -> tuple[str, ...]:
    """The notes on every query that reads Kafka."""
    modules = step.program.modules
    named = any(RATE_SETTING in module.source for module in modules)
    has_batches = not step.options.trigger.is_by_record
    is_direct = step.operation.operator == "createDirectStream"  # receivers never read the setting
    unmapped = named and is_direct and has_batches and RATE_SETTING not in step.known.mapped
    limited = (RATE.format(RATE_SETTING),) if unmapped else ()
    reset = given.get("auto.offset.reset")
    resets = () if reset is None else [str(value).lower() for value in reset.values]
    mistaken = (NOT_EARLIEST,) if "earliest" in resets else ()
    renewed = renewals(step.program, step.options.spark)
    comments = tuple(
        ((module.tree, line), words)
        for module in modules
        for line, words in renewed_comments(module, step.options.spark)
    )
    reworded = tuple((one.text, one.words) for one in renewed if one.words)
    replaced = tuple((one.text, one.whole) for one in renewed if one.whole)
    step.need(inner=Inner(replaced, reworded=reworded, comments=comments))
    told = connector_told(step.program, renewed, step.options.spark)
    step.must_change(*told.must_change, *limited)
    # a direct stream of Kafka 0.8 committed none either
    group = (NO_GROUP,) if step.operation.operator == "createStream" else ()
    return (*told.notes, *group, DATA_LOSS, *mistaken)
