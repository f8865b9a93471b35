"""Flags about keys."""

from .notes import note

KEY_FLAGS = {
    "WrongKey": note(
        "Keys",
        "A digest with a key that is not listed.",
        "An attacker can report a payment with any key.",
    ),
    "SwappedKeys": note(
        "Keys",
        "Signing secret and API key are swapped. v1 has the API key, v2 and v3 the secret.",
        "With one key, an attacker can sign in place of the other.",
    ),
    "DecodedKey": note(
        "Keys",
        "The text of a key is the key. It is not hex, not base64, and whsec_ is part of it.",
        "A receiver that decodes loses every delivery, or works with a shorter key.",
    ),
    "EmptyKeyFallback": note(
        "Keys",
        "A key that cannot be decoded, or is not there, becomes a key that is publicly known.",
        "With the empty key, anyone can sign, and every forgery is accepted.",
        "adyen: turns a key that is not hex into the empty key",
    ),
    "WeakKey": note(
        "Keys",
        "Read as base64, this key would be a single byte.",
        "A key of one byte can be guessed in 256 attempts.",
        "standardwebhooks: takes a secret of one byte",
    ),
    "KeyText": note(
        "Keys",
        "Spaces, signs and short texts inside a key count as they are.",
        "A receiver that tidies the key loses every delivery.",
    ),
    "NulInKey": note(
        "Keys",
        "NUL inside a key. It does not end the key.",
        "A key that is cut at NUL is short, and can be guessed.",
    ),
    "NonAsciiKey": note(
        "Keys",
        "Non-ASCII characters in a key are its UTF-8 bytes, not normalized.",
        "Every delivery is lost, or half of the key becomes question marks.",
    ),
    "LongKey": note(
        "Keys",
        "HMAC hashes keys of more than 64 bytes, and takes shorter ones as they are.",
        "A key that is cut at 64 bytes loses every delivery.",
    ),
    "Rotation": note(
        "Keys",
        "Several keys are accepted for a time. The lowest index that matches is reported.",
        "Deliveries are lost during a rotation, or a retired key stays valid.",
    ),
    "SplitSecrets": note(
        "Keys",
        "v2 and v3 must match under one and the same secret.",
        "An attacker with one old secret takes the other version from another delivery.",
    ),
}
