"""The stacks of a plan, wired: what the reference app deploys with the CDK, and `make templates` writes without."""
