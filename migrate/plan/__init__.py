"""From a graph to decisions: what becomes of each line, or why the graph is not native."""
