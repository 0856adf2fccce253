"""The places of nodes in syntax trees: the statement, block, function and class around them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from string import Formatter

from migrate.knowledge.builtins import SHOWS, TEXT_OF_PYTHON_2
from migrate.syntax.nodes import LEAVES, Node, children, of_kinds, parents_of, walk

_SCOPES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module})
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})


class Tree:
    """The syntax trees of one or several modules, with the way up from every node."""

    def __init__(self, *roots: ast.Module) -> None:
        self.roots = roots
        first, *others = map(parents_of, roots)
        self.above: dict[ast.AST, ast.AST] = first
        """The parent of every node but the roots."""
        self._scopes: dict[ast.AST, ast.AST] = {}
        if others:
            self.above = {child: parent for parents in (first, *others) for child, parent in parents.items()}

    def place(self, call: ast.Call, holder: ast.stmt) -> None:
        """Give a call that no code has a place in a statement, for those who ask where it stands."""
        for parents in (parents_of(self.root_of(holder)), self.above):
            parents[call] = holder
            parents[call.func] = call

    def nodes(self) -> Iterable[ast.AST]:
        """All nodes, module by module."""
        return chain.from_iterable(map(walk, self.roots))

    def of_kinds(self, *kinds: type[Node]) -> Iterator[Node]:
        """The nodes that are of one of `kinds`, module by module and kind by kind."""
        return chain.from_iterable(of_kinds(root, *kinds) for root in self.roots)

    def holds(self, node: ast.AST) -> bool:
        """Whether a node is in one of the modules."""
        return node in self.above or node in self.roots

    def root_of(self, node: ast.AST) -> ast.Module:
        """The module that a node is in."""
        while type(node) is not ast.Module:
            node = self.above[node]
        return node

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    def scope_of(self, node: ast.AST) -> ast.AST:
        """The function, lambda, class or module whose code a node is; a definition is its outer scope's."""
        known = self._scopes.get(node)
        if known is None:
            known = self.above.get(node, node)
            while type(known) not in _SCOPES:
                known = self.above[known]
            self._scopes[node] = known
        return known

    def class_of(self, function: ast.AST) -> ast.ClassDef | None:
        """The class that a function is a method of."""
        holder = self.above.get(function)
        return holder if isinstance(holder, ast.ClassDef) else None

    def family(
        self, cls: ast.ClassDef, bases: Callable[[ast.ClassDef], Iterable[ast.ClassDef]]
    ) -> set[ast.AST]:
        """A class with its base classes in the modules, and with the classes that derive from it.

        Args:
            cls: the class.
            bases: gives the classes that a class names as its bases.
        """

        def above(one: ast.ClassDef, below: frozenset[ast.ClassDef] = frozenset()) -> set[ast.AST]:
            found: set[ast.AST] = {one}
            for base in bases(one):
                if base not in below:
                    found |= above(base, below | {one})
            return found

        return above(cls) | {one for one in self.of_kinds(ast.ClassDef) if cls in above(one)}

    def receiver_of(self, scope: ast.AST) -> str | None:
        """The name that a method gives its object, ``self``; None for functions and what is decorated."""
        method = isinstance(scope, ast.FunctionDef) and self.class_of(scope) is not None
        if not isinstance(scope, ast.FunctionDef) or not method or scope.decorator_list:
            return None
        return next(iter(parameter_names(scope)), None)

    def is_static(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a function is a ``@staticmethod`` of its class."""
        decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
        return self.class_of(function) is not None and decorators == ["staticmethod"]

    def given_by(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
        """The positional parameters that a call gives: all but the ``self`` of a method."""
        method = self.class_of(function) is not None and not self.is_static(function)
        return parameter_names(function)[method:]

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that a statement stands in."""
        parent = self.above[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and statement in block:
                return block
        return [statement]

    def path(self, node: ast.AST) -> Iterator[ast.AST]:
        """All nodes around a node, the innermost first."""
        step = self.above.get(node)
        while step is not None:
            yield step
            step = self.above.get(step)


def default_of(parameter: ast.arg, arguments: ast.arguments) -> ast.expr | None:
    """The value that a parameter has where a call gives none; None if it has to."""
    positional = [*arguments.posonlyargs, *arguments.args]
    if parameter in positional:
        behind = len(positional) - positional.index(parameter)
        return arguments.defaults[-behind] if behind <= len(arguments.defaults) else None
    if parameter in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(parameter)]
    return None


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """A statement's nodes without the bodies of functions, lambdas and classes in it.

    In the order in which Python evaluates them: what a call is given comes before the call.
    """
    if not isinstance(node, ast.stmt):
        return _own(node)
    kept = vars(node)  # several readers ask for the same statements again and again
    if "own" not in kept:
        kept["own"] = _own(node)
    found: list[ast.AST] = kept["own"]
    return found


def _own(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    _collect_own(node, found)
    return found


def _collect_own(node: ast.AST, found: list[ast.AST]) -> None:
    if type(node) in _DEFINITIONS:
        return
    for child in node.__dict__.get("children") or children(node):
        if type(child) in LEAVES or type(child) is ast.Lambda:
            found.append(child)
        else:
            _collect_own(child, found)
    found.append(node)


def yields_among(nodes: Sequence[ast.AST]) -> list[ast.Yield | ast.YieldFrom]:
    """The ``yield`` expressions among some nodes."""
    if _YIELDS.isdisjoint(map(type, nodes)):
        return []  # as in most code
    return [node for node in nodes if isinstance(node, ast.Yield | ast.YieldFrom)]


def declared_among(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that ``global`` and ``nonlocal`` statements among some nodes declare."""
    if _DECLARATIONS.isdisjoint(map(type, nodes)):
        return set()
    return {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}


_ALL_ERRORS = frozenset({"Exception", "BaseException"})
EXITS = frozenset({"exit", "_exit", "quit"})
"""Functions that end a program."""
_YIELDS = frozenset({ast.Yield, ast.YieldFrom})
_DECLARATIONS = frozenset({ast.Global, ast.Nonlocal})


def tries_around(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> Iterator[ast.Try]:
    """The ``try`` statements of its function whose bodies a node is in, the innermost first."""
    child, step = node, above.get(node)
    while step is not None and not isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(step, ast.Try) and child in step.body:
            yield step
        child, step = step, above.get(step)


def goes_on_after(node: ast.AST, above: Mapping[ast.AST, ast.AST], error: str = "Exception") -> bool:
    """Whether a function catches what a node raises, and goes on.

    Args:
        node: a part of the function.
        above: the parent of each node.
        error: the class of what it raises.
    """
    classes = {error, *_ALL_ERRORS}
    for statement in tries_around(node, above):
        caught = [one.type is None or ast.unparse(one.type) in classes for one in statement.handlers]
        if any(caught):
            inside = [inner for end in (*statement.handlers, *statement.finalbody) for inner in walk(end)]
            return not any(isinstance(inner, ast.Raise) or _name_of(inner) in EXITS for inner in inside)
    return False


def _name_of(node: ast.AST) -> str:
    """The name of a variable or of an attribute; empty for others."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_main_guard(statement: ast.AST) -> bool:
    """``if __name__ == "__main__":``."""
    match statement:
        case ast.If(
            test=ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__", None)])
            | ast.Compare(ast.Constant("__main__", None), [ast.Eq()], [ast.Name("__name__")])
        ):
            return True
    return False


Construction = ast.Assign | ast.AnnAssign | ast.Expr
"""A statement that makes an object."""


def target_of(statement: Construction) -> ast.expr:
    """What a statement assigns to, the first one of several; its own value if that is nothing."""
    if isinstance(statement, ast.Expr):
        return statement.value
    return statement.targets[0] if isinstance(statement, ast.Assign) else statement.target


def is_single(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Whether a statement assigns to one target."""
    return isinstance(statement, ast.AnnAssign) or len(statement.targets) == 1


def parameter_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """The names of a function's positional parameters."""
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]


def is_none(node: ast.expr | None) -> bool:
    """Whether an argument is missing or None."""
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def is_idle(statement: ast.AST) -> bool:
    """Whether a statement is a constant by itself, as a docstring is."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def is_only_shown(node: ast.AST, parents: Mapping[ast.AST, ast.AST], bindings: Mapping[str, object]) -> bool:
    """Whether an object is only printed without its data: its class and a number.

    ``print(type(rdd))``, ``print("rdd = %s" % rdd)``; or ``print(rdd.count)``, where a call is missing.
    """
    above = parents.get(node)
    while above is not None:
        match above:
            case ast.Call(ast.Name(called), keywords=[]) if node is not above.func:
                own = called == TEXT_OF_PYTHON_2 or (called in SHOWS and not bindings.get(called))
                if not own or called == "print":
                    return own and isinstance(parents.get(above), ast.Expr | None)
            case ast.BinOp(ast.Constant(str()), ast.Mod() | ast.Add(), right) if right is node:
                pass
            case ast.Call(ast.Attribute(ast.Constant(str(text)), "format"), given) if node in given:
                if not _shows_whole(text):
                    return False
            case ast.Tuple() if _is_of_format(above, parents):
                pass
            case ast.FormattedValue(format_spec=None) | ast.JoinedStr():
                pass
            case _:
                return False
        node, above = above, parents.get(above)
    return False


def _shows_whole(text: str) -> bool:
    """Whether a text for `format` shows what it is given by itself, and no part of it: ``"{0.name}"``."""
    try:
        fields = [name or "" for _, name, _, _ in Formatter().parse(text)]
    except ValueError:
        return False
    return not any(set(name) & set(".[") for name in fields)


def _is_of_format(values: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a tuple has the values of a text: ``"%s of %s" % (rdd, time)``."""
    match parents.get(values):
        case ast.BinOp(ast.Constant(str()), ast.Mod(), right):
            return right is values
    return False


def identifiers(*roots: ast.Module) -> set[str]:
    """All names that modules bind or read in any scope."""
    names: set[str] = set()
    for root in roots:
        names |= {node.id for node in of_kinds(root, ast.Name)} | {
            node.arg for node in of_kinds(root, ast.arg)
        }
        names |= {node.asname or node.name for node in of_kinds(root, ast.alias)}
        names |= {node.name for node in of_kinds(root, ast.FunctionDef)}
        names |= {node.name for node in of_kinds(root, ast.ClassDef)}
    return names
