"""Notes on what sends messages in Python 2, of which nothing in its module says whether it is a producer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.model import Module
from migrate.read.python2.clients import Clients
from migrate.read.python2.encoding import is_bytes
from migrate.read.python2.sending import Messages, messages_of

ASSUMED = (
    "{}: `{}` is taken for a producer as its module makes them, which takes bytes alone in Python 3: what it"
    " sends is encoded"
)
UNKNOWN = (
    "{}: if `{}` is a producer of Kafka without a serializer, it takes bytes alone in Python 3: encode what"
    " it sends"
)


def notes_on_producers(modules: Sequence[Module]) -> Iterator[str]:
    """A note on each such call in the modules in Python 2 of a program that imports producers of Kafka.

    Args:
        modules: the modules of the program.
    """
    if any(module.python == 2 for module in modules) and any(map(_has_producers, modules)):
        for module in modules:
            place = f"{module.relative}, " if len(modules) > 1 else ""
            yield from (place + note for note in _notes(module) if module.python == 2)


def _has_producers(module: Module) -> bool:
    return "kafka" in module.source and Clients(module.tree).are_of_kafka


def _notes(module: Module) -> Iterator[str]:
    messages = Messages(module.tree)
    for call in messages.unknown:
        assert isinstance(call.func, ast.Attribute)
        where, name = module.where(call.lineno), ast.unparse(call.func.value)
        if not all(map(is_bytes, messages_of(call))):
            yield UNKNOWN.format(where, name)
        elif _encodes_more(module):
            yield ASSUMED.format(where, name)


def _encodes_more(module: Module) -> bool:
    """Whether the step to Python 3 has encoded something."""
    return module.source.count(".encode(") > module.text.count(".encode(")
