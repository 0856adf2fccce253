"""The types of calls."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns.messages import impurity, refusal
from migrate.knowledge import outside
from migrate.knowledge.libraries import TRAINING, computes
from migrate.typed import containers, operators
from migrate.typed.asking import Names, Typing
from migrate.typed.datetimes import PARAMETERS, in_places, of_parsed, of_replaced
from migrate.typed.held import Held
from migrate.typed.libraries import of_call, of_method
from migrate.typed.parts import lacks, spread
from migrate.typed.patterns import (
    MATCHING,
    compiled,
    found_all,
    found_in,
    groups_of,
    matches_of,
    with_groups,
)
from migrate.typed.project_functions import in_order, project_function
from migrate.typed.qualified import qualified
from migrate.typed.signatures import CLOCKS, KEYWORDS, NAMED_VALUES, owner, result_of
from migrate.typed.types import (
    FOREIGN,
    JSON,
    NEVER,
    NOTHING,
    REAL,
    TEXT,
    TRUTH,
    DictOf,
    Foreign,
    Items,
    Iterating,
    Kind,
    Nothing,
    Pattern,
    Real,
    Text,
    Truth,
    Type,
    Whole,
    is_foreign,
    join,
    joined,
    kinds_of,
    one,
)
from migrate.typed.unshared import given_away

_ROWS = frozenset({"pyspark.Row", "pyspark.sql.Row", "pyspark.sql.types.Row"})
_EXPLICIT = {"str", "int", "float", "bool", "list", "dict", "set"}
_OF_CLASSES = frozenset({"from_bytes", "fromhex", "fromkeys", "maketrans"})
"""Methods of classes, whose first argument is no value of the class."""


def called(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """The type of a call; None where it is not known."""
    function = node.func
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        fields = _whole_namedtuple(typing, function, names)
        return None if fields is None else _namedtuple(typing, node, fields, names)
    own = project_function(typing, function, names)
    if own is not None:
        given = in_order(node, *own)
        if given is None:
            return None
        types = [typing.type_of(argument, names) for argument in given]
        held = [given_away(argument, typing.function, typing.held, typing.scope) for argument in given]
        return typing.apply(function, types, names, held) if all(types) else NEVER
    made = typing.scope.objects(function)
    if made is not None:
        given = in_order(node, made.parameters, bound=False)
        types = [typing.type_of(argument, names) for argument in given or ()]
        return None if given is None else typing.apply(function, types, names)
    if isinstance(function, ast.Attribute) and qualified(function, names, typing.scope) is None:
        receiver = typing.type_of(function.value, names)
        if is_foreign(receiver):
            if function.attr in containers.CHANGING | TRAINING and not _is_made_here(
                typing, function.value, names
            ):
                raise refusal(node, "it changes a value that may be seen elsewhere")
            return _foreign(typing, node, names, of_method(receiver, function.attr))
        if (place := _place_in_constant(typing, node, names)) is not None:
            return place
        arguments = [typing.type_of(argument, names) for argument in node.args]
        kinds = {f"{owner(kind)}.{function.attr}" for kind in kinds_of(receiver)}
        if kinds == {"str.format"}:
            plain = [*arguments, *(typing.type_of(keyword.value, names) for keyword in node.keywords)]
            return operators.formatted([receiver, *plain])
        for member in kinds:
            _check_keywords(typing, node, member, names)
        found = _method(node, function.attr, receiver, arguments)
        return of_replaced(node, receiver, found) if function.attr == "replace" else found
    name = qualified(function, names, typing.scope)
    if name is not None and computes(name):
        return _foreign(typing, node, names, of_call(name))
    if name in _ROWS:
        return _row(typing, node, names)
    if name is not None and name in typing.scope.namedtuples:
        return _namedtuple(typing, node, typing.scope.namedtuples[name], names)
    if name == "print":
        return _printed(typing, node, names)
    if name == "isinstance" and len(node.args) == 2:
        typing.type_of(node.args[0], names)
        return TRUTH
    if name in ("map", "filter") and len(node.args) == 2 and not node.keywords:
        return _mapped(typing, name, node, names)
    if name in ("sorted", "max", "min") and node.keywords:
        return _ordered(typing, name, node, names)
    if name == "collections.defaultdict" and len(node.args) == 1 and not node.keywords:
        return _with_default(typing, node.args[0], names)
    if name == "re.findall" and len(node.args) == 2 and not node.keywords:
        return found_in(typing, node, names)
    if name == "re.compile" and (pattern := compiled(typing, node, names)) is not None:
        return pattern
    given = in_places(node, PARAMETERS[name]) if name in PARAMETERS else None
    arguments = [typing.type_of(argument, names) for argument in given or node.args]
    if node.keywords and not given:
        if name is None:
            return None
        _check_keywords(typing, node, name, names)
    found = typing.apply(function, arguments, names) if all(arguments) else NEVER
    if name == "datetime.datetime.strptime":
        return of_parsed(typing, node, found, names)
    is_match = name in MATCHING and len(arguments) > 1
    return matches_of(typing, node, found, arguments[1], names) if is_match else found


def _place_in_constant(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """The place of a value in a constant tuple or list: ``FIELDS.index("delay")``; None for other calls."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), "index"), [ast.Constant(value)], []) if name not in names:
            items = typing.scope.constants.get(name)
            if isinstance(items, tuple | list):
                places = [one(Whole(place, place)) for place, item in enumerate(items) if item == value]
                return places[0] if places else NEVER
    return None


