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

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext


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
    conf = SparkConf().setAppName("ImportWatch")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")

    # every five seconds is enough for this
    ssc = StreamingContext(sc, 5)

    lines = ssc.textFileStream(directory)

    # 'import os' and 'import os.path as p', but not 'from x import y'
    imports = lines.filter(lambda line: line.startswith("import "))
    imports.count().pprint()

    # what is imported: the second word
    modules = imports.map(lambda line: line.split(" ")[1])
    module_counts = modules.map(lambda name: (name, 1)) \
                           .reduceByKey(lambda x, y: x + y)
    module_counts.pprint(30)

    # the long ones are mostly mistakes: several statements on a line
    long_lines = imports.filter(lambda line: len(line) > 60)
    long_lines.pprint(5)

    ssc.start()
    try:
        ssc.awaitTermination()
    except KeyboardInterrupt:
        ssc.stop(True, True)


if __name__ == "__main__":
    main(sys.argv[1:])
