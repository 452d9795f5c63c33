"""Write the AWS CLI command that looks at the same thing as a check, ready to be pasted into a shell."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

_SPECIAL = frozenset('$"`\\!')
"""What means something to a shell between double quotes."""


@dataclass(frozen=True)
class Output:
    """What another command prints, in the place of a value."""

    command: str
    several: bool = False
    """Whether it prints several words, each a value."""
    after: str = ""
    """What stands before it in the same value, such as Name=vpc-id,Values=."""

    def __str__(self) -> str:
        """Render as a shell substitutes it.

        >>> print(Output("pwd"), Output("ls", several=True), Output("pwd", after="here="))
        "$(pwd)" $(ls) "here=$(pwd)"
        """
        return f"$({self.command})" if self.several else f'"{self.after}$({self.command})"'


def aws_command(service: str, operation: str, *, region: str, **options: str | Output | Sequence[str | Output]) -> str:
    """Return a command of the AWS CLI, each value quoted for a shell.

    Args:
        service: as the CLI spells it, such as s3api.
        operation: likewise, such as head-bucket.
        region: the Region to ask.
        options: values by the option's name with underscores; a list becomes several values.

    >>> aws_command("s3api", "head-bucket", region="us-east-1", bucket="example")
    'aws s3api head-bucket --region us-east-1 --bucket example'
    """
    parts = ["aws", service, operation, "--region", shlex.quote(region)]
    for name, value in options.items():
        parts.append(f"--{name.replace('_', '-')}")
        values = [value] if isinstance(value, str | Output) else value
        parts += [str(each) if isinstance(each, Output) else quoted(each) for each in values]
    return " ".join(parts)


def quoted(value: str) -> str:
    """Return a value as a shell takes it whole, in double quotes where it holds single ones, as queries do.

    >>> print(quoted("vpc-1"), quoted("Quotas[].Value"), quoted("Quotas[?QuotaCode=='L-1']"))
    vpc-1 'Quotas[].Value' "Quotas[?QuotaCode=='L-1']"
    """
    return f'"{value}"' if "'" in value and not set(value) & _SPECIAL else shlex.quote(value)


def filters(**values: str) -> list[str]:
    """Return filters of EC2's calls; underscores in names become hyphens, two of them a dot.

    >>> filters(vpc_id="vpc-1", association__main="true")
    ['Name=vpc-id,Values=vpc-1', 'Name=association.main,Values=true']
    """
    return [f"Name={name.replace('__', '.').replace('_', '-')},Values={value}" for name, value in values.items()]
