"""Modules that Python 3 can parse, of a program whose other modules are in Python 2.

A program runs on one Python. What imports a module in Python 2 runs on Python 2, and so does what only such
modules import: their `/` and `encode` are those of Python 2, though nothing in them says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from migrate.model import Module
from migrate.read.modules import Imports
from migrate.read.python2.form import Modernised
from migrate.read.python2.names import for_one_version
from migrate.read.python2.packages import Packages
from migrate.read.python2.recognition import is_for_3, prints_more
from migrate.read.reach import imported_by, importing
from migrate.syntax.nodes import parses

IMPORTS = "{}: `{}` imports {}, which is in Python 2"
BESIDE = "{}: `{}` imports {}, which only Python 2 finds by this name"
IMPORTED = "{}, which is in Python 2 and imports it"
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=]")

_Links = Mapping[str, Sequence[tuple[ast.stmt | ast.Call, str]]]
"""The statements of each module that import others of the project, and the paths of these."""


def with_imported(modules: Sequence[Module], in_python_3: Callable[[Module, str], Module]) -> list[Module]:
    """The modules, in Python 3 also where only imports show that one runs on Python 2.

    Args:
        modules: all of a project.
        in_python_3: makes such a module of one, and of the sign that it is one.
    """
    beside = _only_beside(modules)
    if not beside and all(module.python == 3 for module in modules):
        return list(modules)
    imports = Imports(modules)
    links = {module.relative: list(_imports(module, imports)) for module in modules}
    now = {module.relative: module for module in modules}
    certain = {module.relative for module in modules if _is_certain(module)}
    in_3 = (module for module in modules if not isinstance(module.form, Modernised))
    left = {module.relative for module in in_3 if module.tree.body and not refused_by_2(module)}
    for path, sign in beside.items():
        left.discard(path)
        now[path] = in_python_3(now[path], sign)
    while found := _next(now, links, certain, left):
        path, sign, is_certain = found
        left.discard(path)
        now[path] = in_python_3(now[path], sign)
        if is_certain:
            certain.add(path)
    return list(now.values())


def _only_beside(modules: Sequence[Module]) -> dict[str, str]:
    """The paths of the modules with an import that only Python 2 finds, and the sign that this is.

    None where some code is only for Python 3, or sets the folders in which modules are found.
    """
    packages = any(module.relative.endswith("/__init__.py") for module in modules)
    if not packages or any("sys.path" in m.source or (m.python == 3 and refused_by_2(m)) for m in modules):
        return {}
    found: dict[str, str] = {}
    known = Packages(modules)
    for module in modules:
        for statement, other in known.only_beside(module) if module.python == 3 else ():
            line, text = module.where(statement.lineno), ast.unparse(statement)
            found.setdefault(module.relative, BESIDE.format(line, text, other.relative))
    return found


def refused_by_2(module: Module) -> bool:
    """Whether Python 2 refuses a module, as it does characters beyond ASCII with no encoding declared."""
    declared = any(map(_CODING.match, module.source.splitlines()[:2]))
    plain = module.source.isascii() or module.bom or module.form.has_cells or declared
    return not plain or is_for_3(module.source, module.tree)


def _is_certain(module: Module) -> bool:
    """Whether a module is in Python 2 as Python 3 cannot parse it, and not for a name of Python 2 alone."""
    return isinstance(module.form, Modernised) and not parses(module.form.old)


def _next(
    modules: Mapping[str, Module], links: _Links, certain: set[str], left: set[str]
) -> tuple[str, str, bool] | None:
    """The path of a module that runs on Python 2, the sign of it, and whether that is certain."""
    for path in sorted(left):
        module = modules[path]
        for statement, other in links[path]:
            # a name of Python 2 in a module says less than a tuple that another one prints only there
            if other in certain or (modules[other].python == 2 and not prints_more(module.tree)):
                line, text = module.where(statement.lineno), ast.unparse(statement)
                return path, IMPORTS.format(line, text, other), other in certain
        above = [importer for importer, targets in links.items() if path in (to for _, to in targets)]
        if above and (certain.issuperset(above) or _is_only_for_2(module, [modules[one] for one in above])):
            return path, IMPORTED.format(above[0]), certain.issuperset(above)
    return None


def _is_only_for_2(module: Module, importers: Sequence[Module]) -> bool:
    """Whether all that import a module go from Python 2 to 3, and it says nothing else of itself."""
    return all(one.python == 2 for one in importers) and not prints_more(module.tree)


def _imports(module: Module, imports: Imports[Module]) -> Iterator[tuple[ast.stmt | ast.Call, str]]:
    statements = importing(module)
    guarded = for_one_version(module.tree) if statements else set()
    for statement in statements:
        if statement not in guarded:
            yield from ((statement, found.relative) for found in imported_by(statement, module, imports))
