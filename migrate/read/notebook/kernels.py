"""The kernel that runs a notebook, which says whether its code is Python 2."""

from __future__ import annotations

from typing import Any

from migrate.read.notebook.json_text import members_of, skip_white

PYTHON_2 = "python2"
"""What the kernel of Python 2 that Jupyter brought is called; others may start Spark, too."""
_OF_3 = {"name": '"python3"', "display_name": '"Python 3"'}
"""What the kernel of Python 3 that Jupyter brings is called, as JSON."""


def kernel_of_2(notebook: dict[str, Any]) -> str:
    """The name of a notebook's kernel if that is of Python 2, by its name or the version that ran last."""
    name, version = said(notebook, "kernelspec", "name"), said(notebook, "language_info", "version")
    return name if name == PYTHON_2 or ("3" not in name and version.startswith("2.")) else ""


def said(notebook: dict[str, Any], part: str, key: str) -> str:
    """What the metadata of a notebook say; empty for nothing."""
    metadata = notebook.get("metadata")
    found = metadata.get(part) if isinstance(metadata, dict) else None
    return str(found.get(key) or "") if isinstance(found, dict) else ""


def on_python_3(text: str) -> str:
    """The JSON text of a notebook with the kernel of Python 3 in the place of `PYTHON_2`."""
    edits: list[tuple[int, int, str]] = []
    for key, start, value, _ in members_of(text, skip_white(text, 0)):
        if key == "metadata" and isinstance(value, dict):
            for part, at, kernel, _ in members_of(text, start):
                if part == "kernelspec" and isinstance(kernel, dict):
                    named = [(first, end, name) for name, first, _, end in members_of(text, at)]
                    edits += [(first, end, _OF_3[name]) for first, end, name in named if name in _OF_3]
    for first, end, new in reversed(edits):
        text = text[:first] + new + text[end:]
    return text
