"""Flume without its connector: what its agents send, by Avro's protocol, received on the driver."""
