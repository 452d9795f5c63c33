"""A bucket of as many keys as one likes, which nobody stored: `python -m benchmarks.synthetic_bucket -p PORT -n KEYS`.

It answers ListObjectsV2 as S3 documents it, with prefix, delimiter, start-after, continuation-token, max-keys and
encoding-type. What it holds follows from the number of keys alone, so that every total is known beforehand.
"""

import argparse
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, quote_plus, urlsplit
from xml.sax.saxutils import escape

BUCKET = "synthetic"
MAX_KEYS = 1000
_FIBONACCI = 2_654_435_761
"""Spreads consecutive numbers over 32 bits."""
_LARGEST_POWER = 27
_TIME = "2026-10-09T00:00:00.000Z"


class Stored(NamedTuple):
    """One object."""

    key: str
    size: int
    storage_class: str = "STANDARD"


def synthetic_objects(count: int) -> Iterator[Stored]:
    """Yield so many objects, in no order.

    A third lies flat under one prefix, a third in folders of a thousand, each with its marker, and the rest deep, in
    few folders and in many, with letters that XML and addresses have other uses for. Sizes go from nothing to 128 MiB;
    every 1000th object is archived.
    """
    for place in range(count):
        spread = place * _FIBONACCI % 2**32
        size = spread % (1 << spread % (_LARGEST_POWER + 1))
        storage_class = "DEEP_ARCHIVE" if place % 1000 == 7 else "STANDARD"
        match place % 3:
            case 0:
                yield Stored(f"data/flat/sample-{place:09d}.jpg", size, storage_class)
            case 1 if place % 3000 == 1:
                yield Stored(f"data/folders/class-{place // 3000:06d}/", 0)
            case 1:
                yield Stored(f"data/folders/class-{place // 3000:06d}/image {place:09d}.png", size, storage_class)
            case _:
                yield Stored(f"data/odd/{spread % 7}/ü&<{spread:010d}>+%/{place}", size, storage_class)


class Page(NamedTuple):
    """What one call is answered."""

    stored: list[Stored]
    common_prefixes: list[str]
    next_token: str
    """Empty at the end."""


class Listing:
    """Objects in the order of their keys."""

    def __init__(self, stored: Iterator[Stored]) -> None:
        """Sort them."""
        self._stored = sorted(stored)
        self._keys = [each.key for each in self._stored]

    def page(self, *, prefix: str, delimiter: str, after: str, token: str, most: int) -> Page:
        """Return the objects and common prefixes after a key, or after what a token stands for."""
        place = max(bisect_left(self._keys, prefix), bisect_right(self._keys, token or after))
        if token and delimiter and token.endswith(delimiter):
            # behind a common prefix, all of whose keys it stands for
            place = max(place, bisect_left(self._keys, token + chr(0x10FFFF)))
        found = Page([], [], "")
        last = ""
        while len(found.stored) + len(found.common_prefixes) < most:
            if place >= len(self._keys) or not self._keys[place].startswith(prefix):
                return found
            key = last = self._keys[place]
            cut = key.find(delimiter, len(prefix)) if delimiter else -1
            if cut < 0:
                found.stored.append(self._stored[place])
                place += 1
                continue
            last = key[: cut + len(delimiter)]
            found.common_prefixes.append(last)
            place = bisect_left(self._keys, last + chr(0x10FFFF))
        more = place < len(self._keys) and self._keys[place].startswith(prefix)
        return found._replace(next_token=last if more else "")


def answer(listing: Listing, query: dict[str, str]) -> str:
    """Return the XML of one call."""
    most = min(int(query.get("max-keys", MAX_KEYS)), MAX_KEYS)
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
    page = listing.page(
        prefix=prefix,
        delimiter=delimiter,
        after=query.get("start-after", ""),
        token=query.get("continuation-token", ""),
        most=most,
    )
    encoded = query.get("encoding-type") == "url"

    def text(key: str) -> str:
        return quote_plus(key, safe="/") if encoded else escape(key)

    contents = "".join(
        f"<Contents><Key>{text(key)}</Key><LastModified>{_TIME}</LastModified>"
        f"<ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><ChecksumAlgorithm>CRC64NVME</ChecksumAlgorithm>"
        f"<ChecksumType>FULL_OBJECT</ChecksumType><Size>{size}</Size><StorageClass>{storage_class}</StorageClass></Contents>"
        for key, size, storage_class in page.stored
    )
    prefixes = "".join(
        f"<CommonPrefixes><Prefix>{text(each)}</Prefix></CommonPrefixes>" for each in page.common_prefixes
    )
    token = f"<NextContinuationToken>{escape(page.next_token)}</NextContinuationToken>" if page.next_token else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"<Name>{BUCKET}</Name><Prefix>{text(prefix)}</Prefix>"
        f"<KeyCount>{len(page.stored) + len(page.common_prefixes)}</KeyCount><MaxKeys>{most}</MaxKeys>"
        f"{'<EncodingType>url</EncodingType>' if encoded else ''}"
        f"{f'<Delimiter>{text(delimiter)}</Delimiter>' if delimiter else ''}"
        f"<IsTruncated>{'true' if page.next_token else 'false'}</IsTruncated>{contents}{token}{prefixes}"
        "</ListBucketResult>"
    )


def serve(host: str, port: int, listing: Listing) -> None:
    """Answer until the process ends."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # head and body leave in one piece: apart, the second would wait for the first to be acknowledged
        wbufsize = 1 << 20
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            """Answer a listing; whoever asks for anything else is told that the server is there."""
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query, keep_blank_values=True).items()}
            if address.path.strip("/") == BUCKET:
                self._send(200, answer(listing, query))
            elif "list-type" in query:
                self._send(404, "<Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message></Error>")
            else:
                self._send(200, "")

        def _send(self, status: int, text: str) -> None:
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            """Stay quiet."""

    ThreadingHTTPServer((host, port), Answering).serve_forever()


def main() -> None:
    """Serve what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-H", dest="host", default="127.0.0.1")
    parser.add_argument("-p", dest="port", type=int, required=True)
    parser.add_argument("-n", dest="keys", type=int, default=1_000_000)
    asked = parser.parse_args()
    serve(asked.host, asked.port, Listing(synthetic_objects(asked.keys)))


if __name__ == "__main__":
    main()
