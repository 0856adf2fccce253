"""Tables of Spark's and Python's names, which every other package asks."""
