"""`PreloadDocument` and `ReleaseDocument`: move data between S3 and the file system from Systems Manager.

Run one on a node that has the file system mounted:
`aws ssm send-command --document-name <document_name> --targets … --parameters path=/fsx/train,streams=16`. The command
fails when files failed, and goes on where it stopped when it is sent again.
"""

from typing import Any

from aws_cdk import aws_ssm as ssm
from constructs import Construct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.findings import refuse_errors
from epochwise.checks.data_transfer import (
    TRANSFER_STREAMS,
    release_days_out_of_range,
    transfer_streams_out_of_range,
)
from epochwise.checks.lustre_client import mount_path_findings
from epochwise.clients.mount import DEFAULT_PATH
from epochwise.clients.scripts import Script, script_text

LONGEST_RUN_S = 172_800
"""Seconds that Systems Manager lets a script run at most: 48 hours."""
DEFAULT_STREAMS = 8
"""As in AWS's own example of a preload."""
_PATH = {
    "type": "String",
    "allowedPattern": r"^(/[A-Za-z0-9_][A-Za-z0-9._-]*)+$",
}
_NUMBER = {"type": "String", "allowedPattern": "^[0-9]{1,4}$"}


class PreloadDocument(Construct):
    """A command document that brings onto the file system what is in S3 only, side by side and with a bound.

    | attribute | is |
    |---|---|
    | `document_name` | what a command names |
    """

    @arguments_of_their_kind()
    def __init__(
        self, scope: Construct, construct_id: str, *, path: str = DEFAULT_PATH, streams: int = DEFAULT_STREAMS
    ) -> None:
        """Create the document.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            path: folder that is preloaded when a command names none.
            streams: workers when a command says nothing; each has up to 16 files under way.

        Raises:
            ValueError: the path is not absolute or needs quoting, or the streams are too many.
        """
        refuse_errors([*mount_path_findings(path), *transfer_streams_out_of_range(streams)])
        super().__init__(scope, construct_id)
        parameters = {
            "path": {**_PATH, "default": path, "description": "Folder on the file system"},
            "streams": _streams(streams),
        }
        self.document_name = _document(
            self, Script.PRELOAD, "Bring onto the file system what is in S3 only", parameters
        ).ref


class ReleaseDocument(Construct):
    """A command document that frees the space of files whose data is in S3 too; other files stay as they are.

    | attribute | is |
    |---|---|
    | `document_name` | what a command names |
    """

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        path: str = DEFAULT_PATH,
        days: int = 7,
        streams: int = DEFAULT_STREAMS,
    ) -> None:
        """Create the document.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            path: folder that is released when a command names none.
            days: days without access or change; 0 releases at once. Needs a mount with relatime, which is the default.
            streams: workers when a command says nothing.

        Raises:
            ValueError: the path is not absolute or needs quoting, the streams are too many, or the days are negative.
        """
        refuse_errors(
            [
                *mount_path_findings(path),
                *transfer_streams_out_of_range(streams),
                *release_days_out_of_range(days),
            ]
        )
        super().__init__(scope, construct_id)
        parameters = {
            "path": {**_PATH, "default": path, "description": "Folder on the file system"},
            "days": {**_NUMBER, "default": str(days), "description": "Days without access or change"},
            "streams": _streams(streams),
        }
        self.document_name = _document(
            self, Script.RELEASE, "Free the space of files whose data is in S3 too", parameters
        ).ref


def _streams(default: int) -> dict[str, Any]:
    """Return the parameter for how many workers there are."""
    return {
        "type": "String",
        "allowedPattern": "^([1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-6])$",
        "default": str(default),
        "description": f"Workers side by side, {TRANSFER_STREAMS[0]} to {TRANSFER_STREAMS[-1]}",
    }


def _document(scope: Construct, script: Script, description: str, parameters: dict[str, Any]) -> ssm.CfnDocument:
    """Create a command document that runs a script with its parameters, in their order.

    Each parameter's pattern lets nothing through that a shell would read as more than a word.
    """
    shebang, _, body = script_text(script).partition("\n")
    arguments = " ".join(f"'{{{{ {name} }}}}'" for name in parameters)
    return ssm.CfnDocument(
        scope,
        "Resource",
        document_type="Command",
        document_format="JSON",
        target_type="/AWS::EC2::Instance",
        update_method="NewVersion",
        content={
            "schemaVersion": "2.2",
            "description": description,
            "parameters": parameters,
            "mainSteps": [
                {
                    "action": "aws:runShellScript",
                    "name": str(script),
                    "precondition": {"StringEquals": ["platformType", "Linux"]},
                    "inputs": {
                        "timeoutSeconds": str(LONGEST_RUN_S),
                        "runCommand": [shebang, f"set -- {arguments}", *body.splitlines()],
                    },
                }
            ],
        },
    )
