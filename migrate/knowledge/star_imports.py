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
