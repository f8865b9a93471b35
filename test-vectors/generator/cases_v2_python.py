"""v2-python.json: the form of a sender that uses json.loads and json.dumps of Python."""

from . import bodies, not_json
from .bodies import INTENT_EVENT, TRANSACTION_EVENT
from .cases_v2_ecmascript import number_flag
from .signing import SECRET, T, header, hmac_hex, signed
from .suite import Suite

FORM = "python"
MISMATCH = "SIGNATURE_MISMATCH"

# A number as it is in the body, and as Python prints it. None: the same.
NUMBERS = [
    ("10.0", None), ("10.00", "10.0"), ("50.000", "50.0"), ("7.10", "7.1"), ("1E5", "100000.0"), ("1e05", "100000.0"),
    ("1e-7", "1e-07"), ("1E-10", "1e-10"), ("0.00001", "1e-05"), ("0.0001000", "0.0001"), ("0.00015e0", "0.00015"),
    ("1e15", "1000000000000000.0"), ("1e16", "1e+16"), ("12345678901234567.0", "1.2345678901234568e+16"),
    ("1e21", "1e+21"), ("1e22", "1e+22"), ("1.5e300", "1.5e+300"), ("-0", "0"), ("-0.0", None), ("-0.00", "-0.0"),
    ("-0e0", "-0.0"), ("0e5", "0.0"), ("1e999", "Infinity"), ("-1e999", "-Infinity"), ("1e-999", "0.0"),
    ("-1e-999", "-0.0"), ("4.9e-324", "5e-324"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ("0.10", "0.1"), ("0.1000000000000000055511151231257827", "0.1"),
    ("0.123456789012345678901234567890", "0.12345678901234568"),
    ("100e-2", "1.0"), ("9007199254740993", None), ("9007199254740993.0", "9007199254740992.0"),
    ("123456789012345678901234567890", None), ("-7.1E1", "-71.0"),
]

# Comment, flags, body, and the text that is signed, written by hand.
TEXTS = [
    ("letters beyond ASCII are escapes", "EscapeSpelling", '["\u00e9\u4e16"]'.encode("utf-8"), '["\\u00e9\\u4e16"]'),
    ("escapes are in lower case", "EscapeSpelling", b'["\\u00E9\\uABCD"]', '["\\u00e9\\uabcd"]'),
    ("escapes that need not be are letters", "EscapeSpelling", b'["\\/\\u0041\\u0020\\u007e\xc3\xa9"]',
     '["/A~\\u00e9"]'),
    ("beyond the BMP two escapes", "EscapeSpelling", '["\U0001f600"]'.encode("utf-8"), '["\\ud83d\\ude00"]'),
    ("short escapes where there are some", "EscapeSpelling",
     b'["\\u0008\\u000c\\u000A\\u000D\\u0009\\u0022\\u005C\xc3\xa9"]',
     '["\\b\\f\\n\\r\\t\\"\\\\\\u00e9"]'),
    ("other controls in lower-case hex", "EscapeSpelling", b'["\\u0000\\u000B\\u001F\xc3\xa9"]',
     '["\\u0000\\u000b\\u001f\\u00e9"]'),
    ("U+007F is an escape", "EscapeSpelling", b'["\x7f"]', '["\\u007f"]'),
    ("U+2028 is an escape", "LineSeparator", '["\u2028\u2029"]'.encode("utf-8"), '["\\u2028\\u2029"]'),
    ("no-break space is an escape", "SpaceClass", '["\u00a0\u3000\ufeff"]'.encode("utf-8"),
     '["\\u00a0\\u3000\\ufeff"]'),
    ("lone surrogates are lower-case escapes", "LoneSurrogate", b'["\\uD800","\\uDFFFx","\\uDE00\\uD83D\xc3\xa9"]',
     '["\\ud800","\\udfffx","\\ude00\\ud83d\\u00e9"]'),
    ("a lone surrogate escape before a raw pair", "LoneSurrogate", b'["\\uD83D\xf0\x9f\x98\x80"]',
     '["\\ud83d\\ud83d\\ude00"]'),
    ("beyond the BMP after U+E000 and U+FFFD", "CodePointOrder",
     '{"\U0001f600":1,"\ufffd":2,"\ue000":3}'.encode("utf-8"), '{"\\ue000":3,"\\ufffd":2,"\\ud83d\\ude00":1}'),
    ("a higher lone surrogate before a pair", "CodePointOrder LoneSurrogate",
     b'{"\xf0\x9f\x98\x80":1,"\\uD83E":2}', '{"\\ud83e":2,"\\ud83d\\ude00":1}'),
    ("keys sort as text, not as escapes", "LocaleSort", '{"\u00e9":1,"z":2,"a":3}'.encode("utf-8"),
     '{"a":3,"z":2,"\\u00e9":1}'),
    ("keys of digits sort as text", "IntegerLikeKey", b'{"2":1e5,"10":2}', '{"10":2,"2":100000.0}'),
    ("__proto__ is a key", "PrototypeKey", b'{"__proto__":{"x":1e5},"a":1}', '{"__proto__":{"x":100000.0},"a":1}'),
    ("of a repeated key the last wins", "RepeatedKey", b'{"a":{"x":1},"\\u0061":{"y":1E5}}', '{"a":{"y":100000.0}}'),
    ("an escaped space goes", "SpaceInStrings", b'{"a\\u0020b":"x\\u0020\xc3\xa9"}', '{"ab":"x\\u00e9"}'),
    ("{} next to []", "EmptyContainer", b'{"b":{},"a":[],"c":1e5}', '{"a":[],"b":{},"c":100000.0}'),
    ("true, false and null", "Genuine", b'{"c":null,"b":false,"a":[true,1E0]}', '{"a":[true,1.0],"b":false,"c":null}'),
    ("byte order mark is ignored", "ByteOrderMark", b"\xef\xbb\xbf[1e5]", "[100000.0]"),
]

# Comment, flags, body, and a text in none of the three forms.
WRONG_TEXTS = [
    ("keys by UTF-16 code unit", "MixedForms CodePointOrder", b'{"\xef\xbf\xbd":1,"\xf0\x9f\x98\x80":2}',
     '{"\\ud83d\\ude00":2,"\\ufffd":1}'),
    ("keys sorted by their escapes", "LocaleSort", b'{"\xc3\xa9":1,"a":2}', '{"\\u00e9":1,"a":2}'),
    ("upper-case escapes", "EscapeSpelling", b'["\xc3\xab"]', '["\\u00EB"]'),
    ("one escape of five digits", "EscapeSpelling", b'["\xf0\x9f\x98\x80"]', '["\\u1f600"]'),
    ("U+007F raw", "EscapeSpelling", b'["\x7f\xc3\xa9"]', '["\x7f\\u00e9"]'),
    ("UTF-8 bytes escaped one by one", "EscapeSpelling", b'["\xc3\xa9"]', '["\\u00c3\\u00a9"]'),
    ("composed became decomposed", "Normalization", b'["\xc3\xa9"]', '["e\\u0301"]'),
    ("lone surrogate became U+FFFD", "LoneSurrogate", b'["\\uD800"]', '["\\ufffd"]'),
    ("/ escaped", "EscapeSpelling", b'["/\xc3\xa9"]', '["\\/\\u00e9"]'),
    ("1e5 as JavaScript prints it", "MixedForms", b'[1e5,"\xc3\xa9"]', '[100000,"\\u00e9"]'),
    ("1e-7 as JavaScript prints it", "MixedForms", b'[1e-7,1e5]', "[1e-7,100000.0]"),
    ("1e16 as JavaScript prints it", "MixedForms", b'[1e16,"\xc3\xa9"]', '[10000000000000000,"\\u00e9"]'),
    ("1e16 written out", "NumberSpelling", b"[1e16]", "[10000000000000000.0]"),
    ("1e15 with an exponent", "NumberSpelling", b"[1E15]", "[1e+15]"),
    ("an integer as a float", "NumberSpelling", b'[5,"\xc3\xa9"]', '[5.0,"\\u00e9"]'),
    ("-0 kept its sign, next to an escape", "NegativeZero", b'[-0,"\xc3\xa9"]', '[-0,"\\u00e9"]'),
    ("-0.0 lost its sign", "NegativeZero", b'[-0.0,"\xc3\xa9"]', '[0.0,"\\u00e9"]'),
    ("1e999 became inf", "NumberOverflow", b"[1e999]", "[inf]"),
    ("1e999 became null, next to an escape", "NumberOverflow MixedForms", b'[1e999,"\xc3\xa9"]', '[null,"\\u00e9"]'),
    ("a large integer through a double", "LargeInteger", b'[9007199254740993,"\xc3\xa9"]',
     '[9007199254740992,"\\u00e9"]'),
    ("a large integer with an exponent", "LargeInteger", b'[123456789012345678901234567890,"\xc3\xa9"]',
     '[1.2345678901234568e+29,"\\u00e9"]'),
    ("a long fraction kept, as Decimal does", "NumberSpelling", b'[0.10,"\xc3\xa9"]', '[0.10,"\\u00e9"]'),
    ("the digits of %.12g", "NumberSpelling", b"[0.12345678901234567890]", "[0.123456789012]"),
    ("single quotes, as repr prints", "WrongRecipe", b'{"a":"b"}', "{'a':'b'}"),
    ("True and None, as repr prints", "WrongRecipe", b'{"a":true,"b":null}', '{"a":True,"b":None}'),
]


def suite() -> Suite:
    made = Suite("v2-python", 5000, "Version 2, form python: as json.dumps prints what json.loads read.")
    numbers(made)
    texts(made)
    wrong_texts(made)
    changes(made)
    return made


def numbers(made: Suite) -> None:
    group = made.group("Numbers. Each is next to an accent, so that the other forms have another text.", ["v2"])
    for token, printed in NUMBERS:
        text = '{"n":' + (printed or token) + ',"s":"\\u00e9"}'
        body = ('{"n":' + token + ',"s":"\u00e9"}').encode("utf-8")
        value = header(v2=hmac_hex(SECRET, text + T))
        group.valid(f"{token} prints as {printed or token}", number_flag(token), body, value, canonicalForm=FORM)
    digits = "7" * 5000
    group.valid(
        "an integer of 5,000 digits in full", "LargeInteger", f'["\u00e9",{digits}]'.encode("utf-8"),
        header(v2=hmac_hex(SECRET, f'["\\u00e9",{digits}]' + T)), canonicalForm=FORM,
    )
    group.valid(
        "where Python prints what the body says, the form is source", "NumberSpelling", b"[50.0,5,7.1]",
        signed(b"[50.0,5,7.1]", ["v2"], form=FORM), canonicalForm="source",
    )
    group.valid(
        "where Python prints what JavaScript prints, the form is ecmascript", "NumberSpelling", b"[7.10]",
        signed(b"[7.10]", ["v2"], form=FORM), canonicalForm="ecmascript",
    )


def texts(made: Suite) -> None:
    group = made.group("Strings, keys and their order.", ["v2"])
    for comment, flags, body, text in TEXTS:
        group.valid(comment, flags, body, header(v2=hmac_hex(SECRET, text + T)), canonicalForm=FORM)

    group = made.group("Events as the service sends them: letters beyond ASCII are signed as escapes.", ["v2"])
    for name, event in (("transaction event", TRANSACTION_EVENT), ("intent event", INTENT_EVENT)):
        sent = signed(bodies.compact(event), ["v2"], form=FORM)
        for comment, body, form in [
            ("compact", bodies.compact(event), FORM),
            ("indented, keys in another order", bodies.indented(bodies.reordered(event)), FORM),
            ("letters as escapes", bodies.compact(event, ascii_only=True), "source"),
        ]:
            group.valid(f"{name}, {comment}", "RealisticBody Reserialized", body, sent, canonicalForm=form)
    body = b'{"n":1e5,"d":' + not_json.deep_array(511) + b"}"
    group.valid("512 levels", "DeepNesting", body, signed(body, ["v2"], form=FORM), canonicalForm=FORM)


def wrong_texts(made: Suite) -> None:
    group = made.group("The digest is valid, but over a text in none of the three forms.", ["v2"])
    for comment, flags, body, text in WRONG_TEXTS:
        group.invalid(f"signed: {comment}", flags, MISMATCH, body, header(v2=hmac_hex(SECRET, text + T)))


def changes(made: Suite) -> None:
    group = made.group("Changed after signing.", ["v2"])
    for before, after in [("1e5", "1E5"), ("1e5", "100000.00"), ('"\u00e9"', '"\\u00e9"'),
                          ('"\u00e9"', '"\\u00E9"'), ("-0", "0")]:
        sent = signed(before.encode("utf-8"), ["v2"], form=FORM)
        comment = f"{before} became {after}: the same text"
        group.valid(comment, "BlindToDigits" if '"' not in before else "Reserialized", after.encode("utf-8"), sent)
    for before, after in [("1e5", "100000"), ("1e16", "10000000000000000"), ("-0.0", "0.0"), ("-0.0", "0"),
                          ("9007199254740993", "9007199254740992"), ("1e999", "null"), ("1e999", "-1e999"),
                          ("1e999", '"Infinity"'), ("100000.00", "100001.00"), ('"\u00e9"', '"e\u0301"'),
                          ('"\u00e9"', '"\\\\u00e9"'), ('"\u00e9"', '"\u00e8"')]:
        sent = signed(before.encode("utf-8"), ["v2"], form=FORM)
        comment = f"{before} became {after}"
        group.invalid(comment, "Tampered", MISMATCH, after.encode("utf-8"), sent)
    lenient = header(v2=hmac_hex(SECRET, "[Infinity]" + T))
    for comment, body in [("Infinity, which json.loads accepts", b"[Infinity]"), ("comma before ]", b"[1e999,]")]:
        group.invalid(f"not JSON: {comment}", "LenientJson", "BODY_NOT_JSON", body, lenient)
    lenient = header(v2=hmac_hex(SECRET, "[NaN]" + T))
    group.invalid("not JSON: NaN, which json.loads accepts", "LenientJson", "BODY_NOT_JSON", b"[NaN]", lenient)
