"""One page of a bucket's listing, read without botocore's parser, which takes ten times as long for each key.

botocore signs, sends, retries and tells failures as ever; only the body of a good answer is read here.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus
from xml.parsers import expat

PAGE = "Page"
"""The key of a response under which the page stands."""
ENCODING = "url"
"""How keys are asked for, since XML cannot hold every key."""


@dataclass(frozen=True, slots=True)
class ListingPage:
    """Up to a thousand objects, in the order of their keys; each list has one entry an object."""

    encoded_keys: list[str] = field(default_factory=list)
    """As the answer writes them: percent-encoded."""
    sizes: list[int] = field(default_factory=list)
    """Bytes."""
    storage_classes: list[str] = field(default_factory=list)
    common_prefixes: list[str] = field(default_factory=list)
    """Where a delimiter was asked for: prefixes up to it."""
    truncated: bool = False
    """Whether there is more."""
    next_token: str = ""
    """What asks for it."""

    def key(self, place: int) -> str:
        """Return a key as it is."""
        return decoded(self.encoded_keys[place])


def decoded(text: str) -> str:
    """Return a key without percent-encoding, in which a plus is a space.

    >>> decoded("a+b%2Bc/%C3%A9")
    'a b+c/é'
    """
    return unquote_plus(text) if "%" in text or "+" in text else text


def read_page(*, response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: object) -> None:
    """Put the page of a good answer into the response, and leave botocore's parser nothing to do.

    An answer that broke off, or is no listing, is left as it is, without a page: whoever looks at it asks again.
    """
    if response_dict["status_code"] != 200:
        return
    with suppress(expat.ExpatError, ValueError):
        customized_response_dict[PAGE] = parsed_page(response_dict["body"])
        response_dict["body"] = b"<ListBucketResult/>"


EVENTS: Mapping[str, Callable[..., None]] = {"before-parse.s3.ListObjectsV2": read_page}
"""What a client is told to do, by botocore's name of the moment."""


def parsed_page(body: bytes) -> ListingPage:
    """Read the answer of ListObjectsV2.

    Raises:
        ValueError: it is no listing.
        ExpatError: it is no XML.
    """
    keys: list[str] = []
    sizes: list[str] = []
    classes: list[str] = []
    prefixes: list[str] = []
    truncated: list[str] = []
    tokens: list[str] = []
    sinks: dict[str, Callable[[str], None]] = {
        "Key": keys.append,
        "Size": sizes.append,
        "StorageClass": classes.append,
        "IsTruncated": truncated.append,
        "NextContinuationToken": tokens.append,
    }
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, _: object) -> None:
        parser.CharacterDataHandler = sinks.get(name)
        if name == "CommonPrefixes":
            sinks["Prefix"] = prefixes.append

    def end(name: str) -> None:
        parser.CharacterDataHandler = None
        if name == "Contents" and len(classes) < len(keys):
            # a store that speaks S3 may leave it out
            classes.append("STANDARD")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(body, True)
    finally:
        # parser and handlers hold each other, and with them the page
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
    if not truncated or not len(keys) == len(sizes) == len(classes):
        raise ValueError("the answer is no listing")
    together = "".join(sizes)
    if together and not (together.isascii() and together.isdigit()):
        raise ValueError("a size is no number of bytes")
    more = truncated[0] == "true"
    return ListingPage(keys, [*map(int, sizes)], classes, [*map(decoded, prefixes)], more, "".join(tokens))
