"""Sessions that a callback is given, ``save(rdd, spark)``, and does not read: the batch has its own."""

from __future__ import annotations

import ast

from migrate.knowledge.builtins import READ_BY_NAME
from migrate.plan.callbacks.callback_sessions import Sessions
from migrate.plan.callbacks.conversion import Conversion


def leave_out_given_sessions(to: Conversion, sessions: Sessions) -> None:
    """Leave out parameters of sessions that were read for what is replaced, and for nothing else.

    Those of functions are meant that have one call, which gives them a variable.
    """
    function, names = to.callback.node, [one for one in to.callback.walk() if isinstance(one, ast.Name)]
    if not isinstance(function, ast.FunctionDef) or function.args.vararg or function.args.kwarg:
        return
    if to.callback.bound or not READ_BY_NAME.isdisjoint(one.id for one in names):
        return
    for parameter in function.args.args:
        given = to.callback.given.get(parameter.arg)
        reads = [one for one in names if one.id == parameter.arg]
        is_gone = all(sessions.is_session(one) and _is_replaced(one, to) for one in reads)
        if isinstance(given, ast.Name) and reads and is_gone:
            to.unread[given] = parameter


def _is_replaced(session: ast.Name, to: Conversion) -> bool:
    """Whether another session stands in its place, or it is read for a call that is replaced."""
    method = to.parents.get(session)
    call = to.parents.get(method) if isinstance(method, ast.Attribute) else None
    return any(one in to.replaced for one in (session, method, call) if one is not None)
