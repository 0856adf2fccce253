"""Stand-ins for packages that a trial run does without: not installed here, or the way to a service.

Whatever is read of such a package, called or given by a call is a stand-in again, named after its code. The
driver prints each call, so that calls are compared as what else a program prints is. A stand-in is no number,
no text and nothing to compare with: a program that computes with what a package gives fails.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

NAMES = "DSTREAM_STAND_INS"
"""The variable that tells workers the names of the packages."""

_ERROR = re.compile(r"(Error|Exception|Warning)$")
_PLAIN = (type(None), bool, int, float, complex, str, bytes, Decimal, datetime, date, timedelta)
_told: list[Callable[[str], None]] = []


class StandIn:
    """What stands for a value of a package: its class, a function, or what a call gave.

    Args:
        code: the code that the program got it by.
    """

    def __init__(self, code: str) -> None:
        self.__dict__["_code"] = code

    def __repr__(self) -> str:
        return str(self.__dict__["_code"])

    def __reduce__(self) -> tuple[type[StandIn], tuple[str]]:
        return StandIn, (repr(self),)

    def __getattr__(self, name: str) -> Any:
        return _member(repr(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        _tell(f"{self!r}.{name} = {_text(value)}")
        self.__dict__[name] = value

    def __call__(self, *args: Any, **kwargs: Any) -> StandIn:
        """Tell of the call, and give what stands for its value."""
        given = [*map(_text, args), *(f"{name}={_text(value)}" for name, value in kwargs.items())]
        code = f"{self!r}({', '.join(given)})"
        _tell(code)
        return StandIn(code)

    def __getitem__(self, key: Any) -> StandIn:
        return StandIn(f"{self!r}[{_text(key)}]")

    def __setitem__(self, key: Any, value: Any) -> None:
        _tell(f"{self!r}[{_text(key)}] = {_text(value)}")

    def __contains__(self, item: Any) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *error: object) -> None:
        """Let errors through."""

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (_base(repr(self)),)


def stand_in(names: Sequence[str], told: Callable[[str], None] | None = None) -> None:
    """Let imports of these packages give stand-ins from now on.

    Args:
        names: packages or modules, with all that is below them.
        told: is called with the code of each call; None to tell nobody, as in workers.
    """
    if names:
        os.environ[NAMES] = ",".join(names)
        sys.meta_path.insert(0, _Finder(tuple(names)))
        _told[:] = [told] if told is not None else []


def in_worker() -> None:
    """Do the same in a worker, with the names that the driver has."""
    stand_in([name for name in os.environ.get(NAMES, "").split(",") if name])


class _Module(types.ModuleType):
    def __reduce__(self) -> tuple[Callable[[str], types.ModuleType], tuple[str]]:
        return importlib.import_module, (self.__name__,)

    def __getattr__(self, name: str) -> Any:
        made = _member(self.__name__, name)
        setattr(self, name, made)
        return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not any(name == one or name.startswith(f"{one}.") for one in self._names):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Leave the module empty: its names are made when they are read."""


def _member(code: str, name: str) -> Any:
    """What `code.name` is: a stand-in, or an exception's class, which may be raised and caught."""
    if name.startswith("__"):
        raise AttributeError(name)
    if _ERROR.search(name):
        return type(name, (Exception,), {"__module__": code})
    return StandIn(f"{code}.{name}")


def _base(code: str) -> type:
    """A class for a class of the program to inherit from."""

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        """Take any arguments, as the class that it stands for might."""

    def read(self: Any, name: str) -> Any:
        return _member(code, name)

    return type(code.rpartition(".")[2], (), {"__init__": init, "__getattr__": read})


def _tell(code: str) -> None:
    for told in _told:
        told(code)


def _text(value: Any) -> str:
    """A value as code, without what differs from run to run: of objects the class alone."""
    if isinstance(value, (*_PLAIN, StandIn)):
        return repr(value)
    if type(value) is dict or (isinstance(value, Mapping) and type(value).__module__ == "collections"):
        return "{" + ", ".join(f"{_text(key)}: {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(_text, value))) + "}"
    return f"<{type(value).__qualname__}>"
