"""Quotas as Service Quotas names them."""

import pytest

from epochwise.catalog.fsx_lustre import DeploymentType, StorageType
from epochwise.catalog.legality import every_family
from epochwise.catalog.service_quotas import (
    LustreSize,
    file_system_quotas,
    runtime_quota,
    training_quotas,
    training_type_quota,
)

P1, P2 = DeploymentType.PERSISTENT_1, DeploymentType.PERSISTENT_2
SIZES = {LustreSize(family.deployment_type, family.storage_type) for family in every_family()}


@pytest.mark.parametrize("size", sorted(SIZES, key=str), ids=str)
def test_every_kind_of_file_system_counts_itself_against_each_of_its_quotas(size: LustreSize) -> None:
    quotas = file_system_quotas(size)
    assert len({each.quota.code for each in quotas}) == len(quotas)
    whole = LustreSize(size.deployment_type, size.storage_type, 1200, 4000, 32)
    assert all(each.counts(whole) > 0 for each in quotas)
    assert all(each.quota.service == "fsx" and each.quota.code.startswith("L-") for each in quotas)


def test_both_scratch_types_share_a_quota_and_others_do_not() -> None:
    storage, number = file_system_quotas(LustreSize(DeploymentType.SCRATCH_2))
    assert storage.counts(LustreSize(DeploymentType.SCRATCH_1, storage_capacity_gib=1200)) == 1200
    assert number.counts(LustreSize(DeploymentType.SCRATCH_1)) == 1
    for other in (P1, P2):
        assert storage.counts(LustreSize(other, storage_capacity_gib=1200)) == number.counts(LustreSize(other)) == 0


def test_hdd_and_intelligent_tiering_have_quotas_of_their_own() -> None:
    of_hdd = file_system_quotas(LustreSize(P1, StorageType.HDD))
    assert [each.per_file_system for each in of_hdd] == [False, True, False]
    of_tiering = file_system_quotas(LustreSize(P2, StorageType.INTELLIGENT_TIERING))
    assert [each.quota.unit for each in of_tiering] == ["MB/s", "GiB", "file systems"]


def test_the_quotas_of_a_job_are_those_of_its_kind() -> None:
    plain = [quota.name for quota in training_quotas("ml.p4d.24xlarge", spot=False, warm=False)]
    assert plain == [
        "ml.p4d.24xlarge for training job usage",
        "Maximum number of instances per training job",
        "Number of instances across all training jobs",
    ]
    spot = [quota.name for quota in training_quotas("ml.p4d.24xlarge", spot=True, warm=True)]
    assert spot[:2] == [
        "ml.p4d.24xlarge for spot training job usage",
        "ml.p4d.24xlarge for training warm pool usage",
    ]
    assert all("spot" in name for name in spot if "warm pool" not in name)
    assert training_type_quota("ml.p4d.24xlarge", spot=True).name == spot[0]
    assert runtime_quota().unit == "s"
