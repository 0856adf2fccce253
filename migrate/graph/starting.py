"""Finds how the writer of the query gets to the function that starts the query."""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.reading import Reading
from migrate.syntax.nodes import position, walk
from migrate.syntax.tree import Tree, parameter_names
from migrate.trace import Context, Trace, Use
from migrate.trace.values import Instance


class StartedElsewhere(Blocked):
    """The query cannot get to the call of ``start`` from where the batch function would stand."""


class Starting:
    """Finds the attribute, argument or result that takes the writer to the call of ``start``."""

    def __init__(self, reading: Reading, trace: Trace, tree: Tree, start: Use | None, place: Place) -> None:
        self.reading = reading
        self.trace = trace
        self.tree = tree
        self.start = start
        self.place = place

    def connect(self) -> None:
        """Note in the place how the writer gets to the call of ``start``.

        Raises:
            Blocked: there is no way.
        """
        found = self.place
        if self.start is None:
            return
        home = self.tree.scope_of(self.start.node)
        if home is found.scope:
            return
        receiver = self.start.node.value if isinstance(self.start.node, ast.Attribute) else None
        own = self.tree.receiver_of(found.scope)
        if own is not None and isinstance(receiver, ast.Attribute) and self._same_class(receiver):
            found.attribute = own
            return
        call = self.reading.entered.get(home)
        if call is not None and isinstance(receiver, ast.Attribute):
            found.attribute = self._object(call, home, receiver) or None
            if found.attribute is not None:
                return
        if call is not None and self.tree.scope_of(call) is found.scope and isinstance(receiver, ast.Name):
            self._passed(call, home, receiver)
        elif isinstance(found.scope, ast.FunctionDef):
            self._returned(home)
        else:
            raise self._apart()

    def _apart(self) -> Blocked:
        return StartedElsewhere(
            "`start` is called in another function than the streams are made in: "
            "call it there, or return the context from there",
            self.start,
        )

    def _object(self, call: ast.Call, home: ast.AST, receiver: ast.Attribute) -> str:
        """The variable of the object whose method starts its context, ``job.start()``; empty if it is none.

        It is bound once, above the batch function, so that the object can be given the writer there.
        """
        name, place = getattr(call.func, "value", None), self.place
        cls, scopes = self.tree.class_of(home), self.trace.scopes
        if not isinstance(name, ast.Name) or self.tree.scope_of(call) is not place.scope or cls is None:
            return ""
        variable = scopes.home(name)
        stores = [n for n in self.tree.of_kinds(ast.Name) if n.id == name.id and isinstance(n.ctx, ast.Store)]
        bound = [self.tree.statement_of(one) for one in stores if scopes.home(one) is variable]
        by_self = ast.unparse(receiver.value) == self.tree.receiver_of(home)
        has_slots = any(isinstance(one, ast.Name) and one.id == "__slots__" for one in walk(cls))
        if not by_self or has_slots or len(bound) != 1 or len(self.reading.entries[home]) != 1:
            return ""
        in_order = position(bound[0]) < position(place.anchor) < position(self.tree.statement_of(call))
        return name.id if in_order else ""

    def _passed(self, call: ast.Call, home: ast.AST, receiver: ast.Name) -> None:
        """``run(ssc)``: the function that starts the context is given the writer."""
        assert isinstance(home, ast.FunctionDef)
        names = parameter_names(home)
        given = [node for node in call.args if self._is_context(node)]
        in_order = position(self.tree.statement_of(call)) > position(self.place.anchor)
        named = len(given) == 1 and isinstance(given[0], ast.Name | ast.Attribute)
        plain = named and self.tree.class_of(home) is None
        if not (plain and in_order and names[call.args.index(given[0])] == receiver.id):
            raise self._apart()
        if not self._only_lives(receiver.id, home):
            raise self._apart()
        self.place.passed = given[0]

    def _is_context(self, node: ast.AST) -> bool:
        return any(isinstance(value, Context) for value in self.trace.kinds.get(node, ()))

    def _same_class(self, receiver: ast.Attribute) -> bool:
        """Whether ``x.ssc`` is an attribute of the class whose method holds the batch function."""
        values = self.trace.kinds.get(receiver.value, frozenset())
        cls = self.tree.class_of(self.place.scope)
        family = self.tree.family(cls, self.trace.bases) if cls is not None else set()
        return bool(values) and all(isinstance(v, Instance) and v.of.node in family for v in values)

    def _returned(self, home: ast.AST) -> None:
        """``ssc = build()``: the function that makes the streams returns the writer."""
        found = self.place
        assert isinstance(found.scope, ast.FunctionDef)
        call = self.reading.entered.get(found.scope)
        statement = self.tree.statement_of(call) if call is not None else None
        refusal = self._apart()
        if call is None or statement is None or self.tree.scope_of(statement) is not home:
            raise refusal
        if getattr(statement, "value", None) is not call or not isinstance(statement, ast.Assign | ast.Expr):
            raise refusal
        returns = [
            node
            for node in walk(found.scope)
            if isinstance(node, ast.Return) and self.tree.scope_of(node) is found.scope
        ]
        given = [node for node in returns if node.value is not None]
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            plain = len(statement.targets) == 1 and isinstance(target, ast.Name)
            if not plain or len(given) != 1 or given[0] is not found.scope.body[-1]:
                raise refusal
            assert given[0].value is not None and isinstance(target, ast.Name)
            if not self._is_context(given[0].value) or not self._only_lives(target.id, home):
                raise refusal
            found.returned = given[0]
        elif given:
            if len(returns) != 1 or given[0] is not found.scope.body[-1] or not self._is_carrier(given[0]):
                raise refusal
            found.returned = given[0]
        elif returns or found.anchor not in found.scope.body:
            raise refusal
        found.assigned = statement

    def _is_carrier(self, statement: ast.Return) -> bool:
        """Whether all that a function returns is the context or a stream."""
        value = statement.value
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        return all(part in self.reading.plumbing for part in parts)

    def _only_lives(self, name: str, home: ast.AST) -> bool:
        """Whether a variable of the context is only started, waited for and stopped."""
        life = {use.node.value for use in self.reading.lifecycle if isinstance(use.node, ast.Attribute)}
        return all(
            node in life
            for node in walk(home)
            if isinstance(node, ast.Name)
            and node.id == name
            and isinstance(node.ctx, ast.Load)
            and self.tree.scope_of(node) is home
        )
