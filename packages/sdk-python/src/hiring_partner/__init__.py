"""Client of the Hiring Partner API: ``HiringClient``, and ``AsyncHiringClient`` for asyncio."""

from . import checkpoints, errors, types
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    FeedGapError,
    HiringError,
    NotFoundError,
    RateLimitError,
    SignatureError,
)
from ._flow import Attempt
from ._hiring import AsyncHiringClient, HiringClient, Prune, Removal, Upsert
from ._pages import AsyncPager, Page, Pager
from ._policy import Position
from ._response import ApiResponse
from ._version import VERSION
from ._webhooks import SIGNATURE_HEADER, sign_webhook, verify_webhook
from ._wire import NOT_GIVEN, NotGiven
from .checkpoints import (
    AsyncCheckpoint,
    AsyncPostgresCheckpoint,
    Checkpoint,
    FileCheckpoint,
    MemoryCheckpoint,
    PostgresCheckpoint,
    SqliteCheckpoint,
)

__version__ = VERSION

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiResponse",
    "ApiTimeoutError",
    "AsyncCheckpoint",
    "AsyncHiringClient",
    "AsyncPager",
    "AsyncPostgresCheckpoint",
    "Attempt",
    "Checkpoint",
    "FeedGapError",
    "FileCheckpoint",
    "HiringClient",
    "HiringError",
    "MemoryCheckpoint",
    "NOT_GIVEN",
    "NotFoundError",
    "NotGiven",
    "Page",
    "Pager",
    "Position",
    "PostgresCheckpoint",
    "Prune",
    "RateLimitError",
    "Removal",
    "SIGNATURE_HEADER",
    "SignatureError",
    "SqliteCheckpoint",
    "Upsert",
    "VERSION",
    "checkpoints",
    "errors",
    "sign_webhook",
    "types",
    "verify_webhook",
]
