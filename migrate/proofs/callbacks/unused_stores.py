"""Definitions that nothing uses any more where a program neither stores its offsets nor reads them."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence

from migrate.knowledge.outside import OPENS
from migrate.model import Module
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.only_stores import StoreCode
from migrate.proofs.callbacks.store_origins import Variable
from migrate.syntax.nodes import of_kinds, walk
from migrate.trace.taken import EVERYTHING

_Definition = ast.FunctionDef | ast.ClassDef | Variable
_OF_OFFSETS = frozenset({"offsetRanges", "TopicAndPartition"})
_STARTS = OPENS | {"start"}


class UnusedStores:
    """Functions, classes and variables that only store offsets or read them, and calls that open stores.

    Attributes:
        statements: those that nothing else uses.
        is_whole: whether all that has to do with offsets is among them.
        shared: the paths of other programs that use some of them, too.
    """

    def __init__(self, given: Sequence[ast.expr], codes: Sequence[StoreCode], facts: Facts) -> None:
        """Find them.

        Args:
            given: the arguments of operators and sources that go.
            codes: the code that these are.
            facts: the names of the graph's module.
        """
        self._facts = facts
        self._own = {*facts.program.graph.files}
        self.shared: set[str] = set()
        self._gone = {inner for node in given for inner in walk(node)}
        functions = {one for code in codes for one in code.functions if isinstance(one, ast.FunctionDef)}
        held = {one for code in codes for one in code.held}
        held |= {one for node in given if isinstance(node, ast.Name) for one in self._variable(node)}
        classes = {cls for one in functions if isinstance(cls := self._above(one), ast.ClassDef)}
        left: dict[_Definition, None] = dict.fromkeys((*functions, *held, *classes))
        left |= dict.fromkeys(one for code in codes for one in code.read)
        places = {self._above(one) for one in functions if self._is_of_offsets(one)}
        places |= {facts.of(one).tree for one in places} | {module.tree for module in facts.program.modules}
        left = {one: None for one in left if one in held or self._is_among(one, places)}
        found: list[ast.stmt] = []
        grown = True
        while grown:
            grown = False
            for one in [*left]:
                made = self._made(one)
                if made is not None and self._is_unread(one, made):
                    found += made
                    self._gone.update(inner for statement in made for inner in walk(statement))
                    del left[one]
                    grown = True
        inside = {inner for one in found for inner in walk(one) if inner is not one}
        self.statements = [one for one in dict.fromkeys(found) if one not in inside]
        missed = (one for one in left if one in held or self._is_of_offsets(one))
        gone = all(self._gone.issuperset(walk(one)) for one in missed if isinstance(one, ast.AST))
        self.is_whole = gone and not any(one in held for one in left)
        self.is_whole &= all(map(self._has_others, self.statements))

    def _above(self, node: ast.AST) -> ast.AST:
        return self._facts.of(node).above[node]

    def _variable(self, node: ast.Name) -> Iterator[Variable]:
        """The variable that a name is, if it is one of a function or module."""
        facts = self._facts.of(node)
        home = facts.home(node) or facts.tree
        named = any(isinstance(one, ast.Name) for one in facts.bindings.get(node.id, ()))
        if named and isinstance(home, ast.Module | ast.FunctionDef):
            yield home, node.id

    def _is_among(self, one: _Definition, places: Container[ast.AST]) -> bool:
        """Whether something stands in a module or class that has to do with offsets, and not in a tool."""
        home = self._above(one) if isinstance(one, ast.AST) else one[0]
        return (home if isinstance(home, ast.ClassDef) else self._facts.of(home).tree) in places

    # --- definitions ----------------------------------------------------------------------------------------

    def _made(self, one: _Definition) -> list[ast.stmt] | None:
        """The statements that make something, and those that only open what it is.

        None where it may be made by others, too.
        """
        if isinstance(one, ast.FunctionDef):
            return [one] if self._is_plain(one) else None
        if isinstance(one, ast.ClassDef):
            return [one]
        home, name = one
        facts = self._facts.of(home)
        stores = self._stores(home, name, facts)
        statements = [facts.statement_of(node) for node in stores if node not in self._gone]
        plain = (
            isinstance(s, ast.Assign) and len(s.targets) == 1 and s.targets[0] in stores for s in statements
        )
        if not all(plain) or any(isinstance(node, ast.arg) for node in stores):
            return None
        opened = (_opened(node, facts) for node in self._loads(home, name) if node not in self._gone)
        return [*statements, *(statement for statement in opened if statement is not None)]

    def _is_plain(self, function: ast.FunctionDef) -> bool:
        """Whether only calls by its name can reach a function: it is no method of a framework's class."""
        cls = self._above(function)
        decorators = {ast.unparse(one) for one in function.decorator_list}
        if not isinstance(cls, ast.ClassDef):
            return not decorators
        own = [ast.unparse(base) for base in cls.bases] in ([], ["object"])
        return own and not decorators - {"staticmethod", "classmethod"} and not function.name.startswith("__")

    @staticmethod
    def _stores(home: ast.AST, name: str, facts: Facts) -> list[ast.AST]:
        """The nodes that bind a variable or an attribute."""
        if not isinstance(home, ast.ClassDef):
            return [node for node in facts.bindings.get(name, ()) if _may_be_of(node, home, facts)]
        attributes = [one for one in of_kinds(facts.tree, ast.Attribute) if one.attr == name]
        bound = [target for one in home.body if isinstance(one, ast.Assign) for target in one.targets]
        own = [target for target in bound if isinstance(target, ast.Name) and target.id == name]
        return [*own, *(one for one in attributes if not isinstance(one.ctx, ast.Load))]

    # --- uses -----------------------------------------------------------------------------------------------

    def _is_unread(self, one: _Definition, made: Iterable[ast.stmt]) -> bool:
        """Whether only code that goes reads something."""
        home, name = (self._above(one), one.name) if isinstance(one, ast.stmt) else one
        facts = self._facts.of(home)
        (module,) = (known for known in facts.trace.modules if known.tree is facts.tree)
        if module.form.has_cells or (isinstance(home, ast.Module) and self._is_taken(name, module)):
            return False
        return self._gone.union(*map(walk, made)).issuperset(self._loads(home, name))

    def _is_taken(self, name: str, module: Module) -> bool:
        """Whether other modules may take a name, beside those of programs that share it: these are noted."""
        facts = self._facts
        taken = facts.trace.taken.of_module(module)
        if module.relative in self._own or taken.isdisjoint((name, EVERYTHING)):
            return bool(taken & {name, EVERYTHING})
        others = {path for graph in facts.trace.graphs for path in graph.files} - self._own
        shared: set[str] = set()
        for other in facts.trace.modules:
            if other is module:
                continue
            found = [one for one in of_kinds(other.tree, ast.Name) if one.id == name]
            members = [one for one in of_kinds(other.tree, ast.Attribute) if one.attr == name]
            imports = [one for one in of_kinds(other.tree, ast.alias) if one.name == name]
            if other.relative in others and (found or imports):
                shared.add(other.relative)
            elif not self._gone.issuperset(found) or (imports and other.relative not in self._own):
                return True
            if members or any(one.asname for one in imports):
                return True
        self.shared |= shared
        return False

    def _loads(self, home: ast.AST, name: str) -> list[ast.expr]:
        """The places that read a variable, a function, or a member of a class: any attribute of its name."""
        if isinstance(home, ast.ClassDef):
            trees = [module.tree for module in self._facts.trace.modules]
            members = (one for tree in trees for one in of_kinds(tree, ast.Attribute) if one.attr == name)
            return [one for one in members if isinstance(one.ctx, ast.Load)]
        facts = self._facts.of(home)
        scope = None if isinstance(home, ast.Module) else home
        return [load for load in facts.loads.get(name, ()) if facts.home(load) is scope]

    @staticmethod
    def _is_of_offsets(one: _Definition) -> bool:
        """Whether a function speaks of offsets by the names that only the old connector has."""
        if not isinstance(one, ast.FunctionDef):
            return False
        names = {getattr(node, "attr", getattr(node, "id", "")) for node in walk(one)}
        return bool(names & _OF_OFFSETS)

    def _has_others(self, statement: ast.stmt) -> bool:
        """Whether something is left of the block of a statement."""
        above = self._above(statement)
        blocks = [getattr(above, name, None) for name in ("body", "orelse", "finalbody")]
        block = next((one for one in blocks if isinstance(one, list) and statement in one), [])
        return any(one not in self.statements for one in block)


def _may_be_of(binding: ast.AST, home: ast.AST, facts: Facts) -> bool:
    """Whether a binding may be of a variable of a function or module, and not of one inside of it."""
    if isinstance(binding, ast.arg):
        return facts.above[facts.above[binding]] is home
    return not isinstance(binding, ast.Name) or (facts.home(binding) or facts.tree) is home


def _opened(node: ast.expr, facts: Facts) -> ast.stmt | None:
    """The statement ``client.start()`` that something is read in, if it only opens what that is."""
    statement = facts.statement_of(node)
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(value, attr), [], [])) if value is node and attr in _STARTS:
            return statement
    return None
