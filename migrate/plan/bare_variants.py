"""Programs whose JSON is columns though nothing was learnt of it, as what they do with it says the types.

    tweets = lines.map(json.loads)
    tweets.flatMap(lambda tweet: tweet["text"].split(" ")).countByValue().pprint()

Where a part of it is used as something else than a text or a number, all JSON of the program stays Python's.
"""

from __future__ import annotations

import ast

from migrate.columns.json_values import BARE
from migrate.knowledge.libraries import JSON_READERS
from migrate.model import Options, Tier
from migrate.plan.draft.plan import Plan
from migrate.syntax.nodes import of_kinds
from migrate.trace import Graph, Trace

_READERS = frozenset(name.rpartition(".")[2] for name in JSON_READERS)


def may_be_columns(graph: Graph, trace: Trace, options: Options) -> bool:
    """Whether a program may read JSON of which nothing is known, and Spark takes none for other JSON."""
    known = options.json_schemas or options.facts or options.strict
    if known or not options.spark.parse_json_fails:
        return False
    return any(_names_reader(module.tree) for module in trace.modules if module.relative in graph.files)


def _names_reader(tree: ast.Module) -> bool:
    """Whether a module names a function that reads JSON: ``json.loads``."""
    return any(node.attr in _READERS for node in of_kinds(tree, ast.Attribute)) or any(
        node.id in _READERS for node in of_kinds(tree, ast.Name)
    )


def are_columns(plan: Plan) -> bool:
    """Whether a plan that was to read JSON as columns does, and has no RDD code."""
    return BARE in plan.notes and Tier.RDD not in plan.tiers.values()
