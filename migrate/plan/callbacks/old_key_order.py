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
from migrate.plan.callbacks.named_keys import Keys

_LOCAL = re.compile(r"local\[([1-9]\d*)\]")
_ELSEWHERE = re.compile(r"local\[\*.*|(spark|mesos|k8s)://.*|yarn.*")
"""Masters whose number of cores is not in the program."""
_PLACES = 8
"""The places of a small dict in Python 2."""
_FEW = 5
"""The keys with which it has no more of them."""


def order_of_python_2(reduced: Operation, program: Program, keys: Keys) -> Keys:
    """The texts among the keys of a ``reduceByKey`` as Python 2 collected them; none if unknown."""
    partitions = _partitions(reduced, program) if reduced.operator == "reduceByKey" else None
    if not keys or partitions is None or len(keys) > _FEW:
        return ()
    texts = [key for key in keys if key is not None]
    places = {key: (hash_of(key) % partitions, hash_of(key) % _PLACES) for key in texts}
    if None in keys and any(partition == 0 for partition, _ in places.values()):
        return ()  # None is in the first partition, and its place there is another one in each run
    ordered: list[str] = sorted(texts, key=places.__getitem__)
    return tuple(ordered) if len({*places.values()}) == len(texts) else ()


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
