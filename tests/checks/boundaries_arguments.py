"""Boundaries of what is said about constructs' arguments: names, tags and the file systems of others."""

from functools import partial

from epochwise.checks import file_system_access as access
from epochwise.checks.file_system_tags import tag_findings
from epochwise.checks.plan_summary import summary_name_invalid, summary_twice
from tests.checks.boundaries import Row

ROWS = (
    Row("CLIENT_NOT_A_GROUP", partial(access.client_not_a_group, "'10.0.0.0/16'", is_group=False), "got '10.0"),
    Row("CLIENT_NOT_A_GROUP", partial(access.client_not_a_group, "a group", is_group=True), None),
    Row(
        "PEER_WITHOUT_DEFAULT_PORT",
        partial(access.peer_without_default_port, "an Instance", has_port=False),
        "got an I",
    ),
    Row("PEER_WITHOUT_DEFAULT_PORT", partial(access.peer_without_default_port, "an Instance", has_port=True), None),
    Row("FILE_SYSTEM_GROUPS_OUT_OF_RANGE", partial(access.file_system_groups_out_of_range, 51), "got 51"),
    Row("FILE_SYSTEM_GROUPS_OUT_OF_RANGE", partial(access.file_system_groups_out_of_range, 0), "got 0"),
    Row("FILE_SYSTEM_GROUPS_OUT_OF_RANGE", partial(access.file_system_groups_out_of_range, 50), None),
    Row("SERVER_RULES_UNSEEN", partial(access.server_rules_unseen, "S/Group", changeable=False), "S/Group"),
    Row("SERVER_RULES_UNSEEN", partial(access.server_rules_unseen, "S/Group", changeable=True), None),
    Row("CLIENT_RULES_UNSEEN", partial(access.client_rules_unseen, "S/Group", changeable=False), "client S/Group"),
    Row("CLIENT_RULES_UNSEEN", partial(access.client_rules_unseen, "S/Group", changeable=True), None),
    Row("FILE_SYSTEM_ID_INVALID", partial(access.file_system_id_invalid, "fs-0123456"), "got 'fs-0123456'"),
    Row("FILE_SYSTEM_ID_INVALID", partial(access.file_system_id_invalid, "fs-01234567"), None),
    Row("MOUNT_NAME_INVALID", partial(access.mount_name_invalid, "/abcdefg"), "got '/abcdefg'"),
    Row("MOUNT_NAME_INVALID", partial(access.mount_name_invalid, "abcdefgh"), None),
    Row("DNS_NAME_INVALID", partial(access.dns_name_invalid, "fs-1.example"), "got 'fs-1.example'"),
    Row("DNS_NAME_INVALID", partial(access.dns_name_invalid, "10.0.0.256"), "got '10.0.0.256'"),
    Row("DNS_NAME_INVALID", partial(access.dns_name_invalid, "10.0.0.255"), None),
    Row("DNS_NAME_INVALID", partial(access.dns_name_invalid, "fs-01234567.fsx.us-east-1.amazonaws.com"), None),
    *(
        Row("HOST_OF_OTHER_FILE_SYSTEM", partial(access.host_of_other_file_system, host, "fs-01234567"), says)
        for host, says in [
            ("fs-01234568.fsx.us-east-1.amazonaws.com", "must be that of fs-01234567, got the one of fs-01234568"),
            ("fs-01234567.fsx.us-east-1.amazonaws.com", None),
            ("lustre.example.com", None),
            ("10.0.0.255", None),
        ]
    ),
    Row("TOO_MANY_TAGS", partial(tag_findings, [(f"t{number}", "") for number in range(51)]), "got 51"),
    Row("TOO_MANY_TAGS", partial(tag_findings, [(f"t{number}", "") for number in range(50)]), None),
    Row("TAG_INVALID", partial(tag_findings, [("aws:team", "vision")]), "'aws:team'"),
    Row("TAG_INVALID", partial(tag_findings, [("aws:team", None)]), "'aws:team': a token"),
    Row("TAG_INVALID", partial(tag_findings, [(None, "a" * 257)]), "got a token: 'aaa"),
    Row("TAG_INVALID", partial(tag_findings, [("team", "vision"), (None, None)]), None),
    Row("SUMMARY_NAME_INVALID", partial(summary_name_invalid, "a-b"), "got 'a-b'"),
    Row("SUMMARY_NAME_INVALID", partial(summary_name_invalid, "Second"), None),
    Row("SUMMARY_TWICE", partial(summary_twice, "Second", taken=True), "got 'Second'"),
    Row("SUMMARY_TWICE", partial(summary_twice, "Second", taken=False), None),
)
