"""Code that hands Kafka's offsets to a store, or reads them there, and does nothing else.

It is followed through the functions and classes of the project. A store is a library of a database or the
like, or the file system. What it is given is made of offsets, of variables and of constants.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from typing import NoReturn

from migrate.knowledge import methods
from migrate.knowledge.builtins import BUILTINS, READ_BY_NAME
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.outside import ACTS, FILES, SAYS, TELLS, is_quiet
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import children, walk
from migrate.syntax.tree import declared_among, parameter_names
from migrate.trace.values import Class, External, Instance

FILE = "open"
"""The store that is the file system."""
_RDD = "the RDD"
_OBJECT = "an object of the project"
_UNKNOWN = "unknown"
_NO_STORES = frozenset({_RDD, _OBJECT, _UNKNOWN})
_OF_RDDS = frozenset({"offsetRanges", "isEmpty"})
_PARTS = (
    *(ast.Attribute, ast.Subscript, ast.Slice, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp),
    *(ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.keyword),
)
_OPERATORS = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
_OF_TEXTS = frozenset({"encode", "format", "items", "join", "lower", "replace", "split", "strip", "upper"})
"""Methods that open nothing and tell nobody, whatever they are called on."""
_MAKES_TEXTS = frozenset({"float", "int", "len", "long", "range", "repr", "str", "unicode"})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IDLE = (ast.Pass, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Break, ast.Continue)
_BUILTINS = (frozenset(BUILTINS) | {"long", "unicode", "enumerate"}) - {"input"} - READ_BY_NAME

Origins = frozenset[str]
"""The stores that a value is a handle of or was read from, and what else it is."""
NOTHING = Origins()
Variable = tuple[ast.Module | ast.FunctionDef | ast.ClassDef, str]
"""A variable of a module or function, or an attribute of the objects of a class."""


class DoesMore(Exception):  # noqa: N818  (it is an answer, not a failure)
    """Code does something else, or may do so."""


class StoreCode:
    """Functions and expressions that only store offsets or read them, with all that they call."""

    def __init__(self) -> None:
        self.functions: set[ast.FunctionDef | ast.Lambda] = set()
        """The functions whose code was followed."""
        self.stores: set[str] = set()
        """The libraries that are handed something, or asked."""
        self.has_ranges = False
        """Whether it asks the RDD for its offsets."""
        self.held: set[Variable] = set()
        """The variables that are not its own and that it changes."""
        self.read: set[Variable] = set()
        """Those that it reads, and whose values are no constants."""
        self.places: list[ast.Call] = []
        """Its calls of ``TopicAndPartition``."""
        self.said: list[ast.Call] = []
        """Calls that print or log a constant text."""
        self._given: dict[Variable, Origins] = {}
        self._results: dict[tuple[ast.AST, frozenset[tuple[str, Origins]]], Origins] = {}
        self._open: set[ast.AST] = set()

    def follow(self, function: ast.expr, facts: Facts) -> None:
        """Follow the function that an operator is given, the RDD last among its arguments.

        Raises:
            DoesMore: it does more than to store offsets.
        """
        node, given = function, NOTHING
        if not isinstance(function, ast.Lambda):
            called = called_function(function, facts)
            if called is None:
                _refuse()
            if called.bound and isinstance(function, ast.Attribute):
                given = _Code(self, facts, {}, in_handler=False).value(function.value) or Origins({_OBJECT})
            node, facts = called.node, facts.of(called.node)  # type: ignore[assignment]
        names = parameter_names(node)  # type: ignore[arg-type]
        if not names:
            _refuse()
        for _ in range(2):  # a variable may be read above the function that gives it its value
            self._results.clear()
            values = {**dict.fromkeys(names, NOTHING), names[-1]: Origins({_RDD})}
            if given:
                values[names[0]] = given
            self._function(node, values, facts)  # type: ignore[arg-type]

    def read_by(self, node: ast.expr, facts: Facts) -> None:
        """Follow an expression that reads offsets.

        Raises:
            DoesMore: it does something else.
        """
        for _ in range(2):
            self._results.clear()
            _Code(self, facts, {}, in_handler=False).value(node)

    def touch(self, origins: Origins) -> None:
        """Note that stores are handed something, or asked."""
        self.stores |= origins - _NO_STORES

    def hold(self, variable: Variable, given: Origins) -> None:
        """Note that a variable gets a value."""
        self.held.add(variable)
        self._given[variable] = self._given.get(variable, NOTHING) | given

    def _function(
        self, node: ast.FunctionDef | ast.Lambda, values: dict[str, Origins], facts: Facts
    ) -> Origins:
        """The origins of what a function returns, given those of its arguments."""
        if node in self._open:
            return NOTHING
        key = (node, frozenset(values.items()))
        if key in self._results:
            return self._results[key]
        self.functions.add(node)
        self._open.add(node)
        code = _Code(self, facts, values, in_handler=False, function=node)
        try:
            if isinstance(node, ast.Lambda):
                found = code.value(node.body)
            else:
                code.block(node.body)
                found = code.returned
        finally:
            self._open.remove(node)
        self._results[key] = found
        return found


class _Code:
    """The code of one function."""

    def __init__(
        self,
        whole: StoreCode,
        facts: Facts,
        values: dict[str, Origins],
        *,
        in_handler: bool,
        function: ast.FunctionDef | ast.Lambda | None = None,
    ) -> None:
        self.whole = whole
        self.facts = facts
        self.values = values
        self.returned = NOTHING
        self._function = function
        self._in_handler = in_handler
        self._declared = declared_among(walk(function)) if function is not None else set[str]()

    # --- statements -----------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Follow statements.

        Raises:
            DoesMore: one does something else.
        """
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value):
                self.value(value)
            case ast.Assign(targets, value):
                given = self.value(value)
                for target in targets:
                    self._bind(target, given)
            case ast.AugAssign(target, _, value) | ast.AnnAssign(target, _, ast.expr() as value):
                self._bind(target, self.value(value))
            case ast.Return(value):
                self.returned |= self.value(value) if value is not None else NOTHING
            case ast.If(test, body, orelse) | ast.While(test, body, orelse):
                self.value(test)
                self.block([*body, *orelse])
            case ast.For(target, items, body, orelse):
                self._bind(target, self.value(items))
                self.block([*body, *orelse])
            case ast.With(items, body):
                for item in items:
                    given = self.value(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, given)
                self.block(body)
            case ast.Try():
                self._try(statement)
            case ast.Raise(error) if self._in_handler:
                if error is not None:
                    self.value(error)
            case _ if not isinstance(statement, _IDLE):
                _refuse()

    def _try(self, statement: ast.Try) -> None:
        self.block(statement.body)
        self.block(statement.orelse)
        self.block(statement.finalbody)
        outside, self._in_handler = self._in_handler, True
        for handler in statement.handlers:
            if handler.name is not None:
                self.values[handler.name] = NOTHING
            self.block(handler.body)
        self._in_handler = outside

    def _bind(self, target: ast.expr, given: Origins) -> None:
        match target:
            case ast.Name(name) if name not in self._declared:
                self.values[name] = self.values.get(name, NOTHING) | given
            case ast.Name(name):
                self._hold(name, given)
            case ast.Tuple(parts) | ast.List(parts):
                for part in parts:
                    self._bind(part, given)
            case ast.Subscript(holder, index):
                self.value(index)
                self._change(holder, given)
            case ast.Attribute(holder, name) if (cls := self._class_of(holder)) is not None:
                if getattr(self._function, "name", "") != "__init__":
                    self.whole.hold((cls, name), given)
            case _:
                _refuse()

    def _change(self, holder: ast.expr, given: Origins) -> None:
        """Note that a part of a value changes: one of a variable of the function, or of the module."""
        origins = self.value(holder)
        root = holder
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if _UNKNOWN in origins or not isinstance(root, ast.Name):
            _refuse()
        if root.id in self.values:
            self.values[root.id] |= given
        elif self.facts.home(root) is None:
            self._hold(root.id, given)
        else:
            _refuse()
        self.whole.touch(origins)

    def _hold(self, name: str, given: Origins) -> None:
        self.whole.hold((self.facts.tree, name), given)

    # --- values ---------------------------------------------------------------------------------------------

    def value(self, node: ast.expr | ast.keyword) -> Origins:
        """The origins of a value.

        Raises:
            DoesMore: to compute it does something else.
        """
        match node:
            case ast.Constant():
                return NOTHING
            case ast.Name():
                return self._named(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(holder, name) if (cls := self._class_of(holder)) is not None:
                return self._attribute(cls, name)
            case ast.Lambda(body=body):
                self.values.update(dict.fromkeys(parameter_names(node), NOTHING))
                return self.value(body)
        if isinstance(node, _COMPREHENSIONS):
            return self._comprehension(node)
        if not isinstance(node, _PARTS):
            _refuse()
        parts = (part for part in children(node) if not isinstance(part, _OPERATORS))
        return _all(self.value(part) for part in parts)  # type: ignore[arg-type]

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Origins:
        for loop in node.generators:
            self._bind(loop.target, self.value(loop.iter))
            for test in loop.ifs:
                self.value(test)
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return _all(map(self.value, made))

    def _named(self, node: ast.Name) -> Origins:
        name, facts = node.id, self.facts
        if name in self.values:
            return self.values[name]
        home = facts.home(node)
        if home is not None:
            return self._of_outer_function(node, home)
        variable = (facts.tree, name)
        binding = facts.only_binding(name)
        if binding is None:
            if name not in facts.bindings:
                return NOTHING if name not in facts.starred else Origins({_UNKNOWN})
            values = filter(None, map(facts.value_of, self._top_bindings(name)))
            return self._changing(variable, _all(map(self._elsewhere, values)))
        value = facts.value_of(binding)
        if value is None:
            return Origins({_UNKNOWN}) if isinstance(binding, ast.alias) else NOTHING
        if isinstance(value, ast.Constant):
            return NOTHING
        return self._read(variable, self._elsewhere(value))

    def _of_outer_function(self, node: ast.Name, home: ast.AST) -> Origins:
        """The origins of a variable of a function around the code."""
        facts = self.facts
        names = (one for one in facts.bindings.get(node.id, ()) if isinstance(one, ast.Name))
        values = [facts.value_of(one) for one in names if facts.home(one) is home]
        if len(values) != 1 or values[0] is None or not isinstance(home, ast.FunctionDef):
            return Origins({_UNKNOWN})
        if isinstance(values[0], ast.Constant):
            return NOTHING
        return self._read((home, node.id), self._elsewhere(values[0]))

    def _read(self, variable: Variable, origins: Origins) -> Origins:
        """Note that a variable is read whose value only opens or reads a store."""
        if _UNKNOWN not in origins:
            self.whole.read.add(variable)
        return origins

    def _class_of(self, holder: ast.expr) -> ast.ClassDef | None:
        """The class whose object or self an expression is: ``self``, ``cls``, or the class by its name."""
        if not isinstance(holder, ast.Name):
            return None
        kinds = self.facts.trace.kinds.get(holder, frozenset())
        known = [kind.node for kind in kinds if isinstance(kind, Class)]
        known += [kind.of.node for kind in kinds if isinstance(kind, Instance)]
        home = self.facts.home(holder)
        cls = self.facts.above.get(home) if home is not None else None
        if isinstance(home, ast.FunctionDef) and isinstance(cls, ast.ClassDef):
            static = any(ast.unparse(one) == "staticmethod" for one in home.decorator_list)
            if not static and parameter_names(home)[:1] == [holder.id]:
                known.append(cls)
        return known[0] if len({*known}) == 1 else None

    def _attribute(self, cls: ast.ClassDef, name: str) -> Origins:
        """The origins of an attribute of the objects of a class."""
        variable = (cls, name)
        found = [*values_of(cls, name)]
        code = _Code(self.whole, self.facts.of(cls), {}, in_handler=False)
        made = [value for method, value in found if method is None or method.name == "__init__"]
        origins = _all(map(code._elsewhere, made))
        if len(made) < len(found) or not found:
            return self._changing(variable, origins)
        if all(isinstance(value, ast.Constant) for value in made):
            return NOTHING
        return self._read(variable, origins)

    def _changing(self, variable: Variable, origins: Origins) -> Origins:
        """The origins of a variable that functions give values, beside those that it has at first."""
        self.whole.read.add(variable)
        if variable not in self.whole.held:
            return Origins({_UNKNOWN})
        return origins | self.whole._given[variable]

    def _top_bindings(self, name: str) -> Iterator[ast.AST]:
        """The bindings of a variable outside of functions."""
        for binding in self.facts.bindings[name]:
            if isinstance(binding, ast.Name) and self.facts.statement_of(binding) in self.facts.tree.body:
                yield binding

    def _elsewhere(self, value: ast.expr) -> Origins:
        """The origins of the value that a variable gets outside of the code."""
        if value in self.whole._open:
            return NOTHING
        self.whole._open.add(value)
        try:
            return _Code(self.whole, self.facts, {}, in_handler=False).value(value)
        except DoesMore:
            return Origins({_UNKNOWN})
        finally:
            self.whole._open.remove(value)

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, call: ast.Call) -> Origins:
        named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if named in SAYS:
            return self._say(call)
        called = called_function(call.func, self.facts)
        if called is not None:
            receiver = NOTHING
            if called.bound and isinstance(call.func, ast.Attribute):
                receiver = self.value(call.func.value) or Origins({_OBJECT})
            return self._own(call, called.node, receiver=receiver)
        parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        given = _all(self.value(part) for part in parts)
        kinds = self.facts.trace.kinds.get(call.func, frozenset())
        classes = [kind.node for kind in kinds if isinstance(kind, Class)]
        if classes and len(kinds) == 1:
            return self._made(call, classes[0])
        if kinds and not all(isinstance(kind, External) for kind in kinds):
            _refuse()
        qualified = self.facts.qualified(call.func)
        if qualified is not None and not qualified.startswith("."):
            return self._library(call, qualified, given)
        if isinstance(call.func, ast.Attribute):
            return self._method(call.func, given)
        return self._builtin(call, given)

    def _say(self, call: ast.Call) -> Origins:
        """A line that is printed or logged: of a failure, or a constant one."""
        plain = all(isinstance(one, ast.Constant) for one in (*call.args, *(k.value for k in call.keywords)))
        if not (plain or self._in_handler):
            _refuse()
        if not self._in_handler:
            self.whole.said.append(call)
        return NOTHING

    def _own(self, call: ast.Call, function: ast.FunctionDef, *, receiver: Origins) -> Origins:
        """A call of a function of the project, or of a method of some object."""
        names = parameter_names(function)
        values = dict.fromkeys(names, NOTHING)
        positions = names
        if receiver:
            values[names[0]] = receiver
            positions = names[1:]
        if any(isinstance(one, ast.Starred) for one in call.args) or len(call.args) > len(positions):
            _refuse()
        for name, argument in zip(positions, call.args, strict=False):
            values[name] = self.value(argument)
        for keyword in call.keywords:
            if keyword.arg not in values:
                _refuse()
            values[keyword.arg] = self.value(keyword.value)
        return self.whole._function(function, values, self.facts.of(function))

    def _library(self, call: ast.Call, qualified: str, given: Origins) -> Origins:
        """A call of an imported function or class."""
        root = qualified.partition(".")[0]
        if qualified.replace("compat.", "pyspark.", 1) == f"{KAFKA}.TopicAndPartition":
            self.whole.places.append(call)
            return given
        if root in ACTS or root in ("pyspark", "compat"):
            _refuse()
        if _RDD in given or qualified.rpartition(".")[2] in TELLS:
            _refuse()
        if is_quiet(qualified):
            self.whole.touch(given)  # `json.dump(offsets, file)`
            return given - {_UNKNOWN}
        store = FILE if root in FILES else root
        self.whole.stores.add(store)
        return (given | {store}) - {_UNKNOWN}

    def _method(self, method: ast.Attribute, given: Origins) -> Origins:
        """A call of a method of what is no class of the project."""
        origins = self.value(method.value)
        if _RDD in origins:
            if method.attr not in _OF_RDDS:
                _refuse()
            self.whole.has_ranges |= method.attr == "offsetRanges"
            return NOTHING
        if _UNKNOWN in origins and method.attr in _OF_TEXTS:
            return NOTHING
        if origins & {_UNKNOWN, _OBJECT} or method.attr in TELLS or (origins and _RDD in given):
            _refuse()
        if not origins and method.attr in methods.CHANGES:
            self._change(method.value, given)
        self.whole.touch(origins)
        return origins | (given - {_UNKNOWN})

    def _builtin(self, call: ast.Call, given: Origins) -> Origins:
        """A call of a builtin."""
        name = getattr(call.func, "id", "")
        unknown = not name or name in self.facts.bindings or name in self.facts.starred or name in self.values
        if unknown or _RDD in given:
            _refuse()
        if name == FILE:
            modes = (*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode"))
            if any(not isinstance(mode, ast.Constant) or "a" in str(mode.value) for mode in modes):
                _refuse()  # what is appended is a log, of which all is read
            self.whole.stores.add(FILE)
            return Origins({FILE})
        if name not in _BUILTINS:
            _refuse()
        return given if name not in _MAKES_TEXTS else given - {_UNKNOWN}

    def _made(self, call: ast.Call, cls: ast.ClassDef) -> Origins:
        """A call that makes an object of a class of the project."""
        made = [one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        if (
            cls.keywords
            or cls.decorator_list
            or [ast.unparse(base) for base in cls.bases] not in ([], ["object"])
        ):
            _refuse()
        for function in made:
            self._own(call, function, receiver=Origins({_OBJECT}))
        return Origins({_OBJECT})


def _refuse() -> NoReturn:
    raise DoesMore


def _all(origins: Iterable[Origins]) -> Origins:
    return NOTHING.union(*origins)


def values_of(cls: ast.ClassDef, name: str) -> Iterator[tuple[ast.FunctionDef | None, ast.expr]]:
    """The values that an attribute of a class or its objects gets, each with the method that sets it."""
    for statement in cls.body:
        match statement:
            case ast.Assign([ast.Name(own)], value) if own == name:
                yield None, value
            case ast.FunctionDef():
                for node in walk(statement):
                    match node:
                        case ast.Assign([ast.Attribute(ast.Name(), attr)], value) if attr == name:
                            yield statement, value


def constant_offsets(code: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Offsets in dicts that may be constants: where a program begins while nothing is stored."""
    for part in code:
        nodes = walk(part)
        fixed: set[str] = set()
        for node in nodes:
            match node:
                case ast.Assign([ast.Name(name)], value) if _may_be_number(value, fixed):
                    fixed.add(name)
        for node in nodes:
            match node:
                case ast.Assign([ast.Subscript()], value) | ast.DictComp(value=value):
                    values = [value]
                case ast.Dict(values=values):
                    pass
                case _:
                    continue
            yield from (value for value in values if _may_be_number(value, fixed))


def _may_be_number(node: ast.expr, fixed: Container[str]) -> bool:
    """Whether a value may be a constant: ``int(client.get(place) or 0)``."""
    match node:
        case ast.Constant(int()):
            return True
        case ast.Name(name):
            return name in fixed
        case ast.BoolOp(values=parts) | ast.Call(args=parts):
            return any(_may_be_number(part, fixed) for part in parts)
        case ast.IfExp(body=one, orelse=other):
            return _may_be_number(one, fixed) or _may_be_number(other, fixed)
    return False
