"""v2-source.json, second part: changed bodies, and digests over texts in none of the three forms."""

from . import bodies, damage, wrong_recipes
from .bodies import INTENT_EVENT, SMALL
from .signing import API_KEY, SECRET, T, digest, header, hmac_hex, message, signed
from .suite import Suite

MISMATCH = "SIGNATURE_MISMATCH"

# Comment, flags, body, and a text that some code makes of it. No form makes it.
WRONG_TEXTS = [
    ("keys not sorted, as in v1", "WrongRecipe", b'{"b":1,"a":2}', '{"b":1,"a":2}'),
    ("sorted at the top only", "NestedSort", b'{"b":{"d":1,"c":2},"a":3}', '{"a":3,"b":{"d":1,"c":2}}'),
    ("objects in arrays not sorted", "NestedSort", b'[{"b":1,"a":2}]', '[{"b":1,"a":2}]'),
    ("arrays sorted too", "ArrayOrder", b"[3,1,2]", "[1,2,3]"),
    ("sorted downwards", "LocaleSort", b'{"a":1,"b":2}', '{"b":2,"a":1}'),
    ("sorted without regard to case", "LocaleSort",
     b'{"clearingInstituteName":1,"ExtendedDescription":2,"EXTERNAL_SYSTEM_LINK":3}',
     '{"clearingInstituteName":1,"ExtendedDescription":2,"EXTERNAL_SYSTEM_LINK":3}'),
    ("sorted by localeCompare", "LocaleSort", '{"z":1,"\u00e9":2,"e":3,"Z":4}'.encode("utf-8"),
     '{"e":3,"\u00e9":2,"z":1,"Z":4}'),
    ("keys of digits sorted as numbers", "IntegerLikeKey", b'{"a":0,"10":1,"2":2}', '{"2":2,"10":1,"a":0}'),
    ("sorted by the key as it is spelled", "EscapeSpelling", b'{"a":1,"\\u0062":2.0}', '{"\\u0062":2.0,"a":1}'),
    ("sorted after the spaces went", "SpaceInStrings", b'{"aa":1,"a b":2}', '{"aa":1,"ab":2}'),
    ("keys equal without spaces made one", "SpaceInStrings", b'{"ab":1,"a b":2}', '{"ab":2}'),
    ("sorted with the quotes", "LocaleSort", b'{"a":1,"a!":2}', '{"a!":2,"a":1}'),
    ("of a repeated key the first wins", "RepeatedKey", b'{"a":1,"a":2}', '{"a":1}'),
    ("repeated keys both kept", "RepeatedKey", b'{"a":1,"a":2}', '{"a":1,"a":2}'),
    ("repeated key with the spelling of the first", "RepeatedKey", b'{"a":1.0,"\\u0062":1,"b":2.00}',
     '{"a":1.0,"\\u0062":2.00}'),
    ("repeated objects merged", "RepeatedKey", b'{"a":{"x":1},"a":{"y":2}}', '{"a":{"x":1,"y":2}}'),
    ("__proto__ lost", "PrototypeKey", b'{"__proto__":{"x":1},"a":2}', '{"a":2}'),
    ("constructor lost", "PrototypeKey", b'{"constructor":1,"a":2}', '{"a":2}'),
    ("{} became []", "EmptyContainer", b'{"a":{},"b":[]}', '{"a":[],"b":[]}'),
    ("[] became {}", "EmptyContainer", b'{"a":{},"b":[]}', '{"a":{},"b":{}}'),
    ("null members dropped", "EmptyContainer", b'{"a":null,"b":1}', '{"b":1}'),
    ("spaces inside strings kept", "SpaceInStrings", b'{"a":"Jane Doe"}', '{"a":"Jane Doe"}'),
    ("spaces at the ends of strings cut, inner ones kept", "SpaceInStrings", b'{"a":" x y "}', '{"a":"x y"}'),
    ("spaces after commas and colons", "WrongRecipe", b'{"a":1,"b":2}', '{"a": 1, "b": 2}'),
    ("no-break space removed", "SpaceClass", b'{"a":"x\xc2\xa0y"}', '{"a":"xy"}'),
    ("U+2028 removed", "LineSeparator", b'{"a":"x\xe2\x80\xa8y"}', '{"a":"xy"}'),
    ("escaped tab removed", "SpaceClass", b'{"a":"x\\ty"}', '{"a":"xy"}'),
    ("escaped line feed removed", "SpaceClass", b'{"a":"x\\ny"}', '{"a":"xy"}'),
    ("escaped space kept as a space", "EscapeSpelling", b'{"a":"x\\u0020y"}', '{"a":"x y"}'),
    ("/ escaped, as PHP does", "EscapeSpelling", b'{"a":"x/y"}', '{"a":"x\\/y"}'),
    ("< and & escaped, as Go does", "EscapeSpelling", b'{"a":"<&>"}', '{"a":"\\u003c\\u0026\\u003e"}'),
    ("upper-case escapes", "EscapeSpelling", b'{"a":"\xc3\xa9"}', '{"a":"\\u00E9"}'),
    ("escape outside the BMP with eight digits", "EscapeSpelling", b'{"a":"\xf0\x9f\x98\x80"}', '{"a":"\\U0001f600"}'),
    ("composed became decomposed", "Normalization", b'{"a":"\xc3\xa9"}', '{"a":"e\u0301"}'),
    ("lone surrogate became U+FFFD", "LoneSurrogate", b'{"a":"\\ud800"}', '{"a":"\ufffd"}'),
    ("lone surrogate became ?", "LoneSurrogate", b'{"a":"\\ud800"}', '{"a":"?"}'),
    ("10.0 became 1E1", "NumberSpelling", b'{"a":10.0}', '{"a":1E1}'),
    ("10.0 became 10.00", "NumberSpelling", b'{"a":10.0}', '{"a":10.00}'),
    ("10 became 10.0", "NumberSpelling", b'{"a":10}', '{"a":10.0}'),
    ("10 became a string", "NumberSpelling", b'{"a":10}', '{"a":"10"}'),
    ("1e21 written out", "NumberSpelling", b'{"a":1e21}', '{"a":1000000000000000000000}'),
    ("1e16 written out with a point", "NumberSpelling", b'{"a":1e16}', '{"a":10000000000000000.0}'),
    ("0.1 with all its binary digits", "NumberSpelling", b'{"a":0.1}', '{"a":0.1000000000000000055511151231257827}'),
    ("a large integer as a double of 17 digits", "LargeInteger", b'{"a":9007199254740993}',
     '{"a":9.0071992547409920e15}'),
    ("numbers as JavaScript prints them, strings as they stand", "MixedForms", b'{"a":10.0,"b":"\\u00e9"}',
     '{"a":10,"b":"\\u00e9"}'),
    ("numbers as Python prints them, letters beyond ASCII raw", "MixedForms", b'{"a":1e5,"b":"\xc3\xa9"}',
     '{"a":100000.0,"b":"\u00e9"}'),
    ("tokens as they stand, keys by UTF-16 code unit", "MixedForms CodePointOrder",
     b'{"\xef\xbf\xbd":1.0,"\xf0\x9f\x98\x80":2.0}', '{"\U0001f600":2.0,"\ufffd":1.0}'),
    ("true became 1", "WrongRecipe", b'{"a":true}', '{"a":1}'),
    ("the byte order mark is signed", "ByteOrderMark", b'\xef\xbb\xbf{"a":1}', '\ufeff{"a":1}'),
    ("the braces left out", "WrongRecipe", b'{"a":1}', '"a":1'),
    ("as a query string", "WrongRecipe", b'{"a":1,"b":2}', "a=1&b=2"),
    ("empty text", "BodyGone", b'{"a":1}', ""),
]

