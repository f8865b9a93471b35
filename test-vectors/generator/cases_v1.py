"""v1.json: the body without spaces and line breaks, then t; the key is the account API key."""

from . import bodies, damage, wrong_recipes
from .bodies import INTENT_EVENT, SMALL, TRANSACTION_EVENT
from .signing import API_KEY, SECRET, T, digest, header, hmac_hex, message, signed
from .suite import Suite

MISMATCH = "SIGNATURE_MISMATCH"
FORM_FIELDS = "name=Zo\u00eb&note=not json".encode("utf-8")


def suite() -> Suite:
    made = Suite("v1", 2000, "Version 1: bytes of the body without 0x20, 0x0A and 0x0D, then t. Key: account API key.")
    genuine(made)
    space_is_not_signed(made)
    changed(made)
    wrong_message(made)
    boundary(made)
    return made


def v1(body: bytes, t: str = T) -> str:
    return signed(body, ["v1"], t)


def over(text: bytes, t: str = T) -> str:
    """A header whose digest is valid for this text, whatever the body."""
    return header(t, v1=hmac_hex(API_KEY, text + t.encode("ascii")))


def genuine(made: Suite) -> None:
    group = made.group("Valid deliveries. The body is not parsed.", ["v1"])
    for comment, flags, body in [
        ("short body", "Genuine", SMALL),
        ("transaction event", "Genuine RealisticBody", bodies.compact(TRANSACTION_EVENT)),
        ("transaction event with spaces", "Genuine RealisticBody", bodies.spaced(TRANSACTION_EVENT)),
        ("intent event, keys in another order", "Genuine RealisticBody",
         bodies.compact(bodies.reordered(INTENT_EVENT))),
        ("transaction event, CRLF", "Genuine RealisticBody LineEndings", bodies.indented(TRANSACTION_EVENT, 2, "\r\n")),
        ("empty body", "Genuine", b""),
        ("body of spaces and line breaks only", "Genuine", b" \r\n \n"),
        ("not JSON", "Genuine", FORM_FIELDS),
        ("a tab is signed", "SpaceClass", b'{"a":\t1}'),
        ("a no-break space is signed", "SpaceClass", '{"a":"x\u00a0y"}'.encode("utf-8")),
        ("vertical tab and form feed are signed", "SpaceClass", b'{"a":1}\v\f'),
        ("U+2028 and U+2029 are signed", "LineSeparator", '{"a":"x\u2028\u2029y"}'.encode("utf-8")),
        ("escapes are signed as they stand", "EscapeSpelling", b'{"a":"x\\u0020y\\n\\r\\u00e9\\/"}'),
        ("bytes that are not UTF-8", "DecodeBeforeMac", b'{"a":"\xff\xfe\x80"}'),
        ("byte order mark", "ByteOrderMark", b'\xef\xbb\xbf{"a":1}'),
        ("UTF-16 with its zero bytes", "DecodeBeforeMac", '{"a": 1}'.encode("utf-16-le")),
        ("NUL bytes", "DecodeBeforeMac", b'{"a":"\x00"}\x00'),
        ("every byte there is", "DecodeBeforeMac", bytes(range(256))),
        ("numbers as they stand", "NumberSpelling", b'{"a":10.0,"b":1e5,"c":-0}'),
        ("repeated keys as they stand", "RepeatedKey", b'{"a":1,"a":2}'),
    ]:
        group.valid(comment, flags, body, v1(body))


def space_is_not_signed(made: Suite) -> None:
    group = made.group("Spaces and line breaks are not signed, so they may change on the way.", ["v1"])
    sent = v1(bodies.compact(INTENT_EVENT))
    for comment, body in [
        ("spaces added after commas and colons", bodies.spaced(INTENT_EVENT)),
        ("indented", bodies.indented(INTENT_EVENT)),
        ("indented, CRLF", bodies.indented(INTENT_EVENT, 4, "\r\n")),
        ("line feed added at the end", bodies.compact(INTENT_EVENT) + b"\n"),
    ]:
        group.valid(f"after signing: {comment}", "Reserialized", body, sent)
    for comment, before, after in [
        ("a space in a name", b'{"name":"Jane Doe"}', b'{"name":"JaneDoe"}'),
        ("a line feed in a string", b'{"name":"JaneDoe"}', b'{"name":"Jane\nDoe"}'),
        ("a space between two numbers", b"[1 2]", b"[12]"),
        ("a space in a key", b'{"a b":1}', b'{"ab":1}'),
    ]:
        group.valid(f"after signing, the meaning changes with {comment}", "BlindToSpaces", after, v1(before))


