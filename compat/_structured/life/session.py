"""The engine's own SparkSession, and the ways between its DataFrames and RDDs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from py4j.java_gateway import JavaClass
from pyspark.rdd import RDD
from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer, UTF8Deserializer
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.session import _monkey_patch_RDD

from compat._structured.batches.frame import CHUNKS, LINES, RECORD_BATCHES, Frame, Hashed, Part
from compat._structured.batches.packing import TASKS_PER_CORE
from compat._structured.batches.unions import say_how_partitioned, union
from compat._structured.life.optimizer import EXCLUDED_RULES, needless_rules
from compat._structured.worker import lines
from compat.directory.hadoop import MANAGER, spark_class
from compat.pickled import pickled

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql.types import StructType

_SETTINGS = {
    # Partitions are part of the result: nothing may merge, split or reorder them.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.unionOutputPartitioning": "false",
    # Plans are new for each batch and their loops are in Python: generated code does not pay.
    "spark.sql.codegen.wholeStage": "false",
    # One row is a chunk of many elements, or a message of Kafka, which may have a megabyte.
    "spark.sql.inMemoryColumnarStorage.batchSize": "256",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(64 << 20),
    # What the workers take texts for, whatever the application set for functions of its own.
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
}
_CLASSES = (
    "PythonPartitioner",
    "PythonRDD",
    "PythonUtils",
    "SimplePythonFunction",
    "functions",
    "org.apache.spark.sql.classic.SparkSession",
)
_QUICK_MANAGER = "FileSystemBasedCheckpointFileManager"


class Session:
    """A SparkSession with settings of its own, so that the user's session stays as it is."""

    def __init__(self, spark_context: SparkContext) -> None:
        self.spark_context = spark_context
        self._users = SparkSession.builder.getOrCreate()
        self.spark = self._users.newSession()
        for name, value in _SETTINGS.items():
            self.spark.conf.set(name, value)
        self.spark.conf.set(EXCLUDED_RULES, needless_rules(self.spark._jsparkSession))
        jvm: Any = spark_context._jvm
        _keep_classes(jvm)
        encoders = jvm.org.apache.spark.sql.Encoders
        self._binary, self._string = encoders.BINARY(), encoders.STRING()
        sessions = _session_class(jvm)
        self._get_active, self._set_active = sessions.getActiveSession, sessions.setActiveSession
        writes = jvm.org.apache.spark.internal.io.SparkHadoopWriterUtils
        self._overwrites = getattr(writes.disableOutputSpecValidation(), "value_$eq")
        self.split_bytes = self._block_size()
        """How long the splits of a text file are: a block, as for DStreams."""
        for name in ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes"):
            # An open cost of a whole split keeps Spark from packing several into a partition.
            self.spark.conf.set(name, str(self.split_bytes))
        self.salt = F.col("salt")
        """By which rows are shuffled; made once, like what else each batch asks the JVM for."""
        self._empty: dict[int, Frame] = {}
        memory = spark_context.getConf().get("spark.python.worker.memory", "512m")
        self.worker_memory_mb = int(jvm.org.apache.spark.network.util.JavaUtils.byteStringAsMb(memory))
        """What a merge may take before it spills, as in Spark's own Python workers."""
        self.map_tasks = TASKS_PER_CORE * spark_context.defaultParallelism
        """How many tasks are enough ahead of a shuffle."""

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Make this thread one of the program's: its own session is the active one, not the query's."""
        before = self._get_active()
        self._set_active(self._users._jsparkSession)
        # As in Spark's JobScheduler: a batch that runs again writes over what a crash left.
        self._overwrites(True)
        try:
            yield
        finally:
            if before.isDefined():
                self._set_active(before.get())

    @property
    def program(self) -> SparkSession:
        """The program's own session."""
        return self._users

    def for_query(self, *, settings_of_program: bool) -> SparkSession:
        """The session of the streaming query: this one, or one with the program's settings of this moment."""
        query = self.spark
        if settings_of_program:
            query = SparkSession(self.spark_context, self._users._jsparkSession.cloneSession())
        self.give_back_to_df()
        return query

    def give_back_to_df(self) -> None:
        """Have `RDD.toDF` make DataFrames of the program's session.

        Every new SparkSession object takes it over, and PySpark makes one for each micro-batch.
        """
        _monkey_patch_RDD(self._users)

    def quick_logs(self, query: SparkSession, local: bool) -> None:
        """Lower the fixed cost of micro-batches whose checkpoint is local, unless the user chose a way.

        Spark's default manager forks a process for each file that it renames on a local file system.
        """
        if local and self._users.conf.get(MANAGER, None) is None:
            query.conf.set(MANAGER, spark_class(self.spark_context._jvm, _QUICK_MANAGER)._fqn)

    def from_rdd(self, rdd: RDD[Any]) -> Frame:
        """The partitions of an RDD; nothing is computed yet."""
        partitions = rdd.getNumPartitions()
        if partitions == 0:
            return Frame(())
        sizes = [1] * partitions
        serializer = rdd._jrdd_deserializer
        if isinstance(serializer, UTF8Deserializer) and serializer.use_unicode:
            return self.lines(rdd._jrdd, sizes)
        if serializer == lines.deserializer():
            return Frame((Part(self._dataset(rdd._jrdd, self._binary), RECORD_BATCHES, sizes=sizes),))
        rdd = pickled(rdd)
        data = self._dataset(rdd._jrdd, self._binary)
        return Frame((Part(data, CHUNKS, sizes=sizes),), _partitioner(rdd), sure=False)

    def adopted(self, data: DataFrame) -> DataFrame:
        """A batch DataFrame of another session as one of the engine's, computed as that session would."""
        return _moved(data, self.spark)

    def of_program(self, data: DataFrame | None, columns: StructType) -> DataFrame:
        """A DataFrame of the engine's as one of the program's session, computed as the engine would.

        None is one without partitions.
        """
        if data is None:
            return self._users.createDataFrame(self.spark_context.emptyRDD(), columns)
        return _moved(data, self._users)

    def partitions(self, data: DataFrame) -> int:
        """How many partitions a DataFrame has."""
        java: Any = data._jdf
        return int(java.queryExecution().toRdd().getNumPartitions())

    def to_rdd(self, frame: Frame) -> RDD[Any]:
        """An RDD of the elements, at least as fast as one that Spark core made."""
        if not frame.parts:
            return self.spark_context.emptyRDD()
        if all(part.plain and part.reader == LINES for part in frame.parts):
            data: Any = union([part.data for part in frame.parts])._jdf
            return RDD(data.toArrowBatchRdd().toJavaRDD(), self.spark_context, lines.deserializer())
        java = _typed(frame.chunks(), self._binary).javaRDD()
        if frame.partitioner is not None:
            hashed = frame.partitioner
            # callbacks see such RDDs united partition by partition
            say_how_partitioned(java.rdd(), hashed.partitions, hashed.identity, self.spark_context)
        return RDD(java, self.spark_context, AutoBatchedSerializer(CPickleSerializer()))

    def text(self, frame: Frame) -> Any:
        """A JavaRDD of the elements' text."""
        if not frame.parts:
            return self.spark_context.emptyRDD()._jrdd
        return _typed(frame.rows(("text", None)), self._string).javaRDD()

    def empty(self, partitions: int) -> Frame:
        """A frame of empty partitions."""
        if partitions not in self._empty:
            rdd: RDD[Any] = self.spark_context.parallelize([], partitions)
            self._empty[partitions] = self.from_rdd(rdd)
        return self._empty[partitions]

    def lines(self, java_rdd: Any, sizes: Sequence[int]) -> Frame:
        """The partitions, of these sizes, of a JavaRDD of strings."""
        return Frame((Part(self._dataset(java_rdd, self._string), LINES, sizes=sizes),))

    def _block_size(self) -> int:
        jvm: Any = self.spark_context._jvm
        java: Any = self.spark_context._jsc
        files = jvm.org.apache.hadoop.fs.FileSystem.get(java.hadoopConfiguration())
        return int(files.getDefaultBlockSize(jvm.org.apache.hadoop.fs.Path("/")))

    def _dataset(self, java_rdd: Any, encoder: Any) -> DataFrame:
        return DataFrame(self.spark._jsparkSession.createDataset(java_rdd.rdd(), encoder).toDF(), self.spark)


