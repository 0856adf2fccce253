"""Side effects that a trial run must not have: connections, and writes outside of the working directory.

Python's own are seen by an audit hook, on the driver and in Spark's Python workers; Spark's are seen where
the Python API names their target. What libraries in C or the JVM do by themselves is not seen.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from typing import Any

_STDLIB = tuple({os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib")})
_PACKAGES = tuple({os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("purelib", "platlib")})
_OURS = ("pyspark", "py4j", "compat", "migrate")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = {
    "os.mkdir": (0,),
    "os.rmdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
}


def watch(roots: list[str], refuse: Callable[[str], None]) -> None:
    """From now on call `refuse(what)` for each connection, and each write not under one of `roots`."""
    allowed = tuple(os.path.realpath(root) for root in (*roots, "/dev"))

    def check(path: Any) -> None:
        if isinstance(path, int) or path is None:
            return
        found = os.path.realpath(os.fsdecode(path))
        if not any(found == root or found.startswith(root + os.sep) for root in allowed):
            refuse(f"writing to {found}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if (
                any(letter in mode for letter in "wax+") if mode else bool(flags & _WRITES)
            ) and not _is_sparks():
                check(path)
        elif event in ("socket.connect", "socket.sendto"):
            if not _is_sparks():
                refuse(f"connecting to {_address(arguments[1])}")
        elif event in _CHANGES:
            if not _is_sparks():
                for place in _CHANGES[event]:
                    check(arguments[place])
        elif event in ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec") and _is_programs():
            refuse(f"starting another program: {arguments[0]}")

    sys.addaudithook(hook)


def _address(address: Any) -> str:
    return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)


def _caller() -> tuple[str, str]:
    """File and module of the innermost frame that is neither the standard library's nor this module's."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        module = str(frame.f_globals.get("__name__", ""))
        is_library = name.startswith("<frozen") or (
            name.startswith(_STDLIB) and not name.startswith(_PACKAGES)
        )
        if not is_library and module != __name__:
            return name, module
        frame = frame.f_back  # type: ignore[assignment]
    return "", ""


def _is_sparks() -> bool:
    name, module = _caller()
    return not name or module.split(".", 1)[0] in _OURS


def _is_programs() -> bool:
    name, module = _caller()
    return bool(name) and module.split(".", 1)[0] not in _OURS and not name.startswith(_PACKAGES)
