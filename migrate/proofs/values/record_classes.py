"""Classes whose objects hold what their constructor computes, and do nothing else when they are made.

    class Flight:
        def __init__(self, fields):
            self.origin = fields[0]
            self.delay = float(fields[1])

To read ``flight.delay`` of one is to read a part of a tuple that has a name.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from migrate.frozen import dataclass, replace
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import around, code_of, of_kinds, position, walk
from migrate.syntax.tree import parameter_names
from migrate.trace.values import Class

_SPECIAL = frozenset(
    {"__new__", "__getattribute__", "__getattr__", "__setattr__", "__slots__", "__post_init__"}
)
"""Members of a class that decide what its constructor or its attributes do."""
_HARMLESS = frozenset({"__init__", "__repr__", "__str__"})
"""Special methods that nothing calls where attributes are read."""
OF_TUPLES = frozenset(dir(tuple)) | {"asDict"}
"""Names that Rows, which typed functions are given for objects, have for something else."""
_CHANGING = frozenset({"setattr", "delattr", "vars"})
"""Builtins that may change attributes by names that are not written out."""
_BUILTINS = frozenset(dir(builtins))
_PLAIN_BASES = frozenset({"object", "NamedTuple", "typing.NamedTuple"})
_PLAIN_DECORATORS = frozenset({"dataclass", "dataclasses.dataclass"})
_NO_FIELDS = frozenset({"ClassVar", "InitVar"})


@dataclass(frozen=True)
class RecordClass:
    """A class of such objects.

    Attributes:
        names: the attributes that its constructor sets.
        constructor: a function of the constructor's arguments that gives the attributes' values as a tuple.
        methods: methods that get nothing but the object.
        properties: the functions of properties.
        sets: the constructor, if the program has written it.
        are_tuples: whether its objects are tuples, too.
        has_operators: whether it has more special methods than for its texts, such as ``__bool__``.
    """

    names: tuple[str, ...]
    constructor: ast.FunctionDef
    methods: tuple[ast.FunctionDef, ...] = ()
    properties: tuple[ast.FunctionDef, ...] = ()
    sets: ast.FunctionDef | None = None
    are_tuples: bool = False
    has_operators: bool = False

    def read_by(self, names: frozenset[str]) -> frozenset[str] | None:
        """The attributes that are read where some names are, of methods too; None where others may be."""
        methods = {one.name: one for one in (*self.methods, *self.properties)}
        found: set[str] = set()
        pending = [*names]
        while pending:
            name = pending.pop()
            if name in found:
                continue
            found.add(name)
            if name in methods and (inner := _attributes(methods[name])) is not None:
                pending += inner
            elif name not in self.names:
                return None
        return frozenset(found & {*self.names})


def record_class(node: ast.expr, facts: Facts) -> RecordClass | None:
    """The class that an expression is, if it was read, can be no other, and its objects only hold values."""
    values = facts.trace.kinds.get(node, frozenset())
    only = next(iter(values)) if len(values) == 1 else None
    if not isinstance(only, Class) or not _is_only(node, only.node, facts):
        return None
    cls, home = only.node, facts.of(only.node)
    if not is_plain_class(cls) or _members(cls.body) & _SPECIAL:
        return None
    bases = [home.qualified(base) or ast.unparse(base) for base in cls.bases]
    decorators = [home.qualified(one) or "" for one in cls.decorator_list]
    if (bases, decorators) in ((["typing.NamedTuple"], []), ([], ["dataclasses.dataclass"])):
        made = _of_fields(cls)
    elif not decorators and set(bases) <= {"object"} - home.shadowed:
        made = _of_constructor(cls)
    else:
        return None
    if made is None or not _is_followed(made, cls, facts, home):
        return None
    known = tuple(_of_object(cls, facts, home))
    methods = tuple(one for one in known if not one.decorator_list)
    properties = tuple(one for one in known if one.decorator_list)
    for one in properties:
        one.decorator_list = []  # it is called as a function
    return replace(
        made,
        methods=methods,
        properties=properties,
        are_tuples=bases == ["typing.NamedTuple"],
        has_operators=any(name.startswith("__") for name in _members(cls.body) - _HARMLESS),
    )


def is_plain_class(cls: ast.ClassDef) -> bool:
    """Whether defining a class does nothing but bind its name."""
    bases, decorators = map(code_of, cls.bases), map(code_of, cls.decorator_list)
    plain = {*bases} <= _PLAIN_BASES and {*decorators} <= _PLAIN_DECORATORS and not cls.keywords
    return plain and all(map(_is_member, cls.body))


def _is_only(node: ast.expr, cls: ast.ClassDef, facts: Facts) -> bool:
    """Whether nothing else is ever bound to the name that an expression reads a class by."""
    home = facts.of(cls)
    if home.above[cls] is not home.tree or home.only_binding(cls.name) is not cls:
        return False
    if isinstance(node, ast.Attribute):
        return not facts.stores_attribute(node.attr)
    if not isinstance(node, ast.Name):
        return False
    binding = facts.only_binding(node.id)
    return binding is cls or isinstance(binding, ast.alias) or facts.is_only_starred(node.id)


def _is_member(statement: ast.stmt) -> bool:
    """Whether a statement of a class is a method, a documentation, or an attribute of a constant."""
    match statement:
        case ast.FunctionDef() | ast.Pass() | ast.AnnAssign(ast.Name()):
            return True
        case ast.Expr(value) | ast.Assign(value=value):
            return isinstance(value, ast.Constant)
    return False


def _members(body: Sequence[ast.stmt]) -> set[str]:
    """The names that statements of a class bind."""
    named = {one.name for one in body if isinstance(one, ast.FunctionDef)}
    stored = (node for one in body if not isinstance(one, ast.FunctionDef) for node in walk(one))
    return named | {one.id for one in stored if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _of_fields(cls: ast.ClassDef) -> RecordClass | None:
    """The class of a ``NamedTuple`` or dataclass, whose constructor takes the values of its fields."""
    fields = [one for one in cls.body if isinstance(one, ast.AnnAssign)]
    names = tuple(one.target.id for one in fields if isinstance(one.target, ast.Name))
    plain = all(isinstance(one.value, ast.Constant | None) for one in fields)
    marked = {part for one in fields for part in _words(one.annotation)} & _NO_FIELDS
    if not names or not plain or marked or any(isinstance(one, ast.Assign) for one in cls.body):
        return None
    methods = {one.name for one in cls.body if isinstance(one, ast.FunctionDef)}
    if methods & {"__init__", *names}:
        return None
    given = [ast.unparse(one.target) + (f"={ast.unparse(one.value)}" if one.value else "") for one in fields]
    return RecordClass(
        names, _copied(f"def {cls.name}({', '.join(given)}): return ({', '.join(names)},)", cls)
    )


def _words(annotation: ast.expr) -> set[str]:
    parts = [annotation, *walk(annotation)]
    words = {one.id for one in parts if isinstance(one, ast.Name)}
    return (
        words
        | {one.attr for one in parts if isinstance(one, ast.Attribute)}
        | {
            str(one.value).partition("[")[0].rpartition(".")[2]
            for one in parts
            if isinstance(one, ast.Constant)
        }
    )


def _of_constructor(cls: ast.ClassDef) -> RecordClass | None:
    """The class of an ``__init__`` that uses its object for nothing but the attributes that it sets."""
    found = [one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if len(found) != 1 or found[0].decorator_list or not found[0].args.args or found[0].args.posonlyargs:
        return None
    _, *nodes = walk(found[0])
    own = found[0].args.args[0].arg
    attributes = [one for one in nodes if _is_attribute(one, own)]
    uses = [one for one in nodes if isinstance(one, ast.Name) and one.id == own]
    if len(uses) > len(attributes) or any(isinstance(one, _NO_VALUES) for one in nodes):
        return None
    stored = (one for one in attributes if isinstance(one.ctx, ast.Store))
    names = tuple(dict.fromkeys(one.attr for one in sorted(stored, key=position)))
    if not names or set(names) & (_members(cls.body) | OF_TUPLES):
        return None
    made = _copied(ast.unparse(found[0]), cls)
    made.name = cls.name
    made.args.args = made.args.args[1:]
    made.body = [_chosen(_Variables(own).visit(statement)) for statement in made.body]
    values: list[ast.expr] = [ast.Name(f"{own}.{name}", ast.Load()) for name in names]
    made.body.append(ast.Return(ast.Tuple(values, ast.Load())))
    return RecordClass(names, _placed_at(cls, made), sets=found[0])


_NO_VALUES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Lambda, ast.FunctionDef, ast.Del, ast.NamedExpr)


def _is_attribute(node: ast.AST, own: str) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own


class _Variables(ast.NodeTransformer):
    """Has a variable, with a name that no variable of Python can have, for each attribute of an object."""

    def __init__(self, own: str) -> None:
        self._own = own

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _is_attribute(node, self._own):
            return ast.Name(f"{self._own}.{node.attr}", node.ctx)
        return self.generic_visit(node)


def _chosen(statement: ast.stmt) -> ast.stmt:
    """``x = a if condition else b`` for an ``if`` that does no more; any other statement as it is."""
    if not isinstance(statement, ast.If):
        return statement
    match list(map(_chosen, statement.body)), list(map(_chosen, statement.orelse)):
        case [ast.Assign([ast.Name(name) as target], then)], []:
            otherwise: ast.expr = ast.Name(name, ast.Load())
        case [ast.Assign([ast.Name(name) as target], then)], [ast.Assign([ast.Name(same)], otherwise)] if (
            name == same
        ):
            pass
        case _:
            return statement
    return ast.Assign([target], ast.IfExp(statement.test, then, otherwise))


def _copied(source: str, cls: ast.ClassDef) -> ast.FunctionDef:
    made = ast.parse(source).body[0]
    assert isinstance(made, ast.FunctionDef)
    return _placed_at(cls, made)


def _placed_at(cls: ast.ClassDef, made: ast.FunctionDef) -> ast.FunctionDef:
    """The function with the place of the class for all of its nodes."""
    for node in ast.walk(made):
        ast.copy_location(node, cls)
    return made


def _is_followed(made: RecordClass, cls: ast.ClassDef, facts: Facts, home: Facts) -> bool:
    """Whether nothing else changes the class or attributes of its objects, and its names are known.

    Those of another module are builtins.
    """
    for known in {facts, home}:
        stores = (one for one in of_kinds(known.tree, ast.Attribute) if not isinstance(one.ctx, ast.Load))
        for one in stores:
            if (one.attr in made.names and not _is_inside(one, cls, known)) or code_of(one.value) == cls.name:
                return False
        if known.loads.keys() & _CHANGING:
            return False
    return home is facts or _free(made.constructor) <= _BUILTINS - home.shadowed - facts.shadowed


def _of_object(cls: ast.ClassDef, facts: Facts, home: Facts) -> Iterator[ast.FunctionDef]:
    """The methods and properties of a class that get nothing but the object, if their names are known."""
    plain = [[]] if "property" in home.shadowed else [[], ["property"]]
    for one in cls.body:
        if not isinstance(one, ast.FunctionDef) or len(parameter_names(one)) != 1:
            continue
        others = _members([other for other in cls.body if other is not one])
        if one.name not in others and [*map(code_of, one.decorator_list)] in plain:
            made = _copied(ast.unparse(one), cls)
            if home is facts or _free(made) <= _BUILTINS - home.shadowed - facts.shadowed:
                yield made


def _attributes(method: ast.FunctionDef) -> set[str] | None:
    """The attributes that a method reads of its object; None if it does more with it."""
    (own,) = parameter_names(method)
    nodes = list(ast.walk(method))
    read = [one for one in nodes if _is_attribute(one, own) and isinstance(one.ctx, ast.Load)]
    uses = [one for one in nodes if isinstance(one, ast.Name) and one.id == own]
    return {one.attr for one in read} if len(read) == len(uses) else None


def _is_inside(node: ast.AST, cls: ast.ClassDef, facts: Facts) -> bool:
    """Whether a node is in the constructor of a class."""
    inside = (one for one in around(node, facts.above) if isinstance(one, ast.FunctionDef))
    function = next(inside, None)
    return function is not None and function.name == "__init__" and facts.above[function] is cls


def _free(function: ast.FunctionDef) -> set[str]:
    """The names that a function reads and does not bind."""
    names = [one for one in ast.walk(function) if isinstance(one, ast.Name)]
    bound = {one.id for one in names if isinstance(one.ctx, ast.Store)} | set(parameter_names(function))
    return {one.id for one in names} - bound
