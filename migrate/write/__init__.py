"""New texts to disk: all files of a graph or none, and never over work that git does not hold."""
