"""What is to be said about a request that is printed, for somebody else to send."""

from epochwise.catalog.training_job import BOTOCORE
from epochwise.checks.finding import Finding, Level
from epochwise.checks.training import training_findings
from epochwise.workload import Workload


def emitted_request_findings(workload: Workload) -> list[Finding]:
    """Return the remarks about a workload's request, which has no error."""
    return [*training_findings(workload), request_needs_recent_sdk(workload)]


def request_needs_recent_sdk(workload: Workload) -> Finding:
    """Tell which SDK the request is made for.

    An older one refuses fields that it does not know, and says so before anything is sent: DisableProfiler was such a
    field. Source: awslabs/amazon-sagemaker-examples, issue 3713.
    """
    return Finding(
        "REQUEST_NEEDS_RECENT_SDK",
        Level.INFO,
        f"the request of {workload.name} is made for botocore {BOTOCORE}; an older one refuses fields that it does not "
        "know, such as ProfilerConfig.DisableProfiler",
        f"send it with boto3 or the AWS CLI on botocore {BOTOCORE} or later",
    )
