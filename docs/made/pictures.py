"""The pictures of the site; the same code draws the same bytes."""

from docs.made.stacks_picture import stacks_picture
from docs.made.synthesized_stacks import GUIDE
from epochwise import Workload, plan
from epochwise.report.cost_figure import cost_picture
from epochwise.report.plan_files import NODES
from epochwise.report.scaling_figure import scaling_picture
from epochwise.sizing.cost import prices_of
from epochwise.sizing.scaling import scaling
from epochwise.sizing.search import candidates


def pictures() -> dict[str, bytes]:
    """Draw all pictures, by their path on the site."""
    workload = Workload.from_file(GUIDE)
    return {
        "pictures/guide-frontier.svg": cost_picture(plan(workload), candidates(workload, prices_of(workload, None))),
        "pictures/guide-scaling.svg": scaling_picture(scaling(workload, NODES)),
        "pictures/stacks.svg": stacks_picture(),
    }
