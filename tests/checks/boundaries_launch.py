"""Boundaries of what an execution of a deployed job may ask for."""

from functools import partial

from epochwise.checks.launch import (
    execution_name_invalid,
    job_name_invalid,
    launch_image_not_deployed,
    launch_needs_deploy,
    launch_shape_not_deployed,
)
from tests.checks.boundaries import Row

REPOSITORY = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training"
SHAPES = {"ml.p4d.24xlarge": "2 to 3 or 5", "ml.p5.48xlarge": "2"}
CHANGES: list[tuple[dict[str, tuple[object, object]], str | None]] = [
    ({"epoch.count": (90, 1)}, "epoch.count is 1 here and 90 deployed"),
    ({"checkpoint.keep": (None, 2)}, "checkpoint.keep is 2 here and not declared deployed"),
    ({}, None),
]

ROWS = (
    *(Row("LAUNCH_NEEDS_DEPLOY", partial(launch_needs_deploy, changes), says) for changes, says in CHANGES),
    *(
        Row("LAUNCH_SHAPE_NOT_DEPLOYED", partial(launch_shape_not_deployed, nodes, name, SHAPES), says)
        for nodes, name, says in [
            (1, "ml.p4d.24xlarge", "asks for 1 ml.p4d.24xlarge"),
            (2, "ml.p4d.24xlarge", None),
            (3, "ml.p4d.24xlarge", None),
            (4, "ml.p4d.24xlarge", "asks for 4 ml.p4d.24xlarge"),
            (5, "ml.p4d.24xlarge", None),
            (6, "ml.p4d.24xlarge", "2 to 3 or 5 ml.p4d.24xlarge, 2 ml.p5.48xlarge"),
            (2, "ml.p4de.24xlarge", "asks for 2 ml.p4de.24xlarge"),
        ]
    ),
    *(
        Row("LAUNCH_IMAGE_NOT_DEPLOYED", partial(launch_image_not_deployed, image, deployed), says)
        for image, deployed, says in [
            (f"{REPOSITORY}:2.4.0", f"{REPOSITORY}:2.3.0", None),
            (f"{REPOSITORY}@sha256:0", f"{REPOSITORY}:2.3.0", None),
            (f"{REPOSITORY}-arm:2.3.0", f"{REPOSITORY}:2.3.0", f"{REPOSITORY}-arm:2.3.0"),
            (REPOSITORY, f"{REPOSITORY}:2.3.0", "with any tag or digest"),
            (REPOSITORY, REPOSITORY, None),
            ("docker.io/image:2", "docker.io/image:1", "docker.io/image:1 only"),
            ("docker.io/image:1", "docker.io/image:1", None),
        ]
    ),
    *(
        Row("EXECUTION_NAME_INVALID", partial(execution_name_invalid, name), says)
        for name, says in [
            ("a", None),
            ("x" * 80, None),
            ("x" * 81, "got 'xxx"),
            ("", "got ''"),
            ("spring 1", "got 'spring 1'"),
            ("spring:1", "got 'spring:1'"),
            ("frühling", "got 'frühling'"),
        ]
    ),
    *(
        Row("JOB_NAME_INVALID", partial(job_name_invalid, name, "guide"), says)
        for name, says in [
            ("guide-1", None),
            ("guide-" + "x" * 57, None),
            ("guide-" + "x" * 58, "at most 63"),
            ("guide-", "got 'guide-'"),
            ("guide-1-", "got 'guide-1-'"),
            ("other-1", "must begin with guide-"),
            ("guide-1_2", "got 'guide-1_2'"),
        ]
    ),
)
