"""Moto's server, taught what it lacks for a preflight: quotas, training plans, who pays, file systems' interfaces.

A quota is what `request_service_quota_increase` was told last, at once; until then it has AWS's default, and
`list_service_quotas` leaves it out where the service is SageMaker, as Service Quotas may.
"""

import json
from typing import Any

from moto.cloudformation.models import Stack, cloudformation_backends
from moto.core.base_backend import BackendDict, BaseBackend
from moto.ec2.models import ec2_backends
from moto.fsx.models import FileSystem, fsx_backends
from moto.kms.models import kms_backends
from moto.moto_api._internal.responses import MotoAPIResponse
from moto.s3.models import s3_backends
from moto.s3.responses import S3Response
from moto.sagemaker.exceptions import ResourceNotFound
from moto.sagemaker.models import sagemaker_backends
from moto.sagemaker.responses import SageMakerResponse
from moto.server import main
from moto.servicequotas.models import servicequotas_backends
from moto.servicequotas.responses import ServiceQuotasResponse

from epochwise.catalog.data_file import load

TYPES = ("ml.p4d.24xlarge", "ml.p4de.24xlarge", "ml.g5.48xlarge", "ml.m5.xlarge")
_FSX_DEFAULTS = {"GiB": 100800, "file systems": 100, "MB/s": 100000}
_TRAINING = load("service_quotas")["training"]


def defaults(service: str) -> list[dict[str, Any]]:
    """Return AWS's default quotas of a service, as far as it is taught."""
    if service == "fsx":
        groups = load("service_quotas")["file_system"]
        rows = [*groups["storage"].values(), *groups["count"].values()]
        rows += [groups[name] for name in ("hdd", "tiering_throughput", "tiering_read_cache")]
        return [_quota(service, row["name"], row["code"], _FSX_DEFAULTS[row["unit"]]) for row in rows]
    names = [_TRAINING[key].format(type=name) for key in ("type", "spot_type", "warm_pool") for name in TYPES]
    limits = {_TRAINING[key]: 20 for key in ("one_job", "one_spot_job", "all_jobs", "all_spot_jobs")}
    limits[_TRAINING["runtime"]] = 432_000
    limits |= dict.fromkeys(names, 0)
    return [_quota(service, name, f"L-{place:08X}", limit) for place, (name, limit) in enumerate(limits.items())]


def _quota(service: str, name: str, code: str, value: float) -> dict[str, Any]:
    return {"ServiceCode": service, "QuotaName": name, "QuotaCode": code, "Value": float(value)}


def _kept(backend: BaseBackend, name: str) -> dict[Any, Any]:
    """Return what is kept on moto's backend, so that a reset forgets it."""
    kept: dict[Any, Any] = vars(backend).setdefault(name, {})
    return kept


def list_aws_default_service_quotas(self: ServiceQuotasResponse) -> str:
    return json.dumps({"Quotas": defaults(json.loads(self.body)["ServiceCode"])})


def list_service_quotas(self: ServiceQuotasResponse) -> str:
    service, raised = json.loads(self.body)["ServiceCode"], _kept(self.backend, "raised")
    quotas = [each | {"Value": raised.get(each["QuotaCode"], each["Value"])} for each in defaults(service)]
    return json.dumps({"Quotas": [each for each in quotas if service == "fsx" or each["QuotaCode"] in raised]})


def request_service_quota_increase(self: ServiceQuotasResponse) -> str:
    asked = json.loads(self.body)
    _kept(self.backend, "raised")[asked["QuotaCode"]] = float(asked["DesiredValue"])
    return json.dumps({"RequestedQuota": {"QuotaCode": asked["QuotaCode"], "Status": "APPROVED"}})


def create_training_plan(self: SageMakerResponse) -> str:
    """Keep a plan; its tags say what its offering would."""
    asked = json.loads(self.body)
    tags = {tag["Key"]: tag["Value"] for tag in asked["Tags"]}
    name = asked["TrainingPlanName"]
    arn = f"arn:aws:sagemaker:us-east-1:123456789012:training-plan/{name}"
    _kept(self.sagemaker_backend, "plans")[name] = {
        "TrainingPlanArn": arn,
        "TrainingPlanName": name,
        "Status": tags["Status"],
        "TotalInstanceCount": int(tags["Nodes"]),
        "TargetResources": [tags["Target"]],
        "ReservedCapacitySummaries": [
            {
                "ReservedCapacityArn": arn,
                "InstanceType": tags["Type"],
                "TotalInstanceCount": int(tags["Nodes"]),
                "Status": "Active",
                "AvailabilityZone": tags["Zone"],
            }
        ],
    }
    return json.dumps({"TrainingPlanArn": arn})


