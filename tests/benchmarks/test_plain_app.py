"""What the benchmarks compare is the same."""

from pathlib import Path

from benchmarks.run import PLAIN_APP, REFERENCE_APP, same_resource_types


def test_the_reference_app_and_the_one_by_hand_have_the_same_resources(tmp_path: Path) -> None:
    types = same_resource_types({app: tmp_path / app[0] for app in (REFERENCE_APP, PLAIN_APP)})
    assert types["AWS::FSx::FileSystem"] == 1
    assert types["AWS::StepFunctions::StateMachine"] == 2
