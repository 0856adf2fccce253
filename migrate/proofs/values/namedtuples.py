"""The fields of namedtuples: of `collections.namedtuple`, or of subclasses of `typing.NamedTuple`."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.constants import constant


def namedtuple_fields(name: str, facts: Facts) -> list[str] | None:
    """The fields of ``Count = namedtuple("Count", ["word", "n"])``; None for any other name."""
    binding = facts.only_binding(name)
    if isinstance(binding, ast.ClassDef):
        return _annotated(binding, facts)
    made = facts.value_of(binding)
    if binding is None or not isinstance(made, ast.Call) or made.keywords or not facts.visible(binding):
        return None
    if facts.qualified(made.func) != "collections.namedtuple" or len(made.args) != 2:
        return None
    fields = made.args[1]
    value: object = fields.value if isinstance(fields, ast.Constant) else None
    if isinstance(fields, ast.Name):
        _, value = constant(fields.id, made.lineno, facts)
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, list | tuple):
        return [*value] if all(isinstance(one, str) for one in value) else None
    return texts_of(fields.elts) if isinstance(fields, ast.List | ast.Tuple) else None


def has_defaults(name: str, facts: Facts) -> bool:
    """Whether a field of ``class Count(NamedTuple)`` may be left out: ``n: int = 0``."""
    binding = facts.only_binding(name)
    body = binding.body if isinstance(binding, ast.ClassDef) else []
    return any(isinstance(one, ast.AnnAssign) and one.value is not None for one in body)


def _annotated(node: ast.ClassDef, facts: Facts) -> list[str] | None:
    """The fields of ``class Count(NamedTuple)``, which has nothing else."""
    is_plain = not node.decorator_list and not node.keywords and facts.visible(node)
    if not is_plain or [facts.qualified(base) for base in node.bases] != ["typing.NamedTuple"]:
        return None
    body = node.body[ast.get_docstring(node, clean=False) is not None :]
    fields = [
        one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]
    return fields if len(fields) == len(body) else None


def texts_of(nodes: list[ast.expr]) -> list[str] | None:
    """The values of texts that are written out; None if one of the expressions is something else."""
    values = [node.value if isinstance(node, ast.Constant) else None for node in nodes]
    return [str(value) for value in values] if all(isinstance(value, str) for value in values) else None
