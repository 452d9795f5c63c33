"""The command line: parse, call, print. Exit status 0 done, 1 nothing feasible or a check failed, 2 a bad call.

Each command loads only the rooms it needs, when it runs; only a terminal waits for rich, only a picture for matplotlib,
only a live command for boto3.
"""

from epochwise.cli import (
    check_command,
    launch_command,
    measure_command,
    planning_commands,
    refresh_commands,
    template_commands,
    tune_command,
    watch_command,
)
from epochwise.cli.program import main

__all__ = [
    "check_command",
    "launch_command",
    "main",
    "measure_command",
    "planning_commands",
    "refresh_commands",
    "template_commands",
    "tune_command",
    "watch_command",
]
