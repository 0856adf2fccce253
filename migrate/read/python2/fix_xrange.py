"""`fissix`'s fixer of ``range``, which makes no list of what matplotlib draws: ``plt.plot(range(9), y)``."""

from __future__ import annotations

import re
from typing import Any

from fissix.fixes import fix_xrange
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms

_PYPLOT = re.compile(
    r"\bimport[ \t]+matplotlib\.pyplot[ \t]+as[ \t]+(\w+)"
    r"|\bfrom[ \t]+matplotlib[ \t]+import[ \t]+pyplot[ \t]+as[ \t]+(\w+)"
)


class FixXrange(fix_xrange.FixXrange):  # type: ignore[misc]
    """``xrange(9)`` becomes ``range(9)``, and ``range(9)`` a list where it may have to be one."""

    def start_tree(self, tree: Any, filename: str) -> None:
        """Find the names by which the module has matplotlib's functions, which take any sequence."""
        super().start_tree(tree, filename)
        text = str(tree)
        found = _PYPLOT.finditer(text) if "pyplot" in text else ()
        self.drawing = {name for one in found for name in one.groups() if name}

    def in_special_context(self, node: Any) -> bool:
        """Whether a range is gone through, or drawn."""
        return bool(super().in_special_context(node)) or self._is_drawn(node)

    def _is_drawn(self, node: Any) -> bool:
        """Whether it is an argument of a function of matplotlib: ``plt.xticks(range(9))``."""
        given = node.parent
        call = given.parent if given is not None and given.type == syms.arglist else given
        power = call.parent if call is not None and call.type == syms.trailer else None
        if power is None or power.type != syms.power or len(power.children) != 3:
            return False
        module, _, last = power.children
        return last is call and module.type == token.NAME and module.value in self.drawing
