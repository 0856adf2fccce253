"""Programs whose JSON is columns though nothing was learnt of it, as what they do with it says the types.

    tweets = lines.map(json.loads)
    tweets.flatMap(lambda tweet: tweet["text"].split(" ")).countByValue().pprint()

Where a part of it is used as something else than a text or a number, all JSON of the program stays Python's.
"""

from __future__ import annotations

from migrate.columns.json_values import BARE
from migrate.model import Options, Tier
from migrate.plan.draft.plan import Plan
from migrate.trace import Graph, Trace


def may_be_columns(graph: Graph, trace: Trace, options: Options) -> bool:
    """Whether a program may read JSON of which nothing is known, and Spark takes none for other JSON."""
    known = options.json_schemas or options.facts or options.strict
    if known or not options.spark.parse_json_fails:
        return False
    return any("loads" in module.source for module in trace.modules if module.relative in graph.files)


def are_columns(plan: Plan) -> bool:
    """Whether a plan that was to read JSON as columns does, and has no RDD code."""
    return BARE in plan.notes and Tier.RDD not in plan.tiers.values()
