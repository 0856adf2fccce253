"""`fissix`'s fixer of print statements, which here puts no second brackets around an expression."""

from __future__ import annotations

from typing import Any

from fissix.fixes import fix_print
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Base

_NO_ARGUMENT = frozenset({syms.testlist_gexp, syms.yield_expr})
"""What needs its brackets: a tuple, a generator, ``yield``."""


class FixPrint(fix_print.FixPrint):  # type: ignore[misc]
    """``print x`` becomes ``print(x)``; ``print (x)`` is that already, whatever expression `x` is."""

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """The new call; None for what is one."""
        if "bare" not in results and len(node.children) == 2 and _is_in_brackets(node.children[1]):
            return None
        return super().transform(node, results)


def _is_in_brackets(node: Base) -> bool:
    parts = node.children
    if node.type != syms.atom or len(parts) != 3:
        return False
    return bool(parts[0].type == token.LPAR and parts[1].type not in _NO_ARGUMENT)
