"""The batches of a run: what each operator makes of those of its parents."""
