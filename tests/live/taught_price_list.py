"""A server of AWS's Price List API, which moto lacks: `python -m tests.live.taught_price_list -H HOST -p PORT`.

What it answers has the form of GetProducts as AWS documents it; the attributes are those that the catalog's
`price_list.json` takes from public programs, so that a test proves the reading and not the attributes.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAGE = 4
SSD = {"deploymentOption": "Persistent", "storageType": "SSD"}
LUSTRE = {"fileSystemType": "Lustre", "operation": "CreateFileSystem:Lustre", "servicecode": "AmazonFSx"}
TIERS = {"50": "0.14", "100": "0.19", "200": "0.29", "125": "0.145", "250": "0.21", "500": "0.34", "1000": "0.60"}


def product(
    usage: str,
    usd: str | None,
    attributes: dict[str, str] | None = None,
    *,
    family: str = "Storage",
    unit: str = "GB-Mo",
    tiers: int = 1,
) -> dict[str, Any]:
    """Return an entry of PriceList, parsed."""
    sku = f"SKU{usage.upper().replace('-', '').replace('.', '')}"
    price = {"EUR": "1"} if usd is None else {"USD": usd}
    dimensions = {
        f"{sku}.JRTCKXETXF.{number}": {
            "unit": unit,
            "beginRange": str(number * 100),
            "endRange": "Inf",
            "description": f"${usd} per {unit} of {usage}",
            "pricePerUnit": price,
            "appliesTo": [],
        }
        for number in range(tiers)
    }
    term = {"sku": sku, "effectiveDate": "2026-06-01T00:00:00Z", "priceDimensions": dimensions, "termAttributes": {}}
    return {
        "product": {
            "sku": sku,
            "productFamily": family,
            "attributes": LUSTRE | {"usagetype": usage} | (attributes or {}),
        },
        "serviceCode": "AmazonFSx",
        "terms": {"OnDemand": {f"{sku}.JRTCKXETXF": term}},
        "publicationDate": "2026-10-01T00:00:00Z",
    }


def storage(usage: str, usd: str | None, tier: str, **form: Any) -> dict[str, Any]:
    """Return persistent SSD storage of a tier."""
    return product(usage, usd, SSD | {"throughputCapacity": tier}, **form)


def products(region: str) -> list[dict[str, Any]]:
    """Return what is priced in a Region."""
    scratch = {"deploymentOption": "Single-AZ", "storageType": "SSD", "throughputCapacity": "N/A"}
    hdd = {"deploymentOption": "Persistent", "storageType": "HDD", "throughputCapacity": "12"}
    found = [
        *(storage(f"USE1-Storage.SSD.{tier}", usd, tier) for tier, usd in TIERS.items()),
        product("USE1-Storage", "0.14", scratch),
        product("USE1-MetadataIOPS", "0.055", family="Provisioned IOPS", unit="IOPS-Mo"),
        product("USE1-ThroughputCapacity", "0.52", family="Provisioned Throughput", unit="MiBps-Mo"),
        product("USE1-BackupUsage", "0.05", {"deploymentOption": "N/A"}),
        product("USE1-Storage.HDD.12", "0.025", hdd),
        product("USE1-Storage.SAZ:SSD", "0.125", SSD | {"fileSystemType": "ONTAP"}),
        {"product": {"sku": "broken"}},
    ]
    match region:
        case "eu-west-1":
            # the same once more: which of the two it is cannot be told
            found.append(product("EUW1-Another", "0.15", scratch))
        case "eu-west-2":
            # several steps, another unit, another currency
            found[0] = storage("EUW2-Storage.SSD.50", "0.14", "50", tiers=2)
            found[1] = storage("EUW2-Storage.SSD.100", "0.19", "100", unit="GB-Hrs")
            found[2] = storage("EUW2-Storage.SSD.200", None, "200")
        case "eu-west-3":
            return [product("EUW3-BackupUsage", "0.05")]
    return found


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Answer GetProducts, some products at a time."""
    assert request["ServiceCode"] == "AmazonFSx"
    [wanted] = request["Filters"]
    assert (wanted["Type"], wanted["Field"]) == ("TERM_MATCH", "regionCode")
    start, found = int(request.get("NextToken") or 0), products(wanted["Value"])
    page = {"FormatVersion": "aws_v1", "PriceList": [json.dumps(each) for each in found[start : start + PAGE]]}
    return page | ({"NextToken": str(start + PAGE)} if start + PAGE < len(found) else {})


class Answering(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16

    def do_POST(self) -> None:
        assert self.headers["X-Amz-Target"] == "AWSPriceListService.GetProducts"
        self._send(answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

    def do_GET(self) -> None:
        self._send({})

    def _send(self, document: dict[str, Any]) -> None:
        content = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Stay quiet."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-H", dest="host")
    parser.add_argument("-p", dest="port", type=int)
    asked = parser.parse_args()
    ThreadingHTTPServer((asked.host, asked.port), Answering).serve_forever()
