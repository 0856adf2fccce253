"""Imports of modules beside the importing one in its package: ``import texts`` in ``jobs/__init__.py``.

Python 2 looks there first, Python 3 only for ``from . import texts`` and ``from .texts import *``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace as with_fields
from itertools import groupby
from operator import itemgetter

from migrate.frozen import replace
from migrate.model import Module
from migrate.read.python2.form import Modernised
from migrate.read.python2.functions import future
from migrate.read.python2.packages import Packages
from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds, parsed, position
from migrate.syntax.text import Edit, Text, apply_edits

_FROM = re.compile(r"from(?:\s|\\)*")


def with_relative_imports(modules: Sequence[Module]) -> list[Module]:
    """The modules of a project, where those in Python 2 import from their own package with a dot."""
    if not any(map(_looks_beside, modules)):
        return list(modules)
    packages = Packages(modules)
    return [_relative(module, packages) if _looks_beside(module) else module for module in modules]


def _looks_beside(module: Module) -> bool:
    """Whether a module is in Python 2 and in a folder, where its imports look first."""
    in_python_2 = module.python == 2 and "/" in module.relative and not module.form.has_cells
    return in_python_2 and not future(module.tree, "absolute_import")


def _relative(module: Module, packages: Packages) -> Module:
    """A module whose imports from its own package say so."""
    form, text = module.form, Text(module.source)
    if not isinstance(form, Modernised) or not packages.is_part(module):
        return module
    edits: list[Edit] = []
    for members in of_kinds(module.tree, ast.ImportFrom):
        if not members.level and packages.beside(_first(members.module or ""), module) is not None:
            begin = _FROM.match(module.source, text.start(members))
            assert begin is not None
            edits.append(Edit(begin.end(), begin.end(), "."))
    lines = list(form.lines)
    for node in sorted(of_kinds(module.tree, ast.Import), key=position, reverse=True):
        statements = _statements(node, module, packages)
        if statements is not None:
            new_line = f"{text.newline}{text.indent(node.lineno)}" if text.begins_line(node) else "; "
            new = new_line.join(statements)
            edits.append(Edit(text.start(node), text.end(node), new))
            lines[node.lineno - 1 : node.end_lineno] = [lines[node.lineno - 1]] * len(new.splitlines())
    if not edits:
        return module
    code = apply_edits(module.source, edits)
    form = with_fields(form, code=code, lines=tuple(lines))
    return replace(module, source=code, tree=parsed(code), form=form)


def _statements(node: ast.Import, module: Module, packages: Packages) -> list[str] | None:
    """The statements in the place of ``import texts, os``; None where it stays as it is."""
    parts = [part for alias in node.names for part in _parts(alias, module, packages)]
    if not any(package for package, _ in parts):
        return None
    return [
        f"from {package} import {names}" if package else f"import {names}"
        for package, group in groupby(parts, itemgetter(0))
        for names in [", ".join(name for _, name in group)]
    ]


def _parts(alias: ast.alias, module: Module, packages: Packages) -> Iterator[tuple[str, str]]:
    """What an import of one name becomes: the package, with its dot, and the name that is imported from it.

    The package is empty where Python 3 finds the module by the same name, or would find something else.
    """
    whole, bound = ast.unparse(alias), alias.name if alias.asname else _first(alias.name)
    found = packages.beside(bound, module)
    above, _, last = alias.name.rpartition(".")
    if found is None or packages.is_hidden(found):
        yield "", whole
    elif not above or alias.asname:
        yield f".{above}", whole.removeprefix(f"{above}.")
    elif last in bound_names(module.tree):  # ``import texts.words`` binds `texts` alone
        yield "", whole
    else:
        yield from ((".", bound), (f".{above}", last))


def _first(name: str) -> str:
    return name.split(".")[0]
