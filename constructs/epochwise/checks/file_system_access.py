"""Remarks about who reaches a file system, and as what. One rule, one function, one id."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address

from epochwise.checks.finding import Finding, Level

MOST_SECURITY_GROUPS = 50
"""Security groups of one file system (FSx API, SecurityGroupIds)."""


def file_system_groups_out_of_range(count: int) -> Iterator[Finding]:
    """A file system has 1 to 50 security groups; without a word it gets one of its own.

    Source: FSx API, CreateFileSystem SecurityGroupIds.
    """
    if not 1 <= count <= MOST_SECURITY_GROUPS:
        yield Finding(
            "FILE_SYSTEM_GROUPS_OUT_OF_RANGE",
            Level.ERROR,
            f"security_groups must hold 1 to {MOST_SECURITY_GROUPS} groups, got {count}",
            "leave it out for a group made here",
        )


def client_not_a_group(kind: str, *, is_group: bool) -> Iterator[Finding]:
    """Clients are let in by security group: EFA does not honour rules by address.

    Source: FSx User Guide, limit-access-security-groups.
    """
    if not is_group:
        yield Finding(
            "CLIENT_NOT_A_GROUP",
            Level.ERROR,
            f"client must be a security group, got {kind}",
            "pass the group of the nodes: rules by address do not count for EFA",
        )


def peer_without_default_port(peer: str, *, has_port: bool) -> Iterator[Finding]:
    """A peer's default port is one that the peer has: instances and groups have none, databases and file systems do.

    Source: CDK, ec2.Connections defaultPort.
    """
    if not has_port:
        yield Finding(
            "PEER_WITHOUT_DEFAULT_PORT",
            Level.ERROR,
            f"other must have a default port, got {peer} without one",
            "name the port: allow_to(other, ec2.Port.tcp(…)); to let it mount the file system, allow_default_port_from",
        )


def server_rules_unseen(path: str, *, changeable: bool) -> Iterator[Finding]:
    """Groups that cannot be changed here have rules that cannot be seen here either.

    Source: FSx User Guide, limit-access-security-groups: file servers reach each other, or FSx refuses to create them.
    """
    if not changeable:
        yield Finding(
            "SERVER_RULES_UNSEEN",
            Level.WARNING,
            f"security_groups {path} cannot be changed here, and whether they let Lustre through is not known at synth",
            "make sure that one lets the servers and each client in and out, on all ports for EFA, else on TCP 988 and "
            "1018-1023",
        )


def client_rules_unseen(path: str, *, changeable: bool) -> Iterator[Finding]:
    """The group of a client that cannot be changed here has its rules made by whoever owns it.

    Source: FSx User Guide, limit-access-security-groups.
    """
    if not changeable:
        yield Finding(
            "CLIENT_RULES_UNSEEN",
            Level.WARNING,
            f"client {path} cannot be changed here, so its side of the rules was not made",
            "let it in from and out to the file servers' group, on all ports for EFA, else on TCP 988 and 1018-1023",
        )


def file_system_id_invalid(file_system_id: str) -> Iterator[Finding]:
    """A file system has an id of FSx.

    Source: FSx API, FileSystemId.
    """
    if not re.fullmatch(r"fs-[0-9a-f]{8,18}", file_system_id):
        yield Finding(
            "FILE_SYSTEM_ID_INVALID",
            Level.ERROR,
            f"file_system_id must be fs- and 8 to 18 of 0-9 a-f, got {file_system_id!r:.60}",
            "take it from `aws fsx describe-file-systems`",
        )


def mount_name_invalid(mount_name: str) -> Iterator[Finding]:
    """A mount name has 1 to 8 characters; on SCRATCH_1 it is fsx.

    Source: FSx API, LustreFileSystemMountName.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,8}", mount_name):
        yield Finding(
            "MOUNT_NAME_INVALID",
            Level.ERROR,
            f"mount_name must be 1 to 8 of letters, digits, _ and -, got {mount_name!r:.60}",
            "take it from `aws fsx describe-file-systems`, without a slash",
        )


def dns_name_invalid(dns_name: str) -> Iterator[Finding]:
    """A DNS name is a host, without a protocol or a path; an address is one where the name does not resolve.

    Source: FSx API, DNSName; FSx User Guide, mounting-on-premises (of 2021): by the address of the first interface.
    """
    if not (re.fullmatch(r"(?=.{16,275}\Z)[a-z0-9-]+(\.[a-z0-9-]+)+", dns_name) or _is_address(dns_name)):
        yield Finding(
            "DNS_NAME_INVALID",
            Level.ERROR,
            f"dns_name must be a host of 16 to 275 characters, or an IPv4 address, got {dns_name!r:.60}",
            "write it as fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
        )


def host_of_other_file_system(dns_name: str, file_system_id: str) -> Iterator[Finding]:
    """FSx names a file system's host after its id: with those of two, one is mounted and the other is watched.

    Source: FSx API, DNSName; FSx User Guide, mounting-ec2-instance.
    """
    named = re.match(r"(?P<id>fs-[0-9a-f]{8,18})\.fsx\.", dns_name)
    if named is not None and named["id"] != file_system_id:
        yield Finding(
            "HOST_OF_OTHER_FILE_SYSTEM",
            Level.ERROR,
            f"dns_name must be that of {file_system_id:.60}, got the one of {named['id']}",
            f"take both from `aws fsx describe-file-systems --file-system-ids {file_system_id:.60}`",
        )


def _is_address(host: str) -> bool:
    """Tell whether a host is an IPv4 address."""
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True
