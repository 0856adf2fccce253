"""
Watches the access log of a package mirror.

The mirror writes one line per download,

    path,digest,bytes

and leaves digest and bytes empty when it could not serve the file. For every
batch this job prints

  * how many requests there were,
  * how many of them failed, and the paths that failed,
  * requests per package (the first part of the path),
  * bytes per kind of file.

Usage: mirror_log.py HOST PORT
"""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

FIELDS = 3
INTERVAL = 2  # seconds


def create_spark_context():
    conf = SparkConf()
    conf.setAppName("MirrorLog")
    conf.set("spark.ui.showConsoleProgress", "false")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")
    return sc


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: mirror_log.py HOST PORT")
        sys.exit(1)

    sc = create_spark_context()
    ssc = StreamingContext(sc, INTERVAL)

    log = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))

    # ['pyspark/sql/functions.py', 'sha256=kb7...', '83112']
    # lines of another shape are not requests
    requests = log.map(lambda line: line.split(",")).filter(lambda fields: len(fields) == FIELDS)

    # --- all of them -----------------------------------------------------
    requests.count().map(lambda n: "requests: %d" % n).pprint()

    # --- failures --------------------------------------------------------
    failed = requests.filter(lambda fields: fields[1] == "")
    failed.count().map(lambda n: "failed: %d" % n).pprint()
    failed.map(lambda fields: fields[0]).pprint(5)

    # --- per package -----------------------------------------------------
    by_package = requests.map(lambda fields: (fields[0].split("/")[0], 1)) \
        .reduceByKey(lambda a, b: a + b)
    by_package.pprint(25)

    # --- traffic ---------------------------------------------------------
    # only files that were served have a size
    served = requests.filter(lambda fields: fields[1] != "")
    python_bytes = served.filter(lambda fields: fields[0].endswith(".py")) \
        .map(lambda fields: ("python", int(fields[2]))) \
        .reduceByKey(lambda a, b: a + b)
    python_bytes.pprint()

    ssc.start()
    ssc.awaitTermination()
