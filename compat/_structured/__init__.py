"""The engine on Structured Streaming: DataFrame operators under the DStream API."""
