"""What functions do beside computing: what they keep, change, or make."""
