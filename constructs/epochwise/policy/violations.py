"""Everything that our rules find in the templates of an app."""

from collections.abc import Mapping

from epochwise.checks.finding import Level
from epochwise.policy.app_resources import AppResources, Nested
from epochwise.policy.file_systems import file_system_violations
from epochwise.policy.security_groups import security_group_violations
from epochwise.policy.training_jobs import training_job_violations
from epochwise.policy.violation import Violation
from epochwise.templates.update import Template


def violations(templates: Mapping[str, Template], nested: Nested | None = None) -> list[Violation]:
    """Return the errors and warnings about an app's resources, whoever made them.

    Args:
        templates: by a name that tells them apart, such as their path, as they are deployed.
        nested: those among them that a resource of another deploys.
    """
    app = AppResources(templates, nested)
    found = [*file_system_violations(app), *security_group_violations(app), *training_job_violations(app)]
    return [violation for violation in dict.fromkeys(found) if violation.finding.level is not Level.INFO]
