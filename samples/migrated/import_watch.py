"""
Watches a directory for new Python files and looks at what they import.

For each batch of new files it prints the number of import lines and how often
each module is imported.

Move files into the directory, do not write them there: a file that is still
being written is read as it is at that moment.

Usage: import_watch.py DIRECTORY
"""
from __future__ import print_function

import os
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def usage():
    print(__doc__, file=sys.stderr)
    sys.exit(2)


def main(argv):
    if len(argv) != 1:
        usage()
    directory = argv[0]
    if not os.path.isdir(directory):
        os.makedirs(directory)

    # configuration
    spark = (
        SparkSession.builder.appName("ImportWatch")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )

    started = datetime.now()
    lines = (
        spark.readStream.text(directory)
        .where(F.col("_metadata.file_modification_time") > started)  # no earlier files
    )

    def process_batch(batch, batch_id):
        if batch.isEmpty():  # DStreams gave no count then
            return

        # 'import os' and 'import os.path as p', but not 'from x import y'
        imports = batch.where(F.col("value").startswith("import ")).persist()
        print(imports.count())

        # what is imported: the second word
        modules = imports.select(F.split("value", " ")[1].alias("module"))
        module_counts = modules.groupBy("module").count()
        module_counts.show(30, truncate=False)

        # the long ones are mostly mistakes: several statements on a line
        long_lines = imports.where(F.length("value") > 60)
        long_lines.show(5, truncate=False)
        imports.unpersist()

    # every five seconds is enough for this
    query = (
        lines.writeStream.trigger(processingTime="5 seconds")
        .foreachBatch(process_batch)
        .start()
    )
    try:
        query.awaitTermination()
    except KeyboardInterrupt:
        query.stop()
        spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
