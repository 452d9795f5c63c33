"""List a bucket or prefix side by side, and count what it holds: exact, and no key is kept."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from epochwise.catalog.s3_storage import DIRECTORY_BUCKET_SUFFIX
from epochwise.live.aws import Aws
from epochwise.live.failure import UnwellError
from epochwise.live.key_range import KeyRange
from epochwise.live.listing_page import ENCODING, EVENTS, PAGE, ListingPage
from epochwise.live.range_queue import RangeQueue
from epochwise.sizing.object_tally import ObjectTally
from epochwise.workload.s3_address import S3Address

WORKERS = 16
"""Ranges that are listed side by side: S3 answers a page in about a tenth of a second, which this hides."""
_PARTS = 4 * WORKERS
"""Most parts that sub-prefixes are grouped into before anything is known of their sizes."""
_WAKE_S = 0.2
"""Seconds after which the waiting thread looks whether somebody pressed Ctrl-C."""

Progress = Callable[[int, float], None]
"""Called with the objects counted so far, and the share of all that they are taken to be."""


def listed(address: S3Address, region: str | None = None, progress: Progress | None = None) -> ObjectTally:
    """Count every object with a prefix, each once. Needs the permission s3:ListBucket.

    Raises:
        AwsError: AWS does not answer; nothing is returned then, since half a count is none.
    """
    listing = _Listing(address, region, progress)
    if address.bucket.endswith(DIRECTORY_BUCKET_SUFFIX):
        listing.in_turn()
    else:
        listing.side_by_side()
    return listing.tally


class _Listing:
    """One listing under way."""

    def __init__(self, address: S3Address, region: str | None, progress: Progress | None) -> None:
        self.tally = ObjectTally()
        self._address = address
        self._aws = Aws(region, events=EVENTS)
        self._progress = progress or (lambda _objects, _share: None)
        self._queue = RangeQueue(address.prefix, self._count)
        self._failures: list[Exception] = []

    def in_turn(self) -> None:
        """List page after page, as a bucket without order must be."""
        page = self._page()
        self._count(page, len(page.sizes))
        while page.truncated:
            page = self._page(ContinuationToken=page.next_token)
            self._count(page, len(page.sizes))
            self._progress(self.tally.objects, 0.0)

    def side_by_side(self) -> None:
        """List ranges of keys: sub-prefixes first, and then whatever of them turns out to be long."""
        whole = self._queue.take()
        if whole is None or not self._advance(whole):
            return
        self._queue.divide(whole, self._sub_prefixes(whole.after))
        # as daemons, so that Ctrl-C need not wait for answers
        threads = [Thread(target=self._work, args=(None if place else whole,), daemon=True) for place in range(WORKERS)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(_WAKE_S)
        finally:
            self._queue.stop()
        if self._failures:
            raise self._failures[0]

    def _work(self, piece: KeyRange | None) -> None:
        """List ranges until there is none left; the first failure sends everyone home."""
        try:
            piece = piece or self._queue.take()
            while piece is not None:
                while self._advance(piece):
                    self._progress(self.tally.objects, self._queue.share)
                piece = self._queue.take()
        except Exception as error:  # noqa: BLE001 - told by the thread that waits
            self._failures.append(error)
            self._queue.stop()

    def _advance(self, piece: KeyRange) -> bool:
        """List the next page of a range, and tell whether it goes on."""
        asked: dict[str, Any] = {"StartAfter": piece.after} if piece.after else {}
        if piece.unseen:
            asked["MaxKeys"] = 1
        return self._queue.advance(piece, self._page(**asked))

    def _count(self, page: ListingPage, number: int) -> None:
        """Count the first objects of a page."""
        self.tally.add(page.encoded_keys[:number], page.sizes[:number], page.storage_classes[:number])

    def _sub_prefixes(self, after: str) -> list[str]:
        """Return keys to divide at: sub-prefixes behind a key, evenly thinned out where there are many."""
        found = self._page(StartAfter=after, Delimiter="/").common_prefixes
        return found[:: max(1, -(-len(found) // _PARTS))]

    def _page(self, **request: Any) -> ListingPage:
        """Ask for one page.

        Raises:
            AwsError: AWS does not answer, or with something else.
        """
        bucket, prefix = self._address.bucket, self._address.prefix
        answer = self._aws.ask("s3", "list_objects_v2", Bucket=bucket, Prefix=prefix, EncodingType=ENCODING, **request)
        page = answer.get(PAGE)
        if not isinstance(page, ListingPage):
            raise UnwellError("the answer to s3:ListBucket is no listing, also after retries; repeat it later")
        return page
