"""How much of a value nothing else holds, so that a function which is given it may change it."""

from __future__ import annotations

import enum


class Held(enum.IntEnum):
    """How much of a value nothing else holds."""

    NOTHING = 0
    ITSELF = 1
    """The list or dict itself; its items may be held elsewhere."""
    WHOLE = 2
    """Its items, too, none of which it has twice."""
