"""Plans that the tests of reports draw."""

from datetime import date
from typing import Any

from epochwise.catalog.prices import PriceTable
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import plan
from epochwise.workload import Workload

TODAY = date(2026, 10, 9)


def planned(table: PriceTable | None = None, /, **changes: Any) -> Plan:
    """Plan the guide's example with sections replaced."""
    document: dict[str, Any] = {
        "name": "guide",
        "dataset": {"size": "100 GB", "source": "s3://example-training-data/guide/"},
        "epoch": {"target": "30 s", "count": 90},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    return plan(Workload.model_validate(document | changes), table)


def cases() -> dict[str, Plan]:
    """Return a plan of each kind that reads differently."""
    priced = {"instance_type": "ml.p4d.24xlarge", "nodes": 8, "price_per_node_hour": 32.77}
    return {
        "guide": planned(),
        "files and checkpoints": planned(
            dataset={"size": "150 GB", "files": 1_281_167, "source": "s3://example-training-data/x/"},
            epoch={"target": "90 s", "count": 90, "compute": "80 s"},
            cluster=priced,
            checkpoint={"size": "20 GB", "every": "10 min", "write_within": "1 min", "keep": 5},
        ),
        "Intelligent-Tiering": planned(
            dataset={"size": "20 TB"},
            epoch={"target": "2 h", "tolerance": 0.1},
            cluster={"instance_type": "p5.48xlarge", "nodes": 8, "platform": "ec2"},
            file_system={"storage_type": "INTELLIGENT_TIERING"},
        ),
        "infeasible": planned(dataset={"size": "100 TB"}),
        "cheapest campaign": planned(
            dataset={"size": "2 TB", "files": 200_000},
            epoch={"target": "200 s", "count": 30, "compute": "300 s"},
            cluster=priced,
            file_system={"objective": "cheapest-campaign", "lifetime": "48 h"},
        ),
        "HDD": planned(
            dataset={"size": "5 TB"},
            epoch={"target": "6 h"},
            file_system={"deployment_types": ["PERSISTENT_1"], "storage_type": "HDD"},
        ),
        "opens bind": planned(dataset={"size": "1 GB", "files": 500_000}, epoch={"target": "60 s"}),
    }