# Comment, flags, the body that was signed, the body that arrived.
CHANGES = [
    ("a value", "Tampered", b'{"amount":50.0}', b'{"amount":90.0}'),
    ("a digit added to a number", "Tampered", b'{"amount":5}', b'{"amount":50}'),
    ("a member added", "Tampered", b'{"a":1}', b'{"a":1,"b":2}'),
    ("a member removed", "Tampered", b'{"a":1,"b":2}', b'{"a":1}'),
    ("a key renamed", "Tampered", b'{"a":1}', b'{"b":1}'),
    ("two values changed about", "Tampered", b'{"a":1,"b":2}', b'{"a":2,"b":1}'),
    ("array items in another order", "ArrayOrder", b"[1,2]", b"[2,1]"),
    ("a number became a string", "Tampered", b'{"a":1}', b'{"a":"1"}'),
    ("null became {}", "EmptyContainer", b'{"a":null}', b'{"a":{}}'),
    ("{} became []", "EmptyContainer", b'{"a":{}}', b'{"a":[]}'),
    ("__proto__ added", "PrototypeKey", b'{"a":1}', b'{"a":1,"__proto__":{"admin":true}}'),
    ("a member moved one level up", "Tampered", b'{"a":{"b":1,"c":2}}', b'{"a":{"b":1},"c":2}'),
    ("composed became decomposed", "Normalization", b'{"a":"\xc3\xa9"}', b'{"a":"e\xcc\x81"}'),
    ("case of a key", "Tampered", b'{"Amount":1}', b'{"amount":1}'),
    ("1e5 became 1e6", "Tampered", b'{"a":1e5}', b'{"a":1e6}'),
    ("0.1 became 0.10000000000000002", "Tampered", b'{"a":0.1}', b'{"a":0.10000000000000002}'),
    ("body became {}", "BodyGone", b'{"a":1}', b"{}"),
    ("body became null", "BodyGone", b'{"a":1}', b"null"),
]


