"""A tuning as it is read: what was measured beside what was predicted, and what to do."""

from collections.abc import Iterator
from datetime import date

from epochwise.declaration.quantity_text import rate_text, seconds_text, size_text
from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Row, Table, Tone, content
from epochwise.report.plan_remarks import price_remarks
from epochwise.tuning.comparison import ComparedCeiling, ComparedFigure
from epochwise.tuning.recommendation import Option, Verdict, Way
from epochwise.tuning.tuned import Tuning, option_steps

_CAUSES = {
    "preprocessing": "preprocessing on the nodes' CPUs",
    "compute": "computing",
    "checkpoint": "writing checkpoints",
    "one server": "one server that got more than its part",
    "other": "what no metric here shows, such as evaluation, linked data that arrives from S3, or nodes that wait for "
    "each other",
    "unknown": "what cannot be told without metrics of accelerators",
    "network": "the file system's network",
    "disk": "the file system's disks",
    "client": "what the nodes can take from the file system's servers",
    "metadata": "file opens",
    "write": "the file system's writes",
}


def tuning_content(tuning: Tuning, today: date) -> Content:
    """Return what a tuning says; `today` decides how old its prices are."""
    found = tuning.recommendation
    return content(
        f"{tuning.declared.name}, {tuning.job.name}",
        headline(tuning),
        Facts(tuple(_facts(tuning))),
        _figures(tuning),
        _ceilings(tuning),
        _values(tuning),
        _options(tuning),
        *(_steps(tuning, option) for option in found.options),
        Remarks("findings", tuple(_findings(tuning))),
        price_remarks(tuning.prices, today),
        good=found.verdict is not Verdict.NOTHING_FEASIBLE,
    )


def headline(tuning: Tuning) -> str:
    """Return the recommendation in one line."""
    found, chosen = tuning.recommendation, tuning.recommendation.chosen
    here, there = found.options[0].candidate, chosen.candidate
    change = f"{chosen.difference_usd:+.2f} USD a month"
    how = "in place" if chosen.way is Way.IN_PLACE else "by replacing it"
    match found.verdict:
        case Verdict.KEEP:
            return f"keep {here.label}, {here.monthly_usd:.2f} USD a month"
        case Verdict.GROW:
            return f"grow {here.label} to {there.label} {how}, {change}"
        case Verdict.SHRINK:
            return f"shrink {here.label} to {there.label} {how}, {change}"
        case Verdict.REPLACE:
            return f"replace {here.label}, which does not grow so far, by {there.label}, {change}"
        case Verdict.NOT_STORAGE:
            also = "" if chosen.way is Way.KEEP else f"; {there.label} would do, {how}, {change}"
            return f"storage was not the bottleneck: {_CAUSES[found.bottleneck]} was{also}"
        case Verdict.NOTHING_FEASIBLE:
            return "no legal file system delivers what the job asks for"


def _findings(tuning: Tuning) -> Iterator[Remark]:
    """Yield what the measurement leaves open, and why nothing is feasible where that is so."""
    planned = tuning.recommendation.planned
    for each in (*tuning.findings, *(planned.findings if planned.choice is None else ())):
        yield Remark(each.id, f"{each.message}; {each.fix}", Tone(str(each.level)))


def _facts(tuning: Tuning) -> Iterator[Fact]:
    """Yield what was measured, in sentences."""
    job, seen, dataset = tuning.job, tuning.seen, tuning.dataset
    yield Fact(
        "job",
        f"{job.status}, {job.start:%Y-%m-%d %H:%M} to {job.end:%Y-%m-%d %H:%M} UTC on {job.nodes} × "
        f"{job.instance_type}; {len(seen.training.points)} of {seen.training.periods} periods of {job.period_s} s "
        "while it read",
    )
    yield Fact("storage", f"{job.file_system.file_system_id}: {tuning.there.label}")
    yield Fact(
        "demand",
        f"{rate_text(seen.demand_mbps)} MB/s when storage never makes the job wait; it got "
        f"{rate_text(seen.read_mbps)} MB/s",
    )
    epochs = f"{dataset.epochs:.1f} passes over {size_text(dataset.size_mb * 1e6)}"
    if not dataset.recognised:
        epochs += ", which is declared and was not recognised"
    yield Fact("epochs", f"{epochs}, {seconds_text(tuning.epoch_s)} each")
    if seen.hit_share is not None:
        later = dataset.measured_hit_share
        after = "" if later is None else f", {later:.0%} after the first epoch"
        yield Fact("cache", f"the disks were spared {seen.hit_share:.0%} of the reads{after}")
    if seen.idle.share is not None:
        yield Fact("idle", _idle(tuning))


