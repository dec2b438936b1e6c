"""Signatures of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Sequence

from ._errors import SignatureError

if TYPE_CHECKING:
    from ._generated import Event

SIGNATURE_HEADER = "Service-Signature"
TOLERANCE_SECONDS = 300.0


def verify_webhook(
    body: bytes | str,
    signature: str | None,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Event:
    """The event of a webhook request, if one of the secrets signed it; raises SignatureError otherwise.

    ``body`` is the body as it arrived: JSON that was parsed and serialized again has another signature. ``signature`` is
    the header ``Service-Signature``. During a rotation the header has a signature for each secret, and you can give both.
    """
    from ._generated import build_event

    if not signature:
        raise SignatureError("missing", f"The request has no {SIGNATURE_HEADER} header.")
    parts = [part.strip().partition("=") for part in signature.split(",")]
    signed_at = next((value for name, _, value in parts if name == "t"), "")
    candidates = [value for name, _, value in parts if name == "v1" and re.fullmatch("[0-9a-f]{64}", value)]
    if not re.fullmatch("[0-9]{1,12}", signed_at) or not candidates:
        raise SignatureError("malformed", f"{SIGNATURE_HEADER} is not t=<unix seconds>,v1=<hex>.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    # every secret is compared with every signature, so that the time taken does not depend on which one matches
    matches = False
    for secret in _all(secrets):
        expected = _digest(secret, signed_at, raw)
        for candidate in candidates:
            matches |= hmac.compare_digest(expected, candidate)
    if not matches:
        raise SignatureError("no_match", "No signature matches. Use the raw body and the whole secret.")
    if abs((time.time() if now is None else now) - int(signed_at)) > tolerance_seconds:
        raise SignatureError(
            "expired", f"The request was signed at {signed_at}, more than {tolerance_seconds:g} seconds from now."
        )
    return build_event(json.loads(raw))


def sign_webhook(body: bytes | str, secrets: str | Sequence[str], *, now: float | None = None) -> str:
    """The value of ``Service-Signature`` for a body, for tests of receivers."""
    signed_at = str(int(time.time() if now is None else now))
    raw = body.encode() if isinstance(body, str) else bytes(body)
    return ",".join([f"t={signed_at}", *(f"v1={_digest(secret, signed_at, raw)}" for secret in _all(secrets))])


def _all(secrets: str | Sequence[str]) -> Sequence[str]:
    found = [secrets] if isinstance(secrets, str) else secrets
    if not found or not all(found):
        raise ValueError("the webhook secret is empty")
    return found


def _digest(secret: str, signed_at: str, body: bytes) -> str:
    """Hexadecimal. The key is the whole secret as text, with its prefix."""
    return hmac.new(secret.encode(), signed_at.encode() + b"." + body, hashlib.sha256).hexdigest()
