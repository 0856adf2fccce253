"""The order in which the old program collected the few keys that its code names, as Python 2 had it.

    words.map(lambda word: ("good", 1) if word in good else ("bad", 1)).reduceByKey(add)

An RDD has a key in the partition of its hash, and in a partition keys are in the order of a dict. In Python 2
the hash of a text is the same in each run, and a dict of up to five keys has eight places, of which the hash
gives one. In Python 3 hashes differ by version, and a dict's keys are in the order in which they came.
"""

from __future__ import annotations

import ast
import re

from migrate.graph.program import Operation, Program
from migrate.knowledge.streaming import KEEPS_KEYS

_LOCAL = re.compile(r"local\[([1-9]\d*)\]")
_ELSEWHERE = re.compile(r"local\[\*.*|(spark|mesos|k8s)://.*|yarn.*")
"""Masters whose number of cores is not in the program."""
_PLACES = 8
"""The places of a small dict in Python 2."""
_FEW = 5
"""The keys with which it has no more of them."""


def old_key_order(reduced: Operation, program: Program) -> tuple[str, ...]:
    """The keys of a ``reduceByKey`` in the order in which they were collected; none where it is not known."""
    in_python_2 = all(module.python == 2 for module in program.modules)
    if reduced.operator != "reduceByKey" or not in_python_2:
        return ()
    keys, partitions = _keys(reduced.parents[0]), _partitions(reduced, program)
    if not keys or partitions is None or len(keys) > _FEW:
        return ()
    places = {key: (hash_of(key) % partitions, hash_of(key) % _PLACES) for key in keys}
    return tuple(sorted(keys, key=places.__getitem__)) if len({*places.values()}) == len(keys) else ()


def _keys(operation: Operation) -> frozenset[str]:
    """The keys of a stream of pairs, where its functions name them all."""
    if operation.operator == "union":
        parts = [_keys(parent) for parent in operation.parents]
        return frozenset().union(*parts) if all(parts) else frozenset()
    if operation.operator in KEEPS_KEYS and len(operation.parents) == 1:
        return _keys(operation.parents[0])
    if operation.operator not in ("map", "flatMap") or len(operation.call.args) != 1:
        return frozenset()
    (function,) = operation.call.args
    several = operation.operator == "flatMap"
    pending = [(function.body, several)] if isinstance(function, ast.Lambda) else []
    found: set[str] = set()
    while pending:
        match pending.pop():
            case ast.IfExp(body=one, orelse=other), several:
                pending += [(one, several), (other, several)]
            case ast.List(elts=pairs) | ast.Tuple(elts=pairs), True:
                pending += [(pair, False) for pair in pairs]
            case ast.Tuple(elts=[ast.Constant(value=str(key)), _]), False if key.isascii():
                found.add(key)
            case _:
                return frozenset()
    return frozenset(found)


def _partitions(reduced: Operation, program: Program) -> int | None:
    """The number of partitions where the operator has no own one: that of the cores of a local master."""
    texts = [node.value for node in program.tree.of_kinds(ast.Constant) if isinstance(node.value, str)]
    given = [*reduced.call.args[1:], *reduced.call.keywords]
    if given or "spark.default.parallelism" in texts or any(map(_ELSEWHERE.fullmatch, texts)):
        return None
    cores = {int(found[1]) for found in map(_LOCAL.fullmatch, texts) if found is not None}
    return cores.pop() if len(cores) == 1 else None


def hash_of(text: str) -> int:
    """Python 2's ``hash`` of a text, on machines of 64 bits."""
    found = ord(text[0]) << 7 if text else 0
    for character in text:
        found = ((1000003 * found) ^ ord(character)) & (2**64 - 1)
    found ^= len(text)
    return found - 2**64 if found >= 2**63 else found
