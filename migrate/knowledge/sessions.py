"""Members of sessions, contexts, catalogs, settings, DataFrames, readers and writers, by their name alone."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.elements import Empty
from migrate.knowledge.table import names, read_table


class View(enum.Enum):
    """The effect of a member on the temp views and tables of a session."""

    READS = "reads"
    """It reads one by its name, or the names in a query."""
    MAKES = "makes"
    """It makes a view."""
    SAVES = "saves"
    """It makes or fills a table, which is there for all sessions."""
    DROPS = "drops"
    ABSENT = "-"


@dataclass(frozen=True)
class Member:
    """One row of the table."""

    of: str
    """The owners that it counts for, apart by commas: a session also stands for an ``SQLContext``."""
    session: bool
    """Whether it does the same in the session of a query's batch, which is a clone of the program's."""
    view: View
    configures: str
    """The attribute that it changes the session through, ``any`` for the session itself."""
    takes_rdd: bool
    """Whether it makes a DataFrame of an RDD that it is given."""
    gives_rdd: bool
    """Whether it makes an RDD of the program's own, on the driver."""
    empty: Empty
    """The result for an RDD or a list without elements; ``some`` where it takes neither."""
    schema: bool
    """Whether it shows the plan or schema of a DataFrame, and not its rows alone."""
    quiet: bool
    """Whether it only sets something of the context or its conf, to the same value if it is called again."""


MEMBERS = read_table(
    """
name                          of              session view  configures takes_rdd gives_rdd empty schema quiet
sql                           session         yes     reads -          -         -         some  -      -
table                         session         yes     reads -          -         -         some  -      -
cacheTable                    session         -       reads -          -         -         some  -      -
createDataFrame               session         yes     -     -          yes       -         fails -      -
read                          session         yes     -     -          -         -         some  -      -
catalog                       session         yes     -     -          -         -         some  -      -
conf                          session         yes     -     -          -         -         some  -      -
udf                           session         yes     -     -          -         -         some  -      -
sparkContext                  session         yes     -     -          -         -         some  -      -
range                         session,context yes     -     -          -         yes       some  -      -
registerFunction              session         -       -     any        -         -         some  -      -
registerJavaFunction          session         -       -     any        -         -         some  -      -
registerJavaUDAF              session         -       -     any        -         -         some  -      -
setConf                       session         -       -     any        -         -         some  -      -
registerDataFrameAsTable      session         -       makes -          -         -         some  -      -
dropTempTable                 session         -       drops -          -         -         some  -      -
dropTempView                  catalog         -       drops -          -         -         some  -      -
dropGlobalTempView            catalog         -       drops -          -         -         some  -      -
register                      udf             -       -     udf        -         -         some  -      -
set                           conf            -       -     conf       -         -         some  -      yes
unset                         conf            -       -     conf       -         -         some  -      -
# of a SparkContext and a SparkConf
parallelize                   context         -       -     -          -         yes       none  -      -
emptyRDD                      context         -       -     -          -         yes       none  -      -
textFile                      context         -       -     -          -         yes       none  -      -
wholeTextFiles                context         -       -     -          -         yes       none  -      -
binaryFiles                   context         -       -     -          -         yes       none  -      -
binaryRecords                 context         -       -     -          -         yes       none  -      -
sequenceFile                  context         -       -     -          -         yes       none  -      -
pickleFile                    context         -       -     -          -         yes       none  -      -
setLogLevel                   context         -       -     -          -         -         some  -      yes
setAppName                    conf            -       -     -          -         -         some  -      yes
setMaster                     conf            -       -     -          -         -         some  -      yes
# of a DataFrame
createOrReplaceTempView       frame           -       makes -          -         -         some  -      -
createTempView                frame           -       makes -          -         -         some  -      -
createGlobalTempView          frame           -       makes -          -         -         some  -      -
createOrReplaceGlobalTempView frame           -       makes -          -         -         some  -      -
registerTempTable             frame           -       makes -          -         -         some  -      -
printSchema                   frame           -       -     -          -         -         some  yes    -
schema                        frame           -       -     -          -         -         some  yes    -
explain                       frame           -       -     -          -         -         some  yes    -
rdd                           frame           -       -     -          -         -         some  yes    -
_jdf                          frame           -       -     -          -         -         some  yes    -
# of its readers and writers
json                          reader          -       -     -          yes       -         some  -      -
csv                           reader          -       -     -          yes       -         some  -      -
saveAsTable                   writer          -       saves -          -         -         some  -      -
insertInto                    writer          -       saves -          -         -         some  -      -
""",
    Member,
)
"""The table: of a session's members, those without a row are not followed."""

