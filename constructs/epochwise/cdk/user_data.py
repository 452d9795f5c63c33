"""What an app can see of user data: what runs it, what stands in it, and how large it is at least."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

_SHELL = re.compile(r"#!\s*/\S*?(env\s+(-\S+\s+)*)?\b(ba|da|k|z|a)?sh\b")
_TOKEN = re.compile(r"\$\{Token\[[^]]*\]\}")
_LONGEST_SHOWN = 40
_OF_WINDOWS = ("<powershell>", "<script>")


@dataclass(frozen=True, slots=True)
class SeenUserData:
    """User data as an app sees it."""

    begins: str
    """Its first line, or what it is, for a message."""
    is_shell: bool
    """Whether a shell runs commands that are added; taken for granted where only the deploy knows the text."""
    is_powershell: bool
    """Whether it is a script of Windows."""
    text: str
    """What stands in it, parts that are encoded at the deploy too; line breaks may be escaped."""
    size_bytes: int
    """At the least: what only the deploy knows counts nothing."""

    @staticmethod
    def size_of(commands: Iterable[str]) -> int:
        """Return the bytes that commands add at the least, each on a line of its own."""
        return sum(_size(_TOKEN.sub("", command)) + 1 for command in commands)


def seen_user_data(user_data: ec2.UserData, scope: Construct) -> SeenUserData:
    """Look at user data, with references as a template of the scope's stack has them."""
    rendered = user_data.render()
    resolved: Any = Stack.of(scope).resolve(rendered)
    script = _default_part(user_data, scope) if isinstance(user_data, ec2.MultipartUserData) else rendered
    first = "" if script is None else script.lstrip().partition("\n")[0]
    hidden = first.startswith("${Token[")
    if script is None:
        begins = "a MultipartUserData without a default part"
    elif not script.strip():
        begins = "an empty text"
    else:
        begins = f"text that begins with {first[:_LONGEST_SHOWN]!r}"
    return SeenUserData(
        begins=begins,
        is_powershell=first.startswith(_OF_WINDOWS),
        is_shell=hidden or _SHELL.match(first) is not None,
        text=resolved if isinstance(resolved, str) else json.dumps(resolved),
        size_bytes=_bytes_of(resolved),
    )


def _default_part(archive: ec2.MultipartUserData, scope: Construct) -> str | None:
    """Return what a multipart archive runs commands in, None where it has no such part."""
    try:
        # adds no command, and is refused like every other
        archive.add_commands()
    except RuntimeError:
        return None
    parts = [part for part in _base64_parts(Stack.of(scope).resolve(archive.render())) if part]
    # which of several is the default cannot be seen, and one that is no shell cannot be it where one is
    return next((part for part in parts if _SHELL.match(part.lstrip())), parts[0] if parts else "")


def _base64_parts(value: Any) -> list[str]:
    """Return the texts that are encoded at the deploy, each as far as it begins with text."""
    match value:
        case {"Fn::Base64": str(text)}:
            return [text]
        case {"Fn::Base64": {"Fn::Join": [_, [str(text), *_]]}}:
            return [text]
        case dict():
            return [part for each in value.values() for part in _base64_parts(each)]
        case list():
            return [part for each in value for part in _base64_parts(each)]
    return []


def _bytes_of(value: Any) -> int:
    """Return the bytes of a text with references, which count nothing; what is encoded grows by a third."""
    match value:
        case str():
            return _size(value)
        case {"Fn::Join": [str(between), list(parts)]}:
            return sum(map(_bytes_of, parts)) + _size(between) * max(len(parts) - 1, 0)
        case {"Fn::Base64": inner}:
            return -(-_bytes_of(inner) // 3) * 4
    return 0


def _size(text: str) -> int:
    """Return the bytes of a text in UTF-8."""
    return len(text.encode())
