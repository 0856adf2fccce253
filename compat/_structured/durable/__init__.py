"""What is written under a checkpoint, and read back by a run that goes on."""
