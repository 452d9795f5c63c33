"""What single checks may lack, each by name and with the reason; an entry that is no longer true fails the tests."""

ONE_SIDED = {
    "needs a plan's numbers, which a construct is given as a size and does not compute; the stacks show them": {
        "advice",
        "feasibility",
        "sizing",
    },
    "cannot happen in a plan, which takes its candidates from catalog.legality": {
        "file_system",
        "file_system_metadata",
        "file_system_region",
        "read_cache",
    },
    "judges settings of a file system that a workload does not have": {
        "bucket_link",
        "file_system_backups",
        "file_system_logs",
        "file_system_schedule",
        "file_system_tags",
        "file_system_version",
        "file_system_watch",
        "import_path",
    },
    "judges what stands in the app around the construct": {
        "construct_place",
        "encryption_key",
        "file_system_access",
        "file_system_path",
        "given_subnet",
        "interface_endpoint",
        "job_placement",
        "job_telling",
        "linked_bucket",
        "node_image",
        "node_launch",
        "plan_summary",
        "same_environment",
        "same_vpc",
        "security_group",
        "vpc",
        "zone",
    },
    "judges how a file system is mounted and used, which a workload does not say": {
        "data_transfer",
        "lustre_client",
        "user_data",
    },
    "is asked by `epochwise batch` alone": {"batch_plan"},
    "repeats for an argument what the workload's own model refuses; the plan rejects what has no room by `addresses`": {
        "network",
        "subnet",
    },
    "judges arguments of the state machine that a workload does not have": {"running_job"},
    "judges resources that neither a plan nor a construct of this library made": {"plain_resources"},
    "judges the request as it is printed, which neither a plan nor a construct does": {"emitted_request"},
    "judges what an execution asks of a state machine that is deployed": {"launch"},
    "judges what only a look at the account shows": {
        "bucket_policy",
        "deployed_stack",
        "described_type",
        "existing_file_system",
        "linked_objects",
        "quota",
        "regional_service",
        "reserved_plan",
        "security_group_rules",
        "zone_offerings",
    },
    "judges a template as a whole, once it is written": {"template_limits"},
    "judges a template that is deployed, which neither a plan nor a construct knows": {"update"},
    "judges what was measured in a bucket, and when, by a day that a construct must not ask for": {"measurement"},
    "judges a job that ran, which neither a plan nor a construct knows": {"tuning", "tuning_refusals"},
}
"""Modules with checks that the plan and the request alone call, or the constructs alone, or neither."""

UNSOURCED = {
    "is a rule of this library, not of AWS": {
        "ACKNOWLEDGEMENT_MATCHES_NOTHING",
        "BATCH_HYPERPARAMETERS_KEPT",
        "BATCH_NOT_DECLARED",
        "BATCH_SAMPLES_UNKNOWN",
        "CONSTRUCT_OF_WRONG_KIND",
        "DESTROY_NOT_ALLOWED",
        "EC2_HAS_NO_JOB",
        "EXECUTION_VARIABLE_RESERVED",
        "FILES_NOT_DECLARED",
        "FILE_SYSTEM_SERVERS_NEGATIVE",
        "INSTANCE_TYPE_NEVER_ALLOWED",
        "INSTANCE_TYPE_UNKNOWN",
        "LAUNCH_IMAGE_NOT_DEPLOYED",
        "LAUNCH_NEEDS_DEPLOY",
        "LAUNCH_SHAPE_NOT_DEPLOYED",
        "MAX_NODES_BELOW_DECLARED",
        "MEASUREMENT_IN_FUTURE",
        "MEASUREMENT_OLD",
        "MONTHLY_USD_NEGATIVE",
        "NEW_VPC_ARGUMENTS",
        "NODES_NOT_POSITIVE",
        "NOTHING_FEASIBLE",
        "NO_TRAINING_DECLARED",
        "PLAN_OF_OTHER_FILE_SYSTEM",
        "PRICE_OF_ANOTHER_REGION",
        "RELEASE_DAYS_OUT_OF_RANGE",
        "REQUEST_OVERWRITES",
        "SCRATCH_NOT_CONSIDERED",
        "SETTING_OF_WRONG_KIND",
        "SIZE_NOT_ALONE",
        "STEP_NEGATIVE",
        "STOP_ON_NOT_WATCHED",
        "STORAGE_CEILING_UNKNOWN",
        "SUBNET_GIVEN_TWICE",
        "SUMMARY_TWICE",
        "TOO_MANY_SHAPES",
        "TUNE_FILE_SYSTEM_UNKNOWN",
        "TUNE_NOT_LUSTRE",
        "WARMUP_STEPS_UNKNOWN",
        "WATCH_BEYOND_LOOKBACK",
        "WATCH_NOT_EVALUATED",
        "WATCH_WITHOUT_JOB",
    },
    "compares two declared numbers": {"BATCH_ABOVE_DATASET"},
    "compares what was declared with what was measured": {
        "TUNE_CHECKPOINTS_UNDECLARED",
        "TUNE_CLUSTER_DIFFERS",
        "TUNE_DATASET_UNRECOGNISED",
        "TUNE_PINS_LIFTED",
        "TUNE_TOO_SHORT",
    },
    "compares the plan's own numbers": {"BIGGER_TIER", "COMPUTE_BINDS", "PAGE_CACHE_COUNTED"},
    "says itself that AWS publishes nothing": {
        "HYDRATION_ASSUMED",
        "METADATA_RATE_ASSUMED",
        "NETWORK_ISOLATION_FILE_SYSTEM",
        "RUN_ABOVE_DEFAULT_QUOTA",
    },
    "follows from the house's one zone": {"NAT_GATEWAYS_OUT_OF_RANGE"},
}
"""Ids without `Source:` in the docstring."""

DECIDED_BY_CALLER = {
    "existing_file_system reads the description; tests/tuning/test_existing_file_system.py has both sides": {
        "TUNE_FILE_SYSTEM_UNKNOWN",
        "TUNE_NOT_LUSTRE",
    },
    "the construct asks its node's context; tests/cdk/test_training_file_system.py has both sides": {
        "DESTROY_NOT_ALLOWED"
    },
    "epochwise request prints the request and calls it then; tests/cli/test_request.py has both sides": {
        "REQUEST_NEEDS_RECENT_SDK"
    },
    "job_shapes tries every number of nodes first; tests/cdk/test_training_job_states.py has both sides": {
        "INSTANCE_TYPE_NEVER_ALLOWED"
    },
    "policy/ compares two resources first; tests/policy/test_violations.py has both sides": {
        "RETAINED_WITHOUT_ITS_GROUP"
    },
    "the plugin looks for what matches first; tests/cdk/test_epochwise_checks.py has both sides": {
        "ACKNOWLEDGEMENT_MATCHES_NOTHING"
    },
}
"""Ids without a silent side in the boundaries."""
