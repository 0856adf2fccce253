"""Which names belong to which scope, as Python's own rules have it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.model import Module
from migrate.syntax.nodes import LEAVES, children
from migrate.trace.values import NOTHING, Values

ScopeNode = (
    ast.Module
    | ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.Lambda
    | ast.ClassDef
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, and what its names can be."""

    node: ScopeNode
    module: Module
    parent: Scope | None
    names: set[str] = field(default_factory=set)
    """Names that are bound here and nowhere else."""
    outer: set[str] = field(default_factory=set)
    """Names declared global or nonlocal here."""
    stars: list[str] = field(default_factory=list)
    """Modules whose names a star import brings in."""
    starred: set[str] = field(default_factory=set)
    """The names that star imports of modules of the project bring in."""
    now: dict[str, Values] = field(default_factory=dict)
    """What the names are at the statement that is being followed."""
    ever: dict[str, Values] = field(default_factory=dict)
    """All that the names ever are."""
    returns: Values = NOTHING
    active: bool = False

    def home(self, name: str) -> Scope | None:
        """The scope that `name` belongs to when it is read here; None for builtins and undefined names."""
        scope: Scope | None = self
        while scope is not None:
            visible = scope is self or not isinstance(scope.node, ast.ClassDef)
            if visible and name in scope.names and name not in scope.outer:
                return scope
            scope = scope.parent
        return None


def build_scopes(module: Module) -> dict[ast.AST, Scope]:
    """Every scope of a module, by the node that opens it."""
    scopes: dict[ast.AST, Scope] = {}
    pending: list[tuple[ScopeNode, Scope | None]] = [(module.tree, None)]
    while pending:
        node, parent = pending.pop()
        scope = Scope(node, module, parent)
        scopes[node] = scope
        pending += [(inner, scope) for inner in _collect(scope)]
    for scope in scopes.values():
        _hand_globals_up(scope)
    return scopes


def _hand_globals_up(scope: Scope) -> None:
    """A name declared global is bound in the module by the function that assigns it."""
    if not scope.outer or scope.parent is None:
        return
    top = scope
    while top.parent is not None:
        top = top.parent
    for name in scope.outer:
        if scope.parent.home(name) is None:
            top.names.add(name)


def parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    """All parameters of a function, in order."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


def _collect(scope: Scope) -> Iterator[ScopeNode]:
    """Fill in the names of `scope`; give the scopes directly inside it."""
    node = scope.node
    pending: list[ast.AST]
    if isinstance(node, FUNCTIONS):
        scope.names.update(argument.arg for argument in parameters(node.args))
        pending = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    elif isinstance(node, COMPREHENSIONS):
        pending = list(children(node))
    else:
        pending = list(node.body)
    while pending:
        child = pending.pop()
        kind = type(child)
        if isinstance(child, _OPENING):
            yield child
            pending += _evaluated_outside(child)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope.names.add(child.name)
            continue
        if kind in _BINDING:
            _bind(child, scope)
        if kind not in LEAVES:
            pending += children(child)


_OPENING = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)
_BINDING = frozenset(
    {
        *(ast.Name, ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.alias),
        *(ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    }
)


def _evaluated_outside(node: ScopeNode) -> list[ast.AST]:
    """The parts of a definition that its surrounding scope evaluates."""
    if isinstance(node, ast.Lambda):
        return [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]
    return []


def _bind(node: ast.AST, scope: Scope) -> None:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        scope.names.add(node.id)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        scope.outer.update(node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        scope.names.add(node.name)
    elif isinstance(node, ast.alias):
        if node.name != "*":
            scope.names.add(node.asname or node.name.split(".")[0])
    elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
        scope.names.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        scope.names.add(node.rest)
