"""The code of a program that is left after the rewrite: in its place, or quoted in new code."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping

from migrate.cached import cached_property
from migrate.frozen import replace
from migrate.knowledge.builtins import READ_BY_NAME
from migrate.knowledge.streaming import ONLY_OF_STREAMS
from migrate.plan.draft.basis import Basis
from migrate.plan.elements.written_schemas import TYPES
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.proofs.values.record_classes import is_plain_class
from migrate.syntax.nodes import LEAVES, children, code_of, of_kinds, walk
from migrate.syntax.quoting import names_in, quoted_as, quotes
from migrate.syntax.tree import default_of

_CLASSES = frozenset({"namedtuple", "Row", "StructField", "StructType"}) | frozenset(TYPES)
"""Functions that make a class of the names of its parts, or a schema or a type in it."""
_VALUES = frozenset({"getpid", "gethostname", "now", "str", "time", "today", "uuid1", "uuid4"})
"""Functions that make a name of a consumer group, or a part of one: ``"group-" + str(uuid.uuid4())``."""
_NUMBERS = frozenset({"float", "int"})
"""Functions that make a number of what a program is given, as of a receiver's threads; they may raise."""
_OF_VALUES = frozenset({"datetime", "os", "socket", "time", "uuid"})
"""The modules and classes that have them."""


