"""The three signature versions (section 6 of the API document), with Python's own hmac."""

import base64
import hashlib
import hmac
from typing import Dict, Optional, Sequence, Union

from .canonical import canonical_text

VERSIONS = ("v1", "v2", "v3")
SPACES_AND_LINE_BREAKS = b" \n\r"

# The keys and the time of nearly all vectors.
SECRET = "test_signature_key"
API_KEY = "test_account_api_key"
T = "1743090080"
NOW = 1743090085000  # five seconds later, in milliseconds

Text = Union[str, bytes]


def to_bytes(text: Text) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8")


def hmac_hex(key: Text, message: Text) -> str:
    return hmac.new(to_bytes(key), to_bytes(message), hashlib.sha256).hexdigest()


def message(version: str, body: bytes, t: str, form: str = "source") -> bytes:
    """The signed message. Only v2 reads the body, and may raise NotJson."""
    if version == "v1":
        text = body.translate(None, SPACES_AND_LINE_BREAKS)
    elif version == "v2":
        text = canonical_text(body, form).encode("utf-8")
    else:
        text = base64.b64encode(body)
    return text + t.encode("utf-8")


def digest(version: str, key: Text, body: bytes, t: str = T, form: str = "source") -> str:
    return hmac_hex(key, message(version, body, t, form))


def key_for(version: str, secret: Text, api_key: Text) -> Text:
    return api_key if version == "v1" else secret


def header(t: str = T, digests: Optional[Dict[str, str]] = None, **more: str) -> str:
    """header(T, v3="ab12...") -> "t=...,v3=ab12..."."""
    elements = {"t": t, **(digests or {}), **more}
    return ",".join(f"{name}={value}" for name, value in elements.items())


def signed(
    body: bytes,
    versions: Sequence[str] = VERSIONS,
    t: str = T,
    secret: Text = SECRET,
    api_key: Text = API_KEY,
    form: str = "source",
) -> str:
    """The header that the service would send with this body."""
    digests = {
        version: digest(version, key_for(version, secret, api_key), body, t, form)
        for version in versions
    }
    return header(t, digests)
