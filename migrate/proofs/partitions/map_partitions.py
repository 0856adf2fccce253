"""Functions of ``mapPartitions`` that treat each element by itself, in whichever partition it is.

They may do what a closed list allows: no variable from outside of the loop can remember an element, and each
variable of the loop gets its value before it is read. All else may depend on where a partition begins.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from migrate.knowledge import methods
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.outside import acts_without_rows, is_client
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.functions.stateless import NOTHING, is_stateless
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SETS_UP = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
"""Statements before a loop that give nothing."""
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def is_elementwise(function: ast.expr, facts: Facts) -> bool:
    """Whether the function of `mapPartitions` treats each element by itself.

    That is a loop over the iterator which yields, or fills a list that is returned, a comprehension, or
    ``map``; by a function that was read, or one that such a function makes.
    """
    if isinstance(function, ast.Lambda):
        (name, *others) = parameter_names(function) or [""]
        return not others and _maps(function.body, name, facts, frozenset())
    node = _definition(function, facts)
    return node is not None and _loops(node, 0, facts, frozenset())


def gives_nothing_of_nothing(function: ast.expr, facts: Facts) -> bool:
    """Whether the function of `mapPartitions` gives, and does, nothing for a partition without elements.

    Then it may do all else with the others, where these are the partitions of the old program.
    """
    if isinstance(function, ast.Lambda):
        return _lists(function.body, (parameter_names(function) or [""])[0])
    node = _definition(function, facts)
    if node is None or len(parameter_names(node)) != 1 or node.decorator_list:
        return False
    facts, (name,) = facts.of(node), parameter_names(node)
    body = _without_docstring(node.body)
    reading = [number for number, statement in enumerate(body) if _mentions(statement, name)]
    if len(reading) != 1 or any(acts_without_rows(Callback(node, name, None, elements={name}), facts)):
        return False
    before, statement, after = body[: reading[0]], body[reading[0]], body[reading[0] + 1 :]
    made = {target for one in before if isinstance(one, ast.Assign) for target in _targets(one)}
    ends = [one for one in after if not (_closes(one, made) or isinstance(one, ast.Return))]
    if ends or not all(isinstance(one, _SETS_UP) for one in before):
        return False
    match statement:
        case ast.Return(ast.expr() as given):
            return _lists(given, name)
        case ast.For(iter=ast.Name(id=iterated), orelse=[]) if iterated == name:
            pass
        case _:
            return False
    if _gives(statement):
        return not any(isinstance(one, ast.Return) for one in after)
    return _filled(before, statement, after, anyhow=True) is not None


def _lists(node: ast.expr, name: str) -> bool:
    """Whether an expression is a comprehension over `name`."""
    match node:
        case ast.ListComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return isinstance(first.iter, ast.Name) and first.iter.id == name
    return False


def _definition(function: ast.expr, facts: Facts) -> ast.FunctionDef | None:
    """The function that an expression names, or that a call of a factory returns: ``make_parser()``."""
    called = called_function(function.func if isinstance(function, ast.Call) else function, facts)
    if called is None or called.bound:
        return None
    if not isinstance(function, ast.Call):
        return called.node
    match _without_docstring(called.node.body):
        case [ast.FunctionDef(name=name) as inner, ast.Return(value=ast.Name(id=returned))]:
            return inner if name == returned else None
    return None


def _maps(
    node: ast.expr, name: str, facts: Facts, above: frozenset[ast.AST], clients: Set[str] = NOTHING
) -> bool:
    """Whether an expression lists one result for each element of `name`, which it reads once.

    Args:
        node: the expression.
        name: the iterator.
        facts: the names of its module.
        above: the functions that were followed to get there.
        clients: the variables of the function that hold clients of libraries.
    """
    reads = [inner for inner in walk(node) if isinstance(inner, ast.Name) and inner.id == name]
    if len(reads) != 1:
        return False
    match node:
        case ast.ListComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            own = {name, *clients}
            return first.iter is reads[0] and is_stateless([node], own, NOTHING, facts, clients=clients)
        case ast.Call(func=ast.Name(id="map" | "filter" as called), args=[function, iterated], keywords=[]):
            plain = iterated is reads[0] and not facts.bindings.get(called)
            return plain and is_stateless([function], NOTHING, NOTHING, facts)
        case ast.Call(func=ast.Name(id="iter" | "list" as called), args=[inner], keywords=[]):
            return not facts.bindings.get(called) and _maps(inner, name, facts, above, clients)
        case ast.Call(args=args, keywords=[]) if reads[0] in args:
            target = called_function(node.func, facts)
            others = [argument for argument in args if argument is not reads[0]]
            if target is None or target.bound or target.node in above:
                return False
            lasting = all(isinstance(argument, ast.Constant | ast.Name) for argument in others)
            return lasting and _loops(target.node, args.index(reads[0]), facts, above)
    return False


def _loops(function: ast.FunctionDef, position: int, facts: Facts, above: frozenset[ast.AST]) -> bool:
    """Whether a function goes through its iterator once, and gives something of each element only."""
    facts, names = facts.of(function), parameter_names(function)
    if position >= len(names) or function.decorator_list:
        return False
    name = names[position]
    body = _without_docstring(function.body)
    reading = [number for number, statement in enumerate(body) if _mentions(statement, name)]
    if len(reading) != 1:
        return False
    before, statement, after = body[: reading[0]], body[reading[0]], body[reading[0] + 1 :]
    opened = [earlier for earlier in before if not _only_names(earlier)]
    if not all(_opens(earlier, function, facts) for earlier in opened):
        return False
    clients = frozenset(name for earlier in opened for name in _targets(earlier))
    after = [later for later in after if not _closes(later, clients)]
    if isinstance(statement, ast.Return):
        given = statement.value
        return given is not None and not after and _maps(given, name, facts, above | {function}, clients)
    if not (isinstance(statement, ast.For) and isinstance(statement.iter, ast.Name) and not statement.orelse):
        return False
    filled = _filled(before, statement, after)
    if filled is None and (after or not _gives(statement)):
        return False
    returns = any(isinstance(node, ast.Return) for node in walk(statement))
    return not returns and _forgets(statement, {filled} if filled else set(), facts, clients)


def _opens(statement: ast.stmt, function: ast.FunctionDef, facts: Facts) -> bool:
    """Whether a statement gives a variable a client, of which each partition has its own: ``Redis(host)``."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value):
            return is_client(value, function, facts)
    return False


