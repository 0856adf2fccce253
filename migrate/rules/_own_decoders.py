"""Decoders of values that do more than to decode: the next typed function calls them on Kafka's column.

    KafkaUtils.createDirectStream(.., valueDecoder=lambda data: json.loads(data.decode("utf-8")))

The column is a text where the decoder reads nothing but that, and fails for None then as it did; else bytes.
"""

from __future__ import annotations

import ast
from contextlib import suppress

from migrate.columns import Refusal
from migrate.frozen import dataclass
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Within
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.decoders import decoded_reads
from migrate.typed import type_of_result
from migrate.typed.types import NOTHING, TEXT, Items, Opaque, Type, one

_BYTES = one(Opaque("bytes"))


@dataclass(frozen=True)
class OwnDecoder:
    """A decoder of values whose result no column holds."""

    within: Within
    """It as a function of pairs."""
    reads_text: bool
    """Whether the column is a text."""


def decoder_within(step: Step, decoder: ast.expr) -> OwnDecoder | None:
    """The decoder as a function that the next typed function calls; None where RDD code has to.

    Args:
        step: the source.
        decoder: the decoder of values, which is not Spark's own.
    """
    choices, facts = step.choices, step.facts
    is_here = facts.of(decoder) is facts.of(step.program.scope)
    if step.operation.call in choices.as_rdd or choices.for_others or not is_here:
        return None
    reads_text = isinstance(decoder, ast.Lambda) and _fails_for_none(decoder, facts)
    if not (reads_text or step.options.spark.rows_have_bytes):
        return None
    with suppress(Refusal):
        given: Type = frozenset({*_BYTES, *(() if reads_text else NOTHING)})
        made = type_of_result(decoder, given, step.scope)
        pairs = one(Items((TEXT | NOTHING, made)))
        part = Within("map", step.operation.call, decoder, pairs, is_decoder=True)
        return OwnDecoder(part, reads_text)
    return None


def _fails_for_none(decoder: ast.Lambda, facts: Facts) -> bool:
    """Whether a decoder reads nothing but the text of its bytes, and where a None would make it fail."""
    reads = decoded_reads(decoder)
    return bool(reads) and all(_fails_at(read, facts) for read in reads)


def _fails_at(read: ast.Call, facts: Facts) -> bool:
    above = facts.of(read).above.get(read)
    match above:
        case ast.Attribute() | ast.Subscript():
            return above.value is read
        case ast.Call(function, [first, *_]) if first is read:
            return facts.of(read).qualified(function) == "json.loads"
    return False
