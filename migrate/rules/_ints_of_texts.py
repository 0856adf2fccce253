"""Texts that are added up as ints, ``lambda a, b: int(a) + int(b)``, and are printed.

The sum of a single text is that text, which is printed as its int is, unless it is " 7" or "07".
"""

from __future__ import annotations

from migrate.columns import Scalar, compile_plain_int
from migrate.columns.shapes import Str
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import renumbered, tokens_of
from migrate.plan.sources.only_elements import prints_one
from migrate.proofs.elements.associative import adds_as_whole


def ints_of_texts(step: Step, frame: Frame) -> Frame:
    """The elements that an operator adds up, texts as ints where nothing but prints reads the sum."""
    readers = [one for one in step.operation.consumers if one in step.basis.live]
    element = frame.element
    if not isinstance(element, Scalar) or not isinstance(element.shape, Str) or element.is_plain:
        return frame
    if not (all(map(prints_one, readers)) and adds_as_whole(step.operation.call, step.facts)):
        return frame
    compiled = compile_plain_int(element, step.scope)
    need_compiled(step, compiled.demands)
    return frame.holding(renumbered(compiled.element, tokens_of(element)))
