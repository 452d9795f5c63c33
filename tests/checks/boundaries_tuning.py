"""Boundaries of what is said about a job that was measured."""

from datetime import UTC, datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any

from epochwise.checks import tuning, tuning_refusals
from tests.checks.boundaries import Row

NOON = datetime(2026, 10, 9, 12, tzinfo=UTC)
LOCK: dict[str, Any] = {"file_system_id": "fs-1", "updating": False, "now": NOON, "locked_h": 6}
CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("tune_hosts_silent", {"silent": ["algo-2"], "hosts": 4}, "1 of 4 nodes have no metrics (algo-2)"),
    ("tune_hosts_silent", {"silent": ["algo-1"] * 4, "hosts": 9}, "(algo-1, algo-1, algo-1, …)"),
    ("tune_hosts_silent", {"silent": [], "hosts": 4}, None),
    ("tune_accelerators_unseen", {"instance_type": "ml.trn1.32xlarge", "seen": False}, "ml.trn1.32xlarge"),
    ("tune_accelerators_unseen", {"instance_type": "ml.trn1.32xlarge", "seen": True}, None),
    ("tune_hits_unseen", {"file_system_id": "fs-1", "targets": 4, "seen": 3}, "3 of 4 storage targets"),
    ("tune_hits_unseen", {"file_system_id": "fs-1", "targets": None, "seen": 0}, "0 storage targets"),
    ("tune_hits_unseen", {"file_system_id": "fs-1", "targets": 4, "seen": 4}, None),
    ("tune_metrics_missing", {"missing": 6, "periods": 100, "period_s": 60}, "6 of 100 periods"),
    ("tune_metrics_missing", {"missing": 5, "periods": 100, "period_s": 60}, None),
    ("tune_metrics_coarse", {"period_s": 300}, "over 300 s"),
    ("tune_metrics_coarse", {"period_s": 60}, None),
    ("tune_job_running", {"name": "job", "running": True, "until": NOON}, "2026-10-09 12:00 UTC"),
    ("tune_job_running", {"name": "job", "running": False, "until": NOON}, None),
    ("tune_other_clients", {"connections": 5.0, "nodes": 4}, "5 clients were connected and the job has 4"),
    ("tune_other_clients", {"connections": 4.0, "nodes": 4}, None),
    ("tune_other_clients", {"connections": None, "nodes": 4}, None),
    ("tune_cluster_differs", {"ran_on": "4 × a", "declared": "8 × a"}, "the file declares 8 × a"),
    ("tune_cluster_differs", {"ran_on": "4 × a", "declared": "4 × a"}, None),
    (
        "tune_changed_since",
        {"file_system_id": "fs-1", "updated": NOON, "start": NOON - timedelta(seconds=1)},
        "updated at 2026-10-09 12:00",
    ),
    ("tune_changed_since", {"file_system_id": "fs-1", "updated": NOON, "start": NOON}, None),
    ("tune_changed_since", {"file_system_id": "fs-1", "updated": None, "start": NOON}, None),
    ("tune_update_locked", LOCK | {"updated": NOON - timedelta(hours=5)}, "from 2026-10-09 13:00 UTC on, 6 h after"),
    ("tune_update_locked", LOCK | {"updated": None, "updating": True}, "once its update has ended; one is still"),
    ("tune_update_locked", LOCK | {"updated": NOON - timedelta(hours=6)}, None),
    ("tune_update_locked", LOCK | {"updated": None}, None),
    ("tune_cache_disagrees", {"measured": 0.29, "predicted": 0.35, "settled": True}, "answered 29% of the reads"),
    ("tune_cache_disagrees", {"measured": 0.41, "predicted": 0.35, "settled": False}, "more than a fresh random"),
    ("tune_cache_disagrees", {"measured": 0.31, "predicted": 0.35, "settled": True}, None),
    ("tune_cache_disagrees", {"measured": None, "predicted": 0.35, "settled": True}, None),
    ("tune_dataset_differs", {"by_cache": 106e9, "declared": 100e9}, "as for 106 GB"),
    ("tune_dataset_differs", {"by_cache": 104e9, "declared": 100e9}, None),
    ("tune_dataset_differs", {"by_cache": None, "declared": 100e9}, None),
    ("tune_full_use_assumed", {"waited": 0.06, "seen": False}, "for 100 % busy (assumed)"),
    ("tune_full_use_assumed", {"waited": 0.05, "seen": False}, None),
    ("tune_full_use_assumed", {"waited": 0.5, "seen": True}, None),
    ("tune_dataset_unrecognised", {"recognised": False, "size_bytes": 2e12}, "the declared 2 TB"),
    ("tune_dataset_unrecognised", {"recognised": True, "size_bytes": 2e12}, None),
    ("tune_servers_uneven", {"share": 0.06}, "in 6% of the time one server"),
    ("tune_servers_uneven", {"share": 0.05}, None),
    ("tune_waits_unpredicted", {"waited": 0.11, "allowed": 0.1, "epoch_s": 27.2}, "waited for storage 11%"),
    ("tune_waits_unpredicted", {"waited": 0.1, "allowed": 0.1, "epoch_s": 27.2}, None),
    ("tune_delivers_more", {"predicted_s": 41.0, "limit_s": 40.0, "kept": True}, "an epoch of 41 s is predicted"),
    ("tune_delivers_more", {"predicted_s": 40.0, "limit_s": 40.0, "kept": True}, None),
    ("tune_delivers_more", {"predicted_s": 41.0, "limit_s": 40.0, "kept": False}, None),
    ("tune_burst_used", {"share": 0.01, "ceiling": "network"}, "in 1% of the time"),
    ("tune_burst_used", {"share": 0.0, "ceiling": "network"}, None),
    ("tune_checkpoints_undeclared", {"declared": False, "size_mb": 5e4, "every_s": 600.0}, "about 50 GB every 600 s"),
    ("tune_checkpoints_undeclared", {"declared": True, "size_mb": 5e4, "every_s": 600.0}, None),
    ("tune_pins_lifted", {"pins": ["file_system.storage_capacity_gib"]}, "pins file_system.storage_capacity_gib"),
    ("tune_pins_lifted", {"pins": []}, None),
    ("tune_stored_exceeds", {"stored_bytes": 2.0**40 + 1, "holds_gib": 1024, "label": "X"}, "1.1 TB lie"),
    ("tune_stored_exceeds", {"stored_bytes": 2.0**40, "holds_gib": 1024, "label": "X"}, None),
    ("tune_stored_exceeds", {"stored_bytes": None, "holds_gib": 1024, "label": "X"}, None),
]
_SUBJECTS = {"tune_no_metrics": "file_system_id"}
REFUSALS: list[tuple[str, dict[str, Any], str | None]] = [
    ("tune_no_file_system", {"file_systems": [], "channels": 2}, "none of the 2 input channels of job"),
    ("tune_no_file_system", {"file_systems": ["fs-1"], "channels": 2}, None),
    ("tune_several_file_systems", {"file_systems": ["fs-1", "fs-2"]}, "reads from fs-1, fs-2"),
    ("tune_several_file_systems", {"file_systems": ["fs-1"]}, None),
    ("tune_other_region", {"region": "eu-west-1", "declared": "us-east-1"}, "for in eu-west-1, and the workload file"),
    ("tune_other_region", {"region": "us-east-1", "declared": "us-east-1"}, None),
    ("tune_not_started", {"status": "InProgress", "started": False}, "its status is InProgress"),
    ("tune_not_started", {"status": "InProgress", "started": True}, None),
    ("tune_metrics_expired", {"ended": NOON, "age_days": 455.1, "kept_days": 455}, "ended on 2026-10-09, 455 days ago"),
    ("tune_metrics_expired", {"ended": NOON, "age_days": 455.0, "kept_days": 455}, None),
    ("tune_no_metrics", {"reads": 0}, "no DataReadBytes of job"),
    ("tune_no_metrics", {"reads": 1}, None),
    ("tune_too_short", {"points": 4, "least": 5, "period_s": 60}, "has 4 whole periods of 60 s"),
    ("tune_too_short", {"points": 4, "least": 5, "period_s": 300}, "has 4 whole periods of 300 s"),
    ("tune_too_short", {"points": 5, "least": 5, "period_s": 60}, None),
    ("tune_mixed_instance_types", {"instance_types": ["a", "b"]}, "of 2 types (a, b)"),
    ("tune_mixed_instance_types", {"instance_types": []}, "of 0 types (none is named)"),
    ("tune_mixed_instance_types", {"instance_types": ["a"]}, None),
]


def _row(module: ModuleType, name: str, given: dict[str, Any], says: str | None) -> Row:
    return Row(name.upper(), partial(getattr(module, name), **given), says)


ROWS = (
    *(_row(tuning, *case) for case in CASES),
    *(_row(tuning_refusals, name, {_SUBJECTS.get(name, "job"): "job"} | given, says) for name, given, says in REFUSALS),
    Row("TUNE_NOT_LUSTRE", partial(tuning_refusals.tune_not_lustre, "fs-1", "ONTAP"), "fs-1 is ONTAP"),
    Row(
        "TUNE_FILE_SYSTEM_UNKNOWN",
        partial(tuning_refusals.tune_file_system_unknown, "fs-1", "'SCRATCH_9'"),
        "'SCRATCH_9'",
    ),
)
