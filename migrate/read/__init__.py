"""From a tree of files to modules: what is read, and how its code stands in its file."""
