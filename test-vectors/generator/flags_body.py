"""Flags about the bytes of the body and the message that is signed."""

from .notes import note

BODY_FLAGS = {
    "Genuine": note(
        "Basic",
        "An ordinary delivery, as the service sends it.",
        "A valid payment is refused, and the order is never shipped.",
    ),
    "KnownAnswer": note(
        "Basic",
        "A digest from public code, not from this generator.",
        "If this one fails, the recipe itself is wrong, and every delivery is lost.",
    ),
    "RealisticBody": note(
        "Basic",
        "A whole event of one of the two shapes of the API document.",
        "Receivers that pass with simple bodies fail with real ones: spaces, accents, 50.0, {} next to [].",
    ),
    "Tampered": note(
        "Forgery",
        "The content was changed after signing.",
        "An attacker changes the amount of a valid delivery.",
    ),
    "BitFlip": note(
        "Forgery",
        "One bit of the body or of the digest was changed, at an end or in the middle.",
        "A comparison of only a part accepts a guess.",
    ),
    "WrongRecipe": note(
        "Message",
        "A digest over another message, or by another construction. Only the HMAC can refuse it.",
        "A receiver that accepts it also refuses valid deliveries, or lets parts go unsigned.",
    ),
    "BodyGone": note(
        "Body",
        "The body that is verified is empty, or was changed by a body parser.",
        "The signature is checked over nothing, and a forged body reaches the shop.",
        "@octokit/webhooks: after express.json(), answers a forged request with 202 and calls nothing",
    ),
    "DecodeBeforeMac": note(
        "Body",
        "Bytes that change when they are decoded and encoded again.",
        "Different bodies share one signature, and a valid delivery in another encoding is lost.",
        "standardwebhooks: bodies that differ in bytes 0xff and 0xfe verify under one signature",
        "standardwebhooks: rejects a correct signature over invalid UTF-8",
    ),
    "HighBitLost": note(
        "Body",
        "Each byte lost its high bit.",
        "Every delivery with a letter beyond ASCII is lost, and two bodies share one signature.",
        "bolt: its Lambda receiver decodes base64 as ASCII",
    ),
    "ByteOrderMark": note(
        "Body",
        "A byte order mark at the start. v1 and v3 sign it, v2 and the parser ignore it.",
        "Dropped before the digest, it makes two bodies share one signature, or loses a valid delivery.",
        "stripe: drops a byte order mark",
    ),
    "TrailingNewline": note(
        "Body",
        "A byte more or less at one end.",
        "Tools that add a line feed break every delivery. A receiver that trims accepts what was not signed.",
    ),
    "LineEndings": note(
        "Body",
        "CRLF and LF.",
        "A server or tool that changes line endings breaks every v3 signature.",
    ),
    "Normalization": note(
        "Body",
        "Letters that look the same and have other code points (NFC, NFD, compatibility).",
        "A name is changed unseen, or a valid delivery with an accent is lost.",
    ),
    "Reserialized": note(
        "Body",
        "The same JSON, printed again. v3 and v1 must refuse it if the signed bytes differ; v2 must accept it.",
        "Every delivery is lost if a body parser or forwarder runs before the verification.",
        "smee-client: re-serializes, which breaks every signature that passes through it",
    ),
    "Base64Variant": note(
        "Message",
        "v3 uses the standard alphabet with padding and without line breaks, over the raw bytes.",
        "Short bodies pass and long ones fail, or the failure depends on the last bytes of an order.",
    ),
    "ChunkedBase64": note(
        "Message",
        "Bodies longer than one buffer. Base64 of pieces is not base64 of the whole.",
        "Large orders are lost and small ones are not. A tail that is not signed can be changed.",
    ),
    "SpaceClass": note(
        "Message",
        "Only U+0020, U+000A and U+000D are spaces and line breaks. Tab, no-break space and the rest are not.",
        "A pattern such as \\s removes more than the service does: deliveries are lost, and more can change unseen.",
    ),
    "SpaceInStrings": note(
        "Message",
        "v2 removes spaces inside strings and keys too, after sorting.",
        "Every delivery with a full name or an address is lost.",
    ),
    "BlindToSpaces": note(
        "Known weakness",
        "v1 and v2 do not sign spaces: two bodies with one signature. v3 signs every byte.",
        "An attacker can move or remove spaces in names and messages. Use v3.",
    ),
}
