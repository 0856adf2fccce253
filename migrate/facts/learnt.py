"""What was learnt of one value: a part of a fact."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from migrate.facts.types import ITEM, ROOT, Type, key_of
from migrate.frozen import replace

NONE = "None"


@dataclass(frozen=True)
class Learnt:
    """What was learnt of a value.

    Attributes:
        type: the fact on the whole element.
        path: the part of it that the value is.
        fact: the name of the fact.
    """

    type: Type = field(hash=False)
    path: str = ROOT
    fact: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of its values; empty where none was seen."""
        part = self.type.get(self.path)
        return part.kinds if part is not None else frozenset()

    @property
    def kind(self) -> str | None:
        """Its only kind beside None; None where there are several, or none."""
        kinds = self.kinds - {NONE}
        return next(iter(kinds)) if len(kinds) == 1 else None

    @property
    def may_be_none(self) -> bool:
        """Whether None was among them."""
        return NONE in self.kinds

    def key(self, name: str) -> Learnt:
        """The value of a dict's key."""
        return replace(self, path=self.path + key_of(name))

    def place(self, number: int) -> Learnt:
        """An item of a tuple."""
        return replace(self, path=f"{self.path}[{number}]")

    @property
    def items(self) -> Learnt:
        """Any item of a list."""
        return replace(self, path=self.path + ITEM)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a dict that are identifiers, and those only."""
        own = re.compile(re.escape(self.path) + r"\.(\w+)", re.ASCII)
        return tuple(sorted(match[1] for path in self.type if (match := own.fullmatch(path))))
