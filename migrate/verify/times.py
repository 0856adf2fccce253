"""Batch times, work directories and addresses in text: no two runs have the same, so they are masked.

Only a time that falls into a run is masked. A time in the data, of last year, is data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

MASK = "{time}"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY, _CLOCK = r"(\d{4})[-/](\d\d)[-/](\d\d)", r"(\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?"


def _fields(match: re.Match[str]) -> datetime:
    return datetime(*(int(group) for group in match.groups() if group is not None))  # type: ignore[arg-type]


def _constructor(match: re.Match[str]) -> datetime:
    return datetime(*(int(part) for part in match[1].split(",")))  # type: ignore[arg-type]


def _ctime(match: re.Match[str]) -> datetime:
    day, hour, minute, second, year = (int(match[i]) for i in (2, 3, 4, 5, 6))
    return datetime(year, _MONTHS.index(match[1]) + 1, day, hour, minute, second)


def _epoch(match: re.Match[str]) -> datetime:
    digits = match[0].split(".")[0]
    return datetime.fromtimestamp(int(digits) / (1000 if len(digits) == 13 else 1))


# Longest first: the first form that matches at a place wins, and what it does not mask it keeps whole.
_FORMS: tuple[tuple[str, Callable[[re.Match[str]], datetime] | None], ...] = (
    (r"datetime\.datetime\((\d+(?:, \d+){4,6})\)", _constructor),
    (rf"{_DAY}[ T]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?", _fields),
    (rf"{_DAY}[ T](\d\d):(\d\d)(?!\d)", _fields),
    (
        rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ({'|'.join(_MONTHS)}) +(\d+) (\d\d):(\d\d):(\d\d) (\d{{4}})",
        _ctime,
    ),
    (r"(?<!\d)(\d{4})(\d\d)(\d\d)[-_T ]?(\d\d)(\d\d)(\d\d)(?!\d)", _fields),
    (r"(?<!\d)\d{13}(?!\d)", _epoch),
    (r"(?<![\d.])\d{10}(?:\.\d+)?(?!\d)", _epoch),
    (rf"(?<![\d:]){_CLOCK}(?![\d:])", None),
)
_EACH = tuple((re.compile(pattern), parse) for pattern, parse in _FORMS)
_ANY = re.compile("|".join(f"(?P<form{number}>{pattern})" for number, (pattern, _) in enumerate(_FORMS)))
_ADDRESS = re.compile(r"(?<= at )0x[0-9a-f]+(?=>)")
"""Of an object, ``<traceback object at 0x7f8b9c1f6940>``."""
_SLACK = 90.0


@dataclass(frozen=True)
class Masks:
    """What differs between two runs of one program: its times, and where it ran.

    Args:
        spans: (first, last) moments of the runs in epoch seconds, on the real clock and on manual ones.
        names: what to write for each directory that belongs to a run.
    """

    spans: Sequence[tuple[float, float]]
    names: Sequence[tuple[str, str]] = ()

    def apply(self, text: str) -> str:
        """`text` with the runs' own times and directories masked, and the addresses of objects."""
        for directory, name in self.names:
            text = text.replace(directory, name)
        text = _ADDRESS.sub("0x", text)
        return _ANY.sub(self._masked, text)

    def _masked(self, found: re.Match[str]) -> str:
        assert found.lastgroup is not None
        pattern, parse = _EACH[int(found.lastgroup.removeprefix("form"))]
        match = pattern.fullmatch(found[0])
        assert match is not None
        if parse is None:
            return self._time_of_day(match)
        try:
            moment = parse(match).timestamp()
        except (ValueError, OverflowError, OSError):
            return match[0]
        return MASK if self._is_ours(moment) else match[0]

    def _time_of_day(self, match: re.Match[str]) -> str:
        hour, minute, second = (int(match[i]) for i in (1, 2, 3))
        if hour > 23 or minute > 59 or second > 59:
            return match[0]
        for start, end in self.spans:
            for edge in (start, end):
                day = datetime.fromtimestamp(edge).replace(hour=hour, minute=minute, second=second)
                if self._is_ours(day.timestamp()):
                    return MASK
        return match[0]

    def _is_ours(self, moment: float) -> bool:
        return any(start - _SLACK <= moment <= end + _SLACK for start, end in self.spans)
