"""Graphs on compat beside native ones in a file: what their code needs must be as it was."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from migrate.graph.blocked import Blocked
from migrate.syntax.nodes import of_kinds, parents_of, position, walk
from migrate.trace import Graph

APART = "another graph lives in its file, and the two are not rewritten together"
_CONTEXT = "sparkContext"
_Definition = ast.FunctionDef | ast.ClassDef


def check_kept(graph: Graph, old: ast.Module, new: ast.Module) -> None:
    """Check that a graph on compat finds all as it was but for the SparkContext, which the session has now.

    That is its own statements with what stands among them, the functions and classes that they may come to,
    and the last values of their variables before them.

    Args:
        graph: the graph, as it was traced in `old`.
        old: the module as it was.
        new: the module with the native graphs.

    Raises:
        Blocked: some of it is not as it was.
    """
    own = [number for number, statement in enumerate(old.body) if _is_of(statement, graph)]
    statements = old.body[own[0] : own[-1] + 1]
    contexts = set(_contexts(statements))
    definitions, news = _definitions(old), _definitions(new)
    above = parents_of(old)
    bound: set[str] = set()
    outer: set[str] = set()
    for statement in statements:
        names = _read(statement, definitions, above)
        outer |= names - bound
        bound |= _stored(statement)
        for name in names & definitions.keys():
            if list(map(ast.dump, definitions[name])) != list(map(ast.dump, news.get(name, ()))):
                raise Blocked(APART)
    before = old.body[: own[0]]
    needed = [*statements, *filter(None, (_last(name, before) for name in outer - contexts))]
    left = {_text(statement, contexts) for statement in new.body}
    if not all(_text(statement, contexts) in left for statement in needed):
        raise Blocked(APART)


def idle_imports(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """The imports of the old API that only native graphs needed: what reads their names has others.

    Cells of a notebook import it one by one.
    """
    imports = [one for one in tree.body if isinstance(one, ast.ImportFrom) and _is_old(one)]
    loads = [node for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Load)]
    for statement in imports:
        names = _imported(statement)
        reads = sorted(position(node) for node in loads if node.id in names)
        same = [position(one) for one in imports if one is not statement and names <= _imported(one)]
        end = min((one for one in same if one > position(statement)), default=None)
        used = any(position(statement) < read and (end is None or read < end) for read in reads)
        if not used and (not reads or reads[0] > min((*same, position(statement)))):
            yield statement


def _imported(statement: ast.ImportFrom) -> set[str]:
    return {alias.asname or alias.name for alias in statement.names}


def _is_old(statement: ast.ImportFrom) -> bool:
    return not statement.level and (statement.module or "").startswith("pyspark.streaming")


def _is_of(statement: ast.stmt, graph: Graph) -> bool:
    nodes = set(walk(statement))
    return any(use.node in nodes for use in graph.uses)


def _contexts(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The variables of the SparkContext: ``sc`` in ``StreamingContext(sc, 1)``."""
    for node in (node for statement in statements for node in walk(statement)):
        match node:
            case ast.Call(function, [ast.Name(name), *_]) if ast.unparse(function).endswith(
                "StreamingContext"
            ):
                yield name


def _read(
    statement: ast.stmt, definitions: Mapping[str, Sequence[_Definition]], above: Mapping[ast.AST, ast.AST]
) -> set[str]:
    """The names that a statement reads, also in the functions and classes that it may come to."""
    found: set[str] = set()
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        loads = (one for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
        names = {one.id for one in loads if not _is_local(one, above)}
        names |= {one.target.id for one in walk(node) if _adds(one)}  # type: ignore[attr-defined]
        names |= {node.name} if isinstance(node, _Definition) else set()
        for name in names - found:
            pending += definitions.get(name, ())
        found |= names
    return found


def _is_local(name: ast.Name, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a name is a parameter, or the variable of a comprehension or loop around it."""
    step: ast.AST | None = above.get(name)
    while step is not None:
        match step:
            case ast.Lambda(arguments) | ast.FunctionDef(args=arguments):
                bound = {argument.arg for argument in walk(arguments) if isinstance(argument, ast.arg)}
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                bound = {
                    node.id
                    for one in step.generators
                    for node in walk(one.target)
                    if isinstance(node, ast.Name)
                }
            case ast.For(target):
                bound = {node.id for node in walk(target) if isinstance(node, ast.Name)}
            case _:
                bound = set()
        if name.id in bound:
            return True
        step = above.get(step)
    return False


def _adds(node: ast.AST) -> bool:
    """``x += 1``, which reads a variable."""
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)


def _stored(statement: ast.stmt) -> set[str]:
    """The variables that a statement binds, whatever happens."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return set()
    return {
        node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _last(name: str, statements: Sequence[ast.stmt]) -> ast.stmt | None:
    """The last of some statements that changes a variable; imports are no such."""
    for statement in reversed(statements):
        if isinstance(statement, _Definition):
            continue
        stored = (node for node in walk(statement) if isinstance(node, ast.Name) and node.id == name)
        if any(not isinstance(node.ctx, ast.Load) for node in stored):
            return statement
    return None


def _definitions(tree: ast.Module) -> dict[str, list[_Definition]]:
    """The functions and classes of a module, by their names."""
    found: dict[str, list[_Definition]] = {}
    for function in of_kinds(tree, ast.FunctionDef):
        found.setdefault(function.name, []).append(function)
    for cls in of_kinds(tree, ast.ClassDef):
        found.setdefault(cls.name, []).append(cls)
    return found


def _text(statement: ast.stmt, contexts: Collection[str]) -> str:
    """A statement in which the SparkContext has one name, as a variable and as the session's."""
    return ast.unparse(_OneContext(contexts).visit(ast.parse(ast.unparse(statement))))


class _OneContext(ast.NodeTransformer):
    """Gives the SparkContext one name, in trees of its own."""

    def __init__(self, contexts: Collection[str]) -> None:
        self._contexts = contexts

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """``spark.sparkContext``."""
        if isinstance(node.value, ast.Name) and node.attr == "sparkContext":
            return ast.Name(_CONTEXT)
        return ast.Attribute(self.visit(node.value), node.attr)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A variable."""
        return ast.Name(_CONTEXT) if node.id in self._contexts else node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """A parameter."""
        return ast.arg(_CONTEXT, node.annotation) if node.arg in self._contexts else node
