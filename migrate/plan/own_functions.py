"""The program's own name for ``pyspark.sql.functions``, which new code reads in place of a second one.

``from pyspark.sql import functions as f`` stands in the program already: ``f.split("value", " ")``.
"""

from __future__ import annotations

import ast
import re

from migrate.model import Module
from migrate.plan.code import PlannedModule
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds, position

_READ = re.compile(
    r'("""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*')" r"|\bF\.", re.DOTALL
)
"""``F.`` in new code, and texts that are written out, which may hold it too."""


def with_own_functions(part: PlannedModule, module: Module, facts: Facts) -> PlannedModule:
    """The new code of a module with its own name for Spark's functions, if it has one."""
    name = _own_name(module, facts, _first(part))
    sources = (one.source for one in (*part.helpers, *part.settings))
    if not name or any(re.search(rf"\b{name}\b", text) for text in (*part.texts(), *sources)):
        return part
    return part.with_texts(lambda text: _READ.sub(lambda found: found[1] or f"{name}.", text))


def _first(part: PlannedModule) -> tuple[int, int]:
    """The place of the first statement that changes."""
    function = [part.function.place] if part.function is not None else []
    return min(map(position, (*part.replaced, *part.after, *function)), default=(0, 0))


def _own_name(module: Module, facts: Facts, first: tuple[int, int]) -> str:
    """The name that a module has imported them by, above its first change, and binds to nothing else."""
    parameters = {node.arg for node in of_kinds(module.tree, ast.arg)}
    for statement in module.tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) and position(statement) < first:
            for alias in statement.names:
                name = alias.asname or ""
                own = name and name not in parameters and facts.only_binding(name) is alias
                if own and facts.imported(alias) == "pyspark.sql.functions":
                    return name
    return ""