def _keep_classes(jvm: Any) -> None:
    """Have PySpark find at once what it asks the JVM for in every batch: a tenth of a small batch's CPU time.

    Else py4j tries the name in one package after the other, and looks into every jar for it, each time.
    """
    for name in _CLASSES:
        found = getattr(jvm, name)
        if isinstance(found, JavaClass):
            setattr(jvm, name, found)


def _moved(data: DataFrame, session: SparkSession) -> DataFrame:
    java: Any = data._jdf
    rows = java.queryExecution().toRdd()
    return DataFrame(session._jsparkSession.internalCreateDataFrame(rows, java.schema(), False), session)


def _session_class(jvm: Any) -> Any:
    # Spark 4 has sessions of two kinds.
    found = getattr(SparkSession, "_get_j_spark_session_class", None)
    return jvm.SparkSession if found is None else found(jvm)


def _partitioner(rdd: RDD[Any]) -> Hashed | None:
    found = rdd._jrdd.partitioner()
    if not found.isPresent() or found.get().getClass().getSimpleName() != "PythonPartitioner":
        return None
    # Which function it was is not known, but whether another RDD has the same one.
    return Hashed(found.get().numPartitions(), identity=found.get().pyPartitionFunctionId())


def _typed(data: DataFrame, encoder: Any) -> Any:
    return getattr(data._jdf, "as")(encoder)
