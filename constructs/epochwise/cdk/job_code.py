"""Where a job's code lies when the deploy says so."""

from dataclasses import replace

from aws_cdk import aws_s3 as s3

from epochwise.cdk.job_arguments import JobArguments
from epochwise.checks.declared_job import DeclaredJob


def code_in(bucket: s3.IBucket | None, arguments: JobArguments) -> JobArguments:
    """Return a job's arguments with its code in a bucket, under the key that is declared."""
    job = arguments.job
    if bucket is None or job.training.source is None:
        return arguments
    _, _, key = job.training.source.removeprefix("s3://").partition("/")
    training = job.training.model_copy(update={"source": f"s3://{bucket.bucket_name}/{key}"})
    workload = job.workload.model_copy(update={"training": training})
    return replace(arguments, job=DeclaredJob(workload, training))
