"""From the old job to the new one: where in Kafka it goes on, and with which keyed state.

    stopped = in_text(Path("offsets.csv").read_text())                 # what the old job has left behind
    offsets = complete(stopped, ["pages"], brokers)                    # held against Kafka
    spark.readStream.format("kafka").option("startingOffsets", starting_offsets(offsets))

    save_state(totals, "hdfs:///handover/totals")                      # one line in the old job
    pairs.updateStateByKey(update, initialRDD=load_state(sc, "hdfs:///handover/totals"))

``dstream-migrate handover`` does the first of these from the command line. The old job must have stopped,
with ``ssc.stop(stopGraceFully=True)``: then offsets and state are those of the same batch.
"""

from compat.handover.offsets import HandoverError, complete, starting_offsets
from compat.handover.state import NoStateError, load_state, save_state
from compat.kafka.stopped import NoOffsetsError, in_checkpoint, in_rows, in_text
from compat.kafka.zookeeper import in_zookeeper, into_zookeeper

__all__ = [
    "HandoverError",
    "NoOffsetsError",
    "NoStateError",
    "complete",
    "in_checkpoint",
    "in_rows",
    "in_text",
    "in_zookeeper",
    "into_zookeeper",
    "load_state",
    "save_state",
    "starting_offsets",
]
