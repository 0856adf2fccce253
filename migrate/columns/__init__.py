"""A Python lambda or pure function -> the source code of Columns.

A closed grammar, which refuses what it cannot prove. Where Python gives a value, the Column gives the same or
raises; never another one, and never null. Where Python raises, `Scope.guards` decides: it raises too, or may
give anything (`migrate.columns.guards`). What no production covers raises `Refusal(reason, node)`; its text
is for the user.

Arguments::

    line = column_named("value", Str())   # one column
    pair = Record((word, count))                           # a tuple: several columns; tuples may nest
    scope = Scope(
        constants={"limit": 3},
        functions={"parse": <ast.FunctionDef>},
        imports={"add": "operator.add"},
        shadowed=frozenset({"len"}),
        reserved=frozenset({"required"}),
    )

The function is an `ast.Lambda`, an `ast.FunctionDef`, or an expression that names one (``add``, ``int``,
``str.lower``, ``operator.add``, a name in ``scope.functions``).

Results::

    compile_map(function, [element], scope)            # Compiled; also mapValues (given the value alone)
    compile_filter(function, [element], scope)         # Compiled: .element is the condition, of shape Bool
    compile_flat_map(function, [element], scope, hint="words")   # Exploded; also flatMapValues
    compile_reduce(function, value, scope)             # Compiled: aggregates, F.count("*"), F.max("n")
    check_sums(create, merge, merge_all, value, scope)  # of combineByKey: whether it is a reduction of sums
    compile_update(function, value, scope)             # Fold, of updateStateByKey: a running sum or count
    keeps_state(function, scope)                       # whether it returns the last state without new values
    compile_expression(node, {"x": element}, scope)    # Compiled: an expression over named elements

`Compiled` has

- ``element``: `Scalar` or `Record`; ``code`` is Python source with ``F.`` and ``F.col("...")``, ``name`` the
  best name for the column or None;
- ``demands``: ``helpers``, functions that the code calls (`Helper.name`, `Helper.source`), to be defined once
  per module, after the imports: ordinary Column code, such as `required`, which needs only ``F``; ``ansi``,
  whether it is right in ANSI mode alone; and for the report ``notes``, ``raises`` (values for which it raises
  although Python takes them), ``gives`` (values for which Python raises, and it may not) and
  ``gives_without_ansi`` (it does in ANSI mode);
- ``partial``: whether evaluating it can raise. What raises in Python raises here only where the value
  is needed. Catalyst skips columns that nobody reads and conditions that its algebra makes superfluous
  (``a or (P and a)``), and it may evaluate a filter's condition *before* a join or an explode below it. So
  put no partial condition right above a join, and drop no partial column.

From elements to code and back::

    named = name_columns(element, "words")   # each leaf gets a name; the hint names a lone column: "word"
    projection(named)                        # arguments for select: ('"word"', 'F.lit(1).alias("count")')
    after_select(named)                      # the element as references: F.col("word"), F.col("count")
    leaves(element)                          # its Scalars from left to right

A flatMap is an explode, then a where, then a select; each step only where needed::

    exploded.array       # of shape List: select(*kept, F.explode(<array.code>).alias(exploded.name))
    exploded.kept        # names of columns of before that later steps read; mostly ()
    exploded.condition   # of shape Bool or None, over the exploded column
    exploded.element     # over the exploded column; F.col(exploded.name) itself if nothing was built of it

A function without a Column form whose result has types for certain stays Python: `migrate.typed`.

A reduce of a value that is the constant 1 by ``+`` is ``F.count("*")``. A `Fold` has ``aggregate`` (over all
values of a key since the start) and ``merge(name)``: the aggregate over running values united with an initial
state's, both in a column of this name. Aggregates are null for a group of
no rows, where DStream's `reduce` has no element: a reduce without keys needs a ``where`` or
``groupBy(F.lit(True))``.
"""

from migrate.columns.code import column_named, element_of
from migrate.columns.combiners import check_sums
from migrate.columns.element import (
    UNREAD,
    Compiled,
    Element,
    Exploded,
    Helper,
    Origin,
    Record,
    Refusal,
    Scalar,
    Scope,
    has_unread,
    leaves,
    shape_of,
)
from migrate.columns.entry import (
    compile_expression,
    compile_filter,
    compile_int,
    compile_map,
    compile_only_keys,
    compile_some,
    compile_text,
)
from migrate.columns.explode import compile_flat_map
from migrate.columns.folds import Derivation, Fold, compile_update, keeps_state
from migrate.columns.json_values import dict_keys
from migrate.columns.names import after_select, name_columns, named_items, projection, renamed, singular
from migrate.columns.reduces import COUNT, check_joins_lists, compile_reduce, row_count, separator_of

__all__ = [
    "COUNT",
    "UNREAD",
    "Compiled",
    "Derivation",
    "Element",
    "Exploded",
    "Fold",
    "Helper",
    "Origin",
    "Record",
    "Refusal",
    "Scalar",
    "Scope",
    "after_select",
    "check_joins_lists",
    "check_sums",
    "column_named",
    "compile_expression",
    "compile_filter",
    "compile_flat_map",
    "compile_int",
    "compile_map",
    "compile_only_keys",
    "compile_reduce",
    "compile_some",
    "compile_text",
    "compile_update",
    "dict_keys",
    "element_of",
    "has_unread",
    "keeps_state",
    "leaves",
    "name_columns",
    "named_items",
    "projection",
    "renamed",
    "row_count",
    "separator_of",
    "shape_of",
    "singular",
]
