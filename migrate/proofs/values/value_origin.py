"""Where a value comes from that a program passes on and does nothing else with.

``zk, topic = sys.argv[1:]`` ... ``createStream(ssc, zk, ...)``: from the first argument of the command
line, by way of the variable `zk`, which nothing else reads.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.tree import parameter_names


@dataclass
class Origin:
    """The last expression that a value is followed to, and the names that it had on the way."""

    end: ast.expr
    """A literal, an item of ``sys.argv``, an option; or whatever could not be followed."""
    names: list[ast.AST] = field(default_factory=list)
    """All variables, parameters, attributes and keywords that hold the value and nothing else."""
    called: list[str] = field(default_factory=list)
    """What they are called, the last first."""
    statement: ast.Assign | None = None
    """The assignment of `end` to a variable, and of nothing else."""
    parameter: ast.arg | None = None
    """The parameter that `end` is, whose argument no code gives: a decorator may."""
    alone: bool = True
    """Whether nothing else reads the value."""


def origin_of(node: ast.expr, reads: Container[ast.AST], facts: Facts, taken: Container[str] = ()) -> Origin:
    """Follow the value of an argument.

    Args:
        node: the argument.
        reads: the arguments that may have this value too: those of calls of the same function.
        facts: the names of the module that it is in.
        taken: the names of that module that others import.
    """
    origin = Origin(node)
    facts = facts.of(node)
    while origin.alone:
        found = _step(origin, reads, facts, taken)
        if found is None:
            return origin
        origin.end, reads = found, {found}
        if (other := facts.of(found)) is not facts:
            facts, taken = other, other.trace.taken.of_module(other.program.module_of(found))
    return origin


def _step(origin: Origin, reads: Container[ast.AST], facts: Facts, taken: Container[str]) -> ast.expr | None:
    """One step back, to the expression that the value has it from."""
    node = origin.end
    if isinstance(node, ast.Name):
        return _of_variable(node, origin, reads, facts, taken)
    if isinstance(node, ast.Attribute) and is_self(node.value, facts):
        return _of_attribute(node, origin, reads, facts)
    return None


def _of_variable(
    node: ast.Name, origin: Origin, reads: Container[ast.AST], facts: Facts, taken: Container[str]
) -> ast.expr | None:
    home = facts.home(node)
    same = [name for name in of_kinds(facts.tree, ast.Name) if name.id == node.id]
    if facts.is_declared_elsewhere(node.id) or (home is None and node.id in taken):
        origin.alone = False
        return None
    own = [name for name in same if facts.home(name) is home]
    stores = [name for name in own if not isinstance(name.ctx, ast.Load)]
    parameters = [
        argument
        for argument in (ast.walk(home.args) if isinstance(home, ast.FunctionDef) else ())
        if isinstance(argument, ast.arg) and argument.arg == node.id
    ]
    if any(name not in reads for name in own if isinstance(name.ctx, ast.Load)):
        origin.alone = False
        return None
    if len(stores) + len(parameters) != 1:
        return None
    if parameters:
        assert isinstance(home, ast.FunctionDef)
        given = _argument(home, parameters[0], origin, facts, taken)
        origin.names += [*own, parameters[0]]
        origin.called.append(node.id)
        if given is None:
            origin.parameter = parameters[0]
        return given
    value = _assigned(stores[0], origin, facts)
    if value is not None:
        origin.names += own
        origin.called.append(node.id)
    return value


def _assigned(store: ast.Name, origin: Origin, facts: Facts) -> ast.expr | None:
    """The value of a variable's only assignment; of several at once the item, or the whole that has it."""
    statement = facts.statement_of(store)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    (target,) = statement.targets
    if target is store:
        origin.statement = statement
        return statement.value
    if not isinstance(target, ast.Tuple | ast.List) or store not in target.elts:
        return None
    if isinstance(statement.value, ast.Tuple | ast.List) and len(statement.value.elts) == len(target.elts):
        origin.statement = statement
        return statement.value.elts[target.elts.index(store)]
    return statement.value if is_argument_of_program(statement.value, facts) else None


