"""Whether callbacks do the same with the batches of Structured Streaming as with those of DStreams."""
