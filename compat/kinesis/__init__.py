"""Kinesis without Amazon's client library for Java: its shards, leases and checkpoints."""
