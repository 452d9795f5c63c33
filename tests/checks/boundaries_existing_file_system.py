"""Boundaries of what is said about a file system that exists."""

from dataclasses import replace
from functools import partial

from epochwise.checks.existing_file_system import ExistingFileSystem, file_system_elsewhere, file_system_unusable
from tests.checks.boundaries import Row

THERE = ExistingFileSystem("fs-1", "LUSTRE", "AVAILABLE", "", "vpc-1", "subnet-1")
PLACED = partial(file_system_elsewhere, THERE, vpc="vpc-1", zone="us-east-1a", zone_of_nodes="us-east-1a")

ROWS = (
    Row(
        "FILE_SYSTEM_UNUSABLE", partial(file_system_unusable, replace(THERE, lifecycle="FAILED", failure="why")), "why"
    ),
    Row("FILE_SYSTEM_UNUSABLE", partial(file_system_unusable, replace(THERE, kind="ONTAP")), "got ONTAP"),
    Row("FILE_SYSTEM_UNUSABLE", partial(file_system_unusable, replace(THERE, lifecycle="UPDATING")), None),
    Row("FILE_SYSTEM_UNUSABLE", partial(file_system_unusable, THERE), None),
    Row("FILE_SYSTEM_ELSEWHERE", partial(PLACED, zone_of_nodes="us-east-1b"), "and us-east-1b"),
    Row("FILE_SYSTEM_ELSEWHERE", partial(PLACED, vpc="vpc-2"), "the nodes in vpc-2"),
    Row("FILE_SYSTEM_ELSEWHERE", PLACED, None),
)
