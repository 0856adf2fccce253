"""The common parts of the rules for Flume: pairs of headers and body, of which columns hold the body."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.columns import UNREAD, Record, column_named
from migrate.columns.shapes import Str, Unknown
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.proofs.elements.places_read import places_read
from migrate.rules import _kafka as kafka
from migrate.rules._received import FLUME_SOURCE, source
from migrate.syntax.nodes import walk

HEADERS, BODY = range(2)
"""The places in a pair."""
_DICT = column_named("headers", Unknown("its headers are a dict"))


def events(step: Step, options: Sequence[str], found: Mapping[str, ast.expr]) -> Input:
    """The events of the data source as the program's elements.

    Args:
        step: the call.
        options: of the data source.
        found: the arguments of the call.

    Raises:
        Blocked: the code is for Spark 3.5, or the decoder has a variable `row`.
    """
    decoder = found.get("bodyDecoder")
    text = kafka.column(step, "body")
    if decoder is not None and not kafka.is_default(step, decoder):
        if any(isinstance(node, ast.Name) and node.id == "row" for node in walk(decoder)):
            raise step.blocked("its decoder speaks of a `row` of its own")
        body = kafka.decoded_by(step, decoder, "row.body")
        made = Call("map", f"lambda row: (row.headers, {body})")
        return source(step, FLUME_SOURCE, options, None, rdd=(Call("rdd"), made))
    read = places_read(step.operation, step.facts)
    if read is None or HEADERS in read:
        tuples = (Call("rdd"), Call("map", "tuple"))
        return source(step, FLUME_SOURCE, options, None, ('"headers"', text), rdd=tuples)
    if BODY not in read:
        step.need(gives=(kafka.NO_TEXT.format("bodies"),))
    headers = _DICT if step.choices.all_places else UNREAD
    columns = ('"headers"', text) if step.choices.all_places else (text,)
    element = Record((headers, column_named("body", Str())))
    return source(step, FLUME_SOURCE, options, element, columns)
