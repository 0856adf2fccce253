"""`fissix`'s fixer of ``filter``, which leaves what may be a text: ``filter(lambda c: c.isalpha(), word)``.

Python 2 gives a text of a text and a tuple of a tuple, and `fissix` a list of each. Those that are left are
looked at in `migrate.read.python2.filtered`, by the kind of what they filter.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from fissix.fixer_util import Name, in_special_context
from fissix.fixes import fix_filter

from migrate.read.python2.lists import is_list

_OF_TEXTS = "|".join(name for name in dir(str) if not name.startswith("_"))


class FixFilter(fix_filter.FixFilter):  # type: ignore[misc]
    """``filter(f, items)`` becomes a list if `items` or `f` show that `items` is no text."""

    def start_tree(self, tree: Any, filename: str) -> None:
        """Begin a file, in which all items that are asked for themselves have one name."""
        super().start_tree(tree, filename)
        self._item = ""

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """The new expression; None for what may be a text, and is more than gone through."""
        given = results.get("it") or results.get("seq") or _second(results.get("args"))
        if given is None or _is_list(str(given)) or _takes_no_characters(results) or in_special_context(node):
            made = super().transform(node, results)
            if made is not None and "none" in results:
                _, (element, loop), _ = (part.children or part for part in made.children[0].children)
                self._item = self._item or self.new_name("item")
                for leaf in (element, loop.children[1], [*loop.leaves()][-1]):
                    leaf.replace(Name(self._item, prefix=leaf.prefix))
            return made
        return None


def _is_list(code: str) -> bool:
    """Whether an expression is a list as it is written, whatever its variables hold."""
    try:
        node = ast.parse(code.strip(), mode="eval").body
    except SyntaxError:  # it has more that only Python 2 takes
        return False
    return is_list(node, lambda _: ())


def _second(arguments: Any) -> Any:
    """The second argument of a call with parentheses."""
    inside = arguments.children[1] if arguments is not None and len(arguments.children) > 2 else None
    parts = inside.children if inside is not None else []
    return parts[2] if len(parts) == 3 else None


def _takes_no_characters(results: dict[str, Any]) -> bool:
    """Whether a lambda asks for what no character has: ``lambda x: x[1] > 0``, ``lambda x: x.label``."""
    if "filter_lambda" not in results:
        return False
    name = re.escape(results["fp"].value)
    return re.search(rf"\b{name}(?:\[|\.(?!(?:{_OF_TEXTS})\b))", str(results["xp"])) is not None
