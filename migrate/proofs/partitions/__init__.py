"""Functions of partitions: whether what they do depends on how elements are dealt out to these."""