def _idle(tuning: Tuning) -> str:
    """Say how long accelerators idled, for what, and what that costs."""
    idle = tuning.seen.idle
    causes = sorted(idle.causes.items(), key=lambda cause: -cause[1])
    parts = ", ".join(f"{share:.0%} for {_CAUSES[cause]}" for cause, share in causes if share >= 0.005)
    text = f"accelerators were not in use {idle.share:.0%} of the time" + (f": {parts}" if parts else "")
    usd = tuning.idle_usd_per_hour
    return text if usd is None else f"{text}; waiting for storage cost {usd:.2f} USD an hour"


def _figures(tuning: Tuning) -> Table:
    """Return what was predicted beside what was measured."""
    rows = tuple(
        Row((figure.name, _amount(figure, figure.predicted), _amount(figure, figure.measured)))
        for figure in tuning.figures
    )
    return Table("figures", ("", "declared or predicted", "measured"), rows)


def _amount(figure: ComparedFigure, value: float | None) -> str:
    """Render one figure in its unit."""
    if value is None:
        return ""
    match figure.unit:
        case "share":
            return f"{value:.0%}"
        case "s":
            return seconds_text(value)
        case "MB":
            return size_text(value * 1e6)
        case "1/s":
            return f"{rate_text(value)} a second"
        case unit:
            return f"{rate_text(value)} {unit}"


def _ceilings(tuning: Tuning) -> Table:
    """Return every ceiling, how far it was used, and for how long it was reached."""
    bottleneck = tuning.recommendation.bottleneck
    rows = tuple(
        Row(
            (
                ceiling.name + (" (bound)" if ceiling.name == bottleneck else ""),
                _rate(ceiling, ceiling.limit),
                _rate(ceiling, ceiling.asked),
                _rate(ceiling, ceiling.measured),
                "" if ceiling.used is None else f"{ceiling.used:.0%}",
                "" if ceiling.at_limit is None else f"{ceiling.at_limit:.0%}",
            ),
            marked=ceiling.name == bottleneck,
        )
        for ceiling in tuning.ceilings
    )
    return Table("ceilings", ("", "limit", "declared", "measured", "used", "at limit"), rows)


def _rate(ceiling: ComparedCeiling, value: float | None) -> str:
    """Render a figure of a ceiling."""
    return "" if value is None else f"{rate_text(value)} {ceiling.unit}"


def _values(tuning: Tuning) -> Table:
    """Return the keys of the file that were measured otherwise."""
    measured = tuning.measured
    rows = tuple(
        Row((key, "" if measured.was[key] is None else str(measured.was[key]), str(value)))
        for key, value in measured.values.items()
    )
    return Table("the file", ("", "declares", "measured"), rows)


def _options(tuning: Tuning) -> Table:
    """Return the file systems that could be had, each with its price."""
    chosen = tuning.recommendation.chosen
    rows = tuple(
        Row(
            (
                option.candidate.label,
                str(option.way),
                f"{option.candidate.monthly_usd:.2f}",
                f"{option.difference_usd:+.2f}" if option.way is not Way.KEEP else "",
                seconds_text(option.candidate.epoch_s.steady),
            ),
            note=f"misses: {option.misses}" if option.misses else "",
            marked=option is chosen,
        )
        for option in tuning.recommendation.options
    )
    return Table("options", ("", "", "USD/month", "change", "epoch"), rows)


def _steps(tuning: Tuning, option: Option) -> Remarks:
    """Return how an option is reached, step by step."""
    steps = option_steps(tuning, option)
    title = f"{option.way}: {option.candidate.label}"
    return Remarks(title, tuple(Remark(str(number), step) for number, step in enumerate(steps, 1)))
