"""The query: its sink or batch function, how it is started, waited for and stopped."""
