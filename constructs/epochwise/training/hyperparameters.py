"""The job's hyperparameters: the user's own and those that steer the toolkit in the image."""

import json

from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.distribution import distribution_hyperparameters
from epochwise.training.learning_rate import LearningRate

_CONTAINER_LOG_LEVEL = 20
"""Python's INFO, as the SDK sends it."""


def hyperparameters(job: DeclaredJob, *, job_name: str, region: str) -> dict[str, str]:
    """Return every hyperparameter as CreateTrainingJob takes it: each value encoded as JSON.

    So a number stays as it is and a string comes in quotes, which the toolkit in AWS's images takes off again. Source:
    sagemaker 2.257.7, whose framework estimators encode this way. Without an entry point the keys that name a script
    are left out, and the image runs its own. What `training.batch` derives gives way to the user's own.
    """
    training = job.training
    learning_rate = LearningRate.of(job)
    given = {} if learning_rate is None else learning_rate.hyperparameters
    given |= training.hyperparameters
    if training.entry_point is not None:
        given |= {"sagemaker_program": training.entry_point, "sagemaker_submit_directory": training.source}
    given |= {
        "sagemaker_container_log_level": _CONTAINER_LOG_LEVEL,
        "sagemaker_job_name": job_name,
        "sagemaker_region": region,
    }
    given |= distribution_hyperparameters(job)
    return {key: json.dumps(value) for key, value in given.items()}
