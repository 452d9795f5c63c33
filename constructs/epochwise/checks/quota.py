"""Rules about an account's quotas: what is asked for fits into what is left."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.catalog.service_quotas import NamedQuota
from epochwise.checks.finding import Finding, Level


@dataclass(frozen=True)
class QuotaUse:
    """One quota of an account, and what is to be taken of it.

    >>> print(QuotaUse(NamedQuota("fsx", "Lustre Scratch storage capacity", "GiB"), 100800, needed=2400, used=1200))
    1200 of 100800 GiB used (Lustre Scratch storage capacity), 2400 needed
    """

    quota: NamedQuota
    limit: float
    needed: float
    used: float | None = None
    """What is taken already; None where that is not counted."""

    @property
    def left(self) -> float:
        """What can still be taken."""
        return self.limit - (self.used or 0)

    @property
    def fits(self) -> bool:
        """Whether what is needed can be taken."""
        return self.needed <= self.left

    @property
    def raise_to(self) -> float:
        """The least limit that does."""
        return self.needed + (self.used or 0)

    @property
    def how_to_raise(self) -> str:
        """The command that asks AWS for it."""
        code = self.quota.code or "CODE"
        return (
            f"`aws service-quotas request-service-quota-increase --service-code {self.quota.service} "
            f"--quota-code {code} --desired-value {self.raise_to:.0f}`"
        )

    def __str__(self) -> str:
        """Render as part of a sentence."""
        unit, name = self.quota.unit, self.quota.name
        there = (
            f"{self.limit:.0f} {unit} allowed"
            if self.used is None
            else f"{self.used:.0f} of {self.limit:.0f} {unit} used"
        )
        return f"{there} ({name}), {self.needed:.0f} needed"


def file_system_quota_exceeded(use: QuotaUse) -> Iterator[Finding]:
    """The planned file system fits into each quota beside those that are there.

    Quotas are per deployment type, and what other types take does not count.
    Source: FSx for Lustre User Guide, limits; NVIDIA/ai-cloud-validation, PR 566.
    """
    if not use.fits:
        yield Finding(
            "FILE_SYSTEM_QUOTA_EXCEEDED",
            Level.ERROR,
            str(use),
            f"delete file systems that nobody needs, or ask AWS with {use.how_to_raise}",
        )


def training_quota_exceeded(use: QuotaUse) -> Iterator[Finding]:
    """A job's nodes, and the time that it runs, are within the account's quotas of SageMaker.

    Source: SageMaker Developer Guide, regions-quotas; the names of the quotas are as people report them.
    """
    if not use.fits:
        yield Finding(
            "TRAINING_QUOTA_EXCEEDED",
            Level.ERROR,
            str(use),
            f"ask AWS with {use.how_to_raise}, or ask for less",
        )
