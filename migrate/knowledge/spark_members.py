"""Members of PySpark's classes, and the class of what each of them is or gives, where that is another one.

Those of the newest Spark; a test compares them with the installed one.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from migrate.knowledge.rdd import METHODS, Result
from migrate.knowledge.streaming import OPERATORS

_MEMBERS = """
SparkContext
  -: PACKAGE_EXTENSIONS accumulator addArchive addFile addJobTag addPyFile applicationId broadcast
    cancelAllJobs cancelJobGroup cancelJobsWithTag clearJobTags defaultMinPartitions defaultParallelism
    dump_profiles getCheckpointDir getJobTags getLocalProperty getSystemProperty listArchives listFiles
    removeJobTag resources runJob setCheckpointDir setInterruptOnCancel setJobDescription setJobGroup
    setLocalProperty setLogLevel setSystemProperty show_profiles sparkUser startTime statusTracker stop
    uiWebUrl version
  RDD: binaryFiles binaryRecords emptyRDD hadoopFile hadoopRDD newAPIHadoopFile newAPIHadoopRDD parallelize
    pickleFile range sequenceFile textFile union wholeTextFiles
  SparkConf: getConf
  SparkContext: getOrCreate
SparkConf
  -: contains get getAll toDebugString
  SparkConf: set setAll setAppName setExecutorEnv setIfMissing setMaster setSparkHome
SparkSession
  -: Builder addArtifact addArtifacts addTag builder catalog clearProgressHandlers clearTags client conf
    copyFromLocalToFs dataSource emptyDataFrame getActiveSession getTags interruptAll interruptOperation
    interruptTag profile readStream registerProgressHandler removeProgressHandler removeTag stop streams tvf
    udf udtf version
  DataFrame: createDataFrame range sql table
  DataFrameReader: read
  SparkContext: sparkContext
  SparkSession: active newSession
SQLContext
  -: cacheTable clearCache dropTempTable getConf readStream registerDataFrameAsTable registerFunction
    registerJavaFunction setConf streams tableNames udf udtf uncacheTable
  DataFrame: createDataFrame createExternalTable range sql table tables
  DataFrameReader: read
  SQLContext: getOrCreate newSession
DataFrame
  -: approxQuantile asTable colRegex collect columns corr count cov createGlobalTempView
    createOrReplaceGlobalTempView createOrReplaceTempView createTempView dtypes executionInfo exists explain
    first foreach foreachPartition head inputFiles isEmpty isLocal isStreaming mergeInto metadataColumn na
    pandas_api plot printSchema randomSplit registerTempTable sameSemantics scalar schema semanticHash show
    stat storageLevel tail take toArrow toJSON toLocalIterator toPandas writeStream writeTo
  DataFrame: agg alias cache checkpoint coalesce crossJoin crosstab describe distinct drop dropDuplicates
    dropDuplicatesWithinWatermark drop_duplicates dropna exceptAll fillna filter freqItems hint intersect
    intersectAll join lateralJoin limit localCheckpoint mapInArrow mapInPandas melt nearestByJoin observe
    offset orderBy persist repartition repartitionById repartitionByRange replace sample sampleBy select
    selectExpr sort sortWithinPartitions subtract summary to toDF transform transpose union unionAll
    unionByName unpersist unpivot where withColumn withColumnRenamed withColumns withColumnsRenamed
    withMetadata withWatermark zip zipWithIndex
  DataFrameWriter: write
  GroupedData: cube groupBy groupby groupingSets rollup
  RDD: rdd
  SparkSession: sparkSession
DataFrameReader
  DataFrame: changes csv jdbc json load orc parquet table text xml
  DataFrameReader: format option options schema
DataFrameWriter
  -: csv insertInto jdbc json orc parquet save saveAsTable text xml
  DataFrameWriter: bucketBy clusterBy format mode option options partitionBy sortBy
GroupedData
  -: cogroup
  DataFrame: agg apply applyInArrow applyInPandas applyInPandasWithState avg count max mean min sum
    transformWithState transformWithStateInPandas
  GroupedData: pivot
"""
"""Class by class, each group of members behind the class of what they give; ``-`` is any other."""
_GIVES = {Result.RDD: "RDD", Result.ITSELF: "RDD", Result.FRAME: "DataFrame", Result.CONTEXT: "SparkContext"}
_ALIKE = 0.78
"""The ratio from which on one name is taken for another one, misspelt."""


def _read(text: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    given = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            members = found[line] = {}
            continue
        for word in line.split():
            if word.endswith(":"):
                given = word.rstrip(":").strip("-")
            else:
                members[word] = given
    return found


MEMBERS = _read(_MEMBERS) | {
    "RDD": {name: _GIVES.get(row.gives, "") for name, row in METHODS.items()},
    "DStream": dict.fromkeys(OPERATORS, ""),
}
"""The members of each class, with the class of what they are or give; empty for any other."""


def meant(owner: str, name: str) -> str:
    """What somebody may have meant by a member that a class has not: ```createDataFrame` is one``.

    Empty where nothing is like it: then a package may have given it to the class.
    """
    own = {alike: SequenceMatcher(None, name.lower(), alike.lower()).ratio() for alike in MEMBERS[owner]}
    nearest = max(own, key=lambda one: own[one])
    if own[nearest] >= _ALIKE:
        return f"`{nearest}` is one"
    others = [other for other, members in MEMBERS.items() if name in members]
    return f"a {others[0]} has one" if others else ""
