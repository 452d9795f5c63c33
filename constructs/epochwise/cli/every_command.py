"""Every command hangs on the program once this is loaded; a new command's module is added here."""

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
from epochwise.cli.program import app, run

__all__ = [
    "app",
    "check_command",
    "launch_command",
    "measure_command",
    "planning_commands",
    "refresh_commands",
    "run",
    "template_commands",
    "tune_command",
    "watch_command",
]
