"""How PySpark's members are replaced, and when a replacement stands back."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

Member = Callable[..., Any]
"""Called with the original, then with what the program passed, `self` included."""

_INTERNAL = sys.stdlib_module_names | {"pyspark", "py4j", "compat", "migrate"}


def replace(owner: Any, name: str, member: Member) -> None:
    """Put `member` in the place of one that `owner` defines or inherits."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def replacement(*args: Any, **kwargs: Any) -> Any:
        return member(original, *args, **kwargs)

    setattr(owner, name, replacement)


def replace_for_programs(owner: Any, name: str, member: Member) -> None:
    """Like `replace`, but calls from within PySpark, compat and the standard library get the original."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def replacement(*args: Any, **kwargs: Any) -> Any:
        if _is_internal(sys._getframe(1)):
            return original(*args, **kwargs)
        return member(original, *args, **kwargs)

    setattr(owner, name, replacement)


def _is_internal(frame: Any) -> bool:
    module = frame.f_globals.get("__name__", "")
    return str(module).split(".", 1)[0] in _INTERNAL
