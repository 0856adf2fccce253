"""`fissix`'s fixer of ``unicode`` and ``unichr``, which lets variables of these names be."""

from __future__ import annotations

from typing import Any

from fissix.fixes import fix_unicode
from fissix.pgen2 import token

from migrate.read.python2.own_names import binds


class FixUnicode(fix_unicode.FixUnicode):  # type: ignore[misc]
    """``unicode`` becomes ``str`` where the file does not bind it, ``u"..."`` a plain text."""

    def start_tree(self, tree: Any, filename: str) -> None:
        """Look whether the file binds one of the names."""
        super().start_tree(tree, filename)
        self.is_own = binds(tree, {"unicode", "unichr"})

    def match(self, node: Any) -> Any:
        """A literal, or one of the names where it is the builtin."""
        return not (self.is_own and node.type == token.NAME) and super().match(node)
