"""Which variable a name is, by Python's own rules: the one place where scopes are resolved.

``scopes[node]`` is the scope that a function, class, module or comprehension opens, ``scopes.around(node)``
the one whose code a node is, and ``scopes.home(name)`` the one that a name's variable belongs to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from migrate.model import Module
from migrate.syntax.nodes import LEAVES, children, parents_of
from migrate.trace.values import NOTHING, Values

Key = TypeVar("Key")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ComprehensionNode = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode = ast.Module | ast.ClassDef | FunctionNode | ComprehensionNode
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Known(dict[Key, Values]):
    """What is known of the values of something, which only grows."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[Key] = set()
        self.all_asked = False
        """Whether anybody has asked for all keys, those of which no value is known among them."""

    def ask(self, key: Key) -> Values:
        """What is known of one thing so far."""
        self._asked.add(key)
        return self.get(key, NOTHING)

    def ask_all(self) -> list[tuple[Key, Values]]:
        """What is known of everything so far."""
        self.all_asked = True
        return list(self.items())

    def is_asked(self, key: Key) -> bool:
        """Whether anybody has asked for it: if it grows now, they must ask again."""
        return self.all_asked or key in self._asked


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, and what its names can be."""

    node: ScopeNode
    module: Module
    parent: Scope | None
    names: set[str] = field(default_factory=set)
    """The names of its own variables."""
    declared: dict[str, Scope] = field(default_factory=dict)
    """Names that it declares global or nonlocal, and the scopes whose variables they are."""
    stars: list[str] = field(default_factory=list)
    """Modules whose names a star import brings in."""
    starred: set[str] = field(default_factory=set)
    """The names that star imports of modules of the project bring in."""
    now: dict[str, Values] = field(default_factory=dict)
    """What the names are at the statement that is being followed."""
    ever: Known[str] = field(default_factory=Known)
    """All that the names ever are."""
    results: Known[None] = field(default_factory=Known)
    """All that a function ever returns."""
    active: bool = False
    """Whether its code is being followed, so that `now` holds."""

    @property
    def owner(self) -> Scope:
        """The function, class or module whose variable ``:=`` binds: never a comprehension."""
        scope = self
        while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        return scope

    def home(self, name: str) -> Scope | None:
        """The scope whose variable `name` is in this scope's code; None for builtins and undefined names."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                if scope is self or scope.node.__class__ is not ast.ClassDef:
                    return scope
            elif name in scope.declared:
                return scope.declared[name]
            scope = scope.parent
        return None


class Scopes(dict[ast.AST, Scope]):
    """All scopes of the modules that were read, by the nodes that open them."""

    def __init__(self, modules: Sequence[Module] = ()) -> None:
        super().__init__()
        self.tops: dict[str, Scope] = {}
        """The scopes of whole modules, by their paths."""
        self._of_names: dict[ast.AST, Scope] = {}
        """The scopes whose code names are, but for those in comprehensions and annotations of parameters."""
        for module in modules:
            self._add(module)

    def _add(self, module: Module) -> None:
        declarations: list[tuple[Scope, ast.Global | ast.Nonlocal]] = []
        pending: list[tuple[ScopeNode, Scope | None]] = [(module.tree, None)]
        while pending:
            node, parent = pending.pop()
            scope = self[node] = Scope(node, module, parent)
            pending += [(inner, scope) for inner in _collect(scope, declarations, self._of_names)]
        top = self.tops[module.relative] = self[module.tree]
        for scope, declaration in declarations:  # those of outer scopes come first
            _declare(scope, declaration, top)

    def around(self, node: ast.AST) -> Scope:
        """The scope whose code a node is; definitions, decorators and defaults are the outer scope's."""
        known = self._of_names.get(node)
        if known is not None:
            return known
        above = next(above for top in self.tops.values() if node in (above := parents_of(top.node)))
        step = node
        while True:
            below, step = step, above[step]
            if isinstance(step, ast.arguments) and not (below is node and isinstance(node, ast.arg)):
                step = above[step]  # a default or an annotation is evaluated outside of its function
            elif isinstance(step, ast.comprehension) and below is step.iter and _is_first(step, above[step]):
                step = above[step]
            elif step in self and _is_code(below, step):
                return self[step]

    def home(self, name: ast.Name | ast.arg) -> Scope | None:
        """The scope that a variable belongs to; None for builtins and undefined names.

        Two names are one variable if they are spelled alike and have the same home.
        """
        return self.around(name).home(name.id if isinstance(name, ast.Name) else name.arg)

    def is_same(self, name: str, one: ast.AST, other: ast.AST) -> bool:
        """Whether a name is one variable, or one builtin, in the code of two functions or modules."""
        return self[one].home(name) is self[other].home(name)