def _closes(statement: ast.stmt, clients: Set[str]) -> bool:
    """``client.close()``."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "close"), [], [])):
            return name in clients
    return False


def _targets(statement: ast.stmt) -> set[str]:
    assert isinstance(statement, ast.Assign)
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}


def _only_names(statement: ast.stmt) -> bool:
    """Whether a statement before the loop assigns a value that is the same in each partition.

    A constant, an empty list, a part of an object (``model = broadcast.value``), or a compiled expression.
    """
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value):
            compiled = isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile"
            values = value.args if isinstance(value, ast.Call) and compiled else [value]
            return all(
                isinstance(part, ast.Constant | ast.Name | ast.Attribute | ast.Load | ast.List | ast.Tuple)
                for given in values
                for part in walk(given)
            )
    return False


def _filled(
    before: Sequence[ast.stmt], loop: ast.For, after: Sequence[ast.stmt], *, anyhow: bool = False
) -> str | None:
    """The list that a loop fills and the function returns; `anyhow` if the loop may look at it as well."""
    match after:
        case [
            ast.Return(value=ast.Name(id=name) | ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)]))
        ]:
            pass
        case _:
            return None
    match [statement for statement in before if _mentions(statement, name)]:
        case [ast.Assign(value=ast.List(elts=[]))]:
            pass
        case _:
            return None
    if anyhow:
        return None if _gives(loop) else name
    calls = [node.func for node in walk(loop) if isinstance(node, ast.Call)]
    filling = {f.value for f in calls if isinstance(f, ast.Attribute) and f.attr in methods.FILLS_IN_ORDER}
    own = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id == name]
    return name if own and filling.issuperset(own) and not _gives(loop) else None


def _forgets(loop: ast.For, filled: set[str], facts: Facts, clients: Set[str]) -> bool:
    """Whether the loop's body is independent of the elements that came before."""
    names = [node for node in walk(loop) if isinstance(node, ast.Name)]
    inner: set[str] = set()
    for nested in (node for part in loop.body for node in walk(part) if isinstance(node, ast.For)):
        targets, inside = _names(nested.target), set(walk(nested))
        if nested.orelse or any(name.id in targets and name not in inside for name in names):
            return False
        inner |= targets
    own, fresh = _names(loop.target) | inner, set(filled)
    for statement in loop.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _mentions(value, name):
                own.add(name)
                fresh |= {name} if isinstance(value, _FRESH) else set()
    body = {node for statement in loop.body for node in walk(statement)}
    comprehended = {name.id for name in names if isinstance(facts.home(name), _COMPREHENSIONS)}
    stored = {name.id for name in names if name in body and isinstance(name.ctx, ast.Store)} - comprehended
    if stored - own or stored & (filled | clients):
        return False
    if not all(_is_set_first(loop.body, name) for name in stored - inner):
        return False
    return is_stateless(loop.body, own | filled | clients, fresh, facts, clients=clients)


def _is_set_first(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether each round gives a variable its value before it reads it."""
    first = next(statement for statement in body if _mentions(statement, name))
    return isinstance(first, ast.Assign) and not _mentions(first.value, name)


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text else body


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in walk(node) if isinstance(inner, ast.Name)}


def _mentions(statement: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in walk(statement))


def _gives(loop: ast.For) -> bool:
    """Whether a loop yields."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(loop))
