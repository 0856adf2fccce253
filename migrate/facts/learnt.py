"""What was learnt of one value: a part of a fact."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrate.facts.types import ITEM, ROOT, Type, key_of

NONE = "None"


@dataclass(frozen=True)
class Learnt:
    """What was learnt of a value.

    Attributes:
        type: the fact on the whole element.
        path: the part of it that the value is.
    """

    type: Type = field(hash=False)
    path: str = ROOT

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
        return Learnt(self.type, self.path + key_of(name))

    def place(self, number: int) -> Learnt:
        """An item of a tuple."""
        return Learnt(self.type, f"{self.path}[{number}]")

    @property
    def items(self) -> Learnt:
        """Any item of a list."""
        return Learnt(self.type, self.path + ITEM)
