"""webhook.json: the complete verification. After the signature, the body is parsed as JSON."""

from . import bodies, not_json
from .bodies import INTENT_EVENT, SMALL, TRANSACTION_EVENT
from .signing import API_KEY, NOW, SECRET, VERSIONS, digest, header, key_for, signed
from .suite import Suite

NOT_JSON = "BODY_NOT_JSON"
MISMATCH = "SIGNATURE_MISMATCH"


def suite() -> Suite:
    made = Suite("webhook", 9000, "Signature and body: the body of a valid delivery must be strict JSON.")
    events(made)
    json_bodies(made)
    bad_bodies(made)
    order_of_checks(made)
    legacy(made)
    return made


def events(made: Suite) -> None:
    for listed in (["v3"], ["v1"], ["v2"], list(VERSIONS)):
        group = made.group(f"Events of both shapes, {' and '.join(listed)} listed.", listed, operation="webhook")
        for name, event in (("transaction event", TRANSACTION_EVENT), ("intent event", INTENT_EVENT)):
            body = bodies.spaced(event)
            group.valid(name, "Genuine RealisticBody", body, signed(body))
            tampered = body.replace(b"50.0", b"90.0")
            group.invalid(f"{name}, amounts changed", "Tampered RealisticBody", MISMATCH, tampered, signed(body))


def json_bodies(made: Suite) -> None:
    group = made.group("JSON that must not be refused.", ["v3"], operation="webhook")
    for comment, flags, body in [
        ("an unknown event type", "UnknownEvent", b'{"type":"refund.created","api_version":"9.9"}'),
        ("an event without a type", "UnknownEvent", b'{"hello":"world"}'),
        ("an event type that is a number", "UnknownEvent", b'{"type":5}'),
        ("a known type, and nothing else", "UnknownEvent", b'{"type":"intent.processed"}'),
        ("a string alone", "Genuine", b'"webhook_payload"'),
        ("a number alone", "Genuine", b"5"),
        ("null alone", "Genuine", b"null"),
        ("false alone", "Genuine", b"false"),
        ("zero alone", "Genuine", b"0"),
        ("an empty string", "Genuine", b'""'),
        ("an empty array", "EmptyContainer", b"[]"),
        ("an empty object", "EmptyContainer", b"{}"),
        ("space around", "Genuine", b" \t\r\n{} \t\r\n"),
        ("byte order mark in front", "ByteOrderMark", b"\xef\xbb\xbf" + SMALL),
        ("repeated keys", "RepeatedKey", b'{"type":"a","type":"b"}'),
        ("__proto__ as key", "PrototypeKey", b'{"type":"intent.processed","__proto__":{"type":"x"}}'),
        ("a lone surrogate", "LoneSurrogate", b'{"a":"\\ud800"}'),
        ("U+2028 in a string", "LineSeparator", b'{"a":"\xe2\x80\xa8"}'),
        ("a noncharacter", "EscapeSpelling", b'{"a":"\xef\xbf\xbf"}'),
        ("NUL as an escape", "EscapeSpelling", b'{"a":"\\u0000"}'),
        ("a number too large for a double", "NumberOverflow", b"[1e999]"),
        ("an integer of 400 digits", "LargeInteger", b"[" + b"9" * 400 + b"]"),
        ("512 levels of arrays", "DeepNesting", not_json.deep_array(512)),
        ("512 levels of objects", "DeepNesting", not_json.deep_object(512)),
        ("512 levels of both", "DeepNesting", not_json.deep_mixed(512)),
        ("brackets inside a string do not count as levels", "DeepNesting", b'["' + b"[" * 2000 + b'"]'),
        ("2,000 arrays side by side do not count as levels", "DeepNesting", b"[" + b"[]," * 1999 + b"[]]"),
    ]:
        group.valid(comment, flags, body, signed(body, ["v3"]))


