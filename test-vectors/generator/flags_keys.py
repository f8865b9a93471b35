"""Flags about keys."""

from .notes import note

KEY_FLAGS = {
    "WrongKey": note(
        "Keys",
        "A digest made with a key that is not listed.",
        "Anybody with any key can report a payment.",
    ),
    "SwappedKeys": note(
        "Keys",
        "Signing secret and API key changed about. v1 has the API key, v2 and v3 the secret.",
        "Whoever knows one key signs with the powers of the other.",
    ),
    "DecodedKey": note(
        "Keys",
        "The text of a key is the key. It is not hex, not base64, and whsec_ is part of it.",
        "A receiver that decodes loses every delivery, or works with a shorter key.",
    ),
    "EmptyKeyFallback": note(
        "Keys",
        "A key that cannot be decoded, or is not there, becomes a key that everybody knows.",
        "With the empty key anybody signs, and every forgery is accepted.",
        "adyen: turns a key that is no hex into the empty key",
    ),
    "WeakKey": note(
        "Keys",
        "Read as base64, this key would be a single byte.",
        "A key of one byte is guessed in 256 tries.",
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
        "A key cut at NUL is short, and guessed.",
    ),
    "NonAsciiKey": note(
        "Keys",
        "Letters beyond ASCII in a key are its UTF-8 bytes, not normalized.",
        "Every delivery is lost, or question marks stand for half of the key.",
    ),
    "LongKey": note(
        "Keys",
        "HMAC hashes keys of more than 64 bytes, and takes shorter ones as they are.",
        "A key that is cut at 64 bytes loses every delivery.",
    ),
    "Rotation": note(
        "Keys",
        "Several keys are accepted for a time. The lowest index that matches is reported.",
        "Deliveries are lost during a change of keys, or a retired key goes on working.",
    ),
    "SplitSecrets": note(
        "Keys",
        "v2 and v3 must match under one and the same secret.",
        "Whoever has one old secret borrows the other version from another delivery.",
    ),
}
