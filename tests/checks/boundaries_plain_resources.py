"""Boundaries of what is said about resources that our constructs did not make."""

from functools import partial

from epochwise.checks.plain_resources import (
    acknowledgement_matches_nothing,
    lustre_ports_open,
    multi_node_job_without_vpc,
    property_unknown_word,
    retained_without_its_group,
    training_subnet_in_another_zone,
)
from tests.checks.boundaries import Row

ROWS = (
    *(
        Row("PROPERTY_UNKNOWN_WORD", partial(property_unknown_word, "StorageType", value, ["SSD", "HDD"]), says)
        for value, says in [("NVME", "got 'NVME'"), ("SSD", None)]
    ),
    Row("RETAINED_WITHOUT_ITS_GROUP", partial(retained_without_its_group, "FileSystem", "Group"), "Group is not"),
    *(
        Row("LUSTRE_PORTS_OPEN", partial(lustre_ports_open, "Group", address="0.0.0.0/0", ports=ports), says)
        for ports, says in [([988], "TCP 988"), ([], None)]
    ),
    *(
        Row("MULTI_NODE_JOB_WITHOUT_VPC", partial(multi_node_job_without_vpc, "Train", nodes=nodes, has_vpc=vpc), says)
        for nodes, vpc, says in [(2, False, "of 2 nodes"), (1, False, None), (2, True, None), (None, False, None)]
    ),
    *(
        Row(
            "TRAINING_SUBNET_IN_ANOTHER_ZONE",
            partial(training_subnet_in_another_zone, "Train", zone=zone, file_systems={"us-east-1a": "FileSystem"}),
            says,
        )
        for zone, says in [("us-east-1b", "in us-east-1b"), ("us-east-1a", None)]
    ),
    Row(
        "ACKNOWLEDGEMENT_MATCHES_NOTHING",
        lambda: [acknowledgement_matches_nothing("Epochwise::X", "Stack/Group")],
        "acknowledges Epochwise::X",
    ),
)
