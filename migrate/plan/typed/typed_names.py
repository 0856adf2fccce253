"""Names for typed functions and for the columns of what they return."""

from __future__ import annotations

import ast
import re

from migrate.columns import Element, Scalar, name_columns, singular
from migrate.columns.names import is_telling
from migrate.knowledge.builtins import OF_PYTHON_2
from migrate.plan.draft.step import Step
from migrate.plan.typed.returned_names import with_returned_names
from migrate.syntax.nodes import walk


def function_name(step: Step, function: ast.expr, column: str = "") -> str:
    """A name for a typed function, after what it calls or what it makes.

    Args:
        step: the operator.
        function: the function, or the expression that it returns.
        column: the program's name for its result, if it has one.
    """
    own = isinstance(function, ast.Lambda) and isinstance(function.body, ast.Call)
    made = function.body if own and isinstance(function, ast.Lambda) else function
    match made:
        case ast.Call(ast.Name("float" | "int" | "str"), [ast.Call(ast.Name(name)) as inner]) if (
            name in step.facts.bindings
        ):
            made = inner
    called = made.func if isinstance(made, ast.Call) else made
    of_program = isinstance(called, ast.Name) and called.id in step.facts.bindings
    named = isinstance(called, ast.Name) and (not own or called.id in step.scope.functions)
    if isinstance(called, ast.Name) and named and (of_program or not column):
        return f"{called.id}_udf"
    if isinstance(called, ast.Attribute) and not own and step.scope.defined(called) is not None:
        return f"{called.attr}_udf"
    if column.isidentifier():
        return f"{_snake(column)}_udf"
    target = step.basis.targets.get(step.operation)
    is_filter = step.operation.operator == "filter"
    if target is None:
        return "keep_udf" if is_filter else f"{_name_of_made(step, function)}_udf"
    name = _UNSAID.sub("", singular(target)) or "convert"
    if _is_key(step, function, counted=True):
        name = "_".join(filter(None, (_OF_PAIRS.sub("", name), "key")))
    elif not is_filter and not is_telling(name):
        name = _called(function) or name
    return f"is_{name}" if is_filter else f"{name}_udf"


def _name_of_made(step: Step, function: ast.expr) -> str:
    """A name for what a function makes, after the one part that it reads, or what it calls last."""
    if name := _snake(part_read(_made(function)) or "") or _called(function):
        return name
    read = _parts_read(function)
    return read[0] if len(read) == 1 else "key" if _is_key(step, function) else "convert"


def _made(function: ast.expr) -> ast.expr:
    """What a lambda returns; any other function as it is."""
    return function.body if isinstance(function, ast.Lambda) else function


_UNSAID = re.compile(r"_?(?:rdds?|d_?streams?)_?", re.IGNORECASE)
_OF_PAIRS = re.compile(r"_?(?:counts?|pairs?|tuples?)$", re.IGNORECASE)
_CAPITAL = re.compile("(?<=[a-z0-9])(?=[A-Z])")


def _is_key(step: Step, function: ast.expr, *, counted: bool = False) -> bool:
    """Whether a function makes the key of pairs: ``lambda t: (topic(t) + mood(t), 1)``.

    Args:
        step: the operator.
        function: the function, or the expression that it returns.
        counted: whether the pairs have a number as their value.
    """
    given = step.operation.call.args[0] if step.operation.call.args else None
    match given:
        case ast.Lambda(body=ast.Tuple([key, value])):
            is_number = isinstance(value, ast.Constant) and isinstance(value.value, int)
            return (is_number or not counted) and ast.dump(key) == ast.dump(_made(function))
    return False


def _key(function: ast.expr) -> str:
    """The key that a lambda reads last: ``price`` of ``lambda t: float(t[0].get("price"))``; or none."""
    match function.body if isinstance(function, ast.Lambda) else function:
        case ast.Call(ast.Name("float" | "int" | "str"), [read]):
            return _key(read)
        case (
            ast.Call(ast.Attribute(attr="get"), [ast.Constant(str(key)), *_])
            | ast.Subscript(slice=ast.Constant(str(key)))
        ):
            return key if key.isidentifier() and key.isascii() else ""
    return ""


