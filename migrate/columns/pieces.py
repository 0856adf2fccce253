"""Parts of columns that a variable may hold: a name stands for each until it is known whether one does.

``F.split("value", ",")[0]`` is ``held_column_7f3a9c52e1b04d68__[0]`` until then, so that nobody looks for the
code of the one in that of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256

from migrate.frozen import dataclass

_NAME = re.compile(r"held_column_[0-9a-f]{16}__")
_PIECES: dict[str, Piece] = {}
"""All pieces, by their names. These are made of the code, so that equal code has equal names."""


@dataclass(frozen=True)
class Piece:
    """A split or a cast of a column, or a condition on it, with nothing in it that a row is bound to.

    Attributes:
        code: the code.
        pattern: the regular expression that it splits at, for a split.
        type: the type that it is cast to, as Spark calls it, for a cast.
        among: the program's name for the list that it asks about, for a condition: ``isin(words)``.
    """

    code: str
    pattern: str | None = None
    type: str = ""
    among: str = ""


def named(piece: Piece) -> str:
    """Return the name that stands for a piece in other code."""
    name = f"held_column_{sha256(piece.code.encode()).hexdigest()[:16]}__"
    _PIECES[name] = piece
    return name


def pieces_in(code: str) -> list[Piece]:
    """Return the pieces in code, in order and as often as they are there, without those inside of others."""
    return [_PIECES[name] for name in _NAME.findall(code)] if "held_column_" in code else []


def with_variables(code: str, variables: Mapping[Piece, str]) -> str:
    """Return code with variables in the places of the pieces that they hold; other pieces stay."""
    return _replaced(code, lambda name: variables.get(_PIECES[name], name))


def written_out(code: str) -> str:
    """Return code with its pieces written out, those inside of others too."""
    return _replaced(code, lambda name: written_out(_PIECES[name].code))


def _replaced(code: str, put: Callable[[str], str]) -> str:
    return _NAME.sub(lambda found: put(found[0]), code) if "held_column_" in code else code
