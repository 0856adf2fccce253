"""``fullOuterJoin``: of two streams of one source, the fullOuterJoin of the two RDDs of each batch."""

from __future__ import annotations

from migrate.rules._register import register
from migrate.rules._same import JoinOnRdd


@register
class FullOuterJoin(JoinOnRdd):
    """The elements of a batch's RDDs are those of DStream's, and a join's result is in no order."""

    operator = "fullOuterJoin"
