"""The reference app's stacks: wiring only."""
