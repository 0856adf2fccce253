"""Texts that are added up as ints, ``lambda a, b: int(a) + int(b)``, and are printed.

The sum of a single text is that text, printed as its int is but for " 7" or "07": a note tells of these.
"""

from __future__ import annotations

from migrate.columns import Scalar, compile_int
from migrate.columns.shapes import Str
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import renumbered, tokens_of
from migrate.plan.sources.only_elements import prints_one
from migrate.proofs.elements.associative import adds_as_whole

SHOWN = "an element that is alone where ints are added up is printed as an int: `7` for ` 7` and `07`"
ALONE = "text that is no int, alone where ints are added up"


def ints_of_texts(step: Step, frame: Frame) -> Frame:
    """The elements that an operator adds up, texts as ints where nothing but prints reads the sum."""
    readers = [one for one in step.operation.consumers if one in step.basis.live]
    element = frame.element
    if not isinstance(element, Scalar) or not isinstance(element.shape, Str) or element.is_plain:
        return frame
    if step.basis.guards.fail_as_python_does:
        return frame
    if not (all(map(prints_one, readers)) and adds_as_whole(step.operation.call, step.facts)):
        return frame
    compiled = compile_int(element, step.scope)
    need_compiled(step, compiled.demands)
    step.note(SHOWN)
    step.need(raises=(ALONE,))
    return frame.holding(renumbered(compiled.element, tokens_of(element)))
