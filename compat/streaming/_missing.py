"""Members of `pyspark.streaming` that are not here yet, one declarative line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class Missing:
    """Stands for a member in its class; whoever calls it is told its name and what works instead."""

    def __init__(self, instead: str) -> None:
        self.instead = instead

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"{owner.__name__}.{name}"

    def __get__(self, instance: object, owner: type) -> Missing | Callable[..., NoReturn]:
        return self if instance is None else self.__call__

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        raise NotImplementedError(f"compat.streaming has no {self.name} yet. Instead: {self.instead}")


def not_implemented(*, instead: str) -> Any:
    """Declare a member that is not here yet.

    Args:
        instead: what a program can do today, as a sentence.
    """
    return Missing(instead)


def missing(owner: type) -> dict[str, str]:
    """The members that `owner` declares as not here yet, and what works instead of each."""
    return {
        name: member.instead for name in dir(owner) if isinstance(member := getattr(owner, name), Missing)
    }
