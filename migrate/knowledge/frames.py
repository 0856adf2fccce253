"""Methods of DataFrames, of columns, and of sessions: what they make of a DataFrame without rows."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.table import names, read_table


class Rows(enum.Enum):
    """What a method makes of a DataFrame without rows."""

    NONE = "none"
    """Another one without."""
    SOME = "some"
    """Perhaps one with rows, as ``select(count("*"))``, or no DataFrame."""


@dataclass(frozen=True)
class Method:
    """One row of the table."""

    rows: Rows


METHODS = read_table(
    """
name                rows
alias               none
cache               none
coalesce            none
distinct            none
drop                none
dropDuplicates      none
dropna              none
fillna              none
filter              none
limit               none
orderBy             none
persist             none
repartition         none
sort                none
toDF                none
where               none
withColumn          none
withColumnRenamed   none
agg                 some
count               some
groupBy             some
printSchema         some
select              some
show                some
unpersist           some
# of a session
createDataFrame     some
# of a column
asc                 some
cast                some
desc                some
""",
    Method,
)
"""The table: what it does not name may fail for a DataFrame without rows, and may make rows."""

NO_MORE_ROWS = names(METHODS, lambda row: row.rows is Rows.NONE)
"""Methods that make a DataFrame without rows of one without."""
FINE_WITHOUT = frozenset(METHODS)
"""Methods that do not fail because a DataFrame has no rows."""