def part_read(node: ast.expr) -> str | None:
    """The key or attribute that an expression reads: ``text`` of ``tweet["text"].strip().lower()``."""
    while not _key(node):
        match node:
            case ast.Call(ast.Attribute(read)):
                node = read
            case ast.Attribute(attr=name) if is_telling(name):
                return name
            case _:
                return None
    return _key(node)


def _snake(name: str) -> str:
    """``user_id`` for ``userId``."""
    return _CAPITAL.sub("_", name).lower()


def _called(function: ast.expr) -> str:
    """The last method or function that a lambda calls: ``title`` of ``lambda line: line.title()``; or none.

    ``predict`` of ``lambda p: (p[0], int(model.predict(p[1])))``.
    """
    body = _made(function)
    while True:
        match body:
            case ast.Subscript(value=inner):
                body = inner
            case ast.Tuple([ast.Subscript(ast.Name(), ast.Constant(int())), inner]):
                body = inner
            case ast.Call(ast.Name("float" | "int" | "str"), [ast.Call() as inner]):
                body = inner
            case ast.Call(ast.Attribute(attr=name)):
                return name
            case ast.Call(ast.Name(name)):
                return _snake(name) if name[:1].isupper() else name
            case _:
                return ""


def _parts_read(function: ast.expr) -> list[str]:
    """The keys and attributes that a lambda reads: ``hour`` of ``lambda t: (t.hour, 1)``."""
    nodes = list(walk(function))
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    found = dict[str, None]()
    for node in nodes:
        match node:
            case ast.Subscript(slice=ast.Constant(str(key))) | ast.Attribute(attr=key) if node not in called:
                if key.isidentifier() and key.isascii():
                    found[_snake(key)] = None
    return [*found]


def own_name(step: Step, function: ast.expr, element: Element) -> str | None:
    """A name for a result: ``word`` for ``lambda word: word.title()``, ``mood`` for ``mood(line)``."""
    body = function.body if isinstance(function, ast.Lambda) else function
    called = body.func if isinstance(body, ast.Call) else body
    if isinstance(called, ast.Name | ast.Attribute):
        own = called.id if isinstance(called, ast.Name) else called.attr
        is_own = own in step.scope.functions or step.scope.defined(called) is not None
        if is_own and is_telling(own) and not own.startswith(OF_PYTHON_2):
            return _without_verb(own) or None
    if isinstance(element, Scalar) and (key := _key(function)):
        return key
    if isinstance(element, Scalar) and isinstance(body, ast.Attribute):
        return body.attr
    while isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute):
        body = body.func.value
    if not isinstance(body, ast.Name) or not isinstance(element, Scalar):
        return None
    # `re.sub("a", "b", text)` makes no `re`, and `SPACE.sub(" ", text)` no space
    of_module = any(_is_of_module(node, step) for node in step.facts.bindings.get(body.id, ()))
    if is_telling(body.id) and not of_module:
        return body.id
    return element.name if element.name != "value" else None


def _is_of_module(binding: ast.AST, step: Step) -> bool:
    """Whether a name is bound by an import, or is a variable of the module."""
    return isinstance(binding, ast.alias) or (
        isinstance(binding, ast.Name) and step.facts.home(binding) is None
    )


_VERB = re.compile("^(get|extract|compute|calculate|parse|to|make|find)(_|(?=[A-Z]))")
"""What the name of a function has before that of what it returns."""


def _without_verb(name: str) -> str:
    """``mood`` for ``get_mood`` and ``getMood``, ``URLRequest`` for ``extractURLRequest``."""
    rest = _VERB.sub("", name)
    return rest[:1].lower() + rest[1:] if rest[1:2].islower() and rest != name else rest


def with_names(step: Step, function: ast.expr, made: Element, taken: tuple[str, ...]) -> Element:
    """The columns of a result under the names that the code uses for them."""
    return name_columns(with_returned_names(made, function, step), step.hint, taken)