def _argument(
    function: ast.FunctionDef,
    parameter: ast.arg,
    origin: Origin,
    facts: Facts,
    taken: Container[str],
) -> ast.expr | None:
    """The argument of a function's only call, where nothing else names the function."""
    name, names = function.name, parameter_names(function)
    cls = facts.above[function]
    if isinstance(cls, ast.ClassDef):
        if name != "__init__":
            return None
        name, names = cls.name, names[1:]
    loads = facts.loads.get(name, [])
    call = facts.above[loads[0]] if len(loads) == 1 else None
    if not loads and cls is facts.tree and name in taken:
        call = _call_elsewhere(function, facts)
    elif not isinstance(call, ast.Call) or call.func is not loads[0] or name in taken:
        return None
    if function.decorator_list or not isinstance(call, ast.Call):
        return None
    for keyword in call.keywords:
        if keyword.arg == parameter.arg:
            origin.names.append(keyword)
            return keyword.value
    position = names.index(parameter.arg) if parameter.arg in names else len(call.args)
    if position >= len(call.args) or any(isinstance(given, ast.Starred) for given in call.args):
        return None
    return call.args[position]


def _call_elsewhere(function: ast.FunctionDef, facts: Facts) -> ast.Call | None:
    """The only call of a function in other modules of the program, where nothing else may name it."""
    found: list[ast.Call] = []
    for module in facts.trace.modules:
        if module.tree is facts.tree or function.name not in module.source:
            continue
        own = facts.of(module.tree.body[0])
        mentions: list[ast.expr] = [
            node for node in of_kinds(module.tree, ast.Attribute) if node.attr == function.name
        ]
        bound = own.bindings.get(function.name, ())
        if not bound or any(isinstance(one, ast.alias) for one in bound):
            mentions += own.loads.get(function.name, ())
        calls = [own.above[node] for node in mentions]
        texts = (node.value for node in of_kinds(module.tree, ast.Constant))
        if function.name in texts:
            return None
        for node, call in zip(mentions, calls, strict=True):
            called = called_function(node, own)
            if called is None or not isinstance(call, ast.Call) or call.func is not node:
                return None
            if called.node is function:
                found.append(call)
    is_ours = len(found) == 1 and any(found[0] in parents_of(one.tree) for one in facts.program.modules)
    return found[0] if is_ours else None


def _of_attribute(
    node: ast.Attribute, origin: Origin, reads: Container[ast.AST], facts: Facts
) -> ast.expr | None:
    """``self.zk``, which one statement of its class assigns."""
    same = [other for other in of_kinds(facts.tree, ast.Attribute) if other.attr == node.attr]
    stores = [other for other in same if not isinstance(other.ctx, ast.Load)]
    if any(other not in reads for other in same if other not in stores):
        origin.alone = False
        return None
    if len(stores) != 1 or not is_self(stores[0].value, facts):
        return None
    statement = facts.statement_of(stores[0])
    if not isinstance(statement, ast.Assign) or statement.targets != [stores[0]]:
        return None
    origin.names += same
    origin.called.append(node.attr)
    origin.statement = statement
    return statement.value


def called_by(node: ast.AST) -> str:
    """What a name that `Origin.names` has is called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return name
        case ast.keyword(arg=str(name)):
            return name
    return ""


def is_self(node: ast.expr, facts: Facts) -> bool:
    """Whether a name is that of the object that a method is called on."""
    home = facts.home(node) if isinstance(node, ast.Name) else None
    if not isinstance(home, ast.FunctionDef) or not isinstance(facts.above[home], ast.ClassDef):
        return False
    return isinstance(node, ast.Name) and parameter_names(home)[:1] == [node.id]


def is_argument_of_program(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is an item of ``sys.argv``, or several."""
    if not isinstance(node, ast.Subscript):
        return False
    return facts.qualified(node.value) == "sys.argv"


def namespace_of(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is what ``parser.parse_args()`` returned."""
    return any(
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("parse_args", "parse_known_args")
        for value in _values_of(node, facts)
    )


def _values_of(node: ast.expr, facts: Facts) -> Iterator[ast.expr]:
    if not isinstance(node, ast.Name):
        yield node
        return
    home = facts.home(node)
    for binding in facts.bindings.get(node.id, ()):
        if isinstance(binding, ast.Name) and facts.home(binding) is home:
            statement = facts.statement_of(binding)
            if isinstance(statement, ast.Assign):
                yield statement.value
