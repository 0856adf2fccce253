"""Tells why a program fails where it hands on a context or a stream: no native code can do the same."""

from __future__ import annotations

import ast

from migrate.graph.call_graph import CallGraph
from migrate.graph.nodes import Nodes
from migrate.knowledge.builtins import OF_DATA
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import code_of, of_kinds, position
from migrate.syntax.tree import Tree, goes_on_after, is_none, own_nodes, yields_among
from migrate.trace.unknown import shows_all_names, undefined

FAILS = "{}: the program fails there as it is"


def why_fails(node: ast.AST, nodes: Nodes, calls: CallGraph) -> str:
    """Why code fails that an expression of a context or a stream stands in; empty if that is not known."""
    tree = nodes.tree
    if isinstance(node, ast.Name) and not _is_bound_once(node, nodes):
        return ""
    if goes_on_after(node, tree.above, "TypeError") or goes_on_after(node, tree.above, "NameError"):
        return ""
    what = "context" if nodes.is_context(node) else "stream"
    parent = tree.above[node]
    match parent:
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is node:
            why = f"a {what} cannot be iterated over"
        case ast.Subscript(value) if value is node:
            why = f"a {what} has no items"
        case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
            why = f"a {what} is no operand of `{ast.unparse(parent)}`"
        case ast.Call(function) if function is not node:
            why = _of_call(parent, node, what, nodes, calls)
        case _:
            return ""
    return FAILS.format(why) if why else ""


def _is_bound_once(name: ast.Name, nodes: Nodes) -> bool:
    """Whether a variable has one value, and no other than a context or a stream."""
    scopes, tree = nodes.trace.scopes, nodes.tree
    named = [one for one in of_kinds(tree.root_of(name), ast.Name) if one.id == name.id]
    same = [one for one in named if scopes.home(one) is scopes.home(name)]
    return sum(not isinstance(one.ctx, ast.Load) for one in same) <= 1


def _of_call(call: ast.Call, node: ast.AST, what: str, nodes: Nodes, calls: CallGraph) -> str:
    """Why a call fails that is given a context or a stream, or what follows it."""
    name, scope = code_of(call.func), nodes.trace.scopes.around(call)
    if missing := undefined(call.func, scope):
        return f"`{missing}` is never defined in the files that were read"
    if _is_above_definition(call, nodes):
        return f"`{name}` is called above its `def`, a NameError"
    made = isinstance(call.func, ast.Attribute) and call.func.attr == "createDataFrame"
    function = calls.targets.get(call)
    known = name in OF_DATA and function is None and ("." in name or scope.home(name) is None)
    if call.args[:1] == [node] and (made or known):
        return f"`{name}` takes no {what}"
    if isinstance(function, ast.FunctionDef) and _gives_nothing(function):
        read = _member_of(call, nodes.tree)
        return f"`{function.name}` gives None, and `{read}` reads a member of it" if read else ""
    return ""


def _is_above_definition(call: ast.Call, nodes: Nodes) -> bool:
    """Whether code of a module calls a function of its own before the only statement that defines it."""
    tree, scope = nodes.tree, nodes.trace.scopes.around(call)
    module = tree.scope_of(call)
    if not isinstance(module, ast.Module) or not isinstance(call.func, ast.Name):
        return False
    if scope.module.form.has_cells or not shows_all_names(scope.module):
        return False
    name, above = call.func.id, tree.above.get(call)
    while above is not None and not isinstance(above, ast.Module):
        if isinstance(above, ast.For | ast.While):
            return False
        above = tree.above.get(above)
    bound = [
        one for one in of_kinds(module, *BINDING) if bound_by(one) == name and not isinstance(one, ast.arg)
    ]
    stored = any(one.id == name for one in of_kinds(module, ast.Name) if not isinstance(one.ctx, ast.Load))
    match bound:
        case [ast.FunctionDef() as function] if function in module.body and not stored:
            return position(function) > position(call)
    return False


def _gives_nothing(function: ast.FunctionDef) -> bool:
    """Whether a function returns None, whatever it is given."""
    own = [node for statement in function.body for node in own_nodes(statement)]
    returned = [node.value for node in own if isinstance(node, ast.Return)]
    return all(map(is_none, returned)) and not yields_among(own) and not function.decorator_list


def _member_of(call: ast.Call, tree: Tree) -> str:
    """The first member that is read of a call's result, or of the variable that it alone is assigned to."""
    above = tree.above[call]
    if isinstance(above, ast.Attribute):
        return ast.unparse(above)
    match above:
        case ast.Assign([ast.Name(name) as target]):
            scope = tree.scope_of(call)
            named = (one for one in of_kinds(tree.root_of(call), ast.Name) if one.id == name)
            own = [one for one in named if tree.scope_of(one) is scope]
            bound = [one for one in own if not isinstance(one.ctx, ast.Load)]
            parents = [tree.above[one] for one in own if one is not target]
            members = [one for one in parents if isinstance(one, ast.Attribute)]
            return ast.unparse(members[0]) if members and bound == [target] else ""
    return ""
