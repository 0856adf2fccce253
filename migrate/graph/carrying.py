"""Renames what holds the StreamingContext and will hold the session: variables, parameters, attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.graph.joined import Joined
from migrate.graph.reading import Reading
from migrate.syntax.tree import Construction, Tree, identifiers, own_nodes, target_of

_NAMES = ("spark", "session", "spark_session")
"""What a session is called, the usual name first."""


@dataclass
class Carriers:
    """The variables, parameters and attributes that hold the context, with new names for the session."""

    tree: Tree
    names: dict[str, str] = field(default_factory=dict)
    """New names of variables and parameters."""
    attributes: dict[str, str] = field(default_factory=dict)
    """New names of attributes."""
    nodes: set[ast.AST] = field(default_factory=set)
    """The expressions that read the context."""
    parameters: set[ast.arg] = field(default_factory=set)
    """The parameters that are given it."""
    imports: set[ast.alias] = field(default_factory=set)
    """The names that modules import it by."""

    def name_of(self, node: ast.expr) -> str:
        """What held the context, as it holds the session: a variable, or an attribute."""
        if isinstance(node, ast.Attribute):
            return f"{ast.unparse(node.value)}.{self.attributes.get(node.attr, node.attr)}"
        assert isinstance(node, ast.Name)
        return self.names.get(node.id, node.id)

    def renamed(self) -> Iterator[tuple[ast.AST, str]]:
        """The names, attributes, parameters and keywords that are called otherwise, and how."""
        for node in self.tree.nodes():
            if isinstance(node, ast.Name) and node.id in self.names and self._means_context(node):
                yield node, self.names[node.id]
            elif isinstance(node, ast.Attribute) and node.attr in self.attributes and self._ours(node):
                yield node, self.attributes[node.attr]
            elif isinstance(node, ast.alias) and node in self.imports and node.name in self.names:
                yield node, self.names[node.name]
            elif isinstance(node, ast.arg | ast.keyword) and (node.arg or "") in self.names:
                ours = node.value in self.nodes if isinstance(node, ast.keyword) else node in self.parameters
                if ours:
                    yield node, self.names[node.arg or ""]

    def declarations(self) -> Iterator[tuple[ast.Global | ast.Nonlocal, str]]:
        """The statements ``global ssc`` of variables that are called otherwise, each with its new code."""
        found: list[ast.Global | ast.Nonlocal] = [
            *self.tree.of_kinds(ast.Global),
            *self.tree.of_kinds(ast.Nonlocal),
        ]
        for node in found:
            if not self.names.keys().isdisjoint(node.names):
                word = "global" if isinstance(node, ast.Global) else "nonlocal"
                yield node, f"{word} {', '.join(self.names.get(name, name) for name in node.names)}"

    def annotations(self) -> Iterator[ast.expr]:
        """The annotations of parameters that say that these are contexts."""
        for node in self.parameters:
            named = node.annotation is not None and ast.unparse(node.annotation).endswith("StreamingContext")
            if node.arg in self.names and node.annotation is not None and named:
                yield node.annotation

    def is_only_ours(self, name: str) -> bool:
        """Whether `name` is the context wherever it is read, but where it is another parameter.

        A parameter that nothing is seen to give the context keeps its name, as that of a function that
        nobody calls.
        """
        reads = [
            one for one in self.tree.of_kinds(ast.Name) if one.id == name and isinstance(one.ctx, ast.Load)
        ]
        return all(self._means_context(node) == (node in self.nodes) for node in reads)

    def _means_context(self, node: ast.Name) -> bool:
        """Whether a name that the context has is it here, too: no other parameter has the name."""
        parameter = _parameter_of(node, self.tree)
        return parameter is None or parameter in self.parameters

    def _ours(self, node: ast.Attribute) -> bool:
        return node in self.nodes or isinstance(node.ctx, ast.Store)


def find_carriers(
    reading: Reading,
    tree: Tree,
    construction: Construction,
    existing: str | None,
    joined: Joined,
) -> Carriers | None:
    """Find what carries the context to where it is used, and new names for it that fit the session.

    Args:
        reading: all that was read.
        tree: of the module.
        construction: where the context is made.
        existing: the variable, or attribute, of a session that the program made before.
        joined: the modules of the graph.

    Returns:
        None where one variable in reach of all is enough.
    """
    context = [node for node in reading.contexts if isinstance(node, ast.Name | ast.Attribute)]
    handed = [node for node in reading.plumbing if node in reading.contexts]
    target = target_of(construction)
    if isinstance(construction, ast.Expr):
        return None
    if not handed and isinstance(target, ast.Name) and _is_in_reach(context, construction, target, tree):
        return None
    found = Carriers(tree, nodes=set(context))
    held = (s for s in reading.aliases if isinstance(s, ast.Assign) and s.value in found.nodes)
    spots = [*context, target, *(one for s in held for one in s.targets if isinstance(one, ast.Attribute))]
    found.parameters = set(_parameters_of(reading, handed, tree))
    variables = {node.id for node in spots if isinstance(node, ast.Name)}
    variables |= {parameter.arg for parameter in found.parameters}
    attributes = {node.attr for node in spots if isinstance(node, ast.Attribute)}
    found.imports = {*joined.imports_of(variables)}
    spoken = {node.attr.lstrip("_") for node in tree.of_kinds(ast.Attribute)}
    taken = identifiers(*tree.roots, *(module.tree for module in joined.trace.beside))
    if any(isinstance(node, ast.Attribute) and joined.is_module(node.value) for node in spots):
        # one variable, by its name and as an attribute of its module
        name = _free(taken | spoken) if attributes <= variables else None
        _name_variables(found, variables, _of_session(name, target, existing, found))
        shared = all(_only_our_attribute(old, found, tree) for old in attributes)
        found.attributes = {old: found.names[old] for old in attributes if old in found.names and shared}
        found.names = found.names if len(found.attributes) == len(attributes) else {}
        return found
    _name_variables(found, variables, _of_session(_free(taken), target, existing, found))
    _name_attributes(found, attributes, target, existing, spoken)
    return found


def _is_in_reach(
    context: Sequence[ast.Name | ast.Attribute],
    construction: Construction,
    target: ast.Name,
    tree: Tree,
) -> bool:
    """Whether all that reads the context reads the one variable that it is assigned to."""
    scope, module = tree.scope_of(construction), tree.root_of(construction)
    return (
        (isinstance(scope, ast.Module) or all(tree.scope_of(node) is scope for node in context))
        and all(tree.root_of(node) is module for node in context)
        and all(isinstance(node, ast.Name) and node.id == target.id for node in context)
    )


def _of_session(name: str | None, target: ast.expr, existing: str | None, found: Carriers) -> str | None:
    """The new name of variables: that of the program's own session, if it is bound once, or `name`."""
    if existing is not None and isinstance(target, ast.Name) and _bound_once(existing, found.tree):
        return existing
    return None if any(alias.asname for alias in found.imports) else name


