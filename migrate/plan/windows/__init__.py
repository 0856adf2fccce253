"""Sliding windows over processing time, which the batch function keeps."""
