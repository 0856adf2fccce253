"""`fissix`'s fixer of ``d.keys()`` and its like, which here leaves those of an RDD alone."""

from __future__ import annotations

from typing import Any

from fissix.fixes import fix_dict


class FixDict(fix_dict.FixDict):  # type: ignore[misc]
    """``d.iteritems()`` becomes ``d.items()``, and ``d.items()`` a list where it is used as one."""

    def transform(self, node: Any, results: dict[str, Any]) -> Any:
        """The new call; None for ``rdd.keys().collect()`` and what else is a pair RDD's by its name."""
        lazy = results["method"][0].value.startswith(("iter", "view"))
        of_rdd = "rdd" in str(results["head"][-1]).lower()
        if not lazy and (of_rdd or str(results["tail"][0] if results["tail"] else "").startswith(".")):
            return None
        return super().transform(node, results)
