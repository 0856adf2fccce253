"""Loops that write their elements in chunks, of which the last one is written behind the loop.

for row in rows:
    batch.add(statement, row)
    count += 1
    if count % 300 == 0:
        session.execute(batch)
        batch = BatchStatement()
session.execute(batch)

All elements are written in any partitions: these show in nothing but the sizes of the chunks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.knowledge import outside
from migrate.proofs.analysis.summary import Summary
from migrate.syntax.nodes import position, walk

_FILLING = frozenset({"add", "append"})
_LEAST = (ast.GtE, ast.Gt, ast.Eq)


def in_chunks(loop: ast.For, summary: Summary) -> frozenset[str]:
    """The variables of a loop's chunk and of its counter, if they serve nothing else."""
    for statement in loop.body:
        match statement:
            case ast.If(test, body, []):
                chunk = _written(body)
                counter = None if chunk is None else _counter(test, chunk)
                if chunk is None or counter is None:
                    continue
                names = frozenset({chunk, counter})
                serving = _serving(statement, loop, names, chunk, summary)
                named = {name for name in summary.of(ast.Name) if name.id in names}
                if named <= serving and all(map(summary.owns, named)):
                    return names
    return frozenset()


def _written(body: Sequence[ast.stmt]) -> str | None:
    """The chunk that statements write, and put a new one in the place of, if they do no more."""
    found = [chunk for chunk in map(_chunk_of, body) if chunk is not None]
    if len(found) != 1:
        return None
    (chunk,) = found
    others = [statement for statement in body if _chunk_of(statement) is None]
    renewed = [statement for statement in others if _is_renewed(statement, chunk)]
    idle = all(_is_renewed(one, chunk) or _is_set(one, 0) or _commits(one) for one in others)
    return chunk if len(renewed) == 1 and idle else None


def _chunk_of(statement: ast.stmt, inserts: Mapping[str, int] = outside.INSERTS_SOME) -> str | None:
    """The variable of a chunk that a statement writes: ``session.execute(batch)``."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr=method), [ast.Name(chunk)], [])) if (
            method in outside.EXECUTES
        ):
            return chunk
        case ast.Expr(ast.Call() as call):
            items = outside.items_of(call, inserts)
            return items.id if isinstance(items, ast.Name) else None
    return None


def _is_renewed(statement: ast.stmt, chunk: str) -> bool:
    """``batch = BatchStatement()``, ``rows = []``, ``rows.clear()``."""
    match statement:
        case ast.Assign([ast.Name(name)], ast.List(elts=[])):
            return name == chunk
        case ast.Assign([ast.Name(name)], ast.Call(function)):
            made = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            return name == chunk and made in outside.KEEPS_CALLS
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "clear"), [], [])):
            return name == chunk
    return False


def _is_set(statement: ast.stmt, value: int) -> bool:
    match statement:
        case ast.Assign([ast.Name()], ast.Constant(number)):
            return number == value and type(number) is int
    return False


def _commits(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(), "commit"), [], [])):
            return True
    return False


def _counter(test: ast.expr, chunk: str) -> str | None:
    """What a condition asks for the size of a chunk: a variable, or the chunk itself."""
    match test:
        case ast.Compare(ast.BinOp(ast.Name(counter), ast.Mod(), size), [ast.Eq()], [ast.Constant(0)]):
            return counter if _is_size(size) else None
        case ast.Compare(ast.Name(counter), [compared], [size]) if isinstance(compared, _LEAST):
            return counter if _is_size(size) else None
        case ast.Compare(ast.Call(ast.Name("len"), [ast.Name(name)], []), [compared], [size]):
            return chunk if name == chunk and isinstance(compared, _LEAST) and _is_size(size) else None
    return None


def _is_size(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and type(node.value) is int)


def _serving(
    full: ast.If, loop: ast.For, names: frozenset[str], chunk: str, summary: Summary
) -> set[ast.AST]:
    """All nodes of the statements that begin, fill, count and write chunks; none if the last is not written.

    Args:
        full: the statement that writes a chunk which is full.
        loop: the loop.
        names: the variables of the chunk and its counter.
        chunk: the variable of the chunk.
        summary: the function.
    """
    above = summary.facts.above[loop]
    block = next((body for _, body in ast.iter_fields(above) if isinstance(body, list) and loop in body), [])
    behind = block[block.index(loop) + 1 :] if block else []
    last = [statement for statement in behind if writes_last(statement, chunk)]
    if not last:
        return set()
    found = {full, *last}
    inside = set(walk(loop))
    for statement in summary.nodes:
        if isinstance(statement, ast.stmt):
            if statement in inside:
                fits = _fills(statement, names, chunk)
            else:
                fits = position(statement) < position(loop) and (
                    _is_renewed(statement, chunk) or _is_set(statement, 0)
                )
            found |= {statement} if fits else set()
    return {node for statement in found for node in walk(statement)}


def _fills(statement: ast.stmt, names: frozenset[str], chunk: str) -> bool:
    """``batch.add(statement, row)``, ``count += 1``."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), arguments, [])):
            given = {part.id for one in arguments for part in walk(one) if isinstance(part, ast.Name)}
            return name == chunk and method in _FILLING and not given & names
        case ast.AugAssign(ast.Name(name), ast.Add(), ast.Constant(1)):
            return name in names - {chunk}
    return False


def writes_last(statement: ast.stmt, chunk: str) -> bool:
    """Whether a statement behind the loop writes what is left, perhaps if anything is: ``if rows: ...``."""
    match statement:
        case ast.If(ast.Name(name), body, []):
            asks = name == chunk
        case ast.If(ast.Call(ast.Name("len"), [ast.Name(name)], []), body, []):
            asks = name == chunk
        case ast.If(
            ast.Compare(ast.Call(ast.Name("len"), [ast.Name(name)], []), [ast.Gt()], [ast.Constant(0)]),
            body,
            [],
        ):
            asks = name == chunk
        case _:
            return _chunk_of(statement, outside.INSERTS_EACH) == chunk
    written = [one for one in body if _chunk_of(one) == chunk]
    return asks and len(written) == 1 and all(one in written or _commits(one) for one in body)
