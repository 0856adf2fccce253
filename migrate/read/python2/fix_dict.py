"""`fissix`'s fixer of ``d.keys()`` and its like, which here leaves those of an RDD alone."""

from __future__ import annotations

from typing import Any

from fissix import patcomp
from fissix.fixes import fix_dict
from fissix.pygram import python_symbols

_READ = patcomp.compile_pattern(
    """comparison< any ('in' | comp_op< 'not' 'in' >) view=any >
     | power< 'len' trailer< '(' view=any ')' > >"""
)
"""Where a view does what a list does: ``key in d.keys()``, ``len(d.keys())``."""


class FixDict(fix_dict.FixDict):  # type: ignore[misc]
    """``d.iteritems()`` becomes ``d.items()``, and ``d.items()`` a list where it is used as one."""

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """The new call; None for ``rdd.keys().collect()`` and what else is a pair RDD's by its name."""
        lazy = results["method"][0].value.startswith(("iter", "view"))
        of_rdd = "rdd" in str(results["head"][-1]).lower()
        if not lazy and (of_rdd or str(results["tail"][0] if results["tail"] else "").startswith(".")):
            return None
        return super().transform(node, results)

    def in_special_context(self, node: Any, isiter: bool) -> bool:
        """Whether a view is enough where the call stands."""
        return bool(super().in_special_context(node, isiter)) or _is_read(node) or _is_flattened(node)


def _is_flattened(node: Any) -> bool:
    """Whether a lambda of a ``flatMap`` returns the keys, items or values, which goes through them."""
    function = node.parent
    given = function.parent if function is not None else None
    if function is None or given is None or function.type != python_symbols.lambdef:
        return False
    called = given.prev_sibling if given.type == python_symbols.trailer else None
    return function.children[-1] is node and str(called).strip() == ".flatMap"


def _is_read(node: Any) -> bool:
    """Whether nothing is done with the keys, items or values but to look for one, or to count them."""
    for outer in (node.parent, node.parent.parent if node.parent else None):
        found: dict[str, Any] = {}
        if outer is not None and _READ.match(outer, found) and found["view"] is node:
            return True
    return False
