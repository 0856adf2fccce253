"""Sources that send by themselves: received on the driver, by the rules of Spark's own receivers, for both
engines."""
