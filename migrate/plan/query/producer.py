"""The settings of a program's producer for Kafka, as options of Spark's sink."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns import Refusal
from migrate.knowledge import producers
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.proofs.values.constants import constant
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted


class Producer:
    """The call that makes a producer."""

    def __init__(self, step: Step, made: ast.Call, method: str) -> None:
        """A producer.

        Args:
            step: the output that sends by it.
            made: the call that makes it.
            method: its method that sends a message, which tells its library.
        """
        self._step = step
        self._facts = step.facts
        self._made = made
        self._method = method

    def settings(self) -> dict[str, ast.expr]:
        """The settings of the producer."""
        found = {keyword.arg or "**": keyword.value for keyword in self._made.keywords}
        for given in self._made.args:
            written = isinstance(given, ast.Dict) and all(isinstance(key, ast.Constant) for key in given.keys)
            if not (isinstance(given, ast.Dict) and written):
                raise Refusal("the settings of its producer are not written out", self._made)
            for key, value in zip(given.keys, given.values, strict=True):
                assert isinstance(key, ast.Constant)
                found[str(key.value)] = value
        return found

    def options(self) -> Iterator[Call]:
        """The options that the producer's settings become.

        Raises:
            Refusal: one has no counterpart.
        """
        servers = ""
        others: list[Call] = []
        for name, value in self.settings().items():
            if name in producers.SERVERS:
                servers = self._servers(value)
            elif name in producers.AS_OPTIONS or (self._method == "produce" and "." in name):
                option = producers.AS_OPTIONS.get(name, name)
                if name not in producers.WITHOUT_EFFECT:
                    others.append(Call("option", f'"kafka.{option}", {self.expression(value)}'))
            elif name not in producers.WITHOUT_EFFECT | producers.SERIALIZERS.keys():
                raise Refusal(f"the setting `{name}` of its producer has no counterpart here", value)
        if not servers:
            raise Refusal("its producer is not told its brokers", self._made)
        yield Call("option", f'"kafka.bootstrap.servers", {servers}')
        yield from others

    def _servers(self, node: ast.expr) -> str:
        """The code of the brokers' addresses, with commas between them."""
        match node:
            case ast.Constant(str()):
                return quoted(node)
            case ast.List([ast.expr() as only]):
                return self.expression(only)
            case ast.Name(name):
                known, value = constant(name, self._step.operation.call.lineno, self._facts)
                if known and isinstance(value, str | list):
                    code = self.expression(node)
                    return code if isinstance(value, str) else f'",".join({code})'
            case ast.List(parts) if parts and all(isinstance(part, ast.Constant) for part in parts):
                return f'",".join({quoted(node)})'
        if self._method == "produce":
            return self.expression(node)
        raise Refusal("the brokers of its producer may be a text or a list", node)

    def expression(self, node: ast.expr) -> str:
        """An expression of a callback as code beside the query.

        Raises:
            Refusal: it may have another value there.
        """
        tree, program = self._step.program.tree, self._step.program
        names = [name for name in walk(node) if isinstance(name, ast.Name)]
        bound = [self._facts.only_binding(name.id) for name in names]
        homes = [tree.scope_of(one) for one in bound if one is not None]
        reached = len(homes) == len(names) and all(
            isinstance(home, ast.Module) or home is program.scope for home in homes
        )
        if not reached or not is_loop_invariant(node, self._facts):
            raise Refusal(f"`{self._step.shown(node)}` may have another value where the query begins", node)
        return quoted(node)
