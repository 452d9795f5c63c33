"""How one file system takes the place of another without a loss of data."""

from epochwise.sizing.candidate import Candidate


def replacement_steps(file_system_id: str, there: Candidate, label: str, *, linked: bool) -> tuple[str, ...]:
    """Return the steps, in order: the old file system goes last, once a job has trained on the new one.

    A backup is no way: FSx restores one to its own storage capacity alone. Source: FSx API,
    CreateFileSystemFromBackup; User Guide, data-repository-tasks and preload-file-contents-hsm-dra.

    Args:
        file_system_id: the one that is replaced.
        there: the same.
        label: the one that replaces it.
        linked: whether the workload's dataset lies in S3.
    """
    scratch = " (a scratch file system has no backup)" if there.deployment_type.is_scratch else ""
    if linked:
        save = (
            f"export what only {file_system_id} holds, such as checkpoints, to S3: a data repository task "
            f"EXPORT_TO_REPOSITORY, until its status is SUCCEEDED{scratch}; the dataset is in S3 already"
        )
        fill = "link the same bucket to it and preload the dataset before training (epochwise.cdk.PreloadDocument)"
    else:
        save = (
            f"keep {file_system_id} as it is, so that nothing is lost on the way{scratch}; a backup restores to its "
            "own storage capacity only, so the data is copied"
        )
        fill = (
            "mount both on one node and copy everything, then compare names and sizes: rsync -a twice, the second time "
            "with --dry-run and no file left"
        )
    delete = f"aws fsx delete-file-system --file-system-id {file_system_id}"
    return (
        f"let jobs that write to {file_system_id} end, and start no others",
        save,
        f"create {label} beside it, under a new construct id, so that CloudFormation leaves the old one alone",
        fill,
        "train on the new one and run epochwise tune on that job",
        f"only then delete the old one ({delete}); until then both are paid",
    )
