"""The values in code that stores offsets: names, attributes and calls, of which each must do nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge import methods
from migrate.knowledge.builtins import BUILTINS, READ_BY_NAME
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.outside import ACTS, FILES, SAYS, TELLS, is_quiet
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.store_origins import (
    FILE,
    NOTHING,
    OBJECT,
    RDD,
    UNKNOWN,
    DoesMore,
    Found,
    Origins,
    Variable,
    refuse,
    union,
)
from migrate.syntax.nodes import children, walk
from migrate.syntax.tree import declared_among, parameter_names
from migrate.trace.values import Class, External, Instance

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
_BUILTINS = (frozenset(BUILTINS) | {"long", "unicode", "enumerate"}) - {"input"} - READ_BY_NAME


class StoreValues:
    """The values in the code of one function."""

    def __init__(
        self,
        whole: Found,
        facts: Facts,
        values: dict[str, Origins],
        function: ast.FunctionDef | ast.Lambda | None = None,
    ) -> None:
        """Begin with a function.

        Args:
            whole: gets what is found.
            facts: the names of its module.
            values: the origins of its parameters.
            function: it; None for an expression elsewhere.
        """
        self.whole = whole
        self.facts = facts
        self.values = values
        self.function = function
        self.in_handler = False
        self._declared = declared_among(walk(function)) if function is not None else set[str]()

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
            case ast.Attribute(holder, name) if (cls := self.class_of(holder)) is not None:
                return self._attribute(cls, name)
            case ast.Lambda(body=body):
                self.values.update(dict.fromkeys(parameter_names(node), NOTHING))
                return self.value(body)
        if isinstance(node, _COMPREHENSIONS):
            return self._comprehension(node)
        if not isinstance(node, _PARTS):
            refuse()
        parts = (part for part in children(node) if not isinstance(part, _OPERATORS))
        return union(self.value(part) for part in parts)  # type: ignore[arg-type]

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Origins:
        for loop in node.generators:
            self.bind(loop.target, self.value(loop.iter))
            for test in loop.ifs:
                self.value(test)
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return union(map(self.value, made))

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
                return NOTHING if name not in facts.starred else Origins({UNKNOWN})
            values = filter(None, map(facts.value_of, self._top_bindings(name)))
            return self._changing(variable, union(map(self._elsewhere, values)))
        value = facts.value_of(binding)
        if value is None:
            return Origins({UNKNOWN}) if isinstance(binding, ast.alias) else NOTHING
        if isinstance(value, ast.Constant):
            return NOTHING
        return self._read(variable, self._elsewhere(value))

    def _of_outer_function(self, node: ast.Name, home: ast.AST) -> Origins:
        """The origins of a variable of a function around the code."""
        facts = self.facts
        names = (one for one in facts.bindings.get(node.id, ()) if isinstance(one, ast.Name))
        values = [facts.value_of(one) for one in names if facts.home(one) is home]
        if len(values) != 1 or values[0] is None or not isinstance(home, ast.FunctionDef):
            return Origins({UNKNOWN})
        if isinstance(values[0], ast.Constant):
            return NOTHING
        return self._read((home, node.id), self._elsewhere(values[0]))

    def _read(self, variable: Variable, origins: Origins) -> Origins:
        """Note that a variable is read whose value only opens or reads a store."""
        if UNKNOWN not in origins:
            self.whole.read.add(variable)
        return origins

    def class_of(self, holder: ast.expr) -> ast.ClassDef | None:
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
        code = StoreValues(self.whole, self.facts.of(cls), {})
        made = [value for method, value in found if method is None or method.name == "__init__"]
        origins = union(map(code._elsewhere, made))
        if len(made) < len(found) or not found:
            return self._changing(variable, origins)
        if all(isinstance(value, ast.Constant) for value in made):
            return NOTHING
        return self._read(variable, origins)

    def _changing(self, variable: Variable, origins: Origins) -> Origins:
        """The origins of a variable that functions give values, beside those that it has at first."""
        self.whole.read.add(variable)
        if variable not in self.whole.held:
            return Origins({UNKNOWN})
        return origins | self.whole.given[variable]

    def _top_bindings(self, name: str) -> Iterator[ast.AST]:
        """The bindings of a variable outside of functions."""
        for binding in self.facts.bindings[name]:
            if isinstance(binding, ast.Name) and self.facts.statement_of(binding) in self.facts.tree.body:
                yield binding

    def _elsewhere(self, value: ast.expr) -> Origins:
        """The origins of the value that a variable gets outside of the code."""
        if value in self.whole.open:
            return NOTHING
        self.whole.open.add(value)
        try:
            return StoreValues(self.whole, self.facts, {}).value(value)
        except DoesMore:
            return Origins({UNKNOWN})
        finally:
            self.whole.open.remove(value)

    # --- what changes -----------------------------------------------------------------------------------

    def bind(self, target: ast.expr, given: Origins) -> None:
        """Give a variable a value."""
        match target:
            case ast.Name(name) if name not in self._declared:
                self.values[name] = self.values.get(name, NOTHING) | given
            case ast.Name(name):
                self._hold(name, given)
            case ast.Tuple(parts) | ast.List(parts):
                for part in parts:
                    self.bind(part, given)
            case ast.Subscript(holder, index):
                self.value(index)
                self.change(holder, given)
            case ast.Attribute(holder, name) if (cls := self.class_of(holder)) is not None:
                if getattr(self.function, "name", "") != "__init__":
                    self.whole.hold((cls, name), given)
            case _:
                refuse()

    def change(self, holder: ast.expr, given: Origins) -> None:
        """Note that a part of a value changes: one of a variable of the function, or of the module."""
        origins = self.value(holder)
        root = holder
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if UNKNOWN in origins or not isinstance(root, ast.Name):
            refuse()
        if root.id in self.values:
            self.values[root.id] |= given
        elif self.facts.home(root) is None:
            self._hold(root.id, given)
        else:
            refuse()
        self.whole.touch(origins)

    def _hold(self, name: str, given: Origins) -> None:
        self.whole.hold((self.facts.tree, name), given)

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, call: ast.Call) -> Origins:
        named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if named in SAYS:
            return self._say(call)
        called = called_function(call.func, self.facts)
        if called is not None:
            receiver = NOTHING
            if called.bound and isinstance(call.func, ast.Attribute):
                receiver = self.value(call.func.value) or Origins({OBJECT})
            return self._own(call, called.node, receiver=receiver)
        parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        given = union(self.value(part) for part in parts)
        kinds = self.facts.trace.kinds.get(call.func, frozenset())
        classes = [kind.node for kind in kinds if isinstance(kind, Class)]
        if classes and len(kinds) == 1:
            return self._made(call, classes[0])
        if kinds and not all(isinstance(kind, External) for kind in kinds):
            refuse()
        qualified = self.facts.qualified(call.func)
        if qualified is not None and not qualified.startswith("."):
            return self._library(call, qualified, given)
        if isinstance(call.func, ast.Attribute):
            return self._method(call.func, given)
        return self._builtin(call, given)

    def _say(self, call: ast.Call) -> Origins:
        """A line that is printed or logged: of a failure, or a constant one."""
        plain = all(isinstance(one, ast.Constant) for one in (*call.args, *(k.value for k in call.keywords)))
        if not (plain or self.in_handler):
            refuse()
        if not self.in_handler:
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
            refuse()
        for name, argument in zip(positions, call.args, strict=False):
            values[name] = self.value(argument)
        for keyword in call.keywords:
            if keyword.arg not in values:
                refuse()
            values[keyword.arg] = self.value(keyword.value)
        return self.whole.function(function, values, self.facts.of(function))

    def _library(self, call: ast.Call, qualified: str, given: Origins) -> Origins:
        """A call of an imported function or class."""
        root = qualified.partition(".")[0]
        if qualified.replace("compat.", "pyspark.", 1) == f"{KAFKA}.TopicAndPartition":
            self.whole.places.append(call)
            return given
        if root in ACTS or root in ("pyspark", "compat"):
            refuse()
        if RDD in given or qualified.rpartition(".")[2] in TELLS:
            refuse()
        if is_quiet(qualified):
            self.whole.touch(given)  # `json.dump(offsets, file)`
            return given - {UNKNOWN}
        store = FILE if root in FILES else root
        self.whole.stores.add(store)
        return (given | {store}) - {UNKNOWN}

    def _method(self, method: ast.Attribute, given: Origins) -> Origins:
        """A call of a method of what is no class of the project."""
        origins = self.value(method.value)
        if RDD in origins:
            if method.attr not in _OF_RDDS:
                refuse()
            self.whole.has_ranges |= method.attr == "offsetRanges"
            return NOTHING
        if UNKNOWN in origins and method.attr in _OF_TEXTS:
            return NOTHING
        if origins & {UNKNOWN, OBJECT} or method.attr in TELLS or (origins and RDD in given):
            refuse()
        if not origins and method.attr in methods.CHANGES:
            self.change(method.value, given)
        self.whole.touch(origins)
        return origins | (given - {UNKNOWN})

    def _builtin(self, call: ast.Call, given: Origins) -> Origins:
        """A call of a builtin."""
        name = getattr(call.func, "id", "")
        unknown = not name or name in self.facts.bindings or name in self.facts.starred or name in self.values
        if unknown or RDD in given:
            refuse()
        if name == FILE:
            modes = (*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode"))
            if any(not isinstance(mode, ast.Constant) or "a" in str(mode.value) for mode in modes):
                refuse()  # what is appended is a log, of which all is read
            self.whole.stores.add(FILE)
            return Origins({FILE})
        if name not in _BUILTINS:
            refuse()
        return given if name not in _MAKES_TEXTS else given - {UNKNOWN}

    def _made(self, call: ast.Call, cls: ast.ClassDef) -> Origins:
        """A call that makes an object of a class of the project."""
        made = [one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        if (
            cls.keywords
            or cls.decorator_list
            or [ast.unparse(base) for base in cls.bases] not in ([], ["object"])
        ):
            refuse()
        for function in made:
            self._own(call, function, receiver=Origins({OBJECT}))
        return Origins({OBJECT})


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
