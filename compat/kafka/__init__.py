"""Kafka for both engines, by way of Spark's own connector and the Kafka clients that it brings along."""
