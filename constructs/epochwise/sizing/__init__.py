"""From a declared workload to a chosen file system; pure functions."""
