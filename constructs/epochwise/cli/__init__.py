"""The command line: parse, call, print. Exit status 0 done, 1 nothing feasible or a check failed, 2 a bad call.

Each command loads only the rooms it needs, when it runs; only a terminal waits for rich, only a picture for matplotlib,
only a live command for boto3.
"""

import sys

EXIT_INTERRUPTED = 130
"""As shells say it: 128 and SIGINT."""


def main() -> None:
    """Load the commands and run the one that is asked for; Ctrl-C ends it in one sentence, from the first import on."""
    try:
        from epochwise.cli.every_command import run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("\nepochwise: interrupted\n")
        sys.exit(EXIT_INTERRUPTED)
