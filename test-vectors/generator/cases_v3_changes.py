"""v3.json, second part: the body or the digest changed after signing."""

import base64

from . import bodies, damage
from .bodies import INTENT_EVENT, SMALL, TRANSACTION_EVENT
from .signing import SECRET, digest, header, signed
from .suite import Suite

MISMATCH = "SIGNATURE_MISMATCH"
MARK = b"\xef\xbb\xbf"
INTENT = INTENT_EVENT["data"]["intent"]


def add(made: Suite) -> None:
    changed(made)
    reserialized(made)


def v3(body: bytes) -> str:
    return signed(body, ["v3"])


def changed(made: Suite) -> None:
    group = made.group("The body or the digest changed after signing.", ["v3"])
    event = bodies.compact(TRANSACTION_EVENT)
    for comment, body in damage.flipped_bodies(event):
        group.invalid(f"body: {comment}", "BitFlip", MISMATCH, body, v3(event))
    for comment, value in damage.flipped_digests(digest("v3", SECRET, SMALL)):
        group.invalid(f"digest: {comment}", "BitFlip", MISMATCH, SMALL, header(v3=value))

    acute = '{"n":"\u00e9"}'.encode("utf-8")
    big = damage.pattern(8193)
    for comment, flags, before, after in [
        ("byte 0xff became 0xfe", "DecodeBeforeMac", b'"\xff"', b'"\xfe"'),
        ("byte 0xfe became 0xff", "DecodeBeforeMac", b'"\xfe"', b'"\xff"'),
        ("byte 0xff became U+FFFD", "DecodeBeforeMac", b'"\xff"', b'"\xef\xbf\xbd"'),
        ("U+FFFD became byte 0x80", "DecodeBeforeMac", b'"\xef\xbf\xbd"', b'"\x80"'),
        ("Latin-1 became UTF-8", "DecodeBeforeMac", b'"\xe9"', b'"\xc3\xa9"'),
        ("UTF-8 became Latin-1", "DecodeBeforeMac", b'"\xc3\xa9"', b'"\xe9"'),
        ("UTF-8 was encoded twice", "DecodeBeforeMac", acute, acute.decode("latin-1").encode("utf-8")),
        ("the high bit of each byte lost", "HighBitLost", b'"\xc3\xa9"', b'"C)"'),
        ("byte order mark added", "ByteOrderMark", SMALL, MARK + SMALL),
        ("byte order mark removed", "ByteOrderMark", MARK + SMALL, SMALL),
        ("a second byte order mark", "ByteOrderMark", MARK + SMALL, MARK + MARK + SMALL),
        ("line feed added at the end", "TrailingNewline", SMALL, SMALL + b"\n"),
        ("line feed removed at the end", "TrailingNewline", SMALL + b"\n", SMALL),
        ("space added at the start", "TrailingNewline", SMALL, b" " + SMALL),
        ("NUL added at the end", "TrailingNewline", SMALL, SMALL + b"\x00"),
        ("zero byte became none", "Base64Variant", b"\x00", b""),
        ("two zero bytes became one", "Base64Variant", b"\x00\x00", b"\x00"),
        ("LF became CRLF", "LineEndings", bodies.indented(INTENT), bodies.indented(INTENT, 2, "\r\n")),
        ("CRLF became LF", "LineEndings", bodies.indented(INTENT, 2, "\r\n"), bodies.indented(INTENT)),
        ("composed became decomposed", "Normalization", acute, '{"n":"e\u0301"}'.encode("utf-8")),
        ("decomposed became composed", "Normalization", '{"n":"e\u0301"}'.encode("utf-8"), acute),
        ("Kelvin sign became K", "Normalization", '"\u212a"'.encode("utf-8"), b'"K"'),
        ("cut short", "Tampered", SMALL, SMALL[:-1]),
        ("cut in half", "Tampered", event, event[: len(event) // 2]),
        ("twice the body", "Tampered", SMALL, SMALL + SMALL),
        ("an amount changed", "Tampered", event, event.replace(b"50.0", b"90.0")),
        ("a byte changed after the first 8,192", "ChunkedBase64", big, damage.flip_bit(big, -1, 0)),
        ("only the first 8,192 bytes are left", "ChunkedBase64", big, big[:8192]),
        ("the body is its base64", "Base64Variant", SMALL, base64.b64encode(SMALL)),
        ("the body is its hex", "Base64Variant", SMALL, SMALL.hex().encode("ascii")),
        ("body gone", "BodyGone", SMALL, b""),
        ("body became {}", "BodyGone", SMALL, b"{}"),
        ("body became null", "BodyGone", SMALL, b"null"),
        ("body became [object Object]", "BodyGone", SMALL, b"[object Object]"),
    ]:
        group.invalid(f"after signing: {comment}", flags, MISMATCH, after, v3(before))


def reserialized(made: Suite) -> None:
    group = made.group("The same JSON printed again, as a body parser or a forwarder does: v3 must not match.", ["v3"])
    for name, event in (("transaction event", TRANSACTION_EVENT), ("intent event", INTENT_EVENT)):
        sent = v3(bodies.compact(event))
        for comment, body in [
            ("spaces after commas", bodies.spaced(event)),
            ("indented", bodies.indented(event)),
            ("keys in another order", bodies.compact(bodies.reordered(event))),
            ("letters as escapes", bodies.compact(event, ascii_only=True)),
            ("50.0 became 50", bodies.compact(event).replace(b"50.0,", b"50,")),
        ]:
            group.invalid(f"{name}: {comment}", "Reserialized RealisticBody", MISMATCH, body, sent)
    for before, after in [
        ("10.0", "10"), ("136.0", "136"), ("1e-7", "1e-07"), ("1E5", "100000"),
        ("9007199254740993", "9007199254740992"),
        ("-0", "0"), ("1e999", "null"), ('"\\/"', '"/"'), ('"\\u00e9"', '"\u00e9"'), ('"\u00e9"', '"\\u00e9"'),
        ('"\u2028"', '"\\u2028"'), ('{"2":1,"10":2}', '{"10":2,"2":1}'), ('{"10":2,"2":1}', '{"2":1,"10":2}'),
        ('{"__proto__":1,"a":2}', '{"a":2}'), ('{"a":1,"a":2}', '{"a":2}'), ('{"b":1,"a":2}', '{"a":2,"b":1}'),
    ]:
        comment = f"{before} became {after}"
        group.invalid(comment, "Reserialized", MISMATCH, after.encode("utf-8"), v3(before.encode("utf-8")))
