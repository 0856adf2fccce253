"""The syntax tree of a module after its changes: what is written, without layout and comments.

Looking at new code needs no text, and no LibCST, which takes longer than a check.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from migrate.codemod.changes import Changes, New
from migrate.syntax.nodes import LEAVES, Node, fields_of, parents_of, with_around
from migrate.syntax.quoting import names_in
from migrate.syntax.tree import default_of


def new_tree(changes: Changes) -> ast.Module:
    """The tree of the new module; nodes of the program keep the lines that they had."""
    tree = _New(changes).copy(changes.tree)
    assert isinstance(tree, ast.Module)
    return tree


class _New:
    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._user = changes.user
        self._open: set[ast.AST] = set()
        """Expressions that are being replaced, which may stand in what replaces them."""
        self._touched = self._touched_nodes()

    def _touched_nodes(self) -> set[ast.AST]:
        """The nodes of the old tree in which something changes."""
        changes = self._changes
        places = (changes.statements, changes.before, changes.after, changes.unfolded, changes.imports)
        return with_around(chain([changes.tree], changes.inside, *places), parents_of(changes.tree))

    def kept(self, node: ast.AST) -> ast.AST:
        """A node that stays in its place, as it is now: itself where nothing changes inside."""
        return self.copy(node) if node in self._touched else node

    def copy(self, node: ast.AST) -> ast.AST:
        """A node of the old tree as it is now; it may stand in several places of the new one."""
        code = self._changes.expressions.get(node)
        if code is not None and node not in self._open:
            self._open.add(node)
            written = _expression(code, is_target=type(getattr(node, "ctx", None)) is ast.Store)
            filled = self._filled(written) if names_in(code) else written
            self._open.discard(node)
            return filled
        held = vars(node)
        fields = {name: self._field(name, held[name]) for name in fields_of(type(node)) if name in held}
        if isinstance(node, ast.arguments) and fields["defaults"]:
            fields["defaults"] = list(self._defaults(node))
        new = _with(node, **fields)
        if node in self._changes.renamed:
            _rename(new, self._changes.renamed[node])
        for old, words in self._changes.reworded.get(node, ()):  # type: ignore[call-overload]
            _reword(new, old, words)
        return new

    def _field(self, name: str, value: object) -> object:
        if not isinstance(value, list):
            return self.copy(value) if isinstance(value, ast.AST) else value
        if name in ("body", "orelse", "finalbody") and all(isinstance(item, ast.stmt) for item in value):
            block = list(self._block(value))
            return block or ([ast.Pass()] if name == "body" else [])
        if name in ("args", "posonlyargs") and any(isinstance(item, ast.arg) for item in value):
            return [new for item in value for new in self._parameters(item)]
        return [self.copy(item) if isinstance(item, ast.AST) else item for item in value]

    def _parameters(self, old: ast.arg) -> Iterator[ast.AST]:
        """The parameters in the place of one."""
        new = self._changes.parameters.get(old)
        if new is None:
            yield self.copy(old)
            return
        yield from (ast.copy_location(ast.arg(name), old) for name in new.names)

    def _defaults(self, old: ast.arguments) -> Iterator[ast.AST]:
        """The defaults of the parameters that stay."""
        gone = {
            default_of(one, old)
            for one in (*old.posonlyargs, *old.args)
            if one in self._changes.parameters and not self._changes.parameters[one].names
        }
        yield from (self.copy(one) for one in old.defaults if one not in gone)

    def _block(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        changes = self._changes
        for statement in statements:
            yield from self._written(changes.before.get(statement, ()))
            if statement in changes.statements:
                yield from self._written(changes.statements[statement])
            elif isinstance(statement, ast.If) and statement in changes.unfolded:
                yield from self._block(statement.body)
            else:
                yield from self._kept(statement)
            yield from self._written(changes.after.get(statement, ()))

    def _kept(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        """A statement of the program; of an import the names that are left, and new ones."""
        names = self._changes.imports.get(statement)  # type: ignore[call-overload]
        new = self.kept(statement)
        assert isinstance(new, ast.stmt)
        if names is not None and isinstance(new, ast.Import | ast.ImportFrom):
            new.names = [*names.kept, *names.added]
            if isinstance(new, ast.ImportFrom):
                new.module = names.module or new.module
            if not new.names:
                return
        yield new

    def _written(self, many: Iterable[New]) -> Iterator[ast.stmt]:
        for one in many:
            quotes = bool(names_in(one.text))
            for row in one.tree:
                new = self._filled(row) if quotes else row
                assert isinstance(new, ast.stmt)
                if one.body:
                    new = _with(new, body=list(self._written(one.body)))
                if one.clauses:
                    assert isinstance(new, ast.Try)
                    pairs = zip(new.handlers, one.clauses, strict=True)
                    handlers = [_with(old, body=list(self._written(clause.body))) for old, clause in pairs]
                    new = _with(new, handlers=handlers)
                if one.orelse:
                    new = _with(new, orelse=list(self._written(one.orelse)))
                yield new

    def _filled(self, node: ast.AST) -> ast.AST:
        """New code with the program's own expressions in the places of their names; itself without any."""
        if type(node) is ast.Name:
            return self.copy(self._user[node.id]) if node.id in self._user else node
        if type(node) in LEAVES:
            return node
        held, filled = vars(node), dict[str, object]()
        for name in fields_of(type(node)):
            value = held[name]
            if isinstance(value, list):
                items = [self._filled(item) if isinstance(item, ast.AST) else item for item in value]
                if any(map(operator.is_not, items, value)):
                    filled[name] = items
            elif isinstance(value, ast.AST) and (item := self._filled(value)) is not value:
                filled[name] = item
        return _with(node, **filled) if filled else node


def _expression(code: str, *, is_target: bool) -> ast.expr:
    """The tree of new code, which may be assigned to: then its names are bound, as in the text."""
    if not is_target:
        return ast.parse(f"({code})", mode="eval").body
    (statement,) = ast.parse(f"({code}) = None").body
    assert isinstance(statement, ast.Assign)
    return statement.targets[0]


def _with(node: Node, **fields: object) -> Node:
    """A copy of a node with other values of some fields."""
    held, new = vars(node), type(node)()
    vars(new).update({name: held[name] for name in (*node._fields, *node._attributes) if name in held})
    vars(new).update(fields)
    return new


def _reword(text: ast.AST, old: str, words: str) -> None:
    """Put words in the places of others in a text, or in the parts of one."""
    for node in ast.walk(text):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = node.value.replace(old, words)


def _rename(node: ast.AST, name: str) -> None:
    match node:
        case ast.Name():
            node.id = name
        case ast.Attribute():
            node.attr = name
        case ast.arg() | ast.keyword():
            node.arg = name
        case ast.alias() | ast.FunctionDef():
            node.name = name
