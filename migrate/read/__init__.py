"""From a tree of files to modules: which files are read, and where their code stands in them."""
