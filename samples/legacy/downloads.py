#!/usr/bin/env python
"""
Totals of downloads by package and by kind of file, from JSON events on a socket.

An event says that a file was downloaded:

    {"package": "pyspark", "path": "pyspark/sql/functions.py", "bytes": 83112}

"bytes" is missing if the file could not be served.

Usage: downloads.py <hostname> <port>
"""
from __future__ import print_function

import json
import sys
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

INTERVAL = 1
LARGE = 100000


def kind_of(event):
    # "functions.py" is of the kind "py"
    if "." not in event["path"]:
        return "none"
    return event["path"].split(".")[-1]


def is_large(line):
    event = json.loads(line)
    return event.get("bytes", 0) > LARGE


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: downloads.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    sc = SparkContext(appName="Downloads")
    ssc = StreamingContext(sc, INTERVAL)

    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    events = lines.map(lambda line: json.loads(line))

    # files that were not served have no size
    served = events.filter(lambda event: "bytes" in event)
    sizes = served.map(lambda event: (event["package"], event["bytes"]))
    sizes.reduceByKey(add).pprint(20)

    kinds = events.map(kind_of)
    kinds.countByValue().pprint(20)

    lines.filter(is_large).count().pprint()

    ssc.start()
    ssc.awaitTermination()
