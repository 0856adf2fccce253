"""What a person must know of a program that was written in Python 2, beside what keeps it as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from migrate.knowledge.builtins import OF_PYTHON_2, TEXT_OF_PYTHON_2
from migrate.knowledge.rdd import SORTS
from migrate.model import Module
from migrate.read.python2.as_written import as_written
from migrate.read.python2.handlers import caught_in
from migrate.read.python2.kinds import Kind, kinds_of
from migrate.read.python2.messages import are_shown
from migrate.read.python2.processes import AS_TEXT, pipes
from migrate.read.python2.stored import stored_in_redis
from migrate.syntax.nodes import Node, of_kinds, position, walk

UNPROVEN = "it was written in Python 2; that the step to Python 3 changes nothing is not proven"
ORDER = "values of unlike types have no order in Python 3: comparing them raises"
SHOWN = "{}: `{}` is bytes in Python 3, and shows as b'...': decode it"
MESSAGES = "an error is printed or logged as `str` writes it, which may be more than its `message` was"
DECODED = (
    "`json.loads` reads texts and bytes without `decode` in Python 3; a text beyond ASCII failed at it in"
    " Python 2, and does not any more"
)
_AS_IN_3 = (
    "written as Python 3 does: without the u of Python 2's u'' and the L of 5L, a set as {1}, and a dict in "
    "the order in which it got its keys"
)
CONTAINER = f"%s: `%s` is {_AS_IN_3}"
UNKNOWN = f"%s: if that is a list, tuple, dict or set, it is {_AS_IN_3}"
STORED = (
    "%s: what is neither text nor number, such as a dict, makes redis-py raise a DataError from its version"
    f" 3.0 on; older ones store it {_AS_IN_3}; hand over `json.dumps` of it"
)
SHOWN_AS_IN_3 = (
    "{}: written as in Python 3, a float with all its digits, and in a list, tuple, dict or set texts "
    "without u'' and a long without its L"
)
PROCESSES = (
    "what other processes write is read as text, in the encoding of the system and with \\n for \\r\\n; in "
    "Python 2 it was their bytes"
)
SEEDED = (
    "{}: what `random` gives after that is not what it gave in Python 2, but for `random.random()`, as its "
    "functions draw otherwise"
)
CAUGHT = (
    "{} fails for {}, as it is not known what Python 2 gave for that, and a handler takes the error: what it "
    "leaves out then is missing without a word"
)
_HASH = "python2_hash"
_FAILING = {
    "python2_str": "bytes, complex numbers and types",
    "python2_divide": "what is no number",
    _HASH: "what is neither a text in ASCII nor a whole number",
}
"""The functions of this step that fail where Python 2 did not, and for which values."""
_MOST = 3
"""The number of places that a note names."""
_PRINTS = re.compile(r"\s*print\b")
_DECODED = re.compile(r"""\bloads\([^#\n]*\.decode\(\s*(['"])utf[-_]?8\1\s*\)\s*\)""", re.IGNORECASE)
_FORMATS = re.compile(r"%(?:\(\w*\))?[-+ 0#]*\d*(?:\.\d+)?[hlL]?(\S)")
_OF_NUMBERS = frozenset("dioxXfFeEgG")
_NUMBERS = frozenset({"float", "int", "len"})
_SORTING = SORTS | {"max", "min", "sort", "sorted"}
_ORDERED = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
_RESPONSES = frozenset({"getresponse", "urlopen"})
"""Functions that give what is read as bytes."""


def notes_on_2(module: Module, streams: Container[ast.AST] = ()) -> Iterator[str]:
    """The notes on a module in Python 2.

    There are none on one in which only prints are others in Python 3, and show texts and whole numbers.

    Args:
        module: the module.
        streams: the expressions that are streams or contexts, which look the same in both.
    """
    order = any(_may_compare(node) for node in ast.walk(module.tree))
    only_prints = _only_prints(module)
    if order or not only_prints:
        yield UNPROVEN
        if order:
            yield ORDER
    if shown := [*_shown_otherwise(module, streams)]:
        yield SHOWN_AS_IN_3.format(listed([*dict.fromkeys(shown)]))
    if are_shown(module.text, module.tree, module.source):
        yield MESSAGES
    if _DECODED.search(module.text):
        yield DECODED
    if AS_TEXT not in module.text and any("text" in _keywords(call) for call in pipes(module.tree)):
        yield PROCESSES
    for call in of_kinds(module.tree, ast.Call):
        if ast.unparse(call.func) == "random.seed" and call.args:
            yield SEEDED.format(module.where(call.lineno))
    yield from _containers(module)
    if stored := [*stored_in_redis(module)]:
        yield STORED % listed(stored)
    yield from _caught(module)
    for call in _shown(module.tree):
        yield SHOWN.format(module.where(call.lineno), as_written(call))


def _shown_otherwise(module: Module, streams: Container[ast.AST]) -> Iterator[str]:
    """Where a value that is not known to look the same in Python 2 is printed or put into a text."""
    kinds = kinds_of(module.tree, true_division=True)
    for node in sorted(_of_program(module.tree, ast.BinOp, ast.Call), key=position):
        for value in _put_into_text(node):
            is_saved = isinstance(node, ast.Call) and value in ast.iter_child_nodes(node.func)
            if (is_saved or value not in streams) and not kinds.shows_the_same(value):
                yield f"{module.where(value.lineno)}: `{as_written(value)}`"


def _of_program(tree: ast.Module, *kinds: type[Node]) -> list[Node]:
    """The nodes of one of `kinds` that the program has itself, beside the functions of this step."""
    own = {
        node
        for function in of_kinds(tree, ast.FunctionDef)
        if function.name.startswith(OF_PYTHON_2)
        for node in walk(function)
    }
    return [node for node in of_kinds(tree, *kinds) if node not in own]


def _put_into_text(node: ast.AST) -> list[ast.expr]:
    """The values that a call prints, or that are put into a text: ``"%s: %s" % (key, value)``."""
    match node:
        case ast.BinOp(ast.Constant(str(text)), ast.Mod(), ast.Tuple(values)):
            return _as_texts(text, values)
        case ast.BinOp(ast.Constant(str(text)), ast.Mod(), value):
            return _as_texts(text, [value])
        case ast.BinOp(ast.Constant(str()), ast.Mod(), value):
            return [value]
        case ast.Call(ast.Name("print") | ast.Attribute(ast.Constant(str()), "format"), values):
            return values
        case ast.Call(ast.Attribute(stream, "saveAsTextFile" | "saveAsTextFiles")):
            return [stream]
    return []


def _as_texts(text: str, values: list[ast.expr]) -> list[ast.expr]:
    """The values that a text has as `str` writes them: ``%.2f`` gives the same in Python 2."""
    kinds = [kind for kind in _FORMATS.findall(text) if kind != "%"]
    if len(kinds) != len(values):
        return values
    return [value for kind, value in zip(kinds, values, strict=True) if kind not in _OF_NUMBERS]


def _keywords(call: ast.Call) -> set[str | None]:
    return {keyword.arg for keyword in call.keywords}


def _containers(module: Module) -> Iterator[str]:
    """Where a list, tuple, dict or set is, or may be, shown in Python 3's way."""
    kinds = kinds_of(module.tree, true_division=True)
    unknown: list[str] = []
    for call in sorted(_of_program(module.tree, ast.Call), key=position):
        place, code = module.where(call.lineno), as_written(call)
        match call:
            case ast.Call(ast.Name("str"), [value]) if not kinds.shows_the_same(value):
                if kinds.is_container(value):
                    yield CONTAINER % (place, code)
                elif kinds.is_searched(call):
                    unknown.append(f"{place}: `{code}`")
            case ast.Call(function, [value]) if _is_text_of_2(function):
                if kinds.of(value) is not Kind.FLOAT and not _is_hash(value):
                    unknown.append(f"{place}: `{code}`")
            case ast.Call(args=given) if any(map(_is_text_of_2, given)):
                unknown.append(f"{place}: `{code}`")
    if unknown:
        yield UNKNOWN % listed([*dict.fromkeys(unknown)])


def _caught(module: Module) -> Iterator[str]:
    """The errors of this step's own functions that a handler takes."""
    failing: dict[str, list[ast.Call]] = {}
    for call in of_kinds(module.tree, ast.Call):
        if isinstance(call.func, ast.Name) and _own(call.func.id) in _FAILING:
            failing.setdefault(_own(call.func.id), []).append(call)
    caught = set(caught_in(module.tree)) if failing else set()
    for name, found in failing.items():
        places = [f"{module.where(call.lineno)}: `{as_written(call)}`" for call in found if call in caught]
        if places:
            yield CAUGHT.format(", ".join(dict.fromkeys(places)), _FAILING[name])


def _is_text_of_2(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and _own(node.id) == TEXT_OF_PYTHON_2


def _is_hash(node: ast.expr) -> bool:
    """Whether a value is a whole number, as the function of this step for `hash` gives it."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _own(node.func.id) == _HASH


def _own(name: str) -> str:
    """A function of this step by its name, which may have got an underscore where that was taken."""
    return name.rstrip("_")


def listed(places: list[str]) -> str:
    """The first few of several places."""
    more = [f"and {len(places) - _MOST} more"] if len(places) > _MOST else []
    return ", ".join([*places[:_MOST], *more])


def _only_prints(module: Module) -> bool:
    """Whether nothing else than lines that print had to change."""
    old, new = module.text.splitlines(), module.source.splitlines()
    same = len(old) == len(new)
    return same and all(a == b or _PRINTS.match(a) for a, b in zip(old, new, strict=True))


def _may_compare(node: ast.AST) -> bool:
    """Whether code may ask for the order of values that are not known to be numbers."""
    if isinstance(node, ast.Call):
        return (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) in _SORTING
    if not isinstance(node, ast.Compare) or not any(isinstance(op, _ORDERED) for op in node.ops):
        return False
    return not all(map(_is_number, (node.left, *node.comparators)))


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _NUMBERS
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _shown(tree: ast.Module) -> Iterator[ast.Call]:
    """``response.read()`` as an argument of ``print``."""
    responses = {
        target.id
        for node in of_kinds(tree, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and _is_response(node.value)
    }
    for call in of_kinds(tree, ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id == "print"):
            continue
        for given in call.args:
            match given:
                case ast.Call(func=ast.Attribute(value=read, attr="read")):
                    if _is_response(read) or (isinstance(read, ast.Name) and read.id in responses):
                        yield given


def _is_response(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return (getattr(called, "attr", "") or getattr(called, "id", "")) in _RESPONSES
