"""Names of Python 2's builtins to which a file gives values of its own."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from fissix.fixer_util import is_probably_builtin
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms

_LISTS = frozenset(
    {syms.atom, syms.exprlist, syms.testlist, syms.testlist_gexp, syms.listmaker, syms.testlist_star_expr}
)
"""What a target stands in, among others."""


def binds(tree: Any, names: Set[str]) -> bool:
    """Whether a file binds one of some names: as a variable, a parameter, a function or an import."""
    return any(_is_bound(leaf) for leaf in tree.leaves() if leaf.type == token.NAME and leaf.value in names)


def _is_bound(leaf: Any) -> bool:
    before, behind = leaf.prev_sibling, leaf.next_sibling
    if before is not None and before.type == token.DOT:
        return False  # an attribute
    if leaf.parent.type == syms.argument and behind is not None and behind.type == token.EQUAL:
        return False  # a keyword
    if not is_probably_builtin(leaf):
        return True  # a target, a parameter, a definition
    node = leaf
    while node.parent is not None and node.parent.type in _LISTS:
        node = node.parent
    above = node.parent
    if above is None:
        return False
    if above.type == syms.expr_stmt:
        after = node.next_sibling
        return after is not None and after.type == token.EQUAL
    if above.type in (syms.for_stmt, syms.comp_for):
        return node.prev_sibling is not None and str(node.prev_sibling).strip() == "for"
    imports = (syms.import_as_name, syms.import_as_names, syms.dotted_as_name, syms.import_from)
    return above.type in (*imports, syms.global_stmt, syms.with_item, syms.except_clause)
