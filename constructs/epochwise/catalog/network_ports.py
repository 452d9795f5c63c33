"""What Lustre and EFA need open between security groups.

Source: FSx for Lustre User Guide, limit-access-security-groups; EC2 User Guide, efa-start.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ports:
    """What a rule opens."""

    name: str
    """Part of construct ids."""
    protocol: str
    """As EC2 writes it: -1 is every protocol."""
    from_port: int | None = None
    to_port: int | None = None

    def __str__(self) -> str:
        """Render as part of a sentence.

        >>> print(ALL_TRAFFIC, HTTPS, LUSTRE_PORTS[1], sep=", ")
        all traffic, TCP 443, TCP 1018-1023
        """
        if self.from_port is None:
            return "all traffic"
        to_port = "" if self.to_port == self.from_port else f"-{self.to_port}"
        return f"{self.protocol.upper()} {self.from_port}{to_port}"


ALL_TRAFFIC = Ports("All", "-1")
"""What EFA needs, from and to a group named by its id: rules by address do not count."""
LUSTRE_PORTS = (Ports("Lnet988", "tcp", 988, 988), Ports("Lnet1018", "tcp", 1018, 1023))
"""TCP ports of Lustre's network."""
HTTPS = Ports("Https", "tcp", 443, 443)
"""Of S3 and of service endpoints."""
