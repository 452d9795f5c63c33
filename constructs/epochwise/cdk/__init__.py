"""The constructs."""
