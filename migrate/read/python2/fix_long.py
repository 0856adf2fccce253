"""`fissix`'s fixer of ``long``, which lets a variable of that name be: ``lat, long = place``."""

from __future__ import annotations

from typing import Any

from fissix.fixes import fix_long

from migrate.read.python2.own_names import binds


class FixLong(fix_long.FixLong):  # type: ignore[misc]
    """``long`` becomes ``int`` where the file gives no other value to the name."""

    def start_tree(self, tree: Any, filename: str) -> None:
        """Look whether the file binds the name."""
        super().start_tree(tree, filename)
        self.is_own = binds(tree, {"long"})

    def match(self, node: Any) -> Any:
        """The name, where it is the builtin."""
        return not self.is_own and super().match(node)
