"""What moto's server is taught of training jobs, of the function that judges them, and of Step Functions.

Training jobs complete at once there, never fail, never collide, find nothing and cannot be stopped. Here a job does
what its hyperparameters say:

| hyperparameter | the job |
|---|---|
| fails_with | fails, with this reason |
| looks | is in progress for so many looks at it |
| forever | is in progress until it is stopped |
| finds | has rules of these names, by commas, with issues found, from the second look on |
| rules_end | has those rules evaluated until this look at it, whether it runs or has ended |
| throttled | has so many looks refused with a throttling error first |

A function runs in a process of its own, out of the archive it was created with, since docker is not at hand. Step
Functions' deep scans return lists, its calls take and give members in upper camel case, and its patterns know no other
mark than `*`, as AWS documents.
"""

import importlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import botocore.session
from botocore.model import Shape
from botocore.validate import ParamValidator
from jsonpath_ng.ext.parser import parse
from moto.awslambda.models import LambdaBackend
from moto.core.responses import ActionResult, EmptyResult
from moto.sagemaker.exceptions import ResourceInUseException, SagemakerClientError, ValidationError
from moto.sagemaker.models import SageMakerModelBackend
from moto.sagemaker.responses import SageMakerResponse
from moto.stepfunctions.parser.asl.component.state.choice.comparison.operator.implementations.string_operators import (
    StringMatches,
)
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service_aws_sdk
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_aws_sdk import (
    StateTaskServiceAwsSdk,
)
from moto.stepfunctions.parser.asl.eval.environment import Environment
from moto.stepfunctions.parser.asl.eval.program_state import ProgramStopped
from moto.stepfunctions.parser.asl.utils import json_path

from tests.deploy.choice_patterns import matches

_create = SageMakerResponse.create_training_job
_create_in_backend = SageMakerModelBackend.create_training_job
_describe = SageMakerModelBackend.describe_training_job
_call = StateTaskServiceAwsSdk._eval_service_task
_extract = json_path.extract_json
_LONGEST_NAME = 63
_looks: Counter[str] = Counter()
_stopped: set[str] = set()
_CALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import importlib
module, _, name = sys.argv[2].rpartition(".")
print(json.dumps(getattr(importlib.import_module(module), name)(json.load(sys.stdin), None)))
"""


class ThrottledError(SagemakerClientError):
    code = "ThrottlingException"


@cache
def _shape_of_request() -> Shape:
    """Return what AWS's own description says of a CreateTrainingJob request."""
    model = botocore.session.get_session().get_service_model("sagemaker")
    return model.operation_model("CreateTrainingJob").input_shape


def _create_whole(response: SageMakerResponse) -> ActionResult:
    """Refuse a request of another shape than AWS describes, and keep what moto would drop of it."""
    report = ParamValidator().validate(json.loads(response.body), _shape_of_request())
    if report.has_errors():
        raise ValidationError(message=report.generate_report())
    answer = _create(response)
    job = response.sagemaker_backend.training_jobs[response._get_param("TrainingJobName")]
    vars(job)["environment"] = response._get_param("Environment")
    vars(job)["debug_rule_configurations"] = response._get_param("DebugRuleConfigurations")
    return answer


def _create_once(backend: SageMakerModelBackend, training_job_name: str, **request: Any) -> Any:
    """Refuse a name that is taken or too long, as SageMaker does."""
    _refuse_long(training_job_name)
    if training_job_name in backend.training_jobs:
        raise ResourceInUseException(message="Training job names must be unique within an account and Region")
    return _create_in_backend(backend, training_job_name=training_job_name, **request)


def _refuse_long(name: str) -> None:
    """Refuse a name that is too long, which SageMaker does whatever is asked about it."""
    if len(name) > _LONGEST_NAME:
        raise ValidationError(
            message="1 validation error detected: Value at 'trainingJobName' failed to satisfy constraint: Member must "
            f"have length less than or equal to {_LONGEST_NAME}"
        )


def _describe_as_told(backend: SageMakerModelBackend, training_job_name: str) -> dict[str, Any]:
    """Answer with the status that the job's hyperparameters ask for."""
    _refuse_long(training_job_name)
    if training_job_name not in backend.training_jobs:
        raise ValidationError(message="Requested resource not found.")
    described = _describe(backend, training_job_name)
    told = described.get("HyperParameters") or {}
    _looks[training_job_name] += 1
    look = _looks[training_job_name]
    throttled, final = int(told.get("throttled", 0)), int(told.get("rules_end", 2))
    if look <= throttled:
        raise ThrottledError("Rate exceeded")
    if told.get("finds"):
        described["ProfilerRuleEvaluationStatuses"] = [
            {"RuleConfigurationName": name, "RuleEvaluationStatus": "IssuesFound" if look >= final else "InProgress"}
            for name in told["finds"].split(",")
        ]
    if training_job_name in _stopped:
        return described | {"TrainingJobStatus": "Stopped", "SecondaryStatus": "Stopped"}
    if "forever" in told or look - throttled <= int(told.get("looks", 0)):
        return described | {"TrainingJobStatus": "InProgress", "SecondaryStatus": "Training"}
    if "fails_with" in told:
        return described | {
            "TrainingJobStatus": "Failed",
            "SecondaryStatus": "Failed",
            "FailureReason": told["fails_with"],
        }
    return described


