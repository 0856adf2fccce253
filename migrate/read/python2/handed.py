"""What the functions of a module are called with: the arguments that a parameter may stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from migrate.syntax.nodes import of_kinds, walk


@dataclass(frozen=True)
class Given:
    """``f(a, key=b)``, and ``register(f, a, key=b)``, which calls it later."""

    arguments: Sequence[ast.expr]
    keywords: Sequence[ast.keyword]

    def given(self, position: int, name: str) -> ast.expr | None:
        """The argument for a parameter; None for its default, and where a star hides it."""
        if any(isinstance(argument, ast.Starred) for argument in self.arguments[: position + 1]):
            return None
        if position < len(self.arguments):
            return self.arguments[position]
        return next((keyword.value for keyword in self.keywords if keyword.arg == name), None)


class Handed:
    """The arguments of functions of a module that are defined once and only called."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda] = []
        self._functions += of_kinds(tree, ast.FunctionDef)
        self._functions += of_kinds(tree, ast.AsyncFunctionDef)
        self._names = [node.name for node in self._functions if not isinstance(node, ast.Lambda)]
        self._functions += of_kinds(tree, ast.Lambda)
        self.parameters: dict[tuple[ast.FunctionDef, str], list[ast.expr]] = {}
        """The parameters of functions, each with an argument for each call, where all are known."""
        self._of_names = dict(self._read())

    def values(self, name: ast.Name) -> list[ast.expr] | None:
        """What a name that is read stands for as a parameter of the innermost function that has it.

        Args:
            name: a name that is read in the module.

        Returns:
            An argument for each call of the function; none where nobody calls it, or where it may be called
            with something else; None where the name is no parameter.
        """
        return self._of_names.get(name)

    def _read(self) -> Iterator[tuple[ast.Name, list[ast.expr]]]:
        for function in self._functions:  # outer ones before inner ones, whose parameters hide theirs
            name = None if isinstance(function, ast.Lambda) else function.name
            calls = self._calls(name) if name is not None and self._names.count(name) == 1 else []
            within = [node for node in walk(function) if isinstance(node, ast.Name)]
            parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            for position, parameter in enumerate(parameters):
                given = [call.given(position, parameter.arg) for call in calls]
                values = [value for value in given if value is not None]
                reads = [node for node in within if node.id == parameter.arg]
                bound = any(not isinstance(node.ctx, ast.Load) for node in reads)
                known = values if len(values) == len(given) and not bound else []
                if known and isinstance(function, ast.FunctionDef) and not function.decorator_list:
                    self.parameters[function, parameter.arg] = known
                yield from ((node, known) for node in reads)

    def _calls(self, name: str) -> list[Given]:
        """All calls of a function; none where it gets elsewhere by its name, too."""
        calls: list[Given] = []
        told: set[ast.AST] = set()
        for call in of_kinds(self._tree, ast.Call):
            if isinstance(call.func, ast.Name) and call.func.id == name:
                calls.append(Given(call.args, call.keywords))
                told.add(call.func)
            elif (
                call.args
                and isinstance(call.args[0], ast.Name)
                and call.args[0].id == name
                and _registers(call)
            ):
                calls.append(Given(call.args[1:], call.keywords))
                told.add(call.args[0])
        reads = [node for node in of_kinds(self._tree, ast.Name) if node.id == name]
        return calls if all(node in told for node in reads) else []


def _registers(call: ast.Call) -> bool:
    """Whether a call is `atexit.register`, which calls its first argument with the others at the end."""
    return ast.unparse(call.func) in ("atexit.register", "register")
