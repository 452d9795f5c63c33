import pytest

from epochwise.checks.training_image import EcrImage

ECR = "763104351884.dkr.ecr.us-east-1.amazonaws.com"


@pytest.mark.parametrize(
    ("uri", "image"),
    [
        (f"{ECR}/pytorch-training:2.3.0-gpu", EcrImage("us-east-1", "pytorch-training", "2.3.0-gpu")),
        (f"{ECR}/team/image", EcrImage("us-east-1", "team/image", "")),
        (f"{ECR}/image@sha256:{'0' * 64}", EcrImage("us-east-1", "image", "")),
        ("123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/image:1", EcrImage("cn-north-1", "image", "1")),
        ("123456789012.dkr.ecr-fips.us-east-1.amazonaws.com/image:1", EcrImage("us-east-1", "image", "1")),
        ("123456789012.dkr-ecr.us-east-1.on.aws/image:1", EcrImage("us-east-1", "image", "1")),
        ("public.ecr.aws/team/image:1", None),
        ("image:1", None),
    ],
)
def test_an_image_is_read_from_its_uri(uri: str, image: EcrImage | None) -> None:
    assert EcrImage.parse(uri) == image


@pytest.mark.parametrize(
    ("tag", "version"),
    [("2.3.0-gpu", "2.3.0"), ("v2.3-gpu", "2.3"), ("2", None), ("latest", None), ("2.3.0.1", None), ("", None)],
)
def test_a_version_is_read_from_the_start_of_a_tag(tag: str, version: str | None) -> None:
    assert EcrImage("us-east-1", "image", tag).version == version