class Kept:
    """The nodes of a graph's modules that stay."""

    def __init__(self, basis: Basis, changes: PlannedModule) -> None:
        self.basis = basis
        self._changes = changes
        replaced, given = dict(changes.inner.replaced), dict(changes.inner.parameters)
        self._gone: set[ast.AST] = {*changes.removed, *changes.replaced, *replaced, *changes.inner.dropped}
        self._gone |= given.keys()
        parameters = (node for node, new in given.items() if not new.names)
        self._gone.update(filter(None, map(self._default_of, parameters)))

    @cached_property
    def in_place(self) -> set[ast.AST]:
        """Those that are no part of new code, in any order."""
        found = set[ast.AST](self.basis.program.tree.nodes())
        for node in self._gone:
            if node in found:
                found.difference_update(walk(node))
        return found

    @cached_property
    def nodes(self) -> set[ast.AST]:
        """The nodes, in any order."""
        tree = self.basis.program.tree
        gone, found = self._gone, {*self.in_place}
        quoted = {name: node for root in tree.roots for name, node in quotes(root).items()}
        # what stands in new code stays
        read = (name for text in self._changes.texts() for name in names_in(text))
        pending: list[ast.AST] = [quoted[name] for name in read if name in quoted]
        pending += [put.moved for _, put in self._changes.inner.before if put.moved is not None]
        while pending:
            step = pending.pop()
            if step not in gone:
                found.add(step)
                if type(step) not in LEAVES:
                    pending += children(step)
        return found

    def _default_of(self, parameter: ast.arg) -> ast.expr | None:
        """The value that a parameter has where a call gives none."""
        arguments = self.basis.program.tree.above[parameter]
        assert isinstance(arguments, ast.arguments)
        return default_of(parameter, arguments)

    @cached_property
    def names(self) -> set[str]:
        """All names in the code that stays."""
        return {node.id for node in self.uses}

    @cached_property
    def uses(self) -> list[ast.Name]:
        """All places where a name stands in the code that stays."""
        return [node for node in self.basis.program.tree.of_kinds(ast.Name) if node in self.nodes]

    @cached_property
    def _read_now(self) -> set[str]:
        """Variables and functions that stand in the places of others: `shown` of ``run(lines, shown)``."""
        inner, above = self._changes.inner, self.basis.program.tree.above
        told = {name for text in self._changes.texts() for name in names_in(text)}
        here = (node for node in inner.reads if above.get(node) in self.nodes or quoted_as(node) in told)
        return {*map(dict(inner.replaced).__getitem__, here)}

    def reads(self, name: str, statement: ast.stmt) -> bool:
        """Whether anything reads a variable or attribute, ``self.sc``, that a statement gives its value."""
        if "." in name:
            idle = {*self.placeholders(name), statement}
            stores = {target for one in idle if isinstance(one, ast.Assign) for target in one.targets}
            attribute = name.rpartition(".")[2]
            return any(
                isinstance(node, ast.Attribute) and node.attr == attribute and node not in stores
                for node in self.nodes
            )
        return bool(self.loads(name, statement))

    def placeholders(self, name: str) -> list[ast.Assign]:
        """The statements ``self.sc = None`` that declare an attribute before it has a value."""
        return [
            node
            for node in self.basis.program.tree.of_kinds(ast.Assign)
            if isinstance(node.value, ast.Constant) and node.value.value is None
            if len(node.targets) == 1 and code_of(node.targets[0]) == name and node in self.nodes
        ]

    def loads(self, name: str, statement: ast.stmt) -> list[ast.Name]:
        """The names that read a variable that a statement gives its value, until another one below does."""
        tree = self.basis.program.tree
        home = tree.scope_of(statement)
        within = set(walk(home)) if isinstance(home, ast.FunctionDef) else None
        if within is not None and any(isinstance(one, ast.Global) and name in one.names for one in within):
            within = None
        loads = self.basis.facts.of(statement).loads.get(name, ())
        found = [node for node in loads if node in self.nodes and (within is None or node in within)]
        block = tree.block_of(statement)
        if block is not getattr(home, "body", None):
            return found
        below = block[block.index(statement) + 1 :]
        ends = (one.end_lineno for one in below if isinstance(one, ast.Assign) and _binds(one, name))
        end = next(ends, None)
        return [node for node in found if end is None or node.lineno <= end]

    def reads_in_function(self, name: str) -> bool:
        """Whether a function of the program reads a variable."""
        scope_of = self.basis.program.tree.scope_of
        return any(one.id == name and not isinstance(scope_of(one), ast.Module) for one in self.uses)

    def without_unused(self) -> Kept:
        """What stays without the functions and variables that nothing uses now."""
        program, taken = self.basis.program, self.basis.trace.taken.of_module
        unused = [one for module in program.modules for one in self.unused(module.tree, taken(module))]
        removed = {**self._changes.removed, **dict.fromkeys(unused, True)}
        return Kept(self.basis, replace(self._changes, removed=removed))

    @cached_property
    def _used(self) -> Kept:
        return self.without_unused()

    def reads_by_name(self, tree: ast.Module, names: Container[str]) -> bool:
        """Whether code of a module that is left may read one of some variables without its name in the code.

        A function that is gone may have done so. ``globals()["session"]`` reads only what it says.
        """
        if READ_BY_NAME.isdisjoint(node.id for node in of_kinds(tree, ast.Name)) and READ_BY_NAME.isdisjoint(
            node.attr for node in of_kinds(tree, ast.Attribute)
        ):
            return False
        if not READ_BY_NAME.isdisjoint(self._changes.names.all):
            return True
        left, above = self._used.nodes, self.basis.program.tree.above
        if any(node in left and node.attr in READ_BY_NAME for node in of_kinds(tree, ast.Attribute)):
            return True
        found = (node for node in of_kinds(tree, ast.Name) if node.id in READ_BY_NAME and node in left)
        keys = (_key_of(above.get(node), above) for node in found)
        return any(key is None or key in names for key in keys)

    def unused(self, tree: ast.Module, taken: Container[str]) -> tuple[ast.stmt, ...]:
        """The functions, classes and variables of a module that the program used, and that nothing uses now.

        Args:
            tree: the module.
            taken: names that other modules take of it.
        """
        names = of_kinds(tree, ast.Name)
        used = _reads(names)
        methods = {function for cls in of_kinds(tree, ast.ClassDef) for function in cls.body}
        definitions: list[ast.FunctionDef | ast.ClassDef] = [
            *of_kinds(tree, ast.FunctionDef),
            *of_kinds(tree, ast.ClassDef),
        ]
        candidates: dict[ast.stmt, str] = {
            node: node.name
            for node in definitions
            if node.name in used
            and (is_plain_class(node) if isinstance(node, ast.ClassDef) else not node.decorator_list)
            and node not in methods
            and used[node.name] > _times(node, names)
        }
        if READ_BY_NAME.isdisjoint(node.id for node in names):
            candidates |= {node: node.name for node in self._uncalled(tree) if node.name not in used}
        read = {*self._changes.names.all}
        # new code reads a variable by its new name
        renamed = self._changes.inner.renamed
        read |= {node.id for node, name in renamed if isinstance(node, ast.Name) and name in read}
        candidates |= {
            node: name for node, name in _constants(tree, names) if name in used and name not in read
        }
        quoted = _names_quoted(self._changes.texts(), tree)
        candidates = {
            node: name
            for node, name in candidates.items()
            if name not in taken and name not in quoted and name not in self._read_now
        }
        if not candidates:
            return ()
        left: dict[ast.stmt, str] = {node: name for node, name in candidates.items() if node in self.nodes}
        reads = {node for node in self.uses if isinstance(node.ctx, ast.Load)}
        found: list[ast.stmt] = []
        while group := _unread(left, reads):
            inside = _walked(group)
            reads -= inside
            left = {node: name for node, name in left.items() if node not in inside}
            found += group
        return tuple(found)

    def _uncalled(self, tree: ast.Module) -> Iterator[ast.FunctionDef]:
        """The functions at the top of a module that only a DStream could be given to.

        They are called by no attribute of an object either.
        """
        taken = self.basis.trace.taken
        attributes = {node.attr for node in of_kinds(tree, ast.Attribute)}
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            read = function.name in attributes or taken.attribute_elsewhere(function.name, ())
            if only_a_stream_fits(function) and not (read or function.decorator_list):
                yield function


def _key_of(call: ast.AST | None, above: Mapping[ast.AST, ast.AST]) -> str | None:
    """The one key for which the dictionary of a call, ``globals()``, is asked, as a text; None if unknown."""
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return None
    match above.get(call):
        case ast.Subscript(value=value, slice=ast.Constant(str(key))) if value is call:
            return key
        case ast.Compare(left=ast.Constant(str(key)), ops=[ast.In() | ast.NotIn()]):
            return key
    return None


