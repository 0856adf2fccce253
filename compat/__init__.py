"""The DStream API on two engines: RDD micro-batches, and Structured Streaming.

Change ``from pyspark.streaming import StreamingContext`` to ``from compat.streaming import StreamingContext``
and the program runs on Structured Streaming. The engine is chosen, in this order, by the ``engine`` argument
of `StreamingContext`, by `use_engine`, by the environment variable ``COMPAT_ENGINE``; without any of them it
is ``structured``.
"""

from __future__ import annotations

import os

from compat.engine import ENGINES, StreamingError
from compat.requirements import check_installed

__all__ = ["StreamingError", "chosen_engine", "use_engine"]

_chosen: str | None = None

check_installed()


def use_engine(name: str | None) -> None:
    """Choose the engine of every StreamingContext that is created from now on.

    Args:
        name: ``rdd``, ``structured``, or None to go back to the environment's choice.

    Raises:
        ValueError: there is no engine of that name.
    """
    global _chosen
    _chosen = None if name is None else _checked(name, "use_engine")


def chosen_engine(argument: str | None = None) -> str:
    """The name of the engine that a new StreamingContext gets.

    Raises:
        ValueError: there is no engine of that name.
    """
    if argument is not None:
        return _checked(argument, "engine")
    if _chosen is not None:
        return _chosen
    return _checked(os.environ.get("COMPAT_ENGINE") or "structured", "COMPAT_ENGINE")


def _checked(name: str, where: str) -> str:
    if name not in ENGINES:
        raise ValueError(f"{where}: unknown engine {name!r}; use one of {', '.join(sorted(ENGINES))}")
    return name
