"""Runs as tests look at them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from epochwise.following.run import Execution, Job, RuleStatus, ToldFinding, TrainingRun
from epochwise.following.use import HostUse, Use, Window

GUIDE = Path(__file__).resolve().parents[2] / "workloads" / "guide.yaml"
NOON = datetime(2026, 10, 9, 12, 0, 0, tzinfo=UTC)
ARN = "arn:aws:states:us-east-1:123456789012:execution:machine:guide-1"
STORAGE = ToldFinding(
    "StorageBottleneck",
    "cloudwatch",
    "warning",
    "GPUs wait for a file system at its ceiling",
    "replace it by PERSISTENT_2 9600 GiB",
    "2026-10-09T11:50:00.001000+00:00",
    {"read_mbps": 2300.0},
)


def minutes(number: float) -> timedelta:
    """Return minutes as a span of time."""
    return timedelta(minutes=number)


def job(**changes: Any) -> Job:
    """Return the guide's job, which has trained for half an hour."""
    known: dict[str, Any] = {
        "name": "guide-1",
        "status": "InProgress",
        "secondary": "Training",
        "instance_type": "ml.p4d.24xlarge",
        "nodes": 4,
        "created": NOON - minutes(40),
        "message": "Training in progress.",
        "since": NOON - minutes(30),
        "training_start": NOON - minutes(30),
        "file_system_id": "fs-1",
        "rules": (RuleStatus("CPUBottleneck", "InProgress"),),
    }
    return Job(**known | changes)


def use(**changes: Any) -> Use:
    """Return what four nodes do, of which the last one says nothing."""
    hosts = (
        HostUse("algo-1", 20.0, 90.0, 60.0, 30.0),
        HostUse("algo-2", 21.0, 40.0, 61.0, 31.0),
        HostUse("algo-3", 22.0, None, None, 32.0),
        HostUse("algo-4"),
    )
    known: dict[str, Any] = {
        "window": Window.of_running(NOON),
        "hosts": hosts,
        "hosts_left_out": 0,
        "read_mbps": 2300.0,
        "write_mbps": 12.0,
    }
    return Use(**known | changes)


def run(**changes: Any) -> TrainingRun:
    """Return a run of the guide."""
    known: dict[str, Any] = {
        "time": NOON,
        "execution": Execution(ARN, "RUNNING", NOON - minutes(41)),
        "job": job(),
        "job_name": "guide-1",
        "demand_mbps": 3333.3,
        "ceiling_mbps": 3671.0,
        "use": use(),
        "findings": (STORAGE,),
        "verdicts": {"LoadBalancing": "differs by 0.1; 0.5 is the limit"},
    }
    return TrainingRun(**known | changes)
