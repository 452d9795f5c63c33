"""What the history of an execution says of its job: its name, what was found, what the last evaluation came to.

The states of the machine carry `job`, `told` and `evaluation` from one to the next, and each finding that is told is
a call of SNS whose message is the finding. So the newest events say all but the findings, and which of these there are.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from epochwise.following.run import ToldFinding

Event = Mapping[str, Any]
"""One event of GetExecutionHistory."""


@dataclass(frozen=True)
class History:
    """What is known of an execution's history so far."""

    last_event: int = 0
    """Id of the newest event that was read."""
    job: str | None = None
    told: frozenset[str] = frozenset()
    """Ids of the findings that were told, as the machine remembers them."""
    findings: Mapping[str, ToldFinding] = field(default_factory=dict)
    """By their ids."""
    verdicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether the job and every finding that was told are known."""
        return self.job is not None and self.told <= set(self.findings)

    @property
    def in_order(self) -> tuple[ToldFinding, ...]:
        """The findings, oldest first."""
        return tuple(sorted(self.findings.values(), key=lambda finding: (finding.time, finding.id)))


def with_events(history: History, events: Iterable[Event], *, newer: bool) -> History:
    """Return a history with a page of events, newest first.

    Args:
        history: what is known.
        events: some events, the newest first.
        newer: whether they may be newer than what is known; older ones only complete it.
    """
    read = History()
    for event in events:
        read = _with_event(read, event)
    newest, oldest = (read, history) if newer else (history, read)
    return History(
        last_event=max(history.last_event, read.last_event),
        job=newest.job or oldest.job,
        told=history.told | read.told,
        findings={**oldest.findings, **newest.findings},
        verdicts=newest.verdicts or oldest.verdicts,
    )


def _with_event(read: History, event: Event) -> History:
    """Add one event that is older than those before it."""
    read = replace(read, last_event=max(read.last_event, int(event.get("id", 0))))
    scheduled = event.get("taskScheduledEventDetails") or {}
    if scheduled:
        return _with_call(read, str(scheduled.get("resource")), _object(scheduled.get("parameters")))
    for details, member in (("stateEnteredEventDetails", "input"), ("stateExitedEventDetails", "output")):
        state = _object((event.get(details) or {}).get(member))
        if state:
            return _with_state(read, state)
    return read


def _with_call(read: History, action: str, parameters: Mapping[str, Any]) -> History:
    """Add the call of an API."""
    if action == "createTrainingJob":
        return replace(read, job=read.job or _text(parameters.get("TrainingJobName")))
    finding = _finding(_object(parameters.get("Message"))) if action == "publish" else None
    if finding is None:
        return read
    # told again, since telling failed before: the newer one counts
    return replace(read, findings={finding.id: finding, **read.findings})


def _with_state(read: History, state: Mapping[str, Any]) -> History:
    """Add what a state was given or gave."""
    told = state.get("told")
    if isinstance(told, list):
        read = replace(read, told=read.told | {each for each in told if isinstance(each, str)})
    answer = state.get("evaluation")
    answer = answer.get("answer") if isinstance(answer, dict) else None
    reasons = answer.get("reasons") if isinstance(answer, dict) else None
    if isinstance(reasons, dict) and not read.verdicts:
        read = replace(read, verdicts={str(rule): str(reason) for rule, reason in reasons.items()})
    return replace(read, job=read.job or _text(state.get("job")))


def _finding(message: Mapping[str, Any]) -> ToldFinding | None:
    """Read a finding as it is told; None where it is something else."""
    texts = {name: _text(message.get(name)) for name in ("rule", "source", "level", "message", "fix", "time")}
    if None in texts.values():
        return None
    evidence = message.get("evidence")
    return ToldFinding(
        **{name: text for name, text in texts.items() if text is not None},
        evidence=evidence if isinstance(evidence, dict) else {},
    )


def _object(content: object) -> Mapping[str, Any]:
    """Return an object that is JSON, an empty one for everything else."""
    if not isinstance(content, str):
        return {}
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str | None:
    """Return a text, None for everything else."""
    return value if isinstance(value, str) else None