def add(made: Suite) -> None:
    group = made.group("The digest is valid, but over a text in none of the three forms.", ["v2"])
    for comment, flags, body, text in WRONG_TEXTS:
        group.invalid(f"signed: {comment}", flags, MISMATCH, body, header(v2=hmac_hex(SECRET, text + T)))

    group = made.group("The body or the digest changed after signing.", ["v2"])
    for comment, flags, before, after in CHANGES:
        group.invalid(f"after signing: {comment}", flags, MISMATCH, after, signed(before, ["v2"]))
    event = bodies.compact(INTENT_EVENT)
    group.invalid(
        "after signing: one amount of an intent event", "Tampered RealisticBody", MISMATCH,
        event.replace(b'"50.00"', b'"90.00"', 1), signed(event, ["v2"]),
    )
    for comment, value in damage.flipped_digests(digest("v2", SECRET, SMALL)):
        group.invalid(f"digest: {comment}", "BitFlip", MISMATCH, SMALL, header(v2=value))
    wrong_messages(made)
    boundary(made)


def wrong_messages(made: Suite) -> None:
    group = made.group("Another recipe or another key.", ["v2"])
    for comment, value in wrong_recipes.digests(SECRET, message("v2", SMALL, ""), T):
        group.invalid(f"recipe: {comment}", "WrongRecipe", MISMATCH, SMALL, header(v2=value))
    group.invalid(
        "recipe: base64 of the canonical text", "WrongRecipe", MISMATCH, SMALL,
        header(v2=digest("v3", SECRET, message("v2", SMALL, ""))),
    )
    group.invalid(
        "the account API key as the key of v2", "SwappedKeys", MISMATCH, SMALL, header(v2=digest("v2", API_KEY, SMALL))
    )


def boundary(made: Suite) -> None:
    group = made.group("Digits moved between the end of the text and t. The message stays the same.", ["v2"])
    value = hmac_hex(SECRET, b"151743090080")  # body 15, t 1743090080
    group.valid("the delivery as it was signed", "BoundaryShift", b"15", header(v2=value))
    group.invalid("one digit moved into t", "BoundaryShift", "TIMESTAMP_IN_FUTURE", b"1", header("5" + T, v2=value))
    for count in (1, 4, 9):
        group.invalid(
            f"{count} digits of t moved into the body", "BoundaryShift", "TIMESTAMP_TOO_OLD",
            b"15" + T[:count].encode("ascii"), header(T[count:], v2=value),
        )
