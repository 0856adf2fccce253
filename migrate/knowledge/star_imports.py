"""The builtins that star imports hide: ``from pyspark.sql.functions import *`` brings another ``sum``."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass

from migrate.knowledge.table import read_table


@dataclass(frozen=True)
class Star:
    """One row of the table."""

    hides: str
    """Builtins, with commas between them, that a version of the module has functions or classes for."""


STARS = read_table(
    """
module                       hides
collections                  -
compat.streaming             -
compat.streaming.kafka       -
datetime                     -
decimal                      -
itertools                    -
json                         -
kafka                        -
math                         pow
numpy                        abs,all,any,bool,divmod,max,min,pow,round,sum
operator                     abs,pow
os                           open
pyspark                      -
pyspark.ml                   -
pyspark.ml.classification    -
pyspark.ml.clustering        -
pyspark.ml.evaluation        -
pyspark.ml.feature           -
pyspark.ml.linalg            -
pyspark.ml.recommendation    -
pyspark.ml.regression        -
pyspark.ml.tuning            -
pyspark.mllib.classification -
pyspark.mllib.clustering     -
pyspark.mllib.evaluation     -
pyspark.mllib.feature        -
pyspark.mllib.linalg         -
pyspark.mllib.recommendation -
pyspark.mllib.regression     -
pyspark.sql                  -
pyspark.sql.functions        abs,ascii,bin,filter,hash,hex,max,min,pow,round,slice,sum
pyspark.sql.types            -
pyspark.sql.window           -
pyspark.streaming            -
pyspark.streaming.kafka      -
random                       -
re                           compile
socket                       -
sqlalchemy                   -
string                       -
threading                    enumerate
time                         -
typing                       -
""",
    Star,
)
"""The table: a module without a row may hide any builtin."""
_ALL = frozenset(dir(builtins))
_HIDES = {module: frozenset(row.hides.split(",")) & _ALL for module, row in STARS.items()}


def hidden_by(modules: Iterable[str]) -> frozenset[str]:
    """The builtins that may mean something else where all of these are imported with a star."""
    return frozenset[str]().union(*(_HIDES.get(module, _ALL) for module in modules))


_BRINGS: dict[str, frozenset[str]] = {
    "pyspark": frozenset({"inheritable_thread_target", "since", "keyword_only", "copy_func"}),
    "pyspark.sql": frozenset({"is_remote"}),
    "pyspark.sql.types": frozenset(
        {
            *("array", "base64", "basestring", "calendar", "cast", "ctypes", "datetime", "decimal", "dt"),
            *("escape_meta_characters", "from_arrow_schema", "from_arrow_type", "get_active_spark_context"),
            *(
                "has_nulltype",
                "infer_schema",
                "is_remote_only",
                "json",
                "long",
                "math",
                "os",
                "overload",
                "re",
            ),
            *(
                "reduce",
                "register_input_converter",
                "size",
                "sys",
                "time",
                "to_arrow_schema",
                "to_arrow_type",
            ),
            "unicode",
        }
    ),
    **dict.fromkeys(("compat.streaming", "pyspark.streaming"), frozenset[str]()),
    **dict.fromkeys(("compat.streaming.kafka", "pyspark.streaming.kafka"), frozenset({"utf8_decoder"})),
}
"""The names in lower case that star imports bring in, on any version; of other modules it is not known."""


def may_bring(modules: Iterable[str], name: str) -> bool:
    """Whether one of these modules, imported with a star, may bring in a name: a class, or one that is known.

    >>> may_bring(["pyspark.sql.types"], "datetime"), may_bring(["pyspark.sql.types"], "df")
    (True, False)
    """
    unknown = frozenset({name})
    return any(name in _BRINGS.get(module, unknown) or not name[:1].islower() for module in modules)
