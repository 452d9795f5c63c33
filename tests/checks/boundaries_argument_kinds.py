"""Boundaries of what is said about lists and choices."""

from epochwise.checks import argument_kinds as kinds
from epochwise.checks.finding import Level
from tests.checks.boundaries import Row

ROWS = (
    Row("LIST_OF_WRONG_KIND", lambda: kinds.list_of_wrong_kind("subnets", "subnet-1", "a list"), "got str"),
    Row("LIST_OF_WRONG_KIND", lambda: kinds.list_of_wrong_kind("subnets", [], "a list"), None),
    Row("LIST_OF_WRONG_KIND", lambda: kinds.list_of_wrong_kind("subnets", None, "a list"), None),
    Row("CHOICE_OF_WRONG_KIND", lambda: kinds.choice_of_wrong_kind("level", "error", Level), "got 'error'"),
    Row("CHOICE_OF_WRONG_KIND", lambda: kinds.choice_of_wrong_kind("level", Level.ERROR, Level), None),
)
