"""Checks that ask nobody: whether there is something to deploy, and what AWS shows to nobody."""

from epochwise.catalog.debugger import CLOSED_TO_NEW_CUSTOMERS
from epochwise.checks.finding import Level
from epochwise.checks.preflight import Preflight, Verdict, judged
from epochwise.checks.training_debugger import debugger_closed
from epochwise.live.by_hand import aws_command
from epochwise.live.preflight_check import Check
from epochwise.live.preflight_subject import Subject


def _plan(subject: Subject) -> Preflight:
    """Judge the plan by its own findings: what it refuses, no deploy does."""
    choice = subject.plan.choice
    said = "" if choice is None else f"{choice.label}, {choice.monthly_usd:.2f} USD a month"
    errors = [finding for finding in subject.plan.findings if finding.level is Level.ERROR]
    return judged("plan", said, errors)


def _debugger(subject: Subject) -> Preflight:
    """Say that nobody can tell whether an account was a customer of Debugger in time."""
    job = subject.job
    closed = None if job is None else debugger_closed(job)
    return judged("debugger", "", [] if closed is None else [closed], warnings=Verdict.SKIP)


def _is_watched_by_debugger(subject: Subject) -> bool:
    """Tell whether Debugger is to evaluate rules."""
    return subject.job is not None and subject.job.evaluated_by_debugger


def _jobs_by_hand(subject: Subject) -> tuple[str, ...]:
    """Return how to list jobs of the time when Debugger took customers; an account without any was none here."""
    return (
        aws_command(
            "sagemaker",
            "list-training-jobs",
            region=subject.region,
            creation_time_before=CLOSED_TO_NEW_CUSTOMERS,
            max_items="10",
            query="TrainingJobSummaries[].TrainingJobName",
        ),
    )


CHECKS = (
    Check("plan", _plan, lambda subject: (subject.plan_command,), offline=True),
    Check("debugger", _debugger, _jobs_by_hand, _is_watched_by_debugger, offline=True),
)