def bad_bodies(made: Suite) -> None:
    group = made.group("A genuine signature over a body that is not JSON.", ["v3"], operation="webhook")
    for comment, body, _ in not_json.LENIENT:
        group.invalid(comment, "GenuineNotJson", NOT_JSON, body, signed(body, ["v3"]))
    for comment, body in [
        ("513 levels of arrays", not_json.deep_array(513)),
        ("513 levels of objects", not_json.deep_object(513)),
        ("514 levels of both", not_json.deep_mixed(514)),
        ("513 levels after an array of 512", b"[" + not_json.deep_array(511) + b"," + not_json.deep_array(512) + b"]"),
        ("5,000 levels of arrays", not_json.deep_array(5000)),
    ]:
        group.invalid(comment, "DeepNesting GenuineNotJson", NOT_JSON, body, signed(body, ["v3"]))


def order_of_checks(made: Suite) -> None:
    group = made.group("Not JSON, and something else wrong: the body is looked at last.", ["v3"], operation="webhook")
    bad = b"not json"
    sent = signed(bad, ["v3"])
    for comment, code, body, value, now in [
        ("no header", "SIGNATURE_MISSING", bad, None, NOW),
        ("empty header", "SIGNATURE_MALFORMED", bad, "", NOW),
        ("v3 not there", "SIGNATURE_VERSION_MISSING", bad, signed(bad, ["v1"]), NOW),
        ("stale", "TIMESTAMP_TOO_OLD", bad, sent, NOW + 3_600_000),
        ("from the future", "TIMESTAMP_IN_FUTURE", bad, sent, NOW - 3_600_000),
        ("a wrong digest", MISMATCH, bad, header(v3="0" * 64), NOW),
        ("the digest of another body", MISMATCH, bad, signed(SMALL), NOW),
        ("empty body, the digest of another body", MISMATCH, b"", signed(SMALL), NOW),
        ("too deep, and a wrong digest", MISMATCH, not_json.deep_array(600), signed(SMALL), NOW),
    ]:
        group.invalid(comment, "OrderOfChecks CatchAll", code, body, value, now)


def legacy(made: Suite) -> None:
    group = made.group("v1 listed: spaces are not signed, yet they can break the JSON.", ["v1"], operation="webhook")
    group.valid("line breaks between tokens", "Genuine", b'{\r\n"a": 1\r\n}', signed(b'{"a":1}', ["v1"]))
    for comment, before, after in [
        ("a line feed inside a string", b'{"a":"xy"}', b'{"a":"x\ny"}'),
        ("a space inside a number", b"[12]", b"[1 2]"),
        ("a space inside true", b"[true]", b"[tr ue]"),
        ("not JSON as signed", b"a=1&b=2", b"a=1&b=2"),
        ("empty", b"", b""),
    ]:
        group.invalid(comment, "GenuineNotJson", NOT_JSON, after, signed(before, ["v1"]))

    group = made.group("v2 listed: parsed once for the digest, once for the event.", ["v2"], operation="webhook")
    for form, body in (("source", b'{"n":10.0}'), ("ecmascript", b'{"n":10.0}'), ("python", b'{"n":1e5}')):
        group.valid(f"form {form}", "NumberSpelling", body, signed(body, ["v2"], form=form), canonicalForm=form)
    for comment, body, _ in not_json.LENIENT:
        if comment in not_json.SOME:
            group.invalid(comment, "GenuineNotJson", NOT_JSON, body, header(v2="0" * 64))

    group = made.group("All three listed.", VERSIONS, operation="webhook")
    value = {name: digest(name, key_for(name, SECRET, API_KEY), SMALL) for name in VERSIONS}
    group.valid("all three match", "Genuine", SMALL, header(digests=value), secretIndex=0)
    for name in VERSIONS:
        wrong = header(digests={**value, name: "0" * 64})
        group.invalid(f"{name} does not match", "PartialMatch CatchAll", MISMATCH, SMALL, wrong)
