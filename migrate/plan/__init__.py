"""The plan of a graph: the native form of each line, or the reason why there is none."""
