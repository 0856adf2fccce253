"""What a receiver has got, written down under a checkpoint before a batch or the sender counts on it."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from compat.directory import not_ours

if TYPE_CHECKING:
    from compat.directory import Directory

_NAME = re.compile(r"([0-9]+)-([0-9]+)")


class Journal:
    """Files of what receivers have got, ``<number>-<time in ms>``, in the order in which it came.

    Args:
        place: where they are; nothing else is there.
        check: raises if the run may not write any more.
    """

    def __init__(self, place: Directory, check: Callable[[], None]) -> None:
        self._place = place
        self._check = check
        self._next = 0

    def restore(self) -> list[tuple[int, str]]:
        """The times and names of all that earlier runs left, in order.

        Raises RuntimeError for a file that no run has written.
        """
        found = []
        for name in self._place.names():
            match = _NAME.fullmatch(name)
            if match is None:
                raise not_ours(self._place, name)
            found.append((int(match[1]), int(match[2]), name))
        found.sort()
        self._next = found[-1][0] + 1 if found else 0
        return [(time, name) for _, time, name in found]

    def write(self, elements: list[Any], time: int) -> str:
        """Write elements; returns the name of their file."""
        self._check()
        name = f"{self._next}-{time}"
        self._place.write(name, pickle.dumps(elements))
        self._next += 1
        return name

    def read(self, name: str) -> Any:
        """The elements that were written.

        Raises RuntimeError where the file is not what was written.
        """
        try:
            return pickle.loads(self._place.read(name))
        except (pickle.UnpicklingError, EOFError, IndexError, ValueError) as error:
            raise not_ours(self._place, name) from error

    def delete(self, name: str) -> None:
        """No batch asks for this any more.

        What stayed there would seem to be without a batch, to a later run.
        """
        self._place.delete(name)
