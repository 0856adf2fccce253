"""Files that Python 3 refuses for their tabs alone, in programs that run on it.

A mix of tabs and blanks says that Python 2 runs a file. That weighs less than a module which it imports and
Python 2 refuses, or a script that runs it by ``python3``: an editor made the mix after its last run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from fissix.pgen2.tokenize import TokenError

from migrate.frozen import replace
from migrate.model import Module
from migrate.read.commands import commands
from migrate.read.modules import Imports
from migrate.read.python2.by_import import refused_by_2
from migrate.read.python2.form import Modernised
from migrate.read.python2.recognition import signs_of_2
from migrate.read.python2.signs import indentations
from migrate.read.reach import imported_by, importing
from migrate.read.scan import project_root
from migrate.syntax.nodes import parsed, parses
from migrate.syntax.text import Text

OWN = "what only Python 3 has in it"
IMPORTS = "{}: `{}` imports {}, which Python 2 refuses"
STARTED = "{}, line {}: `{}`"
_RUN = r"\bpython3[\d.]*\s+(?:-\w+\s+)*[\w./~$\{{\}}-]*\b{}(?!\w)"


def with_mended_tabs(modules: Sequence[Module]) -> list[Module]:
    """The modules of a project, in Python 3 where tabs speak for Python 2 and more speaks against it."""
    imports: Imports[Module] = Imports(modules)
    return [_in_python_3(module, imports) for module in modules]


def _in_python_3(module: Module, imports: Imports[Module]) -> Module:
    form = module.form
    if not isinstance(form, Modernised) or form.has_cells or "\t" not in form.old or parses(form.old):
        return module
    code = _mended(form.old)
    if code is None:
        return module
    lines = tuple(range(1, len(Text(code).lines) + 2))
    made = Modernised(form.old, code, lines, outer=form.outer)
    mended = replace(module, source=code, tree=parsed(code), form=made, python=3, limits=())
    sign = _sign(mended, imports)
    return module if sign is None else replace(mended, signs=(sign,))


def _mended(text: str) -> str | None:
    """A text with one kind of white space before its lines, if nothing else but that is of Python 2."""
    newline = "\r\n" if "\r\n" in text else "\n"
    try:
        code = next(filter(parses, indentations(text.replace("\r\n", "\n"))), None)
    except (TokenError, IndentationError):
        return None
    if code is None or signs_of_2(code, parsed(code), lambda _: True) is not None:
        return None
    return code.replace("\n", newline)


def _sign(module: Module, imports: Imports[Module]) -> str | None:
    """What says that a module is in Python 3."""
    if refused_by_2(module):
        return OWN
    for node in importing(module):
        for other in imported_by(node, module, imports):
            if other.python == 3 and refused_by_2(other):
                return IMPORTS.format(module.where(node.lineno), ast.unparse(node), other.relative)
    folder = module.path.absolute().parent
    run = re.compile(_RUN.format(re.escape(module.path.name)))
    for command in commands(project_root(folder) or folder, [module.path.name]):
        if (found := run.search(command.text)) is not None:
            return STARTED.format(command.path.name, command.line, found[0])
    return None
