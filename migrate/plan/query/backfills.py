"""``--trigger available-now``: the query reads what is there, batch by batch, and ends."""

from __future__ import annotations

from migrate.graph.blocked import Blocked
from migrate.model import Tier
from migrate.plan.draft.draft import Draft

BACKFILL = (
    "--trigger available-now: the query reads what is there when it starts, of Kafka from the earliest "
    "message on and of a directory all files, and ends; in one batch, unless the source's "
    "maxOffsetsPerTrigger or maxFilesPerTrigger limits it, and in none where nothing is there. With the "
    "option checkpointLocation the next run goes on from there"
)
CHOSEN = "the StreamingContext becomes a SparkSession, and --trigger available-now its trigger"
NO_INTERVALS = "--trigger available-now has no intervals, which {} counts"
NOTHING_THERE = "--trigger available-now: it has nothing that came before the query connects to it"
CUT_OFF = "`{call}` ends the backfill after that time, whether it has read all or not"
_LASTING = frozenset({"textFileStream", "createDirectStream", "createStream"})
"""Sources that have what came before a query is started."""


def check_backfill(draft: Draft) -> None:
    """Refuse a backfill of what has no past or counts intervals; note what another one changes.

    Raises:
        Blocked: it cannot be one.
    """
    basis, needs = draft.basis, draft.needs
    if not basis.options.trigger.is_backfill:
        return
    for source in basis.program.sources:
        if source in basis.live and source.use.operator not in _LASTING:
            raise Blocked(NOTHING_THERE, source.use, operator=source.operator)
    counting = [*needs.windows, *(basis.kept if basis.choices.every_interval else ())]
    if counting:
        raise Blocked(NO_INTERVALS.format(f"`{counting[0].operator}`"), counting[0].use)
    constructor = basis.program.constructor
    draft.need(unsafe=frozenset({constructor}), notes=(BACKFILL,))
    draft.decided(constructor, Tier.CONTEXT, CHOSEN)
    for use in basis.program.lifecycle:
        call = use.call
        if call is not None and use.name.startswith("await") and (call.args or call.keywords):
            draft.note(CUT_OFF.format(call=basis.shown(call)))