def only_a_stream_fits(function: ast.FunctionDef) -> bool:
    """Whether a function calls what only a DStream has of one of its parameters: ``lines.foreachRDD(f)``."""
    given = {one.arg for one in function.args.args}
    members = (node for node in walk(function) if isinstance(node, ast.Attribute))
    named = (one for one in members if isinstance(one.value, ast.Name) and one.value.id in given)
    return any(one.attr in ONLY_OF_STREAMS for one in named)


def _unread(candidates: Mapping[ast.stmt, str], reads: set[ast.Name]) -> list[ast.stmt]:
    """The statements that bind one of some names, if nothing but they themselves reads it."""
    number = _reads(reads)
    by_name = not READ_BY_NAME.isdisjoint(number)
    for name in dict.fromkeys(candidates.values()):
        group = [node for node, own in candidates.items() if own == name]
        if by_name and any(isinstance(node, ast.Assign) for node in group):
            continue
        if number[name] <= _reads(reads.intersection(_walked(group)))[name]:
            return group
    return []


def _walked(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    return {inner for node in nodes for inner in walk(node)}


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _names_quoted(texts: Iterable[str], tree: ast.Module) -> set[str]:
    """The names that new code reads in expressions of the program, also of functions that are left out."""
    called = {name for text in texts for name in names_in(text)}
    expressions = quotes(tree) if called else {}
    return {
        node.id
        for name in called
        if name in expressions
        for node in walk(expressions[name])
        if isinstance(node, ast.Name)
    }


def _constants(tree: ast.Module, names: Iterable[ast.Name]) -> Iterator[tuple[ast.stmt, str]]:
    """The statements that give a variable its values, all of them with no other effect.

    Only at the top of the module there may be several: ``schema = sorted(schema, key=lambda x: x.name)``.
    Within a function a value that reads its own variable, ``count = count + 1``, fails where that has none.
    """
    bound = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    of_classes = {statement for cls in of_kinds(tree, ast.ClassDef) for statement in cls.body}
    found: dict[str, list[ast.Assign]] = {}
    for statement in of_kinds(tree, ast.Assign):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound[name]:
                if statement not in of_classes and (_is_conf(value) or is_idle_value(value)):
                    found.setdefault(name, []).append(statement)
    for name, statements in found.items():
        at_top = all(statement in tree.body for statement in statements)
        read = {node.id for one in statements for node in walk(one.value) if isinstance(node, ast.Name)}
        if bound[name] == len(statements) and (at_top or (bound[name] == 1 and name not in read)):
            yield from ((statement, name) for statement in statements)


def is_idle_value(value: ast.expr) -> bool:
    """Whether an expression makes a value and does nothing else, so that it may go."""
    if isinstance(value, ast.Lambda):
        return not (value.args.defaults or value.args.kw_defaults)
    return all(map(_is_plain, walk(value)))


def _is_conf(node: ast.expr) -> bool:
    """Whether an expression is ``SparkConf().setAppName("words")``: settings, which nothing has taken yet."""
    match node:
        case ast.Call(ast.Name("SparkConf"), [], []):
            return True
        case ast.Call(ast.Attribute(conf, "setAppName" | "setMaster" | "set"), arguments, []):
            return _is_conf(conf) and all(_is_plain(part) for one in arguments for part in walk(one))
    return False


def _is_plain(node: ast.AST) -> bool:
    """Whether a part of an expression is a literal, a name, or a call that sorts or makes an RDD, say."""
    if not isinstance(node, ast.Call):
        return type(node) in _PLAIN
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CLASSES:
            return True
        case ast.Call(func=ast.Name("sorted")):
            return True
        case ast.Call(func=ast.Name(name)) if name in _VALUES or name in _NUMBERS:
            return True
        case ast.Call(func=ast.Attribute(ast.Name("re"), "compile")):
            return True
        case ast.Call(func=ast.Attribute(ast.Name(name) | ast.Attribute(attr=name), attr)) if (
            name in _OF_VALUES
        ):
            return attr in _VALUES
        case ast.Call(func=ast.Attribute(ast.Constant(str()), "format")):
            return True
        case ast.Call(func=ast.Attribute(attr="emptyRDD" | "parallelize" | "range") | ast.Name("range")):
            return True
    return False


_PLAIN = frozenset(
    {
        *(ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Lambda),
        *(ast.arguments, ast.arg, ast.keyword, ast.JoinedStr, ast.FormattedValue, ast.BinOp),
        *(ast.ListComp, ast.comprehension),
        *ast.operator.__subclasses__(),
        *ast.expr_context.__subclasses__(),
    }
)


def _times(function: ast.FunctionDef | ast.ClassDef, names: Iterable[ast.Name]) -> int:
    """How often a function or class reads its own name, which is one of some names."""
    own = [node for node in names if node.id == function.name and isinstance(node.ctx, ast.Load)]
    inside = set(walk(function)) if own else ()
    return sum(node in inside for node in own)


def _reads(names: Iterable[ast.Name]) -> Counter[str]:
    return Counter(name.id for name in names if isinstance(name.ctx, ast.Load))
