"""Caches of a callback's RDDs: ``rdd.cache()`` and ``rdd.unpersist()``.

The batch function persists the batch where several actions read it, so that columns of it need no cache. What
shuffles or calls functions of Python is computed once by ``localCheckpoint``: Spark frees that when the
callback is done, as it frees an RDD; a DataFrame that is persisted would stay in memory.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame

_CACHES = frozenset({"cache", "persist", "unpersist"})


def computed_once(step: Step, frame: Frame, node: ast.Call) -> Frame:
    """The frame in the place of ``rdd.map(f).cache()``.

    Raises:
        Refusal: no columns hold its elements.
    """
    if frame.within:
        raise Refusal("its elements are of no type that a column holds", node)
    if not _takes_more(frame):
        return frame
    match step.facts.above.get(node):
        case ast.Assign([ast.Name(name)]) if len(step.facts.loads.get(name, ())) > 1:
            return frame.materialised().checkpointed()
    return frame


def _takes_more(frame: Frame) -> bool:
    """Whether it takes more to compute it again than to read columns of the batch."""
    return frame.shuffles or bool(frame.python)


def drop_caches(to: Conversion, statement: ast.Expr) -> bool:
    """Leave out a statement that only caches or frees an RDD; False if it is another one, or the only one.

    Raises:
        Refusal: it takes more to compute it again than to read columns of the batch.
    """
    match statement.value:
        case ast.Call(ast.Attribute(ast.Name() as rdd, method)) if method in _CACHES and to.is_frame(rdd):
            if method != "unpersist" and (_takes_more(to.frames[rdd.id]) or to.frames[rdd.id].within):
                raise Refusal("it is cached, and takes more than to read columns of the batch", statement)
        case _:
            return False
    above = to.parents.get(statement, to.callback.node)
    blocks = (getattr(above, name, None) for name in ("body", "orelse", "finalbody"))
    block = next((one for one in blocks if isinstance(one, list) and statement in one), [])
    if all(one is statement or one in to.dropped for one in block):
        return False
    to.dropped[statement] = None
    return True
