"""``int(filter(str.isdigit, text))``, which was the digits of a text: `filter` gave texts for texts."""

from __future__ import annotations

from typing import Any

from fissix.fixer_base import BaseFix
from fissix.fixer_util import Call, Name
from fissix.pytree import Base


class FixDigits(BaseFix):  # type: ignore[misc]
    """It becomes ``int("".join(digit for digit in text if digit in "0123456789"))``.

    Python 2 took no other digits in a text of bytes, and failed at any other text.
    """

    BM_compatible = True
    run_order = 4  # before `filter` becomes a list
    PATTERN = """
        power< 'int' trailer< '(' power< 'filter' trailer< '('
            arglist< power< 'str' trailer< '.' 'isdigit' > > ',' text=any >
        ')' > > ')' > >
        """

    def transform(self, node: Base, results: dict[str, Any]) -> Base | None:
        """The new call; None where a comment inside of the old one would be lost."""
        if "#" in str(node).strip():
            return None
        text = results["text"].clone()
        text.prefix = " "
        digits = [Name("digit for digit in"), text, Name('if digit in "0123456789"', prefix=" ")]
        return Call(Name("int"), [Call(Name('"".join'), digits)], prefix=node.prefix)
