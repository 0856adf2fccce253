"""Runs a graph on `pyspark.streaming` itself: the reference that the other engine is held to."""
