"""The apps and templates of tests/cdk, for tests that prove a row of the field reports."""

from tests.cdk.conftest import guide, guide_plan, guide_stacks, new_app, stack, templates

__all__ = ["guide", "guide_plan", "guide_stacks", "new_app", "stack", "templates"]
