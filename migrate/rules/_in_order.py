"""Places of rows, by which an aggregate puts values together in the order in which they came."""

from __future__ import annotations

from itertools import chain, count

from migrate.columns import leaves
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Call

_PLACE = "position"
_AS_THEY_CAME = "# as they came"


def placed(frame: Frame) -> tuple[Frame, str]:
    """The frame with a column of places beside those of its element, and the name of that."""
    taken = {str(leaf.name).lower() for leaf in leaves(frame.element)}
    names = chain([_PLACE], (f"{_PLACE}_{number}" for number in count(2)))
    place = next(name for name in names if name not in taken)
    call = Call("withColumn", f'"{place}", F.monotonically_increasing_id()', comment=_AS_THEY_CAME)
    return frame.call(call), place


def in_order(place: str, name: str | None) -> str:
    """The array of a group's values of a column, in the order of their places."""
    return f'F.sort_array(F.collect_list(F.struct("{place}", "{name}")))["{name}"]'
