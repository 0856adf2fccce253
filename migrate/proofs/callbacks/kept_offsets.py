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
from migrate.knowledge.outside import OPENS
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.only_stores import DoesMore, StoreCode, Variable, constant_offsets
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_none, parameter_names

_RANGES = "offsetRanges"
_Definition = ast.FunctionDef | Variable
_STARTS = OPENS | {"start"}


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
    if _stored(keepers) and not (above <= readers.keys() and _stored(keepers) <= read):
        return NO_OFFSETS
    given = [node for node, _ in readers.values()]
    codes = [*keepers.values(), *(code for _, code in readers.values())]
    unused = _Unused([*(one.call.args[0] for one in keepers), *given], codes, facts)
    if not unused.is_whole:
        return NO_OFFSETS
    return KeptOffsets(
        frozenset(readers),
        passing,
        frozenset(keepers.keys() - passing),
        tuple(unused.statements),
        tuple(given),
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
        if code.stores and code.places and not any(constant_offsets(code.functions)) and not code.said:
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


class _Unused:
    """What nothing uses any more where the offsets are neither stored nor read.

    Attributes:
        statements: the definitions of functions and variables, and calls that open what stores.
        is_whole: whether all that has to do with offsets is among it.
    """

    def __init__(self, given: list[ast.expr], codes: list[StoreCode], facts: Facts) -> None:
        self._facts = facts
        self._gone = {inner for node in given for inner in walk(node)}
        self.statements: list[ast.stmt] = []
        functions = {one for code in codes for one in code.functions if isinstance(one, ast.FunctionDef)}
        variables = {one for code in codes for one in (*code.held, *code.read)}
        held = {one for code in codes for one in code.held}
        pending: dict[_Definition, None] = dict.fromkeys((*functions, *variables))
        local = {one: None for node in given if isinstance(node, ast.Name) for one in self._local(node)}
        grown = True
        while grown:
            grown = False
            for one in [*pending]:
                made = self._made(one)
                if made is not None and self._is_unread(one, made):
                    self._drop(made)
                    del pending[one]
                    grown = True
            for statement in [*local]:
                if self._is_unread_local(statement):
                    self._drop([statement])
                    del local[statement]
                    grown = True
        self.is_whole = not local and not any(one in held or self._is_of_offsets(one) for one in pending)
        self.is_whole &= all(self._has_others(statement) for statement in self.statements)

    def _drop(self, statements: list[ast.stmt]) -> None:
        self.statements += [one for one in statements if one not in self._gone]
        self._gone.update(inner for one in statements for inner in walk(one))

    def _local(self, node: ast.Name) -> list[ast.stmt]:
        """The statement that gives a variable the offsets that are read."""
        facts = self._facts.of(node)
        binding = facts.only_binding(node.id)
        value = facts.value_of(binding)
        return [facts.statement_of(value)] if value is not None else []

    def _is_unread_local(self, statement: ast.stmt) -> bool:
        facts = self._facts.of(statement)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        assert isinstance(target, ast.Name)
        loads = facts.loads.get(target.id, ())
        return all(one in self._gone for one in loads if facts.home(one) is facts.home(target))

    def _made(self, one: _Definition) -> list[ast.stmt] | None:
        """The statements that make a function or variable, and those that only open what it is.

        None where others bind the variable, too.
        """
        if isinstance(one, ast.FunctionDef):
            return [one]
        tree, name = one
        facts = self._facts.of(tree)
        found: list[ast.stmt] = []
        for binding in facts.bindings.get(name, ()):
            statement = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
            if statement in self._gone or binding in self._gone:
                continue
            if facts.value_of(binding) is None or statement not in tree.body:
                return None
            assert statement is not None
            found.append(statement)
        opened = (self._opened(load, facts) for load in facts.loads.get(name, ()) if load not in self._gone)
        return [*found, *(one for one in opened if one is not None)]

    def _opened(self, load: ast.Name, facts: Facts) -> ast.stmt | None:
        """The statement ``client.start()`` that a variable is read in, if it only opens what that is."""
        statement = facts.statement_of(load)
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(), attr), [], [])) if attr in _STARTS:
                return statement if statement in facts.tree.body else None
        return None

    def _is_unread(self, one: _Definition, made: list[ast.stmt]) -> bool:
        """Whether only code that goes reads a function or variable."""
        tree, name = self._home_of(one)
        facts = self._facts.of(tree)
        if isinstance(one, ast.FunctionDef) and (one.decorator_list or one not in tree.body):
            return False
        (module,) = (known for known in facts.trace.modules if known.tree is tree)
        if module.form.has_cells or name in facts.trace.taken.of_module(module):
            return False
        return self._gone.union(*map(walk, made)).issuperset(facts.loads.get(name, ()))

    def _home_of(self, one: _Definition) -> tuple[ast.Module, str]:
        return (self._facts.of(one).tree, one.name) if isinstance(one, ast.FunctionDef) else one

    @staticmethod
    def _is_of_offsets(one: _Definition) -> bool:
        """Whether a function speaks of offsets by the names that only the old connector has."""
        if not isinstance(one, ast.FunctionDef):
            return False
        names = {getattr(node, "attr", getattr(node, "id", "")) for node in walk(one)}
        return bool(names & {_RANGES, "TopicAndPartition"})

    def _has_others(self, statement: ast.stmt) -> bool:
        """Whether something is left of the block of a statement."""
        above = self._facts.of(statement).above[statement]
        blocks = [getattr(above, name, None) for name in ("body", "orelse", "finalbody")]
        block = next(one for one in blocks if isinstance(one, list) and statement in one)
        return any(one not in self.statements for one in block)
