"""One name for ``pyspark.sql.functions``: the program's own, if it has one.

``from pyspark.sql import functions as f`` stands in the program already: ``f.split("value", " ")``. Where it
imports a function, ``from pyspark.sql.functions import desc``, that only new code reads, it reads ``F.desc``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from migrate.frozen import replace
from migrate.model import Module
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.code_names import with_names
from migrate.syntax.nodes import of_kinds, position


def with_own_functions(part: PlannedModule, module: Module, facts: Facts) -> PlannedModule:
    """The new code of a module with its own name for Spark's functions, if it has one."""
    name = _own_name(module, facts, part)
    if not name or name in part.all_names.all:
        return part
    return part.with_texts(lambda code: with_names(code, {"F": name}))


def with_moved_functions(
    part: PlannedModule, module: Module, kept: Kept, taken: Collection[str]
) -> PlannedModule:
    """The new code of a module, in which functions that only it reads are those of ``F``.

    Args:
        part: the new code.
        module: the module.
        kept: the code of the program that is left.
        taken: the names that other modules take of it.
    """
    facts = kept.basis.facts.of(module.tree.body[0])
    if "F" not in part.all_names.variables:
        return part
    found: list[tuple[ast.AST, str]] = []
    for statement in module.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "pyspark.sql.functions":
            for alias in statement.names:
                name = alias.asname or alias.name
                loads = [one for one in facts.loads.get(name, ()) if one in kept.nodes]
                once = len(facts.bindings.get(name, ())) == 1 and facts.only_binding(name) is not None
                is_free = once and name not in taken
                if alias.name != "*" and is_free and kept.in_place.isdisjoint(loads):
                    found += ((one, f"F.{alias.name}") for one in loads)
    return replace(part, inner=part.inner | Inner(tuple(found)))


def _first(part: PlannedModule) -> tuple[int, int]:
    """The place of the first statement that changes."""
    function = [part.function.place] if part.function is not None else []
    return min(
        map(position, (*part.replaced, *part.after, *function, *dict(part.inner.before))), default=(0, 0)
    )


def _own_name(module: Module, facts: Facts, part: PlannedModule) -> str:
    """The name that a module has imported them by, above its first change, and that all new code can read.

    It may be another variable in functions without new code.
    """
    first = _first(part)
    changed: set[ast.AST] | None = None
    for statement in module.tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) and position(statement) < first:
            for alias in statement.names:
                name = alias.asname or alias.name
                is_its_name = bool(alias.asname) or (alias.name == "functions" and name in facts.loads)
                if not is_its_name or facts.imported(alias) != "pyspark.sql.functions":
                    continue
                if changed is None:
                    changed = set(_functions_of(part, facts))
                if _means_import(name, alias, facts, changed):
                    return name
    return ""


def _means_import(name: str, alias: ast.alias, facts: Facts, changed: set[ast.AST]) -> bool:
    """Whether a name is what an import has bound it to, in the module and in some of its functions."""
    if facts.is_declared_elsewhere(name) or name in facts.starred:
        return False
    found = facts.bindings.get(name, [])
    if facts.only_binding(name) is alias:
        found = [alias]
    parameters = [node for node in of_kinds(facts.tree, ast.arg) if node.arg == name]
    others = [node for node in (*found, *parameters) if node is not alias]
    homes = [next(_functions_around(node, facts), None) for node in others]
    return alias in found and all(home is not None and home not in changed for home in homes)


def _functions_of(part: PlannedModule, facts: Facts) -> Iterator[ast.AST]:
    """The functions that new code stands in."""
    function = [part.function.place] if part.function is not None else []
    inner = (node for node, _ in (*part.inner.replaced, *part.inner.parameters, *part.inner.before))
    for node in (*part.replaced, *part.after, *function, *inner):
        yield node
        yield from _functions_around(node, facts)


def _functions_around(node: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    """The functions that a node is in, the innermost first."""
    above = facts.above.get(node)
    while above is not None:
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield above
        above = facts.above.get(above)