def _is_first(generator: ast.comprehension, comprehension: ast.AST) -> bool:
    """Whether a comprehension begins with a generator: what that goes through is evaluated outside."""
    assert isinstance(comprehension, COMPREHENSIONS)
    return comprehension.generators[0] is generator


def _is_code(below: ast.AST, opening: ast.AST) -> bool:
    """Whether a node right below the one that opens a scope belongs to it, as decorators and bases do not."""
    defined = isinstance(opening, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return not defined or isinstance(below, ast.stmt | ast.arguments)


def _declare(scope: Scope, declaration: ast.Global | ast.Nonlocal, top: Scope) -> None:
    """A name declared global or nonlocal is another scope's, also where only this function assigns it."""
    if scope is top:
        return
    for name in declaration.names:
        outer = scope.parent.home(name) if isinstance(declaration, ast.Nonlocal) and scope.parent else None
        home = scope.declared[name] = outer or top
        home.names.add(name)
        scope.names.discard(name)


def parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    """All parameters of a function, in order."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


def _collect(
    scope: Scope,
    declarations: list[tuple[Scope, ast.Global | ast.Nonlocal]],
    of_names: dict[ast.AST, Scope],
) -> Iterator[ScopeNode]:
    """Fill in the names of `scope` and note its declarations; give the scopes directly inside it."""
    node = scope.node
    pending: list[ast.AST]
    has_own_code = not isinstance(node, COMPREHENSIONS)  # what one first goes through is evaluated outside
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
        if kind is ast.Name:
            assert isinstance(child, ast.Name)
            if type(child.ctx) is not ast.Load:
                scope.names.add(child.id)
            if has_own_code:
                of_names[child] = scope
            continue
        if kind not in _OF_SCOPES:
            if kind not in LEAVES:  # the look saves a call for most nodes of a module
                pending += child.__dict__.get("children") or children(child)
            continue
        if kind in _OPENING:
            assert isinstance(child, (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef))
            yield child
            pending += _evaluated_outside(child)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope.names.add(child.name)
            continue
        if kind in _BINDING:
            _bind(child, scope)
        elif kind is ast.NamedExpr:
            assert isinstance(child, ast.NamedExpr)
            scope.owner.names.add(child.target.id)
            pending.append(child.value)
            continue
        elif kind in _DECLARING:
            assert isinstance(child, ast.Global | ast.Nonlocal)
            declarations.append((scope, child))
        if kind not in LEAVES:
            pending += children(child)


_OPENING = frozenset({*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef})
_DECLARING = frozenset({ast.Global, ast.Nonlocal})
_BINDING = frozenset({ast.ExceptHandler, ast.alias, ast.MatchAs, ast.MatchStar, ast.MatchMapping})
_OF_SCOPES = frozenset({*_OPENING, *_DECLARING, *_BINDING, ast.NamedExpr})
"""The nodes, beside names, that have to do with scopes."""


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
    if isinstance(node, ast.ExceptHandler) and node.name:
        scope.names.add(node.name)
    elif isinstance(node, ast.alias):
        if node.name != "*":
            scope.names.add(node.asname or node.name.split(".")[0])
    elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
        scope.names.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        scope.names.add(node.rest)
