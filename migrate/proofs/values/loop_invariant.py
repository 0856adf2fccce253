"""Loop-invariant arguments: they have the same value in each batch as when the graph was built.

DStream evaluates the arguments of its operators once. Only the code of a function runs, and reads variables,
in each batch.
"""

from __future__ import annotations

import ast

from migrate.knowledge import functions, methods
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import given_to
from migrate.syntax.nodes import of_kinds, position, walk


def is_loop_invariant(node: ast.expr, facts: Facts) -> bool:
    """Whether evaluating an expression again, later, gives the same."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Lambda):
        defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
        return all(is_loop_invariant(value, facts) for value in defaults)
    if isinstance(node, ast.Name):
        return _name_lasts(node, facts)
    if isinstance(node, ast.Attribute):
        return is_loop_invariant(node.value, facts) and not facts.stores_attribute(node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        given = facts.qualified(node.value) == "sys.argv"
        return given and not facts.once(_changed) & {ast.unparse(node.value)}
    if isinstance(node, ast.UnaryOp | ast.Tuple):
        return all(
            is_loop_invariant(part, facts)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr)
        )
    if isinstance(node, ast.Call):
        makes_function = facts.qualified(node.func) in functions.MAKES_FUNCTIONS
        return makes_function and all(is_loop_invariant(value, facts) for value in given_to(node))
    return False


def is_lasting_test(node: ast.expr, facts: Facts) -> bool:
    """Whether a test is as true in each batch as it was when the graph was built."""
    match node:
        case ast.BoolOp(values=parts):
            return all(is_lasting_test(part, facts) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return is_lasting_test(part, facts)
        case ast.Compare(left=left, comparators=others):
            return all(_value_lasts(part, facts) for part in (left, *others))
    return _value_lasts(node, facts)


def _value_lasts(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression has the same value in each batch, and nothing changes what it holds."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[part], keywords=[]):
            return "len" not in facts.shadowed and _value_lasts(part, facts)
        case ast.Subscript(value=part, slice=ast.Constant()):
            return _value_lasts(part, facts)
    return is_loop_invariant(node, facts) and not facts.once(_changed) & {ast.unparse(node)}


def _changed(facts: Facts) -> frozenset[str]:
    """The code of objects that a module may change: ``names`` of ``names.append(x)``, ``names[0] = x``."""
    found = {
        node.value
        for node in walk(facts.tree)
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    calls = of_kinds(facts.tree, ast.Call)
    alone = {node.value for node in of_kinds(facts.tree, ast.Expr)}
    found |= {
        call.func.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and (call in alone or call.func.attr in methods.CHANGES)
    }
    return frozenset(map(ast.unparse, found))


def _name_lasts(name: ast.Name, facts: Facts) -> bool:
    """Whether a name of the batch function's place is bound by what runs once, and not again later."""
    program = facts.program
    home = facts.trace.scopes[program.scope].home(name.id)
    if home is None:
        return True  # a builtin, or a name that fails in any case
    if facts.is_declared_elsewhere(name.id):
        return False
    bindings = [node for node in facts.bindings.get(name.id, ()) if program.tree.scope_of(node) is home.node]
    if name.id in facts.starred:
        return _is_imported_above(name, bindings, facts)
    if len(bindings) == 1:
        return isinstance(bindings[0], ast.arg) or facts.visible(bindings[0])
    return _is_bound_above(name, bindings, home.node, facts)


def _is_imported_above(name: ast.Name, bindings: list[ast.AST], facts: Facts) -> bool:
    """Whether star imports of modules of the project, and other imports above, alone bind a name."""
    stars = [one for one in of_kinds(facts.tree, ast.ImportFrom) if one.names[0].name == "*"]
    return (
        name in facts.above
        and all(isinstance(node, ast.alias) for node in bindings)
        and facts.has_known_stars
        and all(position(node) < position(name) for node in (*bindings, *stars))
    )


def _is_bound_above(name: ast.Name, bindings: list[ast.AST], home: ast.AST, facts: Facts) -> bool:
    """Whether all of several bindings of a name stand above it, in its own scope and in no loop."""
    if name not in facts.above or facts.program.tree.scope_of(name) is not home or not facts.visible(name):
        return False
    above = (isinstance(node, ast.arg) or facts.visible(node) for node in bindings)
    return bool(bindings) and all(above) and all(position(node) < position(name) for node in bindings)
