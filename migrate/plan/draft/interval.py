"""The batch interval where the query begins: of its trigger, and of the times of batches."""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.batch_time import Seconds
from migrate.plan.draft.imported_names import import_of
from migrate.plan.new_code.duration import duration, figure
from migrate.plan.new_code.own_imports import OwnImport
from migrate.proofs.analysis.arguments import argument_of
from migrate.proofs.values.durations import seconds
from migrate.syntax.nodes import position, root_of, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def has_whole_interval(basis: Basis) -> bool:
    """Whether the batch interval is known to be a whole number of seconds, of which no sum is rounded."""
    return basis.interval is not None and isinstance(seconds(basis.interval, basis.facts), int)


class Interval:
    """The batch interval, as code of the batch function's place."""

    def __init__(self, basis: Basis, variable: str) -> None:
        """The interval of a graph.

        Args:
            basis: the graph.
            variable: a free name; if it is read, `assignment` gives it its value.
        """
        self.basis = basis
        self.program = basis.program
        self.imports: set[OwnImport] = set()
        """The imports that its names need in the module of the query."""
        self._variable = variable
        self._assigned = False
        self._attribute: ast.Attribute | None = None
        """What new code keeps the interval in, where a method of an object makes the context."""
        self._read: ast.expr | None = None
        """What new code reads of an attribute that keeps the argument of such a method."""

    def trigger(self) -> str:
        """The trigger's interval as a text or an f-string."""
        node = self._interval(self.basis.interval)
        return duration(node, self._variable if self._assigned else self._code(node))

    def figure(self) -> float | None:
        """The seconds of the trigger, if it says them in figures."""
        return figure(self._interval(self.basis.interval))

    def seconds(self) -> Seconds:
        """The interval as a number of seconds, to be read in each batch."""
        node = self._interval(self.basis.interval)
        if isinstance(node, ast.Constant):
            return Seconds(ast.unparse(node), node.value if type(node.value) is int else None)
        self._assigned = not isinstance(node, ast.Name)
        return Seconds(self._variable if self._assigned else self._code(node))

    def times(self, number: int, statement: ast.stmt) -> str:
        """The seconds of some of the program's batches, as code at a statement; empty if none is there."""
        node = self._interval(self.basis.batch_interval)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return ast.unparse(ast.Constant(number * node.value))
        tree, made = self.program.tree, self.program.construction
        if not isinstance(node, ast.Name) or tree.root_of(statement) is not tree.root_of(made):
            return ""
        scopes = self.basis.trace.scopes
        home = scopes[tree.scope_of(made)].home(node.id)
        seen = scopes[tree.scope_of(statement)].home(node.id) is home
        return f"{number} * {node.id}" if seen and self.basis.facts.of(made).only_binding(node.id) else ""

    @property
    def assignment(self) -> list[str]:
        """The statement before all that reads the variable, if something does."""
        return (
            [f"{self._variable} = {self._code(self._interval(self.basis.interval))}"]
            if self._assigned
            else []
        )

    @property
    def stored(self) -> str:
        """The statement that keeps the interval in an object; empty if the program has one, or needs none."""
        made = self._attribute
        return f"{ast.unparse(made)} = {made.attr}" if made is not None else ""

    def _code(self, node: ast.expr) -> str:
        """The interval as new code: code of another module is not quoted, but written anew."""
        root = self.program.tree.root_of
        is_new = node is self._attribute or node is self._read
        is_quoted = not is_new and root(node) is root(self.program.scope)
        return quoted(node) if is_quoted else ast.unparse(node)

    def _interval(self, node: ast.expr | None) -> ast.expr:
        """An interval as code of the query's place.

        Raises:
            Blocked: there is none, or it is bound again below the context.
        """
        if node is None:
            raise Blocked("the batch interval is missing", self.program.constructor)
        node = self._given(node, self.program.tree.scope_of(self.program.construction))
        is_kept = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        for name in () if is_kept or node is self._attribute else walk(node):  # nothing else binds these
            if isinstance(name, ast.Name) and node is self._read:
                continue
            if isinstance(name, ast.Name | ast.Attribute) and self._is_bound_later(name):
                shown = ast.unparse(name)
                raise Blocked(f"`{shown}` of the batch interval is bound again", self.program.constructor)
        return node

    def _is_bound_later(self, name: ast.Name | ast.Attribute) -> bool:
        """Whether a name or attribute gets another value between the context and the query."""
        facts, made = self.basis.facts, self.program.construction
        if isinstance(name, ast.Attribute):
            root = self.program.tree.root_of
            return any(
                other.attr == name.attr
                and not isinstance(other.ctx, ast.Load)
                and (root(other) is not root(made) or position(other) > position(made))
                for other in self.program.tree.of_kinds(ast.Attribute)
            )
        facts, tree = facts.of(name), self.program.tree
        in_order = facts.of(made) is facts
        bound = facts.bindings.get(name.id, ())
        read = made if tree.scope_of(name) is tree.scope_of(made) else name
        values = {
            ast.unparse(value) if isinstance(value, ast.Constant) else None
            for value in map(facts.part_of, bound)
        }
        if len(values) == 1 and None not in values:
            return False  # it gets the same again, as in a notebook's cell with the whole program
        later = [other for other in bound if in_order and position(other) > position(read)]
        return any(facts.visible(other) and not isinstance(other, ast.arg) for other in later)

    def _given(self, node: ast.expr, made: ast.AST) -> ast.expr:
        """The interval as code at the query's place; for a parameter, the argument of the only call.

        Args:
            node: the expression where it is read.
            made: the function whose names it reads.
        """
        here = self.program.scope
        if made is here or isinstance(node, ast.Constant):
            return node
        scopes = self.basis.trace.scopes
        if isinstance(node, ast.Name) and (kept := self._kept(node, made)) is not None:
            return kept
        parameter = argument_of(node, made, self.program)
        if parameter is not None:
            return self._given(*parameter)
        node = self._of_object(node, made)
        for name in (part for part in walk(node) if isinstance(part, ast.Name)):
            home = scopes[made].home(name.id)
            if home is None or isinstance(home.node, ast.Module):
                if scopes[here].home(name.id) is home:
                    continue
                imported = import_of(name, self.basis)
                if imported is not None:
                    self.imports |= imported
                    continue
            elif self._is_receiver(name.id, made) and self._is_receiver(name.id, here):
                continue
            raise Blocked(
                f"the batch interval reads `{name.id}` of another function than the streams are made in",
                self.program.constructor,
            )
        return node

    def _of_object(self, node: ast.expr, made: ast.AST) -> ast.expr:
        """``self.args.interval`` for the ``args.interval`` of a method that keeps its argument so."""
        root = root_of(node)
        if not isinstance(node, ast.Attribute) or not isinstance(root, ast.Name):
            return node
        kept = self._kept(root, made, stored=True)
        if kept is None:
            return node
        self._read = ast.parse(f"{ast.unparse(kept)}{ast.unparse(node)[len(root.id) :]}", mode="eval").body
        return self._read

    def _kept(self, node: ast.Name, made: ast.AST, *, stored: bool = False) -> ast.expr | None:
        """The attribute of an object that keeps a parameter of the method which makes its context.

        ``def __init__(self, interval=10)`` decides with what it is given, though only one caller is known.

        Args:
            node: the parameter where it is read.
            made: the method.
            stored: whether the program must have such an attribute; else there may be a new one.
        """
        tree, here = self.program.tree, self.program.scope
        if not isinstance(made, ast.FunctionDef) or node.id not in parameter_names(made)[1:]:
            return None
        receiver, *_ = parameter_names(made)
        if not (self._is_receiver(receiver, made) and self._is_receiver(receiver, here)):
            return None
        attributes = [
            other for other in tree.nodes() if isinstance(other, ast.Attribute) and other.attr == node.id
        ]
        methods = [other for other in tree.nodes() if isinstance(other, _DEFINED) and other.name == node.id]
        names = [other for other in walk(made) if isinstance(other, ast.Name) and other.id == node.id]
        if methods or any(not isinstance(other.ctx, ast.Load) for other in names):
            return None
        stores = [other for other in attributes if not isinstance(other.ctx, ast.Load)]
        if stores:
            match tree.statement_of(stores[0]):
                case ast.Assign([target], ast.Name(value)) as statement:
                    whole = len(stores) == 1 and target is stores[0] and value == node.id
                    return stores[0] if whole and self._is_set_in_time(statement, made) else None
            return None
        own = any(isinstance(other.value, ast.Name) and other.value.id == receiver for other in attributes)
        if stored or own or self._has_class_variable(node.id):
            return None
        made = ast.Attribute(ast.Name(receiver, ast.Load()), node.id, ast.Load())
        self._attribute = ast.fix_missing_locations(made)
        return self._attribute

    def _is_set_in_time(self, store: ast.Assign, made: ast.FunctionDef) -> bool:
        """Whether a method sets an attribute before it calls another one that may read it."""
        if store not in made.body:
            return False
        receiver, *_ = parameter_names(made)
        begin, end = position(self.program.construction), position(store)
        between = [statement for statement in made.body if begin < position(statement) < end]
        calls = [node for one in between for node in walk(one) if isinstance(node, ast.Call)]
        parts = (part for call in calls for part in walk(call))
        return not any(isinstance(part, ast.Name) and part.id == receiver for part in parts)

    def _has_class_variable(self, name: str) -> bool:
        """Whether a class of the program has a variable of that name."""
        classes = self.program.tree.of_kinds(ast.ClassDef)
        bound = {
            target.id
            for cls in classes
            for statement in cls.body
            for target in walk(statement)
            if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
        }
        return name in bound

    def _is_receiver(self, name: str, scope: ast.AST) -> bool:
        cls = self.program.tree.class_of(scope)
        tree = self.program.tree
        same = cls is not None and tree.class_of(self.program.scope) in tree.family(
            cls, self.basis.trace.bases
        )
        return same and isinstance(scope, ast.FunctionDef) and parameter_names(scope)[:1] == [name]
