"""A small bucket to measure, and a workload file to write into: fixtures of conftest.py make them."""

from benchmarks.synthetic_bucket import BUCKET

KEYS = 6000
FLAT = f"s3://{BUCKET}/data/flat/"
WORKLOAD = """\
# what we train on
name: small
dataset:
  size: 1 GB  # to be measured

# how fast
epoch: {target: 30 s}
cluster:
  instance_type: 'ml.p4d.24xlarge'
  nodes: 4
"""
