"""`cached_property` without the lock of Python's own one before 3.12, which takes longer than most values."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """A property that is worked out once for each object."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            value = self.func(instance)
            # an object whose dictionary was asked for gives all of its attributes more slowly from then on
            object.__setattr__(instance, self.attrname, value)
            return value
