"""Items of lists in JSON, of types that nobody knows: a row for each, of which a column holds the JSON.

tweets.flatMap(lambda tweet: tweet["places"]).pprint()

rows = batch.select(F.explode(places_udf("value")).alias("value"))
for (value,) in rows.take(10):
    print(json.loads(value))
"""

from __future__ import annotations

import ast

from migrate.columns import Helper, Refusal
from migrate.frozen import replace
from migrate.knowledge.streaming import OF_ELEMENTS
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame, Within
from migrate.plan.frames.json_parts import is_json
from migrate.plan.typed.composed_body import Body
from migrate.plan.typed.typed_calls import TypedCall
from migrate.plan.typed.typed_functions import made_of_items
from migrate.proofs.analysis.facts import Facts
from migrate.typed import result_of_type
from migrate.typed.types import TEXT

JSON_TEXT = '''\
def json_text(value):
    """The JSON of a value; raises where that is the JSON of another one, as it is for a tuple."""
    text = json.dumps(value)
    if repr(json.loads(text)) != repr(value):
        raise TypeError(f"expected a value of JSON, found {value!r:.200}")
    return text'''
NOTE = "items of lists in JSON are held as JSON: the query fails for one with a value in it that JSON has not"


def has_items(frame: Frame) -> bool:
    """Whether functions make several elements of one, of which columns may hold the JSON."""
    operators = {part.operator for part in frame.within}
    return "flatMap" in operators and operators <= OF_ELEMENTS


def of_items(step: Step, frame: Frame) -> Frame:
    """The frame with a row for each element, and the functions within it that make one of each.

    Raises:
        Refusal: what they are given are no parts of JSON.
    """
    flat = max(place for place, part in enumerate(frame.within) if part.operator == "flatMap")
    places = [place for place, part in enumerate(frame.within) if place >= flat and is_json(part.given)]
    if not (places and has_module(step.facts)):
        raise Refusal("its elements are no parts of JSON", frame.within[flat].function)
    parts, others = frame.within[: places[-1] + 1], frame.within[places[-1] + 1 :]
    last = parts[-1]
    body = Body(step.inner(last.call), replace(frame, within=parts))
    for part in parts:
        body.add(part)
    step.imports("json")
    step.note(NOTE)
    of_item = step.helper(Helper("json_text", JSON_TEXT))
    found = result_of_type(TEXT, last.function)

    def call(type_: str) -> TypedCall:
        return body.items(last.function, of_item, type_, found)

    python = frame.python | {part.call for part in parts}
    after = replace(frame, within=(), python=python, late=frame.late or bool(frame.conditions))
    made = made_of_items(step.inner(last.call), after, last.function, found, call)
    read = Within("map", last.call, last.function, last.given, decodes=True)
    return replace(made, within=(read, *others))


def has_module(facts: Facts) -> bool:
    """Whether nothing but Python's module is called ``json``."""
    bindings = facts.bindings.get("json", ())
    return all(isinstance(one, ast.alias) and facts.imported(one) == "json" for one in bindings)
