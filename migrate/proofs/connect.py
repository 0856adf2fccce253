"""Whether a program that uses DataFrames alone runs on Spark Connect, and why not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.graph.program import Program
from migrate.knowledge.connect import CLASSES, MASTER, MEMBERS, SESSION_SETTINGS
from migrate.knowledge.methods import CHANGES
from migrate.model import Module
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.variables import Variable, Variables
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.callbacks.side_effects import side_effects
from migrate.proofs.pickled import taken_along, troubles
from migrate.syntax.nodes import of_kinds, walk
from migrate.trace import trace

LACKS = "`{}`: Spark Connect has no {}"
SETS_MASTER = "`{}` sets the master, beside which PySpark takes no address of Spark Connect"
CHANGED = (
    "the batch function changes `{}`, which is read elsewhere, too; Spark Connect runs it in another process"
)
_CLASSES = tuple(f"{name}." for name in CLASSES)
OTHERS = "on Spark Connect the server's own values count for {}"


def not_on_connect(modules: Sequence[Module], program: Program) -> tuple[str, ...]:
    """Why native code does not run on Spark Connect, a sentence for each kind of reason; empty if it does.

    Args:
        modules: the modules of a program with their new trees.
        program: the program, as it was.
    """
    variables = Variables(modules)
    found = [
        *(why for module in modules for why in _lacking(module, variables)),
        *(why for module in modules for why in _masters(module)),
        *(why for module in modules for why in _batch_functions(module, variables)),
    ]
    if not found:  # looking for changes takes longer than all the rest
        found += _changes(modules, program, variables)
    return tuple(dict.fromkeys(found))


def settings_of_server(modules: Sequence[Module]) -> tuple[str, ...]:
    """A note on the settings that have no effect on Spark Connect, as its server is running already."""
    keys = dict.fromkeys(key for module in modules for key, _ in _settings(module))
    own = (SESSION_SETTINGS, "spark.app.name")
    names = ", ".join(f"`{key}`" for key in keys if not key.startswith(own))
    return (OTHERS.format(names),) if names else ()


def _lacking(module: Module, variables: Variables) -> Iterator[str]:
    """The first use of each part of Spark that Spark Connect has not."""
    said: set[str] = set()
    members = [node for node in of_kinds(module.tree, ast.Attribute) if node.attr in MEMBERS]
    calls = of_kinds(module.tree, ast.Call) if _may_lack(module.tree) else ()
    nodes: list[ast.Attribute | ast.Call] = [*members, *calls]
    for node in nodes:
        part = _part(node, variables)
        if part is not None and part not in said:
            said.add(part)
            yield LACKS.format(_shown(node), part.replace("_", " "))


def _may_lack(tree: ast.Module) -> bool:
    """Whether a module imports one of the classes that Spark Connect has not, or what holds one."""
    imported = [alias.name for node in of_kinds(tree, ast.Import) for alias in node.names]
    for node in of_kinds(tree, ast.ImportFrom):
        imported += [f"{node.module}.{alias.name}" for alias in node.names]
    names = [f"{name}." for name in imported]
    return any(name.startswith(_CLASSES) or known.startswith(name) for name in names for known in _CLASSES)


def _part(node: ast.Call | ast.Attribute, variables: Variables) -> str | None:
    """The part of Spark that a call needs, or a member, if Spark Connect has it not."""
    if isinstance(node, ast.Attribute):
        return MEMBERS[node.attr].part if variables.qualified(node) is None else None
    name = variables.qualified(node.func)
    if name is None or not f"{name}.".startswith(_CLASSES):
        return None
    return next(row.part for known, row in CLASSES.items() if f"{name}.".startswith(f"{known}."))


def _shown(node: ast.expr) -> str:
    """The end of an expression, which says enough: ``batch.rdd``, ``….sparkContext``."""
    if isinstance(node, ast.Call):
        return f"{ast.unparse(node.func)}(...)"
    assert isinstance(node, ast.Attribute)
    return ast.unparse(node) if isinstance(node.value, ast.Name) else f"….{node.attr}"


def _masters(module: Module) -> Iterator[str]:
    for key, node in _settings(module):
        if key == MASTER:
            assert isinstance(node.func, ast.Attribute)
            shown = ast.Call(ast.Name(node.func.attr), node.args, node.keywords)
            yield SETS_MASTER.format(ast.unparse(shown))


def _settings(module: Module) -> Iterator[tuple[str, ast.Call]]:
    """The settings of the module's sessions: ``.master("local[2]")``, ``.config("spark.cores.max", 2)``."""
    for call in of_kinds(module.tree, ast.Call):
        if not isinstance(call.func, ast.Attribute):
            continue
        method, first = call.func.attr, call.args[0] if call.args else None
        if method in ("master", "setMaster") and first is not None:
            yield MASTER, call
        elif method in ("config", "set") and isinstance(first, ast.Constant):
            key = str(first.value)
            if key.startswith("spark."):
                yield key, call


