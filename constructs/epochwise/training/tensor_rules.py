"""SageMaker Debugger's rules about tensors, which read what a hook in the training script saves.

All twenty-one differ in nothing but their names, parameters and collections, so they are one class over the catalog's
table rather than a class each.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from epochwise.catalog.debugger import TensorRuleFacts, tensor_rules
from epochwise.catalog.rule_parameter import RuleParameter
from epochwise.workload import RuleAction, WatchedRule

_LIST_PARAMETERS = {"other_trials": "other_trial"}
"""Parameters that are sent as one entry each, with a number at the end. Source: sagemaker 2.257.7."""


@dataclass(frozen=True, slots=True)
class TensorRule:
    """A rule about tensors with what is declared for it.

    What is not declared is sent by the guide's default, so that the request says by what the job is judged; a parameter
    without a default there is left out. AWS's SDK sends none of these.
    """

    declared: WatchedRule
    send_defaults: bool = True
    """Whether defaults are sent; without, the request is the one of AWS's SDK."""

    @property
    def facts(self) -> TensorRuleFacts:
        """What the catalog knows of the rule."""
        return tensor_rules()[self.declared.name]

    @property
    def collections(self) -> Mapping[str, Mapping[str, str]]:
        """The collections of tensors that the hook has to save for the rule."""
        return self.facts.collections

    @property
    def _defaulted(self) -> Mapping[str, RuleParameter]:
        """The parameters whose defaults are sent."""
        return self.facts.parameters if self.send_defaults else {}

    def rule_parameters(self, job_name: str) -> dict[str, str]:
        """Return the rule's name, parameters and actions as strings, which is all that RuleParameters takes."""
        name, given = self.declared.name, self.declared.parameters
        defaults = {key: parameter.documented_default for key, parameter in self._defaulted.items()}
        sent = {key: self.facts.parameters[key].encoded(value) for key, value in defaults.items() if value is not None}
        for key, value in given.items():
            if key in _LIST_PARAMETERS:
                entries = [value] if isinstance(value, str) else value
                sent |= {f"{_LIST_PARAMETERS[key]}_{index}": entry for index, entry in enumerate(entries)}
            else:
                sent[key] = self.facts.parameters[key].encoded(value)
        if given.get("stop_training_on_fire") and "training_job_name_prefix" not in given:
            sent["training_job_name_prefix"] = job_name
        sent["rule_to_invoke"] = name
        if self.declared.actions:
            sent["action_json"] = action_json(self.declared.actions, job_name)
        return sent

    def debug_rule_configuration(self, evaluator_image: str, job_name: str) -> dict[str, Any]:
        """Return the rule's entry of DebugRuleConfigurations, evaluated on AWS's own machines without charge."""
        return {
            "RuleConfigurationName": self.declared.name,
            "RuleEvaluatorImage": evaluator_image,
            "RuleParameters": self.rule_parameters(job_name),
        }


def action_json(actions: Iterable[RuleAction], job_name: str) -> str:
    r"""Return actions as the rule's container reads them: JSON whose quotes each have a backslash before them.

    StopTraining stops the job whose name begins with the prefix, and only where exactly one such job runs. Source:
    smdebug_rulesconfig 1.0.1, which writes exactly this.

    >>> print(action_json([RuleAction("stop_training")], "job-1"))
    [{\"name\": \"stoptraining\", \"training_job_prefix\": \"job-1\"}]
    """
    return "[" + ", ".join(_action(action, job_name) for action in actions) + "]"


def _action(action: RuleAction, job_name: str) -> str:
    """Return one action."""
    if action.kind == "stop_training":
        entries = {"name": "stoptraining", "training_job_prefix": job_name}
    else:
        entries = {"endpoint": action.endpoint, "name": action.kind}
    return "{" + ", ".join(f'\\"{key}\\": \\"{value}\\"' for key, value in entries.items()) + "}"
