"""The life of a run: the query that beats, what happens at each beat, and who is told."""
