"""v2-ecmascript.json: the form of a sender that uses JSON.parse and JSON.stringify."""

import math

from . import bodies, not_json
from .bodies import INTENT_EVENT, TRANSACTION_EVENT
from .signing import SECRET, T, header, hmac_hex, signed
from .suite import Suite

FORM = "ecmascript"
MISMATCH = "SIGNATURE_MISMATCH"

# A number as it is in the body, and as JavaScript prints it.
NUMBERS = [
    ("10.0", "10"), ("136.0", "136"), ("50.00", "50"), ("7.10", "7.1"), ("1E5", "100000"), ("1e+05", "100000"),
    ("1e-7", None), ("1E-7", "1e-7"), ("0.0000001", "1e-7"), ("0.00000015", "1.5e-7"), ("1e-6", "0.000001"),
    ("0.0000010", "0.000001"), ("1e16", "10000000000000000"), ("1e20", "100000000000000000000"), ("1e21", "1e+21"),
    ("1000000000000000000000", "1e+21"), ("123456789012345680000", None),
    ("123456789012345678901", "123456789012345680000"),
    ("1234567890123456789012", "1.2345678901234568e+21"), ("9007199254740993", "9007199254740992"),
    ("9007199254740995", "9007199254740996"), ("12345678901234567890", "12345678901234567000"),
    ("-0", "0"), ("-0.0", "0"), ("0e5", "0"), ("-0e-5", "0"), ("1e999", "null"), ("-1e999", "null"),
    ("1e-999", "0"), ("-1e-999", "0"), ("5e-324", None), ("4.9e-324", "5e-324"), ("2e-324", "0"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"), ("1.7976931348623159e308", "null"),
    ("2.2250738585072014E-308", "2.2250738585072014e-308"), ("0.1", None), ("0.10", "0.1"),
    ("0.1000000000000000055511151231257827", "0.1"), ("0.30000000000000004", None),
    ("0.123456789012345678901234567890", "0.12345678901234568"), ("1.0000000000000002", None),
    ("1.00000000000000011102230246251565", "1"), ("100e-2", "1"), ("123e-20", "1.23e-18"), ("1.5e300", "1.5e+300"),
    ("9.95", None), ("-7.1E1", "-71"), ("4.35", None), ("0.000001234", "0.000001234"),
]

# Comment, flags, body, and the text that is signed, written by hand.
TEXTS = [
    ("escapes that need not be are letters", "EscapeSpelling", b'["\\u00e9\\u00E9\\/\\u0041\\u0020"]',
     '["\u00e9\u00e9/A"]'),
    ("escapes in keys are letters", "EscapeSpelling", b'{"\\u0062":1,"\\u0061":2}', '{"a":2,"b":1}'),
    ("short escapes where there are some", "EscapeSpelling", b'["\\u0008\\u000c\\u000A\\u000D\\u0009\\u0022\\u005C"]',
     '["\\b\\f\\n\\r\\t\\"\\\\"]'),
    ("other controls in lower-case hex", "EscapeSpelling", b'["\\u0000\\u000B\\u001F"]', '["\\u0000\\u000b\\u001f"]'),
    ("U+007F to U+009F are raw", "EscapeSpelling", b'["\\u007f\\u0080\\u009f"]', '["\x7f\x80\x9f"]'),
    ("U+2028 and U+2029 are raw", "LineSeparator", b'["\\u2028\\u2029"]', '["\u2028\u2029"]'),
    ("no-break space and byte order mark are raw", "SpaceClass", b'["\\u00a0\\ufeff\\u3000"]',
     '["\u00a0\ufeff\u3000"]'),
    ("a pair of escapes is one character", "EscapeSpelling", b'["\\ud83d\\ude00\\uD83D\\uDE00"]',
     '["\U0001f600\U0001f600"]'),
    ("noncharacters are raw", "EscapeSpelling", b'["\\uffff\\ufffe\\ufdd0"]', '["\uffff\ufffe\ufdd0"]'),
    ("lone surrogates are lower-case escapes", "LoneSurrogate", b'["\\uD800","\\uDFFFx","\\uDE00\\uD83D"]',
     '["\\ud800","\\udfffx","\\ude00\\ud83d"]'),
    ("high, high, low", "LoneSurrogate", b'["\\uD83D\\uD83D\\uDE00"]', '["\\ud83d\U0001f600"]'),
    ("an escaped high surrogate before a raw pair", "LoneSurrogate", b'["\\uD83D\xf0\x9f\x98\x80"]',
     '["\\ud83d\U0001f600"]'),
    ("lone surrogate as key", "LoneSurrogate", b'{"\\uDC00":1.0}', '{"\\udc00":1}'),
    ("an escaped space goes", "SpaceInStrings", b'{"a\\u0020b":"x\\u0020y"}', '{"ab":"xy"}'),
    ("escaped line breaks stay as \\n and \\r", "SpaceInStrings", b'["\\u000a\\u000d"]', '["\\n\\r"]'),
    ("beyond the BMP before U+E000 and U+FFFD", "CodePointOrder",
     '{"\ufffd":1.0,"\ue000":2.0,"\U0001f600":3.0,"\ud7ff":4.0}'.encode("utf-8"),
     '{"\ud7ff":4,"\U0001f600":3,"\ue000":2,"\ufffd":1}'),
    ("a pair before a lone surrogate that is higher", "CodePointOrder LoneSurrogate",
     b'{"\\ud83e":1.0,"\\ud83d\\ude00":2,"\\ud83d":3}', '{"\\ud83d":3,"\U0001f600":2,"\\ud83e":1}'),
    ("keys of digits sort as text", "IntegerLikeKey", b'{"2":1.0,"10":2,"1":3,"a":4,"01":5}',
     '{"01":5,"1":3,"10":2,"2":1,"a":4}'),
    ("__proto__ and its like are keys", "PrototypeKey", b'{"b":1.0,"constructor":null,"__proto__":{"y":1,"x":2}}',
     '{"__proto__":{"x":2,"y":1},"b":1,"constructor":null}'),
    ("toJSON is a key", "PrototypeKey", b'{"toJSON":1.0}', '{"toJSON":1}'),
    ("of a repeated key the last wins", "RepeatedKey", b'{"a":{"x":1.0},"\\u0061":{"y":2.0}}', '{"a":{"y":2}}'),
    ("{} next to []", "EmptyContainer", b'{"b":{},"a":[],"c":1.0}', '{"a":[],"b":{},"c":1}'),
    ("byte order mark is ignored", "ByteOrderMark", b"\xef\xbb\xbf[10.0]", "[10]"),
]

# Comment, flags, body, and a text in none of the three forms.
WRONG_TEXTS = [
    ("keys of digits in the order of a JavaScript object", "IntegerLikeKey", b'{"a":1.0,"10":2,"2":3}',
     '{"2":3,"10":2,"a":1}'),
    ("__proto__ lost by assignment", "PrototypeKey", b'{"__proto__":{"x":1},"a":2.0}', '{"a":2}'),
    ("__proto__ emptied", "PrototypeKey", b'{"__proto__":{"x":1},"a":2.0}', '{"__proto__":{},"a":2}'),
    ("keys by code point", "MixedForms CodePointOrder", b'{"\xf0\x9f\x98\x80":2.0,"\xef\xbf\xbd":1.0}',
     '{"\ufffd":1,"\U0001f600":2}'),
    ("letters beyond ASCII escaped", "MixedForms", b'{"a":10.0,"b":"\xc3\xa9"}', '{"a":10,"b":"\\u00e9"}'),
    ("U+2028 escaped", "LineSeparator", b'{"a":1.0,"b":"\xe2\x80\xa8"}', '{"a":1,"b":"\\u2028"}'),
    ("U+007F escaped", "EscapeSpelling", b'{"a":1.0,"b":"\x7f"}', '{"a":1,"b":"\\u007f"}'),
    ("/ escaped", "EscapeSpelling", b'{"a":1.0,"b":"\\/"}', '{"a":1,"b":"\\/"}'),
    ("backspace as \\u0008", "EscapeSpelling", b'{"a":1.0,"b":"\\b"}', '{"a":1,"b":"\\u0008"}'),
    ("controls in upper-case hex", "EscapeSpelling", b'{"a":1.0,"b":"\\u001f"}', '{"a":1,"b":"\\u001F"}'),
    ("lone surrogate became U+FFFD", "LoneSurrogate", b'{"a":1.0,"b":"\\ud800"}', '{"a":1,"b":"\ufffd"}'),
    ("lone surrogate in upper-case hex", "LoneSurrogate", b'{"a":1.0,"b":"\\udabc"}', '{"a":1,"b":"\\uDABC"}'),
    ("-0 kept its sign", "NegativeZero", b"[-0e0]", "[-0]"),
    ("1e999 became Infinity, next to 10", "NumberOverflow", b"[1e999,10.0]", "[Infinity,10]"),
    ("1e999 became the largest double", "NumberOverflow", b"[1e999]", "[1.7976931348623157e+308]"),
    ("1e999 became 0", "NumberOverflow", b"[1e999]", "[0]"),
    ("1e21 without the plus sign", "NumberSpelling", b"[1E21,10.0]", "[1e21,10]"),
    ("1e20 with an exponent", "NumberSpelling", b"[1E20]", "[1e20]"),
    ("1e-7 as Python prints it, next to 10", "MixedForms", b"[1e-7,10.0]", "[1e-07,10]"),
    ("1e-7 written out", "NumberSpelling", b"[1e-7,10.0]", "[0.0000001,10]"),
    ("7.1 with 17 digits", "NumberSpelling", b"[7.10]", "[7.0999999999999996]"),
    ("5e-324 as 4.94e-324", "NumberSpelling", b"[5E-324]", "[4.94e-324]"),
    ("2^53 + 1 in full, next to 10", "LargeInteger", b"[9007199254740993,10.0]", "[9007199254740993,10]"),
    ("2^53 + 1 rounded up", "LargeInteger", b"[9007199254740993]", "[9007199254740994]"),
    ("a number beyond 2^53 with ~", "LargeInteger", b"[12345678901234567890]", "[1.2345678901234567e19]"),
]


def suite() -> Suite:
    made = Suite("v2-ecmascript", 4000, "Version 2, form ecmascript: as JSON.stringify prints what JSON.parse read.")
    numbers(made)
    texts(made)
    wrong_texts(made)
    changes(made)
    return made


def number_flag(token: str) -> str:
    digits = token.lstrip("-")
    if float(token) == 0 and token != digits:
        return "NegativeZero"
    if math.isinf(float(token)):
        return "NumberOverflow"
    return "LargeInteger" if digits.isdigit() and int(digits) > 2**53 else "NumberSpelling"


def numbers(made: Suite) -> None:
    group = made.group("Numbers. Where JavaScript prints what the body says, the form is source.", ["v2"])
    for token, printed in NUMBERS:
        form = FORM if printed not in (None, token) else "source"
        value = header(v2=hmac_hex(SECRET, '{"n":' + (printed or token) + "}" + T))
        body = ('{"n":' + token + "}").encode("ascii")
        group.valid(f"{token} prints as {printed or token}", number_flag(token), body, value, canonicalForm=form)


def texts(made: Suite) -> None:
    group = made.group("Strings, keys and their order.", ["v2"])
    for comment, flags, body, text in TEXTS:
        group.valid(comment, flags, body, header(v2=hmac_hex(SECRET, text + T)), canonicalForm=FORM)

    group = made.group("Events as the service sends them: 50.0 is signed as 50.", ["v2"])
    for name, event in (("transaction event", TRANSACTION_EVENT), ("intent event", INTENT_EVENT)):
        sent = signed(bodies.compact(event), ["v2"], form=FORM)
        for comment, body in [
            ("compact", bodies.compact(event)),
            ("letters as escapes", bodies.compact(event, ascii_only=True)),
            ("indented, keys in another order", bodies.indented(bodies.reordered(event))),
        ]:
            group.valid(f"{name}, {comment}", "RealisticBody Reserialized", body, sent, canonicalForm=FORM)
    body = b'{"n":10.0,"d":' + not_json.deep_array(511) + b"}"
    group.valid("512 levels", "DeepNesting", body, signed(body, ["v2"], form=FORM), canonicalForm=FORM)


def wrong_texts(made: Suite) -> None:
    group = made.group("The digest is valid, but over a text in none of the three forms.", ["v2"])
    for comment, flags, body, text in WRONG_TEXTS:
        group.invalid(f"signed: {comment}", flags, MISMATCH, body, header(v2=hmac_hex(SECRET, text + T)))


def changes(made: Suite) -> None:
    group = made.group("Changed after signing. A double cannot tell some numbers from others.", ["v2"])
    for before, after in [("9007199254740993", "9007199254740992"), ("10.0", "10"), ("0.1", "0.10000000000000001"),
                          ("1e999", "null"), ("-0.0", "0")]:
        sent = signed(f"[{before}]".encode("ascii"), ["v2"], form=FORM)
        group.valid(f"{before} became {after}: the same text", "BlindToDigits", f"[{after}]".encode("ascii"), sent)
    for before, after in [("9007199254740993", "9007199254740994"), ("10.0", "10.000000000000002"), ("1e5", "1e6"),
                          ("1e999", "0"), ("5e-324", "0"), ("1e308", "1e309"), ("7.10", "71"), ("-7.10", "7.10"),
                          ("10.0", '"10"'), ("1E400", '"null"')]:
        sent = signed(f"[{before}]".encode("ascii"), ["v2"], form=FORM)
        group.invalid(f"{before} became {after}", "Tampered", MISMATCH, f"[{after}]".encode("ascii"), sent)
    sent = signed(b'{"a":10.0,"b":1}', ["v2"], form=FORM)
    group.invalid("a member added", "Tampered", MISMATCH, b'{"a":10.0,"b":1,"c":1}', sent)
    group.invalid("arrays in another order", "ArrayOrder", MISMATCH, b"[2,1.0]", signed(b"[1.0,2]", ["v2"], form=FORM))
    lenient = header(v2=hmac_hex(SECRET, "[10]" + T))
    for comment, body in [
        ("comma before ]", b"[10.0,]"), ("leading zero", b"[010.0]"), ("no digit after the point", b"[10.]"),
    ]:
        group.invalid(f"not JSON: {comment}", "LenientJson", "BODY_NOT_JSON", body, lenient)
