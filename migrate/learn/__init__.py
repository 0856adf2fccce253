"""Learns the types of elements from a run of the old program."""