def _is_made_here(typing: Typing, node: ast.expr, names: Names) -> bool:
    """Whether an expression is a new object of a library, or a part of one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Call):
            name = qualified(node.func, names, typing.scope)
            if name is not None and computes(name):
                return True
            node = node.func
        else:
            node = node.value
    return False


def _foreign(typing: Typing, node: ast.Call, names: Names, given: Type) -> Type:
    """What a library's function or an object's method gives, when its arguments only compute."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in outside.WRITES:
        raise refusal(node, "it writes to something outside")
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        typing.type_of(argument, names)
    return FOREIGN if node.keywords and given == JSON else given  # its numbers may be Decimals then


def _row(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """A Row of named values, which is a tuple; None for any other form."""
    fields = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
    if node.args or not fields or len(fields) < len(node.keywords):
        return None
    types = tuple(typing.type_of(keyword.value, names) for keyword in node.keywords)
    return one(Items(types, tuple(fields), is_row=True))


def _namedtuple(typing: Typing, node: ast.Call, fields: Sequence[str], names: Names) -> Type | None:
    """A namedtuple of values in order, or by their names; None where a field has not one."""
    named = {keyword.arg: typing.type_of(keyword.value, names) for keyword in node.keywords}
    in_place = _in_place(typing, node, len(fields) - len(named), names)
    given: dict[str | None, Type] = {**dict(zip(fields, in_place, strict=False)), **named}
    if len(given) < len(in_place) + len(node.keywords) or given.keys() != set(fields):
        return None
    types = tuple(given[field] for field in fields)
    return one(Items(types, tuple(fields))) if all(types) else NEVER


def _whole_namedtuple(typing: Typing, function: ast.expr, names: Names) -> Sequence[str] | None:
    """The fields of a namedtuple, none of which may be left out; None for any other class or function."""
    name = qualified(function, names, typing.scope)
    if name is None or name in typing.scope.with_defaults:
        return None
    return typing.scope.namedtuples.get(name)


def _in_place(typing: Typing, node: ast.Call, count: int, names: Names) -> list[Type]:
    """The types of `count` arguments by place, of which ``*values`` gives those that are not written out."""
    starred = sum(isinstance(argument, ast.Starred) for argument in node.args)
    left = count - len(node.args) + starred
    found: list[Type] = []
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            found.append(typing.type_of(argument, names))
        elif starred > 1 or left < 0:
            raise refusal(argument, "it is not known which arguments it stands for")
        else:
            found += spread(argument, typing.type_of(argument.value, names), left)
    return found


def _printed(typing: Typing, node: ast.Call, names: Names) -> Type:
    """What ``print`` gives, on the standard output."""
    for keyword in node.keywords:
        if keyword.arg not in ("sep", "end", "flush"):
            raise refusal(node, f"its argument `{keyword.arg or '**'}` is not followed")
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        typing.type_of(argument, names)
    typing.prints = True
    return NOTHING


def _check_keywords(typing: Typing, node: ast.Call, name: str, names: Names) -> None:
    for keyword in node.keywords:
        if keyword.arg not in KEYWORDS.get(name, ()):
            raise refusal(node, f"its argument `{keyword.arg or '**'}` is not followed")
        value = qualified(keyword.value, names, typing.scope) or ""
        values = NAMED_VALUES.get(f"{name}.{keyword.arg}")
        if values is not None and value not in values:
            raise refusal(node, f"this value of its argument `{keyword.arg}` is not followed")
        if values is None and not value.startswith("re."):  # re.IGNORECASE
            typing.type_of(keyword.value, names)


def _mapped(typing: Typing, name: str, node: ast.Call, names: Names) -> Type | None:
    items = containers.gone_through(typing.type_of(node.args[1], names))
    if items is None:
        return None
    if isinstance(node.args[0], ast.Constant) and node.args[0].value is None:
        return one(Iterating(items)) if name == "filter" else None
    whole = given_away(node.args[1], typing.function, typing.held, typing.scope) is Held.WHOLE
    held = [Held.WHOLE] * whole
    result = typing.apply(node.args[0], [items], names, held) if items else NEVER
    return one(Iterating(result if name == "map" else items))


def _ordered(typing: Typing, name: str, node: ast.Call, names: Names) -> Type | None:
    """``sorted(x, key=f, reverse=True)``, ``max(x, key=f, default=0)``."""
    arguments = [typing.type_of(argument, names) for argument in node.args]
    found = containers.called(name, arguments)
    items = containers.gone_through(arguments[0]) if len(arguments) == 1 else joined(arguments)
    for keyword in node.keywords:
        if keyword.arg == "key" and items is not None:
            _check_key(typing, keyword.value, items, names)
        elif keyword.arg == "default" and name != "sorted" and found is not None:
            found = join(found, typing.type_of(keyword.value, names))
        elif keyword.arg == "reverse" and name == "sorted":
            typing.type_of(keyword.value, names)
        else:
            return None
    return found


def _check_key(typing: Typing, key: ast.expr, items: Type, names: Names) -> None:
    """Check that finding what items are compared by only computes: ``key=len``, ``key=counts.get``."""
    match key:
        case ast.Attribute(value, "get") if all(
            isinstance(one, DictOf) for one in _kinds(typing, value, names)
        ):
            return
    typing.apply(key, [items], names)


def _kinds(typing: Typing, node: ast.expr, names: Names) -> list[Kind]:
    """The kinds of a variable of the function; a value of no kind that is known for others."""
    known = isinstance(node, ast.Name) and node.id in names
    return list(kinds_of(typing.type_of(node, names) if known else FOREIGN))


_EMPTY: dict[str, Type] = {"float": REAL, "int": one(Whole(0, 0)), "str": TEXT}
"""The types of what classes give without an argument."""


def _with_default(typing: Typing, factory: ast.expr, names: Names) -> Type | None:
    """``defaultdict(int)``: an empty dict, whose values begin as what a function gives."""
    name = qualified(factory, names, typing.scope)
    if name in _EMPTY:
        return one(DictOf(NEVER, _EMPTY[name]))
    if not isinstance(factory, ast.Lambda):
        return None  # a list or set of a key could get a second name
    values = typing.apply(factory, [], names)
    plain = all(isinstance(kind, Text | Whole | Real | Truth | Nothing) for kind in values)
    return one(DictOf(NEVER, values)) if plain else None


def bound_method(typing: Typing, function: ast.Attribute, arguments: Sequence[Type], names: Names) -> Type:
    """The type of what the method of a value gives, as in ``flatMap(WORD.findall)``.

    Raises:
        Refusal: it is not known.
    """
    receiver = typing.type_of(function.value, names)
    found = None if is_foreign(receiver) else _method(function, function.attr, receiver, arguments)
    if found is None:
        raise refusal(function, "it is not known which function this is")
    return found


def _method(node: ast.AST, name: str, receiver: Type, arguments: Sequence[Type]) -> Type | None:
    """The result of a method, for each kind of its receiver that has it."""
    found: list[Type] = []
    for kind in kinds_of(receiver):
        result = containers.asked(kind, name, arguments)
        if isinstance(kind, Pattern) and name == "findall" and len(arguments) == 1:
            result = found_all(kind.groups, arguments[0])
        if result is None:
            result = groups_of(kind, name, arguments)
        if result is None:
            result = result_of(f"{owner(kind)}.{name}", [one(kind), *arguments])
        if result is not None and arguments and owner(kind) == "pattern":
            result = with_groups(result, kind.groups if isinstance(kind, Pattern) else None, arguments[0])
        if result is None and (isinstance(kind, Nothing) or lacks(kind, name)):
            result = NEVER
        if isinstance(kind, Foreign) and name not in outside.WRITES:
            result = FOREIGN
        if result is None:
            if name in containers.CHANGING:
                raise refusal(node, "it changes a value that may be seen elsewhere")
            raise refusal(node, f"it is not known what `.{name}` returns")
        found.append(result)
    return joined(found)


def _function(typing: Typing, node: ast.AST, name: str, arguments: Sequence[Type]) -> Type:
    fields = typing.scope.namedtuples.get(name)
    if fields is not None and len(fields) == len(arguments):
        return one(Items(tuple(arguments), fields))
    found = containers.called(name, arguments)
    if found is None:
        found = result_of(name, arguments)
        typing.reads_clock |= len(arguments) < CLOCKS.get(name, 0)
    if found is None:
        raise refusal(node, impurity(name) or "its type is not known")
    return found


def known_function(typing: Typing, function: ast.AST, name: str, arguments: Sequence[Type]) -> Type:
    """The type of what a builtin or library function returns: ``len``, or ``str.upper`` as a function.

    Raises:
        Refusal: it is not known, or not pure.
    """
    head, _, method = name.partition(".")
    result = None
    if head in _EXPLICIT and method and method not in _OF_CLASSES and arguments:
        result = _method(function, method, arguments[0], arguments[1:])
    return result if result is not None else _function(typing, function, name, arguments)
