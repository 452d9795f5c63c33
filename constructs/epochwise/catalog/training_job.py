"""Limits of SageMaker's CreateTrainingJob."""

from epochwise.catalog.data_file import load

_TABLE = load("training_job")

DEFAULT_RUNTIME_S: int = _TABLE["default_runtime_s"]
"""Seconds after which a job is stopped that says nothing."""
DEFAULT_QUOTA_RUNTIME_S: int = _TABLE["default_quota_runtime_s"]
"""Seconds that an account may ask for before AWS has raised its quota (assumed)."""
MAX_RUNTIME_S: int = _TABLE["max_runtime_s"]
"""Seconds that no job may exceed."""
MAX_HYPERPARAMETERS: int = _TABLE["max_hyperparameters"]
MAX_HYPERPARAMETER_LENGTH: int = _TABLE["max_hyperparameter_length"]
"""Characters of one hyperparameter's value."""
