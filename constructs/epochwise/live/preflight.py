"""The live preflight: every check of a planned workload before an account, side by side."""

from collections.abc import Callable, Iterator
from threading import Thread

from epochwise.checks.preflight import Preflight, PreflightReport
from epochwise.live import (
    preflight_bucket,
    preflight_bucket_access,
    preflight_file_system,
    preflight_groups,
    preflight_nodes,
    preflight_plan,
    preflight_quotas,
    preflight_region,
    preflight_routes,
    preflight_stack,
    preflight_training,
    preflight_vpc,
)
from epochwise.live.failure import AwsError, UnwellError
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject

CHECKS: tuple[Check, ...] = (
    *preflight_plan.CHECKS,
    *preflight_region.CHECKS,
    *preflight_nodes.CHECKS,
    *preflight_training.CHECKS,
    *preflight_quotas.CHECKS,
    *preflight_file_system.CHECKS,
    *preflight_vpc.CHECKS,
    *preflight_routes.CHECKS,
    *preflight_groups.CHECKS,
    *preflight_bucket.CHECKS,
    *preflight_bucket_access.CHECKS,
    *preflight_stack.CHECKS,
)
"""In the order in which they are told."""


def preflight(subject: Subject, on_done: Callable[[int, int], None] | None = None) -> PreflightReport:
    """Make every check that applies, each in a thread of its own, and return them in their order.

    Nothing is changed: every call describes, gets or lists.

    Args:
        subject: what is looked at.
        on_done: told, from any thread, how many checks are done and how many there are.

    Raises:
        AwsError: there is nothing to sign a call with, or AWS answers none of the checks.
    """
    checks = [check for check in CHECKS if check.applies(subject)]
    done: dict[str, Preflight] = {}
    failed: dict[str, BaseException] = {}
    account: list[str] = []

    def make(check: Check) -> None:
        try:
            done[check.id] = check.made(subject)
        except BaseException as error:  # noqa: BLE001 - raised again where whoever called can see it
            failed[check.id] = error
        if on_done is not None:
            on_done(len(done) + len(failed), len(checks))

    # daemons, so that Ctrl-C does not wait for calls under way
    threads = [Thread(target=make, args=(check,), daemon=True) for check in checks]
    threads.append(Thread(target=lambda: account.append(_account(subject)), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for check in checks:
        if check.id in failed:
            raise failed[check.id]
    made = tuple(done[check.id] for check in checks)
    asking = [check.id for check in checks if not check.offline]
    if asking and all(done[check_id].unanswered for check_id in asking):
        raise UnwellError(done[asking[0]].said)
    choice = subject.plan.choice
    return PreflightReport(
        workload=subject.workload.name,
        region=subject.region,
        account=account[0] if account else "",
        plan="no legal file system is feasible" if choice is None else choice.label,
        checks=made,
        not_asked=tuple(_not_asked(subject)),
    )


def _account(subject: Subject) -> str:
    """Return the account's number, empty where it is not told."""
    try:
        return str(subject.account.ask("sts", "get_caller_identity").get("Account", ""))
    except AwsError:
        return ""


def _not_asked(subject: Subject) -> Iterator[str]:
    """Yield what nobody named, with the option that names it."""
    named = subject.named
    if named.vpc is None and named.subnet is None:
        yield "a VPC that exists, its DNS, routes and free addresses: --vpc, --subnet"
    if not named.security_groups:
        yield "the rules of security groups that exist: --security-group"
    if named.file_system is None:
        yield "a file system that exists: --file-system"
    if named.stack is None:
        yield "what an update of a deployed stack would do: --stack, --template"
