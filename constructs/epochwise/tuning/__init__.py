"""From the metrics of a job that ran to what its file system should be; pure functions."""
