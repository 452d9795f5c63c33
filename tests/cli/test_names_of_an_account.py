"""What names nothing in an account is refused in one sentence, before anybody is asked."""

from pathlib import Path

import pytest

from tests.cli.command_line import GUIDE, called, written

JOB = "arn:aws:sagemaker:eu-west-1:123456789012:training-job/guide-1"
REPORT = "s3://bucket/manifest.json"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["launch", GUIDE, "--stack", ""], "--stack must be the name of a stack, of letters, digits and hyphens, or"),
        (["launch", GUIDE, "--stack", "a b"], "got 'a b'"),
        (["watch", ""], "EXECUTION|JOB must be a training job's name, or the ARN of an execution"),
        (["tune", "", "--file", GUIDE], "JOB must be the name of a training job, of letters, digits and hyphens"),
        (["tune", "arn:foo", "--file", GUIDE], "arn:aws:sagemaker:REGION:ACCOUNT:training-job/NAME, got 'arn:foo'"),
        (["tune", "j", "--file", GUIDE, "--file-system", "foo"], "[FILE_SYSTEM_ID_INVALID]"),
        (["tune", JOB, "--file", GUIDE], "guide-1 is looked for in eu-west-1, and the workload file is planned for"),
        (
            ["tune", "j", "--file", GUIDE, "--region", "eu-west-1"],
            "write region: eu-west-1 into the file, or name a job of us-",
        ),
        (["tune", JOB, "--file", GUIDE, "--region", "us-east-1"], "--region must be the ARN's Region, eu-west-1"),
        (["measure", "s3://bucket/", "--estimate", "--inventory", REPORT], "--estimate and --inventory are two ways"),
        (["measure", "s3://MyBucket/"], "got 's3://MyBucket/'; a bucket's name has no capital letters"),
        (["measure", "s3://ab/"], "a bucket's name has 3 to 63 characters, this one 2"),
        (["measure", "s3://bucket/" + "ü" * 513], "a key has at most 1024 bytes, this one 1026"),
        (["measure", "s3://arn:aws:s3:us-east-1:1:accesspoint/a"], "an access point is not read, name the bucket"),
        (["measure", "s3://bucket/a\nb"], "must be an address such as s3://bucket/prefix/, got"),
    ],
)
def test_it_is_refused_in_one_sentence(arguments: list[str], said: str) -> None:
    done = called(*arguments, AWS_ENDPOINT_URL="http://127.0.0.1:9", AWS_DEFAULT_REGION="us-east-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        ["measure", "s3://bucket/", "--write", "workload.yaml"],
        ["tune", "job", "--file", "workload.yaml", "--write"],
        ["refresh-prices", "--output", "workload.yaml"],
    ],
)
def test_a_read_only_file_is_refused_before_anything_is_asked(command: list[str], tmp_path: Path) -> None:
    file = written(tmp_path)
    file.chmod(0o444)
    arguments = [str(file) if argument == file.name else argument for argument in command]
    done = called(*arguments, AWS_ENDPOINT_URL="http://127.0.0.1:9", AWS_DEFAULT_REGION="us-east-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == f"{file}: cannot be written: the file is read-only; allow it with chmod u+w"


def test_a_prefix_may_hold_spaces(tmp_path: Path) -> None:
    file = written(tmp_path, dataset={"size": "100 GB", "source": "s3://bucket/our data/"})
    assert called("plan", file).returncode == 0
