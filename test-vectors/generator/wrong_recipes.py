"""Digests of receivers that misread the recipe, or follow another vendor's."""

import hashlib
import hmac
from typing import Iterator, Tuple

from .signing import Text, hmac_hex, to_bytes


def digests(key: Text, text: bytes, t: str) -> Iterator[Tuple[str, str]]:
    """text is the message without t. Every digest has 64 digits, so only the HMAC can refuse it."""
    stamp = to_bytes(t)
    yield "t before the text", hmac_hex(key, stamp + text)
    yield "t, a full stop, the text", hmac_hex(key, stamp + b"." + text)
    yield "the text, a full stop, t", hmac_hex(key, text + b"." + stamp)
    yield "the text, a line feed, t", hmac_hex(key, text + b"\n" + stamp)
    yield "v0, t and the text with colons", hmac_hex(key, b"v0:" + stamp + b":" + text)
    yield "the text without t", hmac_hex(key, text)
    yield "t without the text", hmac_hex(key, stamp)
    yield "t= before the time", hmac_hex(key, text + b"t=" + stamp)
    yield "the time in milliseconds", hmac_hex(key, text + stamp + b"000")
    yield "key and message changed about", hmac_hex(text + stamp, key)
    yield "SHA-256 of key and message, without HMAC", hashlib.sha256(to_bytes(key) + text + stamp).hexdigest()
    yield "SHA-256 of the message, without a key", hashlib.sha256(text + stamp).hexdigest()
    yield "HMAC of the message's SHA-256", hmac_hex(key, hashlib.sha256(text + stamp).digest())
    yield "HMAC with SHA3-256", hmac.new(to_bytes(key), text + stamp, hashlib.sha3_256).hexdigest()
    yield "HMAC with SHA-512, first half", hmac.new(to_bytes(key), text + stamp, hashlib.sha512).hexdigest()[:64]
