"""A figure that others published, and what the model claims beside it."""

from dataclasses import dataclass
from enum import StrEnum
from math import isclose


class Relation(StrEnum):
    """What the model claims about a published figure."""

    SAME = "the same"
    PROMISED = "promised no more"
    """What was measured is at least what the model promises."""
    CEILING = "ceiling"
    """What was measured stays below the limit that the model knows."""
    TAKEN = "taken from it"
    """The model has no formula of its own: the measurement is its assumption."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One published figure and what the model says of the same setting."""

    setting: str
    published: float
    predicted: float
    unit: str
    relation: Relation
    source: str
    within: float = 0.01
    """Share by which figures that are the same may differ: published ones are rounded."""

    @property
    def holds(self) -> bool:
        """Whether the claim is true of the figures."""
        match self.relation:
            case Relation.SAME:
                return isclose(self.predicted, self.published, rel_tol=self.within)
            case Relation.PROMISED:
                return self.predicted <= self.published
            case Relation.CEILING:
                return self.predicted >= self.published
            case Relation.TAKEN:
                return self.predicted == self.published