OF_SESSIONS = names(MEMBERS, lambda row: row.session)
"""Members of a session that are followed to the session of the batch."""
READS_VIEWS = names(MEMBERS, lambda row: row.view is View.READS)
"""Members of a session that read views by their names."""
MAKES_TABLES = names(MEMBERS, lambda row: row.view in (View.MAKES, View.SAVES))
"""Methods that leave a view or a table behind, for others to read by its name."""
CHANGES_VIEWS = names(MEMBERS, lambda row: row.view in (View.MAKES, View.DROPS))
"""Methods that make or drop temp views."""
CONFIGURES = {name: row.configures for name, row in MEMBERS.items() if row.configures}
"""Methods that change a session's functions and settings, by the attribute of it that they are of."""
CHANGES_SESSIONS = CHANGES_VIEWS | names(MEMBERS, lambda row: row.configures == "any")
"""Methods that change a session, whatever they are called on."""
TAKES_RDDS = names(MEMBERS, lambda row: row.takes_rdd)
"""Methods of a session or a reader that take an RDD."""
MAKES_RDDS = names(MEMBERS, lambda row: row.gives_rdd)
"""Methods of a SparkContext that make an RDD."""
OF_RDDS = frozenset({"rdd", "context", "ctx", "sparkContext"}) | MAKES_RDDS - {"range"}
"""Members that are RDDs or a SparkContext, or make some."""
FAILS_EMPTY = names(MEMBERS, lambda row: row.empty is Empty.FAILS)
"""Methods that fail on an RDD without elements, or that may."""
SHOWS_SCHEMA = names(MEMBERS, lambda row: row.schema)
"""Members of a DataFrame that show its plan or schema."""
OF_SQL_CONTEXTS = {
    "cacheTable": "catalog.cacheTable",
    "clearCache": "catalog.clearCache",
    "dropTempTable": "catalog.dropTempView",
    "getConf": "conf.get",
    "registerFunction": "udf.register",
    "registerJavaFunction": "udf.registerJavaFunction",
    "setConf": "conf.set",
    "uncacheTable": "catalog.uncacheTable",
}
"""Methods of an SQLContext, and those of its session that do the same."""
DEPRECATED = {"registerTempTable": "createOrReplaceTempView"}
"""Methods of a DataFrame that are another one by an old name: since Spark 2.0."""
GLOBAL_VIEWS = {
    "registerTempTable": "createOrReplaceGlobalTempView",
    "createOrReplaceTempView": "createOrReplaceGlobalTempView",
    "createTempView": "createGlobalTempView",
}
"""Methods of a DataFrame that make a view of one session, and those that make it one of all sessions."""
GLOBAL_DATABASE = "global_temp"
"""The database of global temp views, unless ``spark.sql.globalTempDatabase`` says otherwise."""
ANSI_CHANGES = frozenset(
    {"sql", "expr", "selectExpr", "cast", "astype", "withColumn", "withColumns", "agg", "sum", "avg", "mean"}
)
"""Methods that compute, or may, what ANSI mode makes fail; a method of RDDs may have such a name, too."""
REPLACES_VIEWS = names(MEMBERS, lambda row: row.view is View.MAKES) - {
    "createTempView",
    "createGlobalTempView",
}
"""Methods that make a temp view, in place of one of the same name."""
SHOWS_PARTITIONS = frozenset(
    {"mapInArrow", "mapInPandas", "monotonically_increasing_id", "spark_partition_id"}
)
"""Methods of DataFrames, and functions of columns, whose results depend on the partitions."""
QUIET = names(MEMBERS, lambda row: row.quiet)
"""Idempotent methods that only set something."""