def changed(made: Suite) -> None:
    group = made.group("The body or the digest changed after signing.", ["v1"])
    for comment, body in damage.flipped_bodies(SMALL):
        group.invalid(f"body: {comment}", "BitFlip", MISMATCH, body, v1(SMALL))
    for comment, value in damage.flipped_digests(digest("v1", API_KEY, SMALL)):
        group.invalid(f"digest: {comment}", "BitFlip", MISMATCH, SMALL, header(v1=value))

    acute = '{"n":"\u00e9"}'.encode("utf-8")
    for comment, flags, before, after in [
        ("keys in another order", "Reserialized", b'{"a":1,"b":2}', b'{"b":2,"a":1}'),
        ("10.0 became 10", "Reserialized NumberSpelling", b'{"n":10.0}', b'{"n":10}'),
        ("1e5 became 100000", "Reserialized NumberSpelling", b'{"n":1e5}', b'{"n":100000}'),
        ("an escape became the letter", "Reserialized EscapeSpelling", b'{"n":"\\u00e9"}', acute),
        ("a letter became its escape", "Reserialized EscapeSpelling", acute, b'{"n":"\\u00e9"}'),
        ("\\/ became /", "Reserialized EscapeSpelling", b'{"n":"\\/"}', b'{"n":"/"}'),
        ("indented with tabs", "SpaceClass Reserialized", SMALL, SMALL.replace(b",", b",\t")),
        ("a tab removed", "SpaceClass", b'{"a":\t1}', b'{"a":1}'),
        ("a space became a no-break space", "SpaceClass", b'{"a": 1}', b'{"a":\xc2\xa01}'),
        ("byte order mark added", "ByteOrderMark", SMALL, b"\xef\xbb\xbf" + SMALL),
        ("byte order mark removed", "ByteOrderMark", b"\xef\xbb\xbf" + SMALL, SMALL),
        ("byte 0xff became 0xfe", "DecodeBeforeMac", b'"\xff"', b'"\xfe"'),
        ("byte 0xff became U+FFFD", "DecodeBeforeMac", b'"\xff"', b'"\xef\xbf\xbd"'),
        ("composed became decomposed", "Normalization", acute, '{"n":"e\u0301"}'.encode("utf-8")),
        ("a repeated key dropped", "RepeatedKey", b'{"a":1,"a":2}', b'{"a":2}'),
        ("a value changed", "Tampered", b'{"amount":50.0}', b'{"amount":90.0}'),
        ("cut short", "Tampered", SMALL, SMALL[:-1]),
        ("body gone", "BodyGone", SMALL, b""),
        ("body became {}", "BodyGone", SMALL, b"{}"),
        ("body became [object Object]", "BodyGone", SMALL, b"[object Object]"),
    ]:
        group.invalid(f"after signing: {comment}", flags, MISMATCH, after, v1(before))


def wrong_message(made: Suite) -> None:
    group = made.group("The digest is valid, but for another message or another key.", ["v1"])
    body = b'{"b": "x y",\r\n\t"a": 1}\n'
    for comment, text in [
        ("spaces and line breaks left in", body),
        ("spaces removed, line breaks left in", body.replace(b" ", b"")),
        ("line breaks removed, spaces left in", body.replace(b"\r", b"").replace(b"\n", b"")),
        ("carriage returns left in", body.replace(b" ", b"").replace(b"\n", b"")),
        ("tabs removed too", b"".join(body.split())),
        ("only the ends trimmed", body.strip()),
        ("spaces inside strings left in", b'{"b":"x y",\t"a":1}'),
        ("keys sorted, as in v2", message("v2", body, "")),
        ("base64 of the body, as in v3", message("v3", body, "")),
        ("base64 of the body without spaces", message("v3", message("v1", body, ""), "")),
    ]:
        group.invalid(f"signed: {comment}", "WrongRecipe", MISMATCH, body, over(text))
    for comment, value in wrong_recipes.digests(API_KEY, message("v1", SMALL, ""), T):
        group.invalid(f"recipe: {comment}", "WrongRecipe", MISMATCH, SMALL, header(v1=value))
    group.invalid(
        "the signing secret as the key of v1", "SwappedKeys", MISMATCH,
        SMALL, header(v1=digest("v1", SECRET, SMALL)),
    )


def boundary(made: Suite) -> None:
    group = made.group("Digits moved between the end of the text and t. The message stays the same.", ["v1"])
    value = hmac_hex(API_KEY, b"151743090080")  # body 15, t 1743090080
    group.valid("the delivery as it was signed", "BoundaryShift", b"15", header(v1=value))
    group.invalid("one digit moved into t", "BoundaryShift", "TIMESTAMP_IN_FUTURE", b"1", header("5" + T, v1=value))
    group.invalid(
        "the whole body moved into t", "BoundaryShift BodyGone", "TIMESTAMP_IN_FUTURE", b"", header("15" + T, v1=value)
    )
    for count in (1, 4, 9):
        group.invalid(
            f"{count} digits of t moved into the body", "BoundaryShift", "TIMESTAMP_TOO_OLD",
            b"15" + T[:count].encode("ascii"), header(T[count:], v1=value),
        )
    group.invalid(
        "all of t moved into the body", "BoundaryShift TimestampMissing", "SIGNATURE_MALFORMED",
        b"15" + T.encode("ascii"), header("", v1=value),
    )
    long = b'{"a":123}456'
    value = digest("v1", API_KEY, long)
    group.invalid(
        "three digits make t too long", "BoundaryShift", "SIGNATURE_MALFORMED", long[:-3], header("456" + T, v1=value)
    )
