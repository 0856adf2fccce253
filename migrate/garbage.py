"""Garbage, which a command leaves to the end of its process."""

from __future__ import annotations

import atexit
import gc

OBJECTS = 2_000_000
"""Objects after which a process looks for garbage: those of some 1,000 programs, about 280 MB.

The syntax trees of a program and what is known of them refer to each other, so that only the collector can
free them, which takes a twentieth of a check. Most commands end before they need the room.
"""


def collect_rarely() -> None:
    """Let this process look for garbage when there is much of it, and not once more before it ends."""
    gc.set_threshold(OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)
