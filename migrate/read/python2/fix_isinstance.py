"""``isinstance(x, (str, unicode))`` asks for one type in Python 3: ``isinstance(x, str)``."""

from __future__ import annotations

from typing import Any

from fissix.fixer_base import BaseFix
from fissix.fixer_util import Name
from fissix.pgen2 import token

from migrate.read.python2.own_names import binds

_TODAY = {"basestring": "str", "long": "int", "unicode": "str"}


class FixIsinstance(BaseFix):  # type: ignore[misc]
    """Types that have the same name in Python 3 stand once in the tuple that ``isinstance`` gets."""

    PATTERN = """
        power< 'isinstance' trailer< '(' arglist< any ',' tuple=atom< '(' types=testlist_gexp ')' > > ')' > >
    """

    def start_tree(self, tree: Any, filename: str) -> None:
        """Look whether the file binds one of the names."""
        super().start_tree(tree, filename)
        self.is_own = binds(tree, {*_TODAY, *_TODAY.values()})

    def transform(self, node: Any, results: dict[str, Any]) -> None:
        """Leave out the types that stand there twice, on one line."""
        types = [child for child in results["types"].children if child.type != token.COMMA]
        if self.is_own or "\n" in str(results["tuple"]):
            return
        names = [_TODAY.get(str(child).strip(), str(child).strip()) for child in types]
        kept = [*dict.fromkeys(names)]
        if len(kept) == len(names):
            return
        code = kept[0] if len(kept) == 1 else f"({', '.join(kept)})"
        results["tuple"].replace(Name(code, prefix=results["tuple"].prefix))