def _stop(response: SageMakerResponse) -> EmptyResult:
    """Stop a job; one that has ended cannot be stopped."""
    name = response._get_param("TrainingJobName")
    if name not in response.sagemaker_backend.training_jobs:
        raise ValidationError(message="Requested resource not found.")
    _stopped.add(name)
    return EmptyResult()


def _extract_as_aws(path: str, data: Any) -> Any:
    """Return a list for a deep scan, whatever it finds, as Step Functions does."""
    if ".." in path:
        return [match.value for match in parse(path).find(data)]
    return _extract(path, data)


def _call_as_aws(task: StateTaskServiceAwsSdk, *, env: Any, normalised_parameters: Any, **more: Any) -> None:
    """Call an API with its members in upper camel case, and answer so, with text where there is a stream of it."""
    lower = task.resource.api_name == "sfn"
    if lower:
        normalised_parameters = {name[0].lower() + name[1:]: value for name, value in normalised_parameters.items()}
    _call(task, env=env, normalised_parameters=normalised_parameters, **more)
    answer = {
        name[0].upper() + name[1:] if lower else name: value.read().decode() if hasattr(value, "read") else value
        for name, value in env.stack.pop().items()
    }
    env.stack.append(answer)


def _invoke(
    backend: LambdaBackend, function_name: str, qualifier: str | None, body: Any, _headers: Any, answer_headers: Any
) -> bytes:
    """Run the archive's handler in a process of its own, against this very server."""
    function = backend.get_function(function_name, qualifier)
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(io.BytesIO(function.code_bytes)).extractall(folder)
        done = subprocess.run(
            [sys.executable, "-c", _CALL, folder, str(function.handler)],
            input=body if isinstance(body, bytes) else body.encode(),
            env=os.environ
            | function.environment_vars
            | {
                "AWS_ENDPOINT_URL": f"http://localhost:{sys.argv[sys.argv.index('-p') + 1]}",
                "AWS_ACCESS_KEY_ID": "testing",
                "AWS_SECRET_ACCESS_KEY": "testing",
                "AWS_DEFAULT_REGION": backend.region_name,
                "PYTHONPATH": "",
            },
            capture_output=True,
            check=False,
            timeout=60,
        )
    if done.returncode == 0:
        return bytes(done.stdout)
    answer_headers["x-amz-function-error"] = "Unhandled"
    return json.dumps({"errorType": "Exception", "errorMessage": done.stderr.decode()[-2000:]}).encode()


_set_error = Environment.set_error


def _err_unless_stopped(environment: Environment, error: Any) -> None:
    """Let an execution that was stopped between two states stay stopped: moto takes its next step for an error."""
    if not isinstance(environment.program_state(), ProgramStopped):
        _set_error(environment, error)


def _matches(variable: Any, pattern: str) -> bool:
    """Take no character but `*` for a mark, where moto takes those of file names."""
    return isinstance(variable, str) and matches(pattern, variable)


_TAUGHT: list[tuple[type, str, Callable[..., Any]]] = [
    (Environment, "set_error", _err_unless_stopped),
    (StringMatches, "_compare", staticmethod(_matches)),
    (SageMakerResponse, "create_training_job", _create_whole),
    (SageMakerResponse, "stop_training_job", _stop),
    (SageMakerModelBackend, "create_training_job", _create_once),
    (SageMakerModelBackend, "describe_training_job", _describe_as_told),
    (LambdaBackend, "invoke", _invoke),
    (StateTaskServiceAwsSdk, "_eval_service_task", _call_as_aws),
]


def teach() -> None:
    """Change moto's classes in this process."""
    for owner, method, taught in _TAUGHT:
        setattr(owner, method, taught)
    # how Step Functions spells services in the names of errors
    names = {"sagemaker": "SageMaker", "sns": "Sns", "lambda": "Lambda"}
    state_task_service_aws_sdk._SERVICE_ERROR_NAMES.update(names)
    # the interpreter's modules took the function by its name when they were loaded, which loads all of them
    importlib.import_module("moto.stepfunctions.parser.models")
    for module in list(sys.modules.values()):
        if getattr(module, "extract_json", None) is _extract:
            vars(module)["extract_json"] = _extract_as_aws
