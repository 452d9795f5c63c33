"""cdk-nag's findings on an app, by the packs that the library is held to."""

import json
from contextlib import suppress
from pathlib import Path

from aws_cdk import App, Validations

from epochwise.cdk.acknowledgements import Pack

PACKS = {
    Pack.SOLUTIONS: "AwsSolutionsChecks",
    Pack.HIPAA: "HIPAASecurityChecks",
    Pack.NIST: "NIST80053R5Checks",
    Pack.PCI: "PCIDSS321Checks",
    Pack.SERVERLESS: "ServerlessChecks",
}


def nag(app: App, *packs: Pack) -> set[tuple[str, str]]:
    """Synthesize under packs, all by default, and return each finding's id with the path of its construct."""
    import cdk_nag

    for pack in packs or Pack:
        Validations.of(app).add_plugins(getattr(cdk_nag, PACKS[pack])(app))
    # findings fail the synth; the report says which they are
    with suppress(RuntimeError):
        app.synth()
    return reported(Path(app.outdir), *packs)


def reported(assembly: Path, *packs: Pack) -> set[tuple[str, str]]:
    """Return the findings of packs, all by default, that an assembly's report holds."""
    report = assembly / "validation-report.json"
    reports = json.loads(report.read_text(encoding="utf-8"))["pluginReports"] if report.exists() else []
    return {
        (violation["ruleName"], construct["constructPath"])
        for plugin in reports
        if plugin["pluginName"] in set(packs or Pack)
        for violation in plugin["violations"]
        for construct in violation["violatingConstructs"]
    }