def describe_training_plan(self: SageMakerResponse) -> Any:
    name = json.loads(self.body)["TrainingPlanName"]
    plan = _kept(self.sagemaker_backend, "plans").get(name)
    if plan is None:
        raise ResourceNotFound(message=f"Training plan {name} does not exist")
    return json.dumps(plan)


_told_of_bucket = S3Response._bucket_response
_described = FileSystem.to_dict
_completed = Stack.mark_creation_complete


def bucket_response(self: S3Response, request: Any, full_url: str) -> Any:
    """Answer who pays for requests, which moto does not keep."""
    if "requestPayment" not in request.args:
        return _told_of_bucket(self, request, full_url)
    paid, bucket = _kept(self.backend, "paid"), request.path.strip("/")
    if request.method == "PUT":
        paid[bucket] = "Requester" if b"Requester" in request.data else "BucketOwner"
        return 200, {}, ""
    payer = paid.get(bucket, "BucketOwner")
    return 200, {}, f"<RequestPaymentConfiguration><Payer>{payer}</Payer></RequestPaymentConfiguration>"


def file_system(self: FileSystem) -> dict[str, Any]:
    """Describe a file system with its VPC and one network interface, which has its groups."""
    ec2 = ec2_backends[self.backend.account_id][self.backend.region_name]
    described = _described(self)
    tags = {tag["Key"]: tag["Value"] for tag in described.get("Tags", [])}
    subnet = next((each for each in ec2.describe_subnets() if each.id in self.subnet_ids), None)
    if subnet is None:
        return described | {"Lifecycle": "AVAILABLE"}
    interfaces = vars(self).setdefault("interfaces", [])
    if not interfaces:
        interfaces.append(ec2.create_network_interface(subnet, [], group_ids=self.security_group_ids).id)
    failed = {"FailureDetails": {"Message": tags["Failure"]}} if "Failure" in tags else {}
    more = {"Lifecycle": "FAILED" if failed else "AVAILABLE", "VpcId": subnet.vpc_id, "NetworkInterfaceIds": interfaces}
    return described | more | failed


def complete(self: Stack) -> None:
    """End the creation of a stack, which fails where a tag says with what."""
    failure = (self.tags or {}).get("Failure")
    if failure is None:
        _completed(self)
        return
    self.status = "ROLLBACK_COMPLETE"
    for resource, reason in (("FileSystem", failure), ("Link", "Resource creation cancelled")):
        self._add_stack_event("CREATE_FAILED", reason)
        self.events[-1].logical_resource_id = resource
    self._add_stack_event("ROLLBACK_COMPLETE")


def reset(*_: Any, **__: Any) -> tuple[int, dict[str, str], str]:
    """Forget what tests make, but for EC2 and SSM, which take a second to fill again and where tests share nothing."""
    backends: list[BackendDict[Any]] = [
        cloudformation_backends,
        fsx_backends,
        kms_backends,
        s3_backends,
        sagemaker_backends,
        servicequotas_backends,
    ]
    for backend_dict in backends:
        for of_account in backend_dict.values():
            for backend in of_account.values():
                backend.reset()
    return 200, {}, "{}"


def no_refusal(*_: object) -> list[str]:
    """Find nothing to refuse: the security groups of the stacks here are named, and nobody made them."""
    return []


TAUGHT: list[tuple[type, str, Any]] = [
    (ServiceQuotasResponse, "list_aws_default_service_quotas", list_aws_default_service_quotas),
    (ServiceQuotasResponse, "list_service_quotas", list_service_quotas),
    (ServiceQuotasResponse, "request_service_quota_increase", request_service_quota_increase),
    (SageMakerResponse, "create_training_plan", create_training_plan),
    (SageMakerResponse, "describe_training_plan", describe_training_plan),
    (S3Response, "_bucket_response", bucket_response),
    (FileSystem, "to_dict", file_system),
    (Stack, "mark_creation_complete", complete),
    (MotoAPIResponse, "reset_response", reset),
]

if __name__ == "__main__":
    import tests.deploy.taught_fsx
    import tests.deploy.taught_moto  # CloudFormation with FSx

    for owner, method, taught in [*TAUGHT, (tests.deploy.taught_fsx, "_of_lnet", no_refusal)]:
        setattr(owner, method, taught)
    main()
