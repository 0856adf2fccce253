"""``window`` stays on compat, unless it may be over event time."""

from __future__ import annotations

from migrate.rules._register import register
from migrate.rules._windows import Windowed, stays


@register
class Window(Windowed):
    """The elements of several batches; the aggregate that reads them is over the same window."""

    operator = "window"
    parameters = ("windowDuration", "slideDuration")
    examples = stays("lines.window(30, 10).pprint()")
