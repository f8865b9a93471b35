"""v3.json: base64 of the bytes as received, then t; the key is the signing secret."""

import base64

from . import bodies, cases_v3_changes, damage, wrong_recipes
from .bodies import INTENT_EVENT, SMALL, TRANSACTION_EVENT
from .signing import API_KEY, SECRET, T, digest, header, hmac_hex, message, signed
from .suite import Suite

MISMATCH = "SIGNATURE_MISMATCH"
KNOWN = b'"webhook_payload"'
MARK = b"\xef\xbb\xbf"
INTENT = INTENT_EVENT["data"]["intent"]


def suite() -> Suite:
    made = Suite("v3", 6000, "Version 3: standard base64 of the body's bytes, then t. Key: signing secret.")
    genuine(made)
    cases_v3_changes.add(made)
    wrong_message(made)
    boundary(made)
    return made


def v3(body: bytes, t: str = T) -> str:
    return signed(body, ["v3"], t)


def over(text: bytes) -> str:
    """A header whose digest is valid for this text, whatever the body."""
    return header(v3=hmac_hex(SECRET, text + T.encode("ascii")))


def genuine(made: Suite) -> None:
    group = made.group("Valid deliveries. The body is any bytes, and is not parsed.", ["v3"])
    group.valid("the known answer, from public code", "KnownAnswer", KNOWN, v3(KNOWN))
    for comment, flags, body in [
        ("transaction event", "Genuine RealisticBody", bodies.compact(TRANSACTION_EVENT)),
        ("transaction event with spaces", "Genuine RealisticBody", bodies.spaced(TRANSACTION_EVENT)),
        ("transaction event, keys in another order", "Genuine RealisticBody",
         bodies.compact(bodies.reordered(TRANSACTION_EVENT))),
        ("intent event", "Genuine RealisticBody", bodies.compact(INTENT_EVENT)),
        ("intent event, indented, CRLF", "Genuine RealisticBody LineEndings", bodies.indented(INTENT_EVENT, 2, "\r\n")),
        ("empty body", "Genuine", b""),
        ("one byte", "Base64Variant", b"a"),
        ("two bytes", "Base64Variant", b"ab"),
        ("three bytes", "Base64Variant", b"abc"),
        ("four bytes", "Base64Variant", b"abcd"),
        ("one zero byte", "Base64Variant", b"\x00"),
        ("base64 of + alone", "Base64Variant", b"\xfb\xef\xbe"),
        ("base64 of / alone", "Base64Variant", b"\xff\xff\xff"),
        ("58 bytes, more than one line of MIME base64", "Base64Variant", damage.pattern(58)),
        ("every byte there is", "DecodeBeforeMac", bytes(range(256))),
        ("bytes that are not UTF-8", "DecodeBeforeMac", b'{"a":"\xff\xfe\x80"}'),
        ("UTF-16", "DecodeBeforeMac", '\ufeff{"a":1}'.encode("utf-16-le")),
        ("Latin-1", "DecodeBeforeMac", b'{"a":"\xe9"}'),
        ("a surrogate encoded as three bytes", "DecodeBeforeMac", b'"\xed\xa0\x80"'),
        ("byte order mark", "ByteOrderMark", MARK + SMALL),
        ("byte order mark alone", "ByteOrderMark", MARK),
        ("NUL at the end", "DecodeBeforeMac", SMALL + b"\x00"),
        ("line feed at the end", "TrailingNewline", SMALL + b"\n"),
        ("not JSON", "Genuine", b"a=1&b=2"),
        ("8,193 bytes", "ChunkedBase64", damage.pattern(8193)),
        ("32,768 bytes", "ChunkedBase64", damage.pattern(32768)),
        ("65,537 bytes", "ChunkedBase64", damage.pattern(65537)),
    ]:
        group.valid(comment, flags, body, v3(body))


