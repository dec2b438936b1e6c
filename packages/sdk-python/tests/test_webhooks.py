"""Signatures of webhooks."""

from __future__ import annotations

import time
from typing import Any

import pytest
from conftest import Tenant, control

from hiring_partner import SignatureError, sign_webhook, verify_webhook


@pytest.fixture(scope="module")
def deliveries() -> Any:
    """Real deliveries: one before, one during the rotation of a secret."""
    return control("deliveries", api_key=Tenant(control("tenant")).api_key)


def test_real_deliveries_are_verified_also_during_a_rotation(deliveries: Any) -> None:
    old, new = deliveries["old_secret"], deliveries["new_secret"]
    first, during = deliveries["first"], deliveries["during"]
    event = verify_webhook(first["body"].encode(), first["signature"], old)
    assert (event.type, event.data.object.object) == ("list.created", "list")
    for secrets in (old, new, [old, new], [new, "whsec_next"]):
        assert verify_webhook(during["body"], during["signature"], secrets).type == "list.created"
    with pytest.raises(SignatureError) as caught:
        verify_webhook(first["body"], first["signature"], new)
    assert caught.value.reason == "no_match"


SECRET = "whsec_c2VjcmV0"
BODY = '{"object":"event","type":"invented.later","name":"Größe 漢字"}'
NOW = 1_800_000_000


def test_an_own_signature_is_verified_and_unknown_types_pass() -> None:
    event = verify_webhook(BODY.encode(), sign_webhook(BODY, SECRET, now=NOW), SECRET, now=NOW)
    assert (event.type, event["name"]) == ("invented.later", "Größe 漢字")
    assert verify_webhook(BODY, sign_webhook(BODY, SECRET), SECRET).type == "invented.later"
    two = sign_webhook(BODY, ["whsec_old", SECRET], now=NOW)
    assert two.count("v1=") == 2
    assert verify_webhook(BODY, two, [SECRET], now=NOW).type == "invented.later"


@pytest.mark.parametrize(
    ("reason", "body", "signature", "now"),
    [
        ("missing", BODY, None, NOW),
        ("missing", BODY, "", NOW),
        ("malformed", BODY, "v1=" + "0" * 64, NOW),
        ("malformed", BODY, f"t={NOW}", NOW),
        ("malformed", BODY, f"t={NOW},v1=00", NOW),
        ("malformed", BODY, f"t={NOW},v1=" + "ü" * 64, NOW),
        ("malformed", BODY, f"t=١٢٣,v1={'0' * 64}", NOW),
        ("malformed", BODY, "t=" + "9" * 13 + f",v1={'0' * 64}", NOW),
        ("no_match", BODY, sign_webhook(BODY, "whsec_another", now=NOW), NOW),
        ("no_match", BODY + " ", sign_webhook(BODY, SECRET, now=NOW), NOW),
        ("no_match", BODY, sign_webhook(BODY, SECRET, now=NOW).replace(str(NOW), str(NOW + 1)), NOW),
        ("expired", BODY, sign_webhook(BODY, SECRET, now=NOW), NOW + 301),
        ("expired", BODY, sign_webhook(BODY, SECRET, now=NOW), NOW - 301),
    ],
)
def test_forged_altered_and_old_deliveries_are_refused(reason: str, body: str, signature: str | None, now: int) -> None:
    with pytest.raises(SignatureError) as caught:
        verify_webhook(body, signature, SECRET, now=now)
    assert caught.value.reason == reason
    assert SECRET not in str(caught.value) and "Größe" not in str(caught.value)


def test_the_tolerance_can_be_chosen_and_an_empty_secret_is_refused() -> None:
    signature = sign_webhook(BODY, SECRET, now=NOW)
    assert verify_webhook(BODY, signature, SECRET, now=NOW + 300)
    assert verify_webhook(BODY, signature, SECRET, now=time.time(), tolerance_seconds=float("inf"))
    for secrets in ("", [], [""]):
        with pytest.raises(ValueError, match="secret is empty"):
            verify_webhook(BODY, signature, secrets)
