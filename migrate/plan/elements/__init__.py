"""Functions of elements as columns: of texts, of pairs, of the program's own RDDs."""
