"""How clients of a file system reach user data: their declaration is checked, then it becomes a script."""

from aws_cdk import Token
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.lustre_client_versions import os_traits
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.user_data import seen_user_data
from epochwise.checks.finding import Finding
from epochwise.checks.lustre_client import client_findings
from epochwise.checks.user_data import user_data_findings
from epochwise.clients.mount import ClientMount
from epochwise.clients.start_up import mounted_paths, start_up_script, systems_of, user_data_commands


def checked_client(
    mount: ClientMount,
    *,
    efa_enabled: bool,
    lustre_version: str | None,
    os_release: str | None = None,
    instance_type: str | None = None,
    attempts: int = 1,
) -> list[Finding]:
    """Return the warnings about a client; what is a token is left to the deploy.

    Raises:
        ValueError: the client cannot mount the file system.
    """
    return refuse_errors(
        client_findings(
            os=mount.os,
            path=mount.path,
            efa=mount.efa,
            efa_enabled=efa_enabled,
            lustre_version=None if Token.is_unresolved(lustre_version) else lustre_version,
            os_release=os_release,
            instance_type=None if Token.is_unresolved(instance_type) else instance_type,
            attempts=attempts,
        )
    )


def add_start_up(
    scope: Construct,
    user_data: ec2.UserData,
    mount: ClientMount,
    *,
    instance_type: str | None,
    attempts: int,
    tune: bool,
) -> None:
    """Add the start-up script of a client to user data of a Linux instance.

    Raises:
        ValueError: the user data cannot take it; nothing is added then.
    """
    known = None if Token.is_unresolved(instance_type) else instance_type
    script = start_up_script(mount, instance_type=known, attempts=attempts, tune=tune)
    commands = user_data_commands(mount, script)
    seen = seen_user_data(user_data, scope)
    refuse_errors(
        user_data_findings(
            begins=seen.begins,
            shell=seen.is_shell,
            path=mount.path,
            paths=mounted_paths(seen.text),
            os=os_traits(mount.os).name,
            systems=systems_of(seen.text),
            size_bytes=seen.size_bytes + seen.size_of(commands),
        )
    )
    user_data.add_commands(*commands)