def _name_variables(found: Carriers, variables: set[str], name: str | None) -> None:
    """Call all variables by one name, if each of them is the context wherever it is read."""
    if name is not None and all(map(found.is_only_ours, variables)):
        found.names = dict.fromkeys(variables, name)


def _name_attributes(
    found: Carriers, attributes: set[str], target: ast.expr, existing: str | None, spoken: set[str]
) -> None:
    """Call attributes by the session's name, or by one that no attribute has, as private as they were."""
    name = _free(spoken)
    if existing is not None and isinstance(target, ast.Attribute):
        holder, _, attribute = existing.rpartition(".")
        name = attribute if holder == ast.unparse(target.value) else name
    for old in attributes:
        if name is not None and _only_our_attribute(old, found, found.tree):
            private = "" if name in spoken else "_" * (len(old) - len(old.lstrip("_")))
            found.attributes[old] = private + name


def _bound_once(name: str, tree: Tree) -> bool:
    """Whether a variable is bound once, so that it is the session wherever it is read."""
    stores = [one for one in tree.of_kinds(ast.Name) if one.id == name and isinstance(one.ctx, ast.Store)]
    return len(stores) == 1 and all(parameter.arg != name for parameter in tree.of_kinds(ast.arg))


def _free(taken: set[str]) -> str | None:
    return next((name for name in _NAMES if name not in taken), None)


def _parameters_of(reading: Reading, handed: list[ast.AST], tree: Tree) -> Iterator[ast.arg]:
    """The parameters that are given the context."""
    for function, call in [*reading.entered.items(), *reading.ended]:
        assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        positional = [*function.args.posonlyargs, *function.args.args]
        by_name = {argument.arg: argument for argument in (*positional, *function.args.kwonlyargs)}
        first = 0 if call in reading.unbound else _receiver(function, tree)
        for position, node in enumerate(call.args, first):
            if node in handed and position < len(positional):
                yield positional[position]
        for keyword in call.keywords:
            if keyword.value in handed and keyword.arg in by_name:
                yield by_name[keyword.arg]


def _receiver(function: ast.AST, tree: Tree) -> int:
    """The number of parameters that a call does not give: 1 for a method's ``self``."""
    decorators = [ast.unparse(d) for d in getattr(function, "decorator_list", [])]
    return int(tree.class_of(function) is not None and "staticmethod" not in decorators)


def _parameter_of(name: ast.Name, tree: Tree) -> ast.arg | None:
    """The parameter that a name is, of a function or lambda around it; None where it is another variable."""
    below: ast.AST = name
    for node in tree.path(name):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            if below in body:  # and no default or decorator, which is the outer function's code
                arguments = node.args
                positional = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                for one in (*positional, arguments.vararg, arguments.kwarg):
                    if one is not None and one.arg == name.id:
                        return one
                if any(_binds(one, name.id) for statement in body for one in own_nodes(statement)):
                    return None
        below = node
    return None


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a node of a function makes a name another variable than the outer function's."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return name in node.names
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _only_our_attribute(name: str, found: Carriers, tree: Tree) -> bool:
    return all(
        node in found.nodes or isinstance(node.ctx, ast.Store)
        for node in tree.of_kinds(ast.Attribute)
        if node.attr == name
    )
