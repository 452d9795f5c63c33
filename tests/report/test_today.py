"""Which day a report is of."""

from datetime import UTC, date, datetime

import pytest

from epochwise.report.today import today


@pytest.mark.parametrize(
    ("seconds", "day"),
    [("0", date(1970, 1, 1)), ("86399", date(1970, 1, 1)), ("86400", date(1970, 1, 2)), ("-1", date(1969, 12, 31))],
)
def test_the_environment_sets_the_day(seconds: str, day: date) -> None:
    assert today({"SOURCE_DATE_EPOCH": seconds}) == day


@pytest.mark.parametrize("environment", [{}, {"SOURCE_DATE_EPOCH": ""}])
def test_without_it_the_clock_does(environment: dict[str, str]) -> None:
    before = datetime.now(tz=UTC).date()
    assert before <= today(environment) <= datetime.now(tz=UTC).date()


@pytest.mark.parametrize("seconds", ["soon", "1.5", "9" * 30, "9" * 5000])
def test_what_is_no_number_of_seconds_is_refused(seconds: str) -> None:
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH must be a whole number of seconds since 1970, got '"):
        today({"SOURCE_DATE_EPOCH": seconds})
