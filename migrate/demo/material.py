"""Real text to feed to the sample programs, from what every installation of PySpark carries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from importlib.util import find_spec
from itertools import chain, cycle, islice
from pathlib import Path

LINES = 10_000


def sources() -> Iterator[str]:
    """The lines of PySpark's own Python files."""
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        yield from path.read_text(encoding="utf-8").split("\n")


def records() -> Iterator[str]:
    """``path,digest,bytes`` of every file of every installed package, again and again."""
    found = sorted(
        (distribution.metadata["Name"], distribution.read_text("RECORD") or "")
        for distribution in distributions()
    )
    return cycle(chain.from_iterable(text.splitlines() for _, text in found))


def events() -> Iterator[str]:
    """The same records as JSON; one of a file without a size has none."""
    for record in records():
        path, _, rest = record.partition(",")
        size = rest.rpartition(",")[2]
        event: dict[str, object] = {"package": path.split("/")[0], "path": path}
        yield json.dumps(event | ({"bytes": int(size)} if size.isdigit() else {}))


TEXTS: dict[str, Callable[[], Iterator[str]]] = {"sources": sources, "records": records, "events": events}


def write_texts(directory: Path, lines: int = LINES) -> dict[str, Path]:
    """Write `lines` lines of each text into a file, and say where it is."""
    paths = {}
    for name, text in TEXTS.items():
        paths[name] = directory / f"{name}.txt"
        paths[name].write_text("".join(line + "\n" for line in islice(text(), lines)), encoding="utf-8")
    return paths
