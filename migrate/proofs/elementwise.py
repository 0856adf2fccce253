"""Functions of a partition's iterator that treat each element by itself, in whichever partition it is.

What they may do is a closed list: nothing that is bound outside of the loop can remember an element, and what
the loop binds itself has its value before it is read. All else may depend on where a partition begins.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from migrate.proofs.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_DEPTH = 5
_BUILTINS = frozenset(
    {
        *("int", "float", "str", "len", "ord", "chr", "min", "max", "sorted", "list", "tuple", "set", "dict"),
        *(
            "bool",
            "range",
            "abs",
            "round",
            "sum",
            "any",
            "all",
            "isinstance",
            "repr",
            "enumerate",
            "reversed",
        ),
        *("None", "True", "False"),
    }
)
_READING = frozenset(
    {
        *("split", "rsplit", "splitlines", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace"),
        *("capitalize", "casefold", "startswith", "endswith", "find", "rfind", "index", "count", "join"),
        *("format", "encode", "decode", "isdigit", "isalpha", "isalnum", "isspace", "partition", "zfill"),
        *("get", "items", "keys", "values", "copy", "union", "intersection", "difference"),
        *("match", "search", "findall", "fullmatch", "sub", "group", "groups", "loads", "dumps", "strptime"),
        *("predict", "predict_proba", "transform", "sqrt", "log", "exp", "floor", "ceil"),
    }
)
"""Methods, and functions of modules, that change nothing."""
_TAKING = _READING - {"join", "union", "intersection", "difference", "predict", "predict_proba", "transform"}
"""Those that go through nothing that they are given: an iterator would remember how far."""
_FILLING = frozenset({"append", "extend", "add", "update"})
_FORBIDDEN = (
    *(ast.Global, ast.Nonlocal, ast.NamedExpr, ast.AugAssign, ast.Delete, ast.Break, ast.While, ast.With),
    *(ast.Try, ast.Await, ast.ClassDef, ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Starred),
)
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def is_elementwise(function: ast.expr, facts: Facts) -> bool:
    """Whether what `mapPartitions` makes by a function is what it makes of each element, one after another.

    That is a loop over the iterator which yields, or fills a list that is returned, a comprehension, or
    ``map``; by a function of the same module, or one that such a function makes.
    """
    if isinstance(function, ast.Lambda):
        (name, *others) = parameter_names(function) or [""]
        return not others and _maps(function.body, name, set(), facts, _DEPTH)
    node = _definition(function, facts)
    return node is not None and _loops(node, 0, facts, _DEPTH)


def _definition(function: ast.expr, facts: Facts) -> ast.FunctionDef | None:
    """The function that an expression is, or that the function which it calls makes."""
    called = facts.function(function.func if isinstance(function, ast.Call) else function)
    if called is None or called.bound:
        return None
    if not isinstance(function, ast.Call):
        return called.node
    match _without_docstring(called.node.body):
        case [ast.FunctionDef(name=name) as inner, ast.Return(value=ast.Name(id=returned))] if (
            name == returned
        ):
            return inner
    return None


def _maps(node: ast.expr, name: str, own: set[str], facts: Facts, depth: int) -> bool:
    """Whether an expression lists what becomes of each element of `name`, which it reads once."""
    reads = [inner for inner in walk(node) if isinstance(inner, ast.Name) and inner.id == name]
    if len(reads) != 1:
        return False
    match node:
        case ast.ListComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return first.iter is reads[0] and _is_stateless([node], {name, *own}, facts, depth)
        case ast.Call(func=ast.Name(id="map" | "filter" as called), args=[function, iterated], keywords=[]):
            plain = iterated is reads[0] and not facts.bindings.get(called)
            return plain and _is_stateless([function], own, facts, depth)
        case ast.Call(func=ast.Name(id="iter" | "list" as called), args=[inner], keywords=[]):
            return not facts.bindings.get(called) and _maps(inner, name, own, facts, depth)
        case ast.Call(args=args, keywords=[]) if depth and reads[0] in args:
            target = facts.function(node.func)
            others = [argument for argument in args if argument is not reads[0]]
            lasting = all(isinstance(argument, ast.Constant | ast.Name) for argument in others)
            return (
                lasting
                and target is not None
                and not target.bound
                and _loops(target.node, args.index(reads[0]), facts, depth - 1)
            )
    return False


def _loops(function: ast.FunctionDef, position: int, facts: Facts, depth: int) -> bool:
    """Whether a function goes through its iterator once, and gives something of each element only."""
    names = parameter_names(function)
    if position >= len(names) or function.decorator_list:
        return False
    name = names[position]
    body = _without_docstring(function.body)
    reading = [number for number, statement in enumerate(body) if _mentions(statement, name)]
    if len(reading) != 1:
        return False
    before, statement, after = body[: reading[0]], body[reading[0]], body[reading[0] + 1 :]
    if not all(_only_names(earlier) for earlier in before):
        return False
    if isinstance(statement, ast.Return):
        return statement.value is not None and not after and _maps(statement.value, name, set(), facts, depth)
    if not (isinstance(statement, ast.For) and isinstance(statement.iter, ast.Name) and not statement.orelse):
        return False
    filled = _filled(before, statement, after)
    if filled is None and (after or not _gives(statement.body)):
        return False
    returns = any(isinstance(node, ast.Return) for inner in statement.body for node in walk(inner))
    return not returns and _forgets(statement, {filled} if filled else set(), facts, depth)


def _only_names(statement: ast.stmt) -> bool:
    """Whether a statement before the loop gives a name to what is the same in each partition.

    A constant, an empty list, a part of an object (``model = broadcast.value``), or a compiled expression.
    """
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value):
            compiled = isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile"
            values = value.args if isinstance(value, ast.Call) and compiled else [value]
            return all(
                isinstance(part, ast.Constant | ast.Name | ast.Attribute | ast.Load | ast.List | ast.Tuple)
                for given in values
                for part in walk(given)
            )
    return False


def _filled(before: Sequence[ast.stmt], loop: ast.For, after: Sequence[ast.stmt]) -> str | None:
    """The list that a loop fills and the function returns."""
    match after:
        case [
            ast.Return(value=ast.Name(id=name) | ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)]))
        ]:
            pass
        case _:
            return None
    match [statement for statement in before if _mentions(statement, name)]:
        case [ast.Assign(value=ast.List(elts=[]))]:
            pass
        case _:
            return None
    appending = {
        node.func.value
        for node in walk(loop)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING
    }
    own = [node for node in walk(loop) if _is(node, name)]
    return name if own and all(node in appending for node in own) and not _gives(loop.body) else None


def _forgets(loop: ast.For, filled: set[str], facts: Facts, depth: int) -> bool:
    """Whether the loop's body knows nothing of the elements that came before."""
    own = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    inner = [node for statement in loop.body for node in walk(statement) if isinstance(node, ast.For)]
    for nested in inner:
        targets = {node.id for node in walk(nested.target) if isinstance(node, ast.Name)}
        inside = set(walk(nested))
        named = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id in targets]
        if nested.orelse or any(node not in inside for node in named):
            return False
        own |= targets
    fresh: set[str] = set()
    for statement in loop.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _mentions(value, name):
                own.add(name)
                if isinstance(value, _FRESH):
                    fresh.add(name)
    stored = [
        node.id
        for statement in loop.body
        for node in walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    comprehended = _comprehended(loop.body)
    if not all(name in own | comprehended and name not in filled for name in stored):
        return False
    targets = {node.id for nested in inner for node in walk(nested.target) if isinstance(node, ast.Name)}
    assigned = set(stored) - comprehended - targets
    if not all(_is_set_first(loop.body, name) for name in assigned):
        return False
    return _is_stateless(loop.body, own | filled, facts, depth, fresh | filled)


def _comprehended(body: Iterable[ast.AST]) -> set[str]:
    """The variables of comprehensions, which no other code sees."""
    return {
        node.id
        for statement in body
        for comprehension in walk(statement)
        if isinstance(comprehension, ast.comprehension)
        for node in walk(comprehension.target)
        if isinstance(node, ast.Name)
    }


def _is_stateless(
    given: Sequence[ast.AST], own: set[str], facts: Facts, depth: int, fresh: Iterable[str] = ()
) -> bool:
    """Whether code changes nothing but what it has made itself, and reads nothing that does so when read.

    Args:
        given: the code.
        own: names that are its own.
        facts: what is known of all others.
        depth: how many functions further calls are followed.
        fresh: those of its own names that are collections which it may fill.
    """
    nodes = [node for part in given for node in walk(part)]
    if any(isinstance(node, _FORBIDDEN) for node in nodes):
        return False
    own = own | {node.arg for node in nodes if isinstance(node, ast.arg)} | _comprehended(given)
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    return all(_is_harmless(node, parents, own, frozenset(fresh), facts, depth) for node in nodes)


def _is_harmless(
    node: ast.AST,
    parents: dict[ast.AST, ast.AST],
    own: set[str],
    fresh: frozenset[str],
    facts: Facts,
    depth: int,
) -> bool:
    parent = parents.get(node)
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            fills = isinstance(function.value, ast.Name) and function.value.id in fresh
            return function.attr in _READING or (fills and function.attr in _FILLING)
        return isinstance(function, ast.Name)  # which one, is asked of the name
    if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store):
        return True
    called = isinstance(parent, ast.Call) and parent.func is node
    if node.id in own:
        return not called
    target = facts.function(node)
    if target is not None:
        inside = set(parameter_names(target.node)) | _comprehended(target.node.body)
        inside |= {
            n.id for n in walk(target.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        return depth > 0 and not target.bound and _is_stateless(target.node.body, inside, facts, depth - 1)
    if not facts.bindings.get(node.id):
        return node.id in _BUILTINS
    if called:
        return False
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READING or parent.attr == "value"
    if (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Attribute)
        and parent.func.attr in _TAKING
    ):
        return True
    return isinstance(parent, ast.Compare) or facts.constant(node.id, node.lineno)[0]


def _is_set_first(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether each round gives a variable its value before it reads it."""
    first = next(statement for statement in body if _mentions(statement, name))
    return isinstance(first, ast.Assign) and not _mentions(first.value, name)


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text else body


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _mentions(statement: ast.AST, name: str) -> bool:
    return any(_is(node, name) for node in walk(statement))


def _gives(body: Sequence[ast.stmt]) -> bool:
    """Whether statements yield."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for statement in body for node in walk(statement))