def _batch_functions(module: Module, variables: Variables) -> Iterator[str]:
    for call in (*_foreach_batch(module), *_foreach(module)):
        yield from troubles(call.args[0], variables)


def _changes(modules: Sequence[Module], program: Program, variables: Variables) -> Iterator[str]:
    """The variables that batch functions change in vain: other code of the program reads them."""
    functions = [
        (function, module)
        for module in modules
        for call in _foreach_batch(module)
        for function in variables.functions_of(call.args[0])
        if isinstance(function, ast.FunctionDef | ast.Lambda) and _shares(function, variables)
    ]
    if functions:
        found = trace(modules)
        facts = {module.relative: Facts(program, found, module) for module in modules}
        for function, module in functions:
            yield from _changed_by(function, facts[module.relative], variables)


def _foreach_batch(module: Module) -> Iterator[ast.Call]:
    for call in of_kinds(module.tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "foreachBatch" and call.args:
            yield call


def _foreach(module: Module) -> Iterator[ast.Call]:
    """The calls of ``foreach`` that make the sink of a query."""
    for call in of_kinds(module.tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "foreach" and call.args:
            inside = (node.attr for node in walk(call.func.value) if isinstance(node, ast.Attribute))
            yield from [call] if "writeStream" in inside else []


def _shares(function: ast.FunctionDef | ast.Lambda, variables: Variables) -> bool:
    """Whether a function takes anything along that other code reads, but for imports that it only asks."""
    taken = taken_along(function, variables).items()
    return any(elsewhere and not _only_asked(variable, variables) for variable, elsewhere in taken)


def _only_asked(variable: Variable, variables: Variables) -> bool:
    """Whether a variable is an import of which only members are read and called."""
    if not all(isinstance(binding, ast.alias) for binding in variables.bindings(variable)):
        return False
    above = map(variables.above, variables.loads(variable))
    return all(isinstance(node, ast.Attribute) and node.attr not in CHANGES for node in above)


def _changed_by(function: ast.FunctionDef | ast.Lambda, facts: Facts, variables: Variables) -> Iterator[str]:
    batch = function.args.args[0].arg
    changed = {
        name
        for change in side_effects(Callback(function, batch, None, {batch}), facts, everything=True)
        for name in change.names
    }
    for variable, is_read_elsewhere in taken_along(function, variables).items():
        if variable[1] in changed and is_read_elsewhere and not _only_called(variable, variables):
            yield CHANGED.format(variable[1])


def _only_called(variable: Variable, variables: Variables) -> bool:
    """Whether a variable is a function that is only called: ``lower("word").alias("word")``."""
    if not all(
        isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in variables.bindings(variable)
    ):
        return False
    above = ((node, variables.above(node)) for node in variables.loads(variable))
    return all(isinstance(call, ast.Call) and call.func is node for node, call in above)
