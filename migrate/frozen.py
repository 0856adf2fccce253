"""Frozen dataclasses for values that are made and copied by the hundred for each program.

Python's own guard against changes makes them five times as slow to make. The type checker, which reads all of
the code, is told that they are frozen, and refuses what would change one; when the program runs nothing does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:
    import dataclasses

    def dataclass(cls=None, /, *, frozen=False, eq=True):
        """Make a class a dataclass, which is hashed as Python's own one would be."""
        return dataclasses.dataclass(cls, eq=eq, unsafe_hash=frozen and eq)

    def replace(value, /, **fields):
        """Copy a dataclass that does nothing when it is made, with other values in some fields."""
        kind = type(value)
        made = object.__new__(kind)
        old, names = vars(value), kind.__dataclass_fields__
        if len(old) != len(names):  # what was found of the old one is not the new one's
            old = {name: old[name] for name in names}
        # attributes are read three times as fast from a dictionary of its own
        object.__setattr__(made, "__dict__", {**old, **fields})
        return made