def wrong_message(made: Suite) -> None:
    group = made.group("The digest is valid, but for another message or another key.", ["v3"])
    body = damage.pattern(59) + b"\xfb\xff"  # base64 has two lines, +, / and padding
    mime = base64.encodebytes(body)
    for comment, text in [
        ("base64 without padding", base64.b64encode(body).rstrip(b"=")),
        ("URL-safe base64", base64.urlsafe_b64encode(body)),
        ("URL-safe base64 without padding", base64.urlsafe_b64encode(body).rstrip(b"=")),
        ("MIME base64 with line feeds", mime),
        ("MIME base64 with CRLF", mime.replace(b"\n", b"\r\n")),
        ("base64 and a line feed, as the base64 command prints", base64.b64encode(body) + b"\n"),
        ("base64 in lower case", base64.b64encode(body).lower()),
        ("base64 of the base64", base64.b64encode(base64.b64encode(body))),
        ("hex of the body", body.hex().encode("ascii")),
        ("the body itself", body),
        ("base64 of the body read as Latin-1", base64.b64encode(body.decode("latin-1").encode("utf-8"))),
        ("base64 of the body read as UTF-8", base64.b64encode(body.decode("utf-8", "replace").encode("utf-8"))),
        ("base64 in chunks of 32 bytes", b"".join(base64.b64encode(body[i:i + 32]) for i in (0, 32))),
    ]:
        group.invalid(f"signed: {comment}", "Base64Variant WrongRecipe", MISMATCH, body, over(text))
    spaced = bodies.spaced(INTENT)
    for comment, text in [
        ("the text of v1", message("v1", spaced, "")),
        ("the text of v2", message("v2", spaced, "")),
        ("base64 of the text of v1", base64.b64encode(message("v1", spaced, ""))),
        ("base64 of the text of v2", base64.b64encode(message("v2", spaced, ""))),
        ("base64 of the body without a line feed at its end", base64.b64encode(spaced.strip())),
    ]:
        group.invalid(f"signed: {comment}", "WrongRecipe", MISMATCH, spaced + b"\n", over(text))
    for comment, value in wrong_recipes.digests(SECRET, base64.b64encode(SMALL), T):
        group.invalid(f"recipe: {comment}", "WrongRecipe", MISMATCH, SMALL, header(v3=value))
    group.invalid(
        "the account API key as the key of v3", "SwappedKeys", MISMATCH, SMALL, header(v3=digest("v3", API_KEY, SMALL))
    )


def boundary(made: Suite) -> None:
    group = made.group("Characters moved between the end of the base64 and t. The message stays the same.", ["v3"])
    whole = SMALL + b"\n"  # a multiple of three bytes, so its base64 has no padding
    body = whole + base64.b64decode("1234")
    sent = digest("v3", SECRET, body)
    group.valid("the delivery as it was signed", "BoundaryShift", body, header(v3=sent))
    group.invalid(
        "four characters of base64 moved into t: 14 digits", "BoundaryShift", "SIGNATURE_MALFORMED",
        whole, header("1234" + T, v3=sent),
    )
    group.invalid(
        "two characters moved into t, and the base64 padded again", "BoundaryShift", MISMATCH,
        whole + base64.b64decode("12=="), header("34" + T, v3=sent), int("34" + T) * 1000,
    )
    for count in (4, 8):
        more = base64.b64decode(T[:count])
        group.invalid(
            f"{count} digits of t moved into the body", "BoundaryShift", "TIMESTAMP_TOO_OLD",
            body + more, header(T[count:], v3=sent),
        )
    for t, characters, code in (("80", "1234", "TIMESTAMP_TOO_OLD"), ("1743090", "2000", "TIMESTAMP_IN_FUTURE")):
        early = digest("v3", SECRET, whole + base64.b64decode(characters), t)
        group.invalid(
            f"four characters moved into a t of {len(t)} digits", "BoundaryShift", code,
            whole, header(characters + t, v3=early),
        )
