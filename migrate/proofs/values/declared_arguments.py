"""The types of the arguments that a program declares to ``argparse`` or ``optparse``.

    parser = argparse.ArgumentParser()
    parser.add_argument("--top", type=int, default=10)
    args = parser.parse_args()

`args.top` is an int.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from migrate.columns.element import Refusal
from migrate.frozen import dataclass
from migrate.proofs.analysis.facts import Facts
from migrate.typed.types import ANY_TEXT, NEVER, NOTHING, REAL, TRUTH, WHOLE, ListOf, Text, Type, join, one


@dataclass(frozen=True)
class _Library:
    """A library that parses arguments.

    Attributes:
        declares: the method that declares one.
        parses: the methods that parse them, and whether they return a pair, whose first are the arguments.
        types: the types that are named by a text: ``type="int"``.
        known: keywords of the constructor that leave types as they are.
    """

    declares: str
    parses: Mapping[str, bool]
    types: Mapping[str, Type]
    known: frozenset[str]


_TEXTS = frozenset({"add_help", "allow_abbrev", "description", "epilog", "formatter_class", "prog", "usage"})
_LIBRARIES = {
    "argparse.ArgumentParser": _Library(
        "add_argument", {"parse_args": False, "parse_known_args": True}, {}, _TEXTS
    ),
    "optparse.OptionParser": _Library(
        "add_option",
        {"parse_args": True},
        {"int": WHOLE, "long": WHOLE, "float": REAL, "string": ANY_TEXT, "choice": ANY_TEXT},
        _TEXTS | {"version"},
    ),
}
_GROUPS = frozenset({"add_argument_group", "add_mutually_exclusive_group"})
_LEAVING = frozenset(
    {"error", "exit", "format_help", "format_usage", "print_help", "print_usage", "print_version"}
    | {"set_usage", "get_usage", "description", "epilog", "prog", "usage"}
)
"""Members of a parser that change nothing about the arguments."""
_FLAGS = frozenset({"store_true", "store_false"})

TypeOf = Callable[[ast.expr], Type]
"""The type of an expression in the function that declares the arguments; raises Refusal."""
Applied = Callable[[ast.expr, Type], Type]
"""The type of what a function makes of a value; raises Refusal."""


def parsing_call(call: ast.expr, facts: Facts) -> bool | None:
    """Whether a call that parses arguments returns a pair; None for any other expression."""
    found = _parser_of(call, facts)
    return found[1].parses[found[2]] if found is not None else None


def declared_arguments(call: ast.expr, facts: Facts, type_of: TypeOf, applied: Applied) -> dict[str, Type]:
    """The types of the arguments by their names, without those whose type is not known.

    Args:
        call: ``parser.parse_args()``.
        facts: the names of its module.
        type_of: gives the type of a default.
        applied: gives the type of what a function, ``type=int``, makes of a text.
    """
    found = _parser_of(call, facts)
    declarations = list(_declarations(*found[:2], facts)) if found is not None else []
    types: dict[str, Type | None] = {}
    for declaration in declarations:
        name = _name(declaration)
        if name is None:
            return {}
        assert found is not None
        of = _type(declaration, found[1], type_of, applied)
        before = types.get(name, of)
        types[name] = None if of is None or before is None else join(before, of)
    return {name: of for name, of in types.items() if of is not None}


def _parser_of(call: ast.expr, facts: Facts) -> tuple[ast.Name, _Library, str] | None:
    """The parser that a call parses arguments with, its library and the method; None for any other."""
    match call:
        case ast.Call(ast.Attribute(ast.Name() as parser, method), arguments, []) if len(arguments) < 2:
            library = _library(parser, facts)
            return (parser, library, method) if library is not None and method in library.parses else None
    return None


def _library(parser: ast.Name, facts: Facts) -> _Library | None:
    """The library that a variable is a parser of, if it is bound once, to a new one."""
    bindings = [one for one in facts.bindings.get(parser.id, ()) if _is_same(one, parser, facts)]
    made = facts.value_of(bindings[0]) if len(bindings) == 1 else None
    if not isinstance(made, ast.Call) or facts.is_declared_elsewhere(parser.id):
        return None
    library = _LIBRARIES.get(facts.qualified(made.func) or "")
    plain = library is not None and all(keyword.arg in library.known for keyword in made.keywords)
    return library if plain else None


def _declarations(parser: ast.Name, library: _Library, facts: Facts) -> Iterator[ast.Call | None]:
    """The calls that declare the arguments of a parser and of its groups; None for what is not understood."""
    for load in facts.loads.get(parser.id, ()):
        if not _is_same(load, parser, facts):
            continue
        member = facts.above[load]
        call = facts.above[member]
        if not isinstance(member, ast.Attribute) or not isinstance(member.ctx, ast.Load):
            yield None
        elif member.attr == library.declares and isinstance(call, ast.Call):
            yield call
        elif member.attr in _GROUPS and isinstance(call, ast.Call):
            yield from _of_group(call, library, facts)
        elif member.attr not in _LEAVING | library.parses.keys():
            yield None


def _of_group(made: ast.Call, library: _Library, facts: Facts) -> Iterator[ast.Call | None]:
    """The declarations of a group of arguments: ``group = parser.add_argument_group("Kafka")``."""
    match facts.above[made]:
        case ast.Attribute(attr=attr) as member if attr == library.declares:
            call = facts.above[member]
            yield call if isinstance(call, ast.Call) else None
        case ast.Assign([ast.Name() as group]):
            yield from _declarations(group, library, facts)
        case _:
            yield None


def _is_same(one: ast.AST, other: ast.Name, facts: Facts) -> bool:
    """Whether two names are one variable."""
    return isinstance(one, ast.Name) and one.id == other.id and facts.home(one) is facts.home(other)


def _name(declaration: ast.Call | None) -> str | None:
    """The attribute of an argument, `batch_size` for ``--batch-size``; None where it is not written out."""
    if declaration is None:
        return None
    given = {keyword.arg: keyword.value for keyword in declaration.keywords}
    if None in given:
        return None
    names = [one.value for one in declaration.args if isinstance(one, ast.Constant)]
    flags = [name for name in names if isinstance(name, str)]
    if len(flags) != len(declaration.args) or not flags:
        return None
    if "dest" in given:
        dest = given["dest"]
        return dest.value if isinstance(dest, ast.Constant) and isinstance(dest.value, str) else None
    long = [flag for flag in flags if flag.startswith("--")]
    return (long or flags)[0].lstrip("-").replace("-", "_")


def _type(declaration: ast.Call | None, library: _Library, type_of: TypeOf, applied: Applied) -> Type | None:
    """The type of one argument; None where it is not known."""
    assert declaration is not None
    given = {keyword.arg or "": keyword.value for keyword in declaration.keywords}
    action, count = _text(given.get("action"), "store"), _text(given.get("nargs"), "")
    flag = declaration.args[0]
    optional = isinstance(flag, ast.Constant) and str(flag.value).startswith("-")
    try:
        if action in _FLAGS:
            return join(TRUTH, type_of(given["default"])) if "default" in given else TRUTH
        if action != "store" or count not in ("", "?", "*", "+"):
            return None
        of = _of_texts(given.get("type"), library, applied)
        whole = one(ListOf(of)) if count in ("*", "+") else of
        if count == "?" and optional:
            whole = join(whole, type_of(given["const"]) if "const" in given else NOTHING)
        if _is_true(given.get("required")) or (not optional and count in ("", "+")):
            return whole
        if "default" not in given:
            return whole if count == "*" and not optional else join(whole, NOTHING)
        default = type_of(given["default"])
    except Refusal:
        return None
    texts = frozenset(kind for kind in default if isinstance(kind, Text))
    return join(whole, default - texts, of if texts else NEVER)  # a text is parsed as an argument is


def _of_texts(type_: ast.expr | None, library: _Library, applied: Applied) -> Type:
    """The type of what the library makes of the text of an argument.

    Raises:
        Refusal: it is not known.
    """
    match type_:
        case None:
            return ANY_TEXT
        case ast.Constant(str(name)) if name in library.types:
            return library.types[name]
        case ast.Constant():
            raise Refusal("the type of the argument is not known", type_)
    return applied(type_, ANY_TEXT)


def _text(node: ast.expr | None, default: str) -> str:
    """The text that a keyword is given; "-" for anything else."""
    if node is None:
        return default
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "-"


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
