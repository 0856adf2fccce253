"""`fissix`'s fixer of modules with other names, without what it leaves of a test of the version.

``import ConfigParser as configparser`` became ``import configparser as configparser``, and both branches of
such a test the same. The variable that it asked goes, too.
"""

from __future__ import annotations

import re
from typing import Any

from fissix.fixes import fix_imports
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Base

_IMPORTS = frozenset({syms.import_name, syms.import_from})
_VERSION = re.compile(r"\bversion|_version\b|\bPY[23]\b|\bPYTHON[23]?\b", re.IGNORECASE)


class FixImports(fix_imports.FixImports):  # type: ignore[misc]
    """``import Queue as queue`` becomes ``import queue``."""

    def start_tree(self, tree: Any, filename: str) -> None:
        """Begin with no import that was renamed."""
        super().start_tree(tree, filename)
        self.renamed: list[Base] = []

    def transform(self, node: Any, results: dict[str, Any]) -> None:
        """Rename a module where it is imported, or where it is read."""
        super().transform(node, results)
        if node.type not in _IMPORTS:
            return
        for part in [*node.pre_order()]:
            if part.type == syms.dotted_as_name and part.children[0] == part.children[2]:
                name = part.children[0].clone()
                name.prefix = part.prefix
                part.replace(name)
        self.renamed.append(node)

    def finish_tree(self, tree: Any, filename: str) -> None:
        """Leave out the tests around renamed imports whose branches have become the same."""
        for node in self.renamed:
            test = _statement_around(node)
            if test is not None and (line := _only_line(test)) is not None:
                following = _following(test)
                following.prefix = [*test.leaves()][-1].prefix + following.prefix
                line.remove()
                line.prefix = test.prefix
                test.replace(line)
                _remove_version(tree, test.children[1])
        super().finish_tree(tree, filename)


def _remove_version(tree: Any, condition: Any) -> None:
    """Leave out the variable of a test that is gone and nothing else reads: ``v = sys.version_info[0]``."""
    for name in {leaf.value for leaf in condition.leaves() if leaf.type == token.NAME}:
        found = [leaf for leaf in tree.leaves() if leaf.value == name]
        made = found[0].parent if len(found) == 1 else None
        if made is None or made.type != syms.expr_stmt or len(made.children) != 3:
            continue
        line, (target, equals, value) = made.parent, made.children
        plain = target is found[0] and equals.value == "=" and "(" not in str(value)
        if plain and len(line.children) == 2 and _VERSION.search(str(value)):
            following = _following(line)
            following.prefix = line.prefix + following.prefix
            line.remove()


def _statement_around(node: Base) -> Any:
    """The ``if`` or ``try`` that has an import in one of its branches."""
    suite = node.parent.parent if node.parent is not None else None
    test = suite.parent if suite is not None and suite.type == syms.suite else None
    return test if test is not None and test.type in {syms.if_stmt, syms.try_stmt} else None


def _only_line(test: Base) -> Any:
    """The line that both branches of a test consist of; None if they differ, or something else counts."""
    parts = test.children
    suites = [part for part in parts if part.type == syms.suite]
    if len(suites) != 2 or any("#" in leaf.prefix for leaf in [*test.leaves()][1:-1]):
        return None
    if test.type == syms.if_stmt:
        counts = len(parts) != 7 or "(" in str(parts[1]) or not _VERSION.search(str(parts[1]))
    else:
        counts = len(parts) != 6 or "ImportError" not in str(parts[3])
    lines = [_line_of(suite) for suite in suites]
    return None if counts or lines[0] is None or lines[0] != lines[1] else lines[0]


def _following(test: Base) -> Any:
    """The token after a test, before which the lines come that stand before its last end of a suite."""
    node = test
    while node.next_sibling is None:
        node = node.parent
    return next(node.next_sibling.leaves())


def _line_of(suite: Base) -> Any:
    """The line that a suite consists of, if it does of one."""
    lines = [one for one in suite.children if one.type not in {token.NEWLINE, token.INDENT, token.DEDENT}]
    return lines[0] if len(lines) == 1 else None
