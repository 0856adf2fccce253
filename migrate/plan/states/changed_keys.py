"""``--changed-keys``: the keys of a running state that a batch changed are put out, in place of all keys.

A query does so in update mode. Where the batch function has the state, it leaves out the other keys.
"""

from __future__ import annotations

from migrate.columns import Record, leaves
from migrate.columns.shapes import Maybe
from migrate.graph.program import Operation
from migrate.knowledge.streaming import ITSELF, ROWWISE
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.frame import Frame

CHANGED = (
    "--changed-keys: outputs of the state get the keys that a batch changed, where DStream gave them all in "
    'every batch; one that replaces what it wrote before, as `mode("overwrite")` does, must add to it now'
)
CHOSEN = "a running sum of which a batch puts out the keys that it changed"
ALL = "--changed-keys: all keys of the state are put out in every batch, as {}"
WORKS_ON_ALL = "`{operator}` works on all of them"
IN_PYTHON = "the program's own function updates it"
MAY_BE_NONE = "None may be among them, which no join by key finds"


def only_changed(draft: Draft, state: Operation, frame: Frame | None) -> str:
    """The argument of a ``left_semi`` join that finds the changed keys; empty where all keys are put out.

    The report says which of both it is, if the user asks for changed keys.

    Args:
        draft: the plan, which gets the note.
        state: the ``updateStateByKey``.
        frame: the keys that the batch changes; None for RDD code.
    """
    if not draft.basis.options.changed_keys:
        return ""
    whole = next((one for one in _below(state, draft) if one.operator not in ROWWISE | ITSELF), None)
    if whole is not None:
        why = WORKS_ON_ALL.format(operator=whole.operator)
    elif frame is None or not isinstance(frame.element, Record):
        why = IN_PYTHON
    else:
        keys = leaves(frame.element.items[0])
        if not any(isinstance(key.shape, Maybe) for key in keys):
            draft.need(unsafe=frozenset({state.use}), notes=(CHANGED,))
            draft.reasons[state.use] = CHOSEN
            names = ", ".join(f'"{key.name}"' for key in keys)
            return names if len(keys) == 1 else f"[{names}]"
        why = MAY_BE_NONE
    draft.note(ALL.format(why))
    return ""


def _below(stream: Operation, draft: Draft) -> list[Operation]:
    """The streams that are made of one, and that some output needs."""
    found = [one for one in stream.consumers if one in draft.basis.live and not one.is_output]
    return [*found, *(other for one in found for other in _below(one, draft))]
