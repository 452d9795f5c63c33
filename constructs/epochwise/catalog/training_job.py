"""Limits of SageMaker's CreateTrainingJob, and who sets each of its fields."""

from typing import Any

from epochwise.catalog.data_file import load

_TABLE = load("training_job")

BOTOCORE: str = _TABLE["botocore"]
"""The version of AWS's SDK whose CreateTrainingJob the request is made for."""
DEFAULT_RUNTIME_S: int = _TABLE["default_runtime_s"]
"""Seconds after which a job is stopped that says nothing."""
DEFAULT_QUOTA_RUNTIME_S: int = _TABLE["default_quota_runtime_s"]
"""Seconds that an account may ask for before AWS has raised its quota (assumed)."""
MAX_RUNTIME_S: int = _TABLE["max_runtime_s"]
"""Seconds that no job may exceed."""
MAX_HYPERPARAMETERS: int = _TABLE["max_hyperparameters"]
MAX_HYPERPARAMETER_LENGTH: int = _TABLE["max_hyperparameter_length"]
"""Characters of one hyperparameter's value."""
MAX_ENVIRONMENT: int = _TABLE["max_environment"]
"""Variables of the container's environment."""
MAX_KEEP_ALIVE_S: int = _TABLE["max_keep_alive_s"]
"""Seconds that the API lets nodes wait in a warm pool."""
DOCUMENTED_KEEP_ALIVE_S: int = _TABLE["documented_keep_alive_s"]
"""Seconds up to which AWS's guide describes warm pools."""
STATE_PAYLOAD_BYTES: int = _TABLE["state_payload_bytes"]
"""Bytes that one state of a state machine takes in or gives out."""

PASSED_THROUGH = "request"
EXCLUDED = "excluded: "
MEMBERS: dict[str, str] = _TABLE["members"]
"""Field of CreateTrainingJob, such as ResourceConfig.InstanceType, to the option that sets it, `PASSED_THROUGH`, or
`EXCLUDED` and the reason why no request with nodes and an image can have it."""
APPENDED: dict[str, str] = _TABLE["appended"]
"""Lists that `training.request` may add entries to, by the member that names an entry."""
SHAPES: dict[str, Any] = load("training_request_shapes")["shapes"]
"""Field that `training.request` passes through to its shape: the name of a type, a list of one shape, `{"*": shape}`
for a map, or members by name, with `!` after those that AWS requires."""
