"""Where AWS's console shows what a run is made of."""

from typing import Literal
from urllib.parse import quote

from epochwise.catalog.data_file import load

Page = Literal["execution", "job", "dashboard"]
_TABLE = load("console")


def console_url(page: Page, *, partition: str, region: str, name: str) -> str | None:
    """Return the address of a page; None where the partition's console is not known.

    Args:
        page: what is shown.
        partition: as ARNs begin with it, such as aws-cn.
        region: where it runs.
        name: an execution's ARN, or a job's or a dashboard's name.

    >>> console_url("job", partition="aws-cn", region="cn-north-1", name="guide-1")
    'https://cn-north-1.console.amazonaws.cn/sagemaker/home?region=cn-north-1#/jobs/guide-1'
    >>> console_url("job", partition="aws-iso", region="us-iso-east-1", name="guide-1")
    """
    host: str | None = _TABLE["hosts"].get(partition)
    if host is None:
        return None
    return f"https://{region}.{host}/" + str(_TABLE["pages"][page]).format(region=region, name=quote(name, safe=":"))
