"""Keys that are parts of JSON, read as columns: those whose names say that they are texts are read as texts.

    tweets.map(lambda tweet: (tweet["user"]["screen_name"], 1)).reduceByKey(add)

    tweets = batch.select(F.parse_json("value").alias("tweet"))
    tweets.groupBy(json_text("tweet", "$.user.screen_name").alias("screen_name"))

As `binary` Spark reads texts alone, and fails for anything else; as `string` it would read all of JSON.
"""

from __future__ import annotations

from migrate.columns import Record, Scalar, compile_text
from migrate.columns.shapes import Json
from migrate.frozen import replace
from migrate.knowledge.fields import is_text_field
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.typed.json_keys import TEXTS

_OF_ELEMENTS = frozenset({"countByValue", "countByValueAndWindow"})
_OF_PAIRS = frozenset({"reduceByKey", "reduceByKeyAndWindow", "updateStateByKey"})


def with_text_keys(step: Step, frame: Frame) -> Frame:
    """The frame, whose key is a text where its name says so, if all that read it group by it.

    Args:
        step: the operator that makes the frame.
        frame: elements, or pairs.
    """
    readers = {one.operator for one in step.operation.consumers}
    element = frame.element
    if isinstance(element, Scalar) and readers and readers <= _OF_ELEMENTS:
        return replace(frame, element=_text(step, element))
    if isinstance(element, Record) and readers and readers <= _OF_PAIRS:
        key, *others = element.items
        if isinstance(key, Scalar):
            return replace(frame, element=replace(element, items=(_text(step, key), *others)))
    return frame


def _text(step: Step, key: Scalar) -> Scalar:
    """A key as a text, if it is a part of JSON whose name says so."""
    if not (isinstance(key.shape, Json) and key.shape.bare and key.name and is_text_field(key.name)):
        return key
    made = compile_text(key, step.scope)
    need_compiled(step, made.demands)
    step.note(TEXTS)
    assert isinstance(made.element, Scalar)
    return made.element
