"""What one run of a program put out, batch by batch, read back from its log."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Json = Any
_MARKER = re.compile("\x1e(\\d+)\x1e\n?")


def marker(number: int) -> str:
    """What stands in the output for the display with that number; text holds no such control character."""
    return f"\x1e{number}\x1e"


@dataclass(frozen=True)
class Display:
    """Rows that `pprint` or `show` put on the terminal."""

    kind: str
    """``pprint`` or ``show``."""
    rows: list[Json]
    """Every row of the batch at that call, encoded, in the canonical order or within their sort."""
    limit: int
    """How many of them are shown."""
    ties: list[int] | None = None
    """None: not sorted. Else for each row the number of its group of equal sort keys; [] when unknown."""
    texts: list[str] | None = None
    """What `print` writes of the rows that are shown; of `show` it is their cells."""
    columns: list[str] | None = None
    truncate: int = 0
    vertical: bool = False

    @property
    def shown(self) -> list[Json]:
        """The rows that can be seen."""
        return self.rows[: self.limit]


@dataclass(frozen=True)
class Partial:
    """Rows that `take`, `first` or the like handed to the program, and all rows they were taken from."""

    call: str
    rows: list[Json]
    limit: int
    ties: list[int] | None = None


@dataclass
class Batch:
    """What left the program in one batch. Batch -1 is before the first, the last is after them all."""

    index: int
    input_rows: int = 0
    runs: int | None = None
    """Micro-batches of native queries; None for a program with a batch in every interval."""
    text: str = ""
    displays: dict[int, Display] = field(default_factory=dict)
    partials: list[Partial] = field(default_factory=list)
    files: list[dict[str, Json]] = field(default_factory=list)
    sorts: dict[str, list[int]] = field(default_factory=dict)
    """Directories that sorted records were written to, and for each record its group of equal sort keys."""
    seconds: float = 0.0

    def segments(self) -> list[str | Display]:
        """The text with the displays in their places."""
        pieces = _MARKER.split(self.text)
        found: list[str | Display] = []
        for place, piece in enumerate(pieces):
            if place % 2:
                found.append(self.displays[int(piece)])
            elif piece:
                found.append(piece)
        return found

    def without_empty_tables(self) -> Batch:
        """The same without the tables that `show` printed of no rows."""
        empty = {number for number, one in self.displays.items() if one.kind == "show" and not one.rows}
        text = _MARKER.sub(lambda found: "" if int(found[1]) in empty else found[0], self.text)
        return replace(self, text=text)

    @property
    def is_silent(self) -> bool:
        """Whether nothing left the program."""
        return not self.text and not self.files and not self.partials


@dataclass
class Recording:
    """One run."""

    batches: list[Batch] = field(default_factory=list)
    before: Batch = field(default_factory=lambda: Batch(-1))
    after: Batch = field(default_factory=lambda: Batch(-2))
    status: str = "died"
    """``ended``, ``crashed``, ``refused``, ``unsupported``, ``timeout``, or ``died`` without a word."""
    detail: str = ""
    sources: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)
    seconds: float = 0.0
    """From the start of the process to its end."""

    @property
    def is_silent(self) -> bool:
        """Whether the run put nothing out once batches came: what it printed before says nothing of them."""
        return all(batch.is_silent for batch in (*self.batches, self.after))


def read_recording(log: Path, output: Path) -> Recording:
    """What a run wrote down, as far as it came."""
    reader = _Reader(output.read_bytes() if output.exists() else b"")
    for event in _events(log):
        reader.take(event)
    return reader.done()


def _events(log: Path) -> Iterator[dict[str, Json]]:
    if log.exists():
        with log.open(encoding="utf-8") as lines:
            for line in lines:
                if line.endswith("\n"):  # a process that was killed leaves half a line
                    yield json.loads(line)


class _Reader:
    """Puts events into the batch that is under way."""

    def __init__(self, output: bytes) -> None:
        self._output = output
        self._recording = Recording()
        self._current = self._recording.before
        self._position = 0
        self._began = 0.0
        self._runs: list[tuple[int, int, int]] = []
        self._clocks: list[float] = []
        self._moments: list[float] = []

    def take(self, event: dict[str, Json]) -> None:
        handler = getattr(self, f"_on_{event.pop('event')}")
        handler(**event)

    def done(self) -> Recording:
        recording = self._recording
        if self._position < len(self._output):
            self._text_until(len(self._output))
        for moments in (self._clocks, self._moments):
            if moments:
                recording.spans.append((min(moments), max(moments)))
        return recording

    def _text_until(self, offset: int) -> None:
        # Several queries print in no fixed order: each one's text counts, in the order in which they started.
        pieces: list[tuple[int, int, int]] = []
        position = self._position
        for query, begin, end in sorted(self._runs, key=lambda run: run[1]):
            pieces += [(-1, position, begin), (query, begin, end)]
            position = end
        pieces.append((-1, position, offset))
        queries = {query for query, _, _ in self._runs}
        if len(queries) > 1:
            pieces.sort(key=lambda piece: piece[0])
        text = b"".join(self._output[begin:end] for _, begin, end in pieces)
        self._current.text += text.decode("utf-8", "replace")
        self._position = offset
        self._runs = []

    def _on_source(self, name: str) -> None:
        self._recording.sources.append(name)

    def _on_interval(self, seconds: float) -> None:
        """It is for the program beside this one."""

    def _on_begin(self, index: int, rows: int, clock: float, at: float, offset: int) -> None:
        self._text_until(offset)
        self._current = Batch(index, rows)
        self._recording.batches.append(self._current)
        self._began = at
        self._clocks.append(clock)
        self._moments.append(at)

    def _on_end(self, index: int, at: float, offset: int, files: list[dict[str, Json]]) -> None:
        self._text_until(offset)
        self._current.files = files
        self._current.seconds = at - self._began
        self._moments.append(at)
        self._current = self._recording.after

    def _on_native(self, index: int) -> None:
        self._current.runs = 0

    def _on_ran(self, query: int, begin: int, end: int) -> None:
        self._runs.append((query, begin, end))
        self._current.runs = (self._current.runs or 0) + 1

    def _on_display(self, number: int, **fields: Json) -> None:
        self._current.displays[number] = Display(**fields)

    def _on_partial(self, **fields: Json) -> None:
        self._current.partials.append(Partial(**fields))

    def _on_sorted(self, path: str, ties: list[int]) -> None:
        self._current.sorts[path] = ties

    def _on_refused(self, what: str) -> None:
        self._recording.refused.append(what)

    def _on_finished(self, status: str, detail: str, offset: int, files: list[dict[str, Json]]) -> None:
        self._text_until(offset)
        self._current.files = [*self._current.files, *files]
        self._recording.status, self._recording.detail = status, detail
