"""What batches cost, DStream beside the drop-in: CPU and wall clock."""
