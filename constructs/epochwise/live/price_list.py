"""Fetch what AWS's price list says of FSx in a Region."""

import json
from typing import Any

from epochwise.catalog.price_list import SERVICE_CODE, price_list_endpoint
from epochwise.live.aws import Aws
from epochwise.live.failure import UnwellError


def price_list_products(region: str) -> list[Any]:
    """Return the products of FSx that are priced in a Region, as AWS describes them.

    Needs the permission pricing:GetProducts. The Price List API answers in a few Regions for all of them.

    Raises:
        AwsError: AWS does not answer.
    """
    pages = Aws(price_list_endpoint(region)).pages(
        "pricing",
        "get_products",
        ServiceCode=SERVICE_CODE,
        Filters=[{"Type": "TERM_MATCH", "Field": "regionCode", "Value": region}],
        FormatVersion="aws_v1",
    )
    products: list[Any] = []
    for page in pages:
        for entry in page["PriceList"]:
            try:
                products.append(json.loads(entry))
            except ValueError:
                raise UnwellError("pricing:GetProducts answered with what is no JSON; repeat it later") from None
    return products
