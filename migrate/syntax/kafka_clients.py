"""Clients of Kafka in the code of a module: which brokers they are given, and where these addresses stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from migrate.knowledge.producers import WITH_HOSTS
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import is_main_guard

Qualified = Callable[[ast.expr], str | None]
"""Gives the full name of what an expression names: ``kafka.KafkaClient``."""
Resolve = Callable[[ast.expr], ast.expr]
"""Gives the value of a variable that is bound once; any other expression as it is."""

_ADDRESSES = re.compile(r"[\w.-]+:(?!2181\b)\d+(,[\w.-]+:(?!2181\b)\d+)*")
_KEYS = ("bootstrap_servers", "bootstrap.servers", "metadata.broker.list", "kafka.bootstrap.servers")
"""The names by which Kafka's clients are given brokers."""
_TEXT_METHODS = frozenset({"format", "join"})
_ENVIRONMENT = frozenset({"os.getenv", "os.environ.get"})
_INERT = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.List, ast.Tuple, ast.BinOp),
    *(ast.JoinedStr, ast.FormattedValue, ast.Call, ast.operator, ast.expr_context),
)


def given_servers(tree: ast.Module, qualified: Qualified) -> Iterator[ast.expr]:
    """The brokers of ``KafkaProducer(bootstrap_servers=...)``, ``{"bootstrap.servers": ...}``.

    A client of pykafka's calls them ``hosts``.
    """
    yield from (node.value for node in of_kinds(tree, ast.keyword) if node.arg in _KEYS)
    for node in of_kinds(tree, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        yield from (value for key, value in zip(keys, node.values, strict=True) if key in _KEYS)
    for call in of_kinds(tree, ast.Call):
        if (hosts := _hosts(call)) is not None and qualified(call.func) in WITH_HOSTS:
            yield hosts


def _hosts(call: ast.Call) -> ast.expr | None:
    """The first argument of a call, or that for ``hosts``."""
    named = (word.value for word in call.keywords if word.arg == "hosts")
    return call.args[0] if call.args else next(named, None)


def addresses_of(value: ast.expr, resolve: Resolve) -> str:
    """The addresses that a literal, or a list of variables, names, with commas; empty for anything else."""
    parts = [value]
    if isinstance(value, ast.List | ast.Tuple):
        parts = [resolve(part) for part in value.elts]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    joined = ",".join(texts).replace(" ", "")
    return joined if len(texts) == len(parts) and _ADDRESSES.fullmatch(joined) else ""


def computed_text(value: ast.expr, qualified: Qualified) -> ast.expr | None:
    """The expression of a text that a program makes of its settings, the only item of a list too.

    ``"%s:%s" % (config["host"], config["port"])``, ``sys.argv[1]``: what gives the same wherever it stands.
    A setting by itself may be a list, which Spark's option does not take.
    """
    if isinstance(value, ast.List | ast.Tuple) and len(value.elts) == 1:
        (value,) = value.elts
    inert = all(isinstance(node, _INERT) for node in walk(value))
    calls = (node for node in walk(value) if isinstance(node, ast.Call))
    if not inert or not all(_is_text(call, qualified) for call in calls):
        return None
    return value if _is_text(value, qualified) else None


def _is_text(value: ast.expr, qualified: Qualified) -> bool:
    match value:
        case ast.JoinedStr() | ast.BinOp(ast.Constant(str()), ast.Mod()):
            return True
        case ast.Constant():
            return isinstance(value.value, str)
        case ast.BinOp(left, ast.Add(), right):
            return _is_text(left, qualified) or _is_text(right, qualified)
        case ast.Call(ast.Attribute(ast.Constant(str()), method)):
            return method in _TEXT_METHODS
        case ast.Call(ast.Name("str"), [_]):
            return True
        case ast.Call(func, [_, default]):
            return qualified(func) in _ENVIRONMENT and _is_text(default, qualified)
        case ast.Subscript(of, ast.Constant(str() | int())):
            return qualified(of) in ("sys.argv", "os.environ")
    return False


def constants(tree: ast.Module | ast.FunctionDef, *, main: bool = False) -> Iterator[tuple[str, ast.expr]]:
    """The variables that one statement of a module or function gives a value, and nothing else.

    Args:
        tree: the module or function.
        main: whether the module runs as a program, and what is below ``if __name__ == "__main__":``.
    """
    nodes = walk(tree) if isinstance(tree, ast.FunctionDef) else of_kinds(tree, ast.Name)
    stores = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    block = [*tree.body]
    for statement in tree.body if main else ():
        if isinstance(statement, ast.If) and is_main_guard(statement):
            block += statement.body
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and stores.count(target.id) == 1:
                yield target.id, statement.value
