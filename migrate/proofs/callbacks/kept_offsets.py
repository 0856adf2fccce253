"""Kafka's offsets that a program only stores, and reads from there at its next start.

def store_offset_ranges(rdd):
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd

def save_offset_ranges(rdd):
    for o in offset_ranges:
        client.hset(o.topic, o.partition, o.untilOffset)

stream = KafkaUtils.createDirectStream(ssc, topics, params, fromOffsets=read_offsets(topics))
stream.transform(store_offset_ranges).foreachRDD(save_offset_ranges)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.offsets import NO_OFFSETS, KeptOffsets
from migrate.graph.operations import Operation, upstream
from migrate.graph.program import Program
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.only_stores import StoreCode, constant_offsets
from migrate.proofs.callbacks.store_origins import DoesMore
from migrate.proofs.callbacks.unused_stores import UnusedStores
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_none, parameter_names

_RANGES = "offsetRanges"


def kept_offsets(program: Program, facts: Facts) -> KeptOffsets:
    """The parts of a program that store its offsets and read them, if it does nothing else with offsets."""
    if not any(_RANGES in module.source for module in facts.trace.modules):
        return NO_OFFSETS
    keepers = _keepers(program, facts)
    passing = frozenset(one for one in keepers if one.operator == "transform")
    if not keepers or not all(_returns_its_rdd(one.call.args[0], facts.of(one.call)) for one in passing):
        return NO_OFFSETS
    readers = dict(_readers(program, facts)) if _stored(keepers) else {}
    above = {source for one in keepers for source in upstream(one) if source.is_source}
    read = {store for _, code in readers.values() for store in code.stores}
    if not _stored(keepers) and any(code.said for code in keepers.values()):
        return NO_OFFSETS
    if _stored(keepers) and not (above <= readers.keys() and _stored(keepers) <= read):
        return NO_OFFSETS
    given = [node for node, _ in readers.values()]
    codes = [*keepers.values(), *(code for _, code in readers.values())]
    unused = UnusedStores([*(one.call.args[0] for one in keepers), *given], codes, facts)
    if not unused.is_whole:
        return NO_OFFSETS
    return KeptOffsets(
        frozenset(readers),
        passing,
        frozenset(keepers.keys() - passing),
        tuple(unused.statements),
        frozenset(unused.shared),
        tuple(call for code in keepers.values() for call in code.said),
    )


def _keepers(program: Program, facts: Facts) -> dict[Operation, StoreCode]:
    """The calls whose functions only store offsets, or hand them to others that do."""
    found: dict[Operation, StoreCode] = {}
    for operation in program.operations:
        call = operation.call
        if operation.operator in ("transform", "foreachRDD") and len(call.args) == 1 and not call.keywords:
            code = StoreCode()
            try:
                code.follow(call.args[0], facts.of(call))
            except DoesMore:
                continue
            found[operation] = code
    held = {variable for code in found.values() if code.has_ranges for variable in code.held}
    return {one: code for one, code in found.items() if code.has_ranges or code.read & held}


def _stored(keepers: dict[Operation, StoreCode]) -> set[str]:
    """The stores that they write to."""
    return {store for code in keepers.values() for store in code.stores}


def _readers(program: Program, facts: Facts) -> Iterator[tuple[Operation, tuple[ast.expr, StoreCode]]]:
    """The sources that begin where a store says, each with that argument and the code that reads it."""
    for source in program.sources:
        call = source.call
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        node = call.args[3] if len(call.args) > 3 else named.get("fromOffsets")
        if source.operator != "createDirectStream" or node is None or is_none(node):
            continue
        code = StoreCode()
        try:
            code.read_by(node, facts.of(call))
        except DoesMore:
            continue
        if (
            code.stores
            and code.places
            and not any(constant_offsets([*code.functions, node]))
            and not code.said
        ):
            yield source, (node, code)


def _returns_its_rdd(function: ast.expr, facts: Facts) -> bool:
    """Whether a function always returns the RDD that is its last argument."""
    match function:
        case ast.Lambda(body=ast.Name(name)):
            return name == parameter_names(function)[-1]
        case ast.Lambda(body=ast.Call(called, [ast.Name(name)], [])):
            return name == parameter_names(function)[-1] and _returns_its_rdd(called, facts)
    called_with = called_function(function, facts)
    if called_with is None:
        return False
    node = called_with.node
    name = parameter_names(node)[-1]
    names = [one for one in walk(node) if isinstance(one, ast.Name) and one.id == name]
    returns = [one.value for one in walk(node) if isinstance(one, ast.Return)]
    return (
        isinstance(node.body[-1], ast.Return)
        and all(isinstance(one, ast.Name) and one.id == name for one in returns)
        and all(isinstance(one.ctx, ast.Load) for one in names)
    )
