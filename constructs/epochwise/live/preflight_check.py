"""One check of a preflight: when it applies, what it looks at, and how to look by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from epochwise.checks.preflight import Preflight, Verdict
from epochwise.live.failure import (
    AwsError,
    NoCredentialsError,
    NotAllowedError,
    NotFoundError,
    RefusedError,
)
from epochwise.live.preflight_subject import CannotTellError, Subject


def always(_: Subject) -> bool:
    """Tell that a check applies to everything."""
    return True


@dataclass(frozen=True)
class Check:
    """A question to an account."""

    id: str
    look: Callable[[Subject], Preflight]
    """Ask and judge; raises what AWS fails with."""
    by_hand: Callable[[Subject], tuple[str, ...]]
    """Commands that look at the same thing."""
    applies: Callable[[Subject], bool] = always
    offline: bool = False
    """Whether it asks nobody."""

    def made(self, subject: Subject) -> Preflight:
        """Make the check, whatever becomes of it.

        Raises:
            NoCredentialsError: nothing can be asked at all.
        """
        try:
            result = self.look(subject)
        except NoCredentialsError:
            raise
        except NotAllowedError as error:
            result = Preflight(
                self.id,
                Verdict.SKIP,
                f"{error.permission} is not allowed",
                instead=f"allow {error.permission} to whoever runs this, or look by hand",
                permission=error.permission,
            )
        except CannotTellError as error:
            result = Preflight(self.id, Verdict.SKIP, str(error))
        except (NotFoundError, RefusedError) as error:
            result = Preflight(self.id, Verdict.FAIL, str(error))
        except AwsError as error:
            result = Preflight(self.id, Verdict.SKIP, str(error), unanswered=True)
        return replace(result, by_hand=self.by_hand(subject))
