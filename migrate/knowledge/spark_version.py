"""The version of Spark that new code is written for, and what that version does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version

RELEASES = ("3.5", "4.0", "4.1", "4.2", "4.3")
"""The releases that code can be written for, the oldest first."""

_PYTHONS = (((4, 3), (3, 11)), ((4, 1), (3, 10)), ((4, 0), (3, 9)), ((3, 5), (3, 8)))
"""Releases, and the oldest Python that each and those after it run on."""
_VERSION = re.compile(r"(\d+)\.(\d+)(\.\d+)*")


@dataclass(frozen=True)
class SparkVersion:
    """A version such as ``4.0`` or ``3.5.9``, and where it comes from."""

    text: str
    origin: str = "as asked for"
    """As the report says it: ``pinned in requirements.txt``."""
    before: tuple[int, int] | None = field(default=None, compare=False)
    """The release that the old program is pinned to, if it is."""

    @staticmethod
    def parse(text: str, origin: str = "as asked for") -> SparkVersion:
        """Read ``4.0``, ``4.1.0.dev1``, ``3.5.9``; ``4`` is the newest of its releases.

        Raises:
            ValueError: it is no version, or is older than all that are supported.
        """
        releases = [one for one in RELEASES if one.startswith(f"{text}.")]
        match = _VERSION.match(releases[-1] if text.isdigit() and releases else text)
        if match is None or (int(match[1]), int(match[2])) < release(RELEASES[0]):
            raise ValueError(f"it must be {RELEASES[0]} or later")
        return SparkVersion(match[0], origin)

    def __str__(self) -> str:
        return f"Spark {self.text} ({self.origin})"

    @cached_property
    def release(self) -> tuple[int, int]:
        """Its first two numbers."""
        return release(self.text)

    @property
    def python(self) -> tuple[int, int]:
        """The oldest Python that it runs on."""
        return next(python for first, python in _PYTHONS if self.release >= first)

    @property
    def has_ansi(self) -> bool:
        """Whether ANSI mode is the default, in which casts, sums and indexes raise instead of giving null."""
        return self.release >= (4, 0)

    @property
    def decode_fails(self) -> bool:
        """Whether ``decode`` fails on bytes that are no text, in any mode; else it puts U+FFFD there."""
        return self.release >= (4, 0)

    @property
    def aqe_in_stateless_batches(self) -> bool:
        """Whether batches of stateless queries choose their number of shuffle partitions by themselves."""
        return self.release >= (4, 1)

    @property
    def checks_over_arrow(self) -> bool:
        """Whether a typed function over Arrow raises for ints beyond 64 bits and for lone surrogates.

        Without Arrow they become null, or another text, in all versions; in 3.5 Arrow takes another int.
        """
        return self.release >= (4, 3)

    @property
    def rows_have_bytes(self) -> bool:
        """Whether binary columns are `bytes` in the rows of an RDD; before, they are of type `bytearray`."""
        return self.release >= (4, 3)

    @property
    def reads_json_of_frames(self) -> bool:
        """Whether `spark.read.json` takes a DataFrame of texts, as it takes an RDD of them."""
        return self.release >= (4, 2)

    @property
    def has_real_time(self) -> bool:
        """Whether Python has the trigger `realTime`."""
        return self.release >= (4, 3)

    @property
    def has_listagg(self) -> bool:
        """Whether texts of a group are put together by an aggregate, in an order."""
        return self.release >= (4, 0)

    @property
    def has_variant(self) -> bool:
        """Whether JSON of unknown types can be a column."""
        return self.release >= (4, 0)

    @property
    def parse_json_fails(self) -> bool:
        """Whether `parse_json` fails on lone surrogates; 4.0 puts a question mark there."""
        return self.release >= (4, 3)

    @property
    def has_python_sources(self) -> bool:
        """Whether data sources can be written in Python."""
        return self.release >= (4, 0)

    @property
    def scala(self) -> str:
        """The Scala version of its connectors, the suffix of their names."""
        return "2.13" if self.release >= (4, 0) else "2.12"


def release(text: str) -> tuple[int, int]:
    """Return ``(4, 0)`` for ``4.0.1``."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@cache
def installed() -> SparkVersion:
    """Return the version of the installed PySpark; without a supported one, the newest that is known."""
    try:
        return SparkVersion.parse(version("pyspark"), "the installed one")
    except (PackageNotFoundError, ValueError):
        return SparkVersion(RELEASES[-1], "the newest that is known")
