"""An account's quotas in Service Quotas, found by code or by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from epochwise.catalog.service_quotas import NamedQuota
from epochwise.live.answers import Answers
from epochwise.live.by_hand import aws_command


@dataclass(frozen=True)
class AccountQuota:
    """One quota as the account has it."""

    named: NamedQuota
    """With the code that the account lists."""
    limit: float


def account_quotas(account: Answers, wanted: Sequence[NamedQuota]) -> dict[str, AccountQuota]:
    """Return every quota of the service by name, those that are wanted under the name they are wanted by.

    The applied values come first; what is not among them has AWS's default, which is asked for only then. A wanted
    quota that is in neither list is absent.

    Args:
        account: who answers.
        wanted: quotas of one service.

    Raises:
        AwsError: Service Quotas does not answer.
    """
    found = _listed(account, "list_service_quotas", wanted)
    if any(quota.name not in found for quota in wanted):
        found = _listed(account, "list_aws_default_service_quotas", wanted) | found
    return found


def _listed(account: Answers, method: str, wanted: Sequence[NamedQuota]) -> dict[str, AccountQuota]:
    """Return the quotas of one list; a wanted one that goes by another name is found by its code."""
    service = wanted[0].service
    units = {quota.name: quota.unit for quota in wanted}
    listed = {
        str(row["QuotaName"]): AccountQuota(
            NamedQuota(service, str(row["QuotaName"]), units.get(str(row["QuotaName"]), ""), str(row["QuotaCode"])),
            float(row["Value"]),
        )
        for row in account.listed("service-quotas", method, "Quotas", ServiceCode=service)
    }
    by_code = {quota.named.code: quota for quota in listed.values()}
    renamed = {quota.name: by_code[quota.code] for quota in wanted if quota.code in by_code}
    return renamed | listed


def quotas_by_hand(quotas: Sequence[NamedQuota], region: str) -> tuple[str, ...]:
    """Return the commands that print quotas of one service: by code where all have one, else by name, in one list."""
    service = quotas[0].service
    if all(quota.code for quota in quotas):
        return tuple(
            aws_command(
                "service-quotas",
                "get-service-quota",
                region=region,
                service_code=service,
                quota_code=quota.code,
                query="Quota.[QuotaName,Value]",
            )
            for quota in quotas
        )
    names = ",".join(f"'{quota.name}'" for quota in quotas)
    query = f"Quotas[?contains([{names}],QuotaName)].[QuotaName,QuotaCode,Value]"
    return (aws_command("service-quotas", "list-service-quotas", region=region, service_code=service, query=query),)
