"""The place of a record, for errors on what leaves the types that were learnt."""

from __future__ import annotations

from migrate.columns import Origin
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame


def place_of(step: Step, frame: Frame) -> str:
    """The column that says where the record of each row lies; empty where none does.

    Raises:
        RatherError: Kafka's source does not give it yet.
    """
    if frame.base != step.names.batch or not frame.as_read:
        return ""
    if step.basis.origin is Origin.FILES:
        return "F.input_file_name()"
    if not step.basis.needs_places:
        return ""
    if not step.choices.places:
        raise RatherError(Choices(places=True))
    return f"F.struct({', '.join(map(repr, frame.beside))})".replace("'", '"') if frame.beside else ""


def check_place(step: Step, *frames: Frame) -> None:
    """Have Kafka's source give the place of each record to code that names it in errors.

    Raises:
        RatherError: it does not yet, or its columns are no longer in the frames.
    """
    if not step.parses or not step.basis.needs_places:
        return
    if not step.choices.places:
        raise RatherError(Choices(places=True))
    if not all(frame.beside for frame in frames):
        raise RatherError(Choices(unplaced=True))
