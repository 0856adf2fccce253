"""How PySpark's members are replaced, and when a replacement stands back."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

_INTERNAL = sys.stdlib_module_names | {"pyspark", "py4j", "compat", "migrate"}


def replace(owner: Any, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `wrap(original)` in the place of a member that `owner` itself defines or inherits."""
    original = getattr(owner, name)
    setattr(owner, name, functools.wraps(original)(wrap(original)))


def replace_for_programs(
    owner: Any, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    """Like `replace`, but calls from within PySpark, compat and the standard library get the original."""

    def only_programs(original: Callable[..., Any]) -> Callable[..., Any]:
        changed = wrap(original)

        def member(*args: Any, **kwargs: Any) -> Any:
            chosen = original if _is_internal(sys._getframe(1)) else changed
            return chosen(*args, **kwargs)

        return member

    replace(owner, name, only_programs)


def _is_internal(frame: Any) -> bool:
    module = frame.f_globals.get("__name__", "")
    return str(module).split(".", 1)[0] in _INTERNAL
