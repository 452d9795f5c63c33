"""A page of a listing is read from S3's own XML."""

from typing import Any
from xml.parsers.expat import ExpatError

import pytest

from epochwise.live.listing_page import PAGE, parsed_page, read_page

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
DOCUMENTED = f"""{HEAD}
  <Name>bucket</Name>
  <Prefix>data/</Prefix>
  <KeyCount>3</KeyCount>
  <MaxKeys>1000</MaxKeys>
  <Delimiter>/</Delimiter>
  <EncodingType>url</EncodingType>
  <IsTruncated>true</IsTruncated>
  <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J&amp;/wm36Hy4vbOwM=</NextContinuationToken>
  <Contents>
    <Key>data/a+b%2Bc%26.jpg</Key>
    <LastModified>2009-10-12T17:50:30.000Z</LastModified>
    <ETag>&quot;fba9dede5f27731c9771645a39863328&quot;</ETag>
    <Size>434234</Size>
    <StorageClass>GLACIER</StorageClass>
    <Owner><ID>8a6925ce4a7f21c32aa379004fef</ID><DisplayName>mtd@amazon.com</DisplayName></Owner>
    <RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress></RestoreStatus>
  </Contents>
  <Contents><Key>data/%C3%BC</Key><Size>0</Size></Contents>
  <CommonPrefixes><Prefix>data/photos+2026/</Prefix></CommonPrefixes>
</ListBucketResult>"""


def test_an_answer_as_s3_documents_it_is_read() -> None:
    page = parsed_page(DOCUMENTED.encode())
    assert [page.key(place) for place in range(2)] == ["data/a b+c&.jpg", "data/ü"]
    assert page.sizes == [434234, 0]
    assert page.storage_classes == ["GLACIER", "STANDARD"]
    assert page.common_prefixes == ["data/photos 2026/"]
    assert page.truncated
    assert page.next_token.endswith("XYExHnhbYLgveDs2J&/wm36Hy4vbOwM=")


def test_an_empty_answer_is_the_end() -> None:
    page = parsed_page(f"{HEAD}<IsTruncated>false</IsTruncated></ListBucketResult>".encode())
    assert (page.sizes, page.truncated) == ([], False)


@pytest.mark.parametrize(
    "body",
    ["<ListBucketResult/>", "<Error><Code>SlowDown</Code></Error>", f"{HEAD}<IsTruncated>false</IsTruncated>", ""],
)
def test_what_is_no_whole_listing_is_refused(body: str) -> None:
    with pytest.raises((ValueError, ExpatError)):
        parsed_page(body.encode())


def test_an_object_without_size_is_no_listing() -> None:
    body = f"{HEAD}<IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>"
    with pytest.raises(ValueError, match="no listing"):
        parsed_page(body.encode())


@pytest.mark.parametrize(
    ("status", "body", "read"), [(200, DOCUMENTED, True), (200, "<cut", False), (403, "<Error/>", False)]
)
def test_a_page_is_put_into_a_good_answer_only(status: int, body: str, read: bool) -> None:
    response: dict[str, Any] = {"status_code": status, "body": body.encode()}
    added: dict[str, Any] = {}
    read_page(response_dict=response, customized_response_dict=added, operation_model=None)
    assert (PAGE in added) is read
    assert (response["body"] == body.encode()) is not read


@pytest.mark.parametrize("size", ["-5", "²", "1_0", "+5", "5 "])
def test_a_size_that_is_no_number_of_bytes_is_no_listing(size: str) -> None:
    contents = f"<Contents><Key>a</Key><Size>{size}</Size></Contents>"
    with pytest.raises(ValueError, match="a size is no number of bytes"):
        parsed_page(f"{HEAD}<IsTruncated>false</IsTruncated>{contents}</ListBucketResult>".encode())
