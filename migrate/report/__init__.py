"""What a run found, for people and for machines, from the same `Result`."""
