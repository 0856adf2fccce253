"""How elements arrive from somewhere."""

from __future__ import annotations

import abc
import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar


class Store:
    """Takes what a receiver has got.

    Args:
        take: takes an element.
        settle: returns when what was taken is written down.
    """

    def __init__(self, take: Callable[[Any], None], settle: Callable[[], None] = lambda: None) -> None:
        self._take = take
        self._settle = settle

    def __call__(self, element: Any) -> None:
        """Take an element."""
        self._take(element)

    def settle(self) -> None:
        """Return when all that was stored until now is written down, where the program has a checkpoint.

        Then the sender may forget it. Raises what keeps it from being written.
        """
        self._settle()


class Receiver(abc.ABC):
    """Settings of a place, and how to receive from there; it is pickled with the program."""

    name: ClassVar[str]
    """What listeners call it: the name of Spark's receiver."""

    @property
    @abc.abstractmethod
    def place(self) -> str:
        """Where the elements come from, for messages."""

    @property
    def credentials(self) -> Mapping[str, str]:
        """Secrets that it was given, or names in their place (see `compat.credentials`), by arguments."""
        return {}

    @abc.abstractmethod
    def receive(self, store: Store, stopping: Stopping) -> str:
        """Connect, and store what comes until the connection or the program ends; returns why it ended.

        Called again, after ``spark.streaming.receiverRestartDelay``, for as long as the program runs. What it
        raises is a reason to connect again as well, with the exception's text as the message.
        """


class Stopping:
    """Tells a receiver that the program ends."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._changing = threading.Lock()
        self._interrupts: list[Callable[[], None]] = []

    def __bool__(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for the program's end, `seconds` at most; returns whether it has come."""
        return self._event.wait(seconds)

    @contextlib.contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """While this runs, the end of the program calls `interrupt`; at once if that was before."""
        with self._changing:
            self._interrupts.append(interrupt)
        try:
            if self:
                interrupt()
            yield
        finally:
            with self._changing:
                self._interrupts.remove(interrupt)

    def set(self) -> None:
        """The program ends."""
        self._event.set()
        with self._changing:
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()
