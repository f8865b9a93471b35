"""v2-source.json: sorted and compact, every token as it is in the body."""

from . import bodies, cases_v2_hostile, not_json
from .bodies import INTENT_EVENT, TRANSACTION_EVENT
from .signing import API_KEY, SECRET, T, digest, header, hmac_hex, key_for, signed
from .suite import Suite

FORM = "source"
E_ACUTE = "\u00e9".encode("utf-8")

# Comment, flags, body, and the text that is signed. The text is written by hand.
TEXTS = [
    ("keys sorted", "Genuine", b'{"b":2,"a":1}', '{"a":1,"b":2}'),
    ("sorted at every depth", "NestedSort", b'{"b":{"d":[{"f":1,"e":2}],"c":3},"a":4}',
     '{"a":4,"b":{"c":3,"d":[{"e":2,"f":1}]}}'),
    ("arrays keep their order", "ArrayOrder", b'[3,1,2,{"b":1,"a":1},[2,1]]', '[3,1,2,{"a":1,"b":1},[2,1]]'),
    ("{} next to [] and empty strings", "EmptyContainer", b'{"c":{},"b":[],"a":"","d":[{}],"e":[[]]}',
     '{"a":"","b":[],"c":{},"d":[{}],"e":[[]]}'),
    ("empty object", "EmptyContainer", b"{ }", "{}"),
    ("empty array", "EmptyContainer", b"[\n]", "[]"),
    ("a string alone", "Genuine", b'"webhook_payload"', '"webhook_payload"'),
    ("a number alone", "Genuine", b" 5 ", "5"),
    ("null alone", "Genuine", b"null", "null"),
    ("true, false and null stay", "Genuine", b'{"c":null,"b":false,"a":true}', '{"a":true,"b":false,"c":null}'),
    ("upper case sorts before lower case", "LocaleSort",
     b'{"clearingInstituteName":1,"ExtendedDescription":2,"EXTERNAL_SYSTEM_LINK":3}',
     '{"EXTERNAL_SYSTEM_LINK":3,"ExtendedDescription":2,"clearingInstituteName":1}'),
    ("accents, marks and digits sort by code point", "LocaleSort",
     '{"z":1,"\u00e9":2,"e":3,"Z":4,"_":5,"-":6,"1":7,"":8,"e\u0301":9}'.encode("utf-8"),
     '{"":8,"-":6,"1":7,"Z":4,"_":5,"e":3,"e\u0301":9,"z":1,"\u00e9":2}'),
    ("a shorter key sorts before a longer one", "LocaleSort", b'{"aaa":1,"aa":2,"a":3,"a-":4}',
     '{"a":3,"a-":4,"aa":2,"aaa":1}'),
    ("keys of digits sort as text", "IntegerLikeKey", b'{"2":1,"10":2,"1":3,"01":4,"-1":5}',
     '{"-1":5,"01":4,"1":3,"10":2,"2":1}'),
    ("__proto__ and its like are keys", "PrototypeKey",
     b'{"a":1,"toString":2,"constructor":{"prototype":3},"__proto__":{"x":4},"hasOwnProperty":5}',
     '{"__proto__":{"x":4},"a":1,"constructor":{"prototype":3},"hasOwnProperty":5,"toString":2}'),
    ("__proto__ with null", "PrototypeKey", b'{"b":1,"__proto__":null}', '{"__proto__":null,"b":1}'),
    ("toJSON, length and then are keys", "PrototypeKey", b'{"toJSON":"x","length":3,"then":1}',
     '{"length":3,"then":1,"toJSON":"x"}'),
    ("beyond the BMP after U+FFFD", "CodePointOrder", '{"\U0001f600":1,"\ufffd":2,"\ue000":3}'.encode("utf-8"),
     '{"\ue000":3,"\ufffd":2,"\U0001f600":1}'),
    ("beyond the BMP, as escapes", "CodePointOrder", b'{"\\ud83d\\ude00":1,"\\uffff":2}',
     '{"\\uffff":2,"\\ud83d\\ude00":1}'),
    ("a lone surrogate before a pair that starts lower", "CodePointOrder LoneSurrogate",
     b'{"\\ud83d\\ude00":1,"\\ud83e":2,"\\uDFFF":3}', '{"\\ud83e":2,"\\uDFFF":3,"\\ud83d\\ude00":1}'),
    ("of a repeated key the last wins", "RepeatedKey", b'{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'),
    ("a repeated key wins with its own spelling", "RepeatedKey EscapeSpelling", b'{"a":1,"\\u0061":2.0}',
     '{"\\u0061":2.0}'),
    ("repeated keys at several depths", "RepeatedKey",
     b'{"b":{"x":1,"x":{"z":1,"y":2}},"a":[{"k":1,"k":2}],"b":{"x":[],"x":{"q":1,"q":0}}}',
     '{"a":[{"k":2}],"b":{"x":{"q":0}}}'),
    ("__proto__ repeated", "RepeatedKey PrototypeKey", b'{"__proto__":1,"a":1,"__proto__":2}', '{"__proto__":2,"a":1}'),
    ("numbers as they stand", "NumberSpelling", b"[5,7.1,50.0,10.00,1E5,1e+5,1e-7,1E-07,0.10,-0,-0.0,0e0]",
     "[5,7.1,50.0,10.00,1E5,1e+5,1e-7,1E-07,0.10,-0,-0.0,0e0]"),
    ("exponents with leading zeros", "NumberSpelling", b"[1e05,1E+005,1e-0007]", "[1e05,1E+005,1e-0007]"),
    ("integers over 2^53", "LargeInteger", b"[9007199254740993,-12345678901234567890,123456789012345678901234567890]",
     "[9007199254740993,-12345678901234567890,123456789012345678901234567890]"),
    ("numbers too large or too small for a double", "NumberOverflow", b"[1e999,-1e999,1e-999,1e21,5e-324]",
     "[1e999,-1e999,1e-999,1e21,5e-324]"),
    ("a fraction of 30 digits", "NumberSpelling", b"[0.123456789012345678901234567890]",
     "[0.123456789012345678901234567890]"),
    ("escapes as they stand", "EscapeSpelling", b'["\\u00e9\\u00E9\\/\\u002F\\n\\u000a\\"\\\\\\u0020"]',
     '["\\u00e9\\u00E9\\/\\u002F\\n\\u000a\\"\\\\\\u0020"]'),
    ("letters as they stand", "EscapeSpelling", b'["' + E_ACUTE + b'/"]', '["\u00e9/"]'),
    ("escaped keys sort decoded and print as they stand", "EscapeSpelling", b'{"b":1,"\\u0061":2,"\\u0063":3}',
     '{"\\u0061":2,"b":1,"\\u0063":3}'),
    ("lone surrogates as they stand", "LoneSurrogate", b'{"a":"\\ud800","b":"\\uDC00x","c":"\\ude00\\ud83d"}',
     '{"a":"\\ud800","b":"\\uDC00x","c":"\\ude00\\ud83d"}'),
    ("U+2028, U+2029 and U+007F stay", "LineSeparator", '["\u2028\u2029\x7f"]'.encode("utf-8"), '["\u2028\u2029\x7f"]'),
    ("no-break and ideographic space stay", "SpaceClass", '["x\u00a0y\u3000z\u2003"]'.encode("utf-8"),
     '["x\u00a0y\u3000z\u2003"]'),
    ("spaces go, in strings and keys too", "SpaceInStrings", b'{ "b c" : " x  y " , "a" : [ 1 , 2 ] }',
     '{"a":[1,2],"bc":"xy"}'),
    ("keys sort before their spaces go", "SpaceInStrings", b'{"aa":1,"a b":2}', '{"ab":2,"aa":1}'),
    ("keys that are equal without spaces stay two", "SpaceInStrings", b'{"ab":1,"a b":2}', '{"ab":2,"ab":1}'),
    ("tab between tokens goes", "SpaceClass", b'\t{\t"a"\t:\t1\t}\t', '{"a":1}'),
    ("an escaped tab stays", "SpaceClass", b'{"a":"x\\ty"}', '{"a":"x\\ty"}'),
    ("braces, commas and quotes inside strings", "EscapeSpelling", b'{"b":"{\\"y\\":1,\\"x\\":[2,]}","a":"\\\\"}',
     '{"a":"\\\\","b":"{\\"y\\":1,\\"x\\":[2,]}"}'),
    ("backslashes before a quote", "EscapeSpelling", b'["\\\\\\"","\\\\\\\\"]', '["\\\\\\"","\\\\\\\\"]'),
    ("byte order mark is ignored", "ByteOrderMark", b'\xef\xbb\xbf{"b":1,"a":2}', '{"a":2,"b":1}'),
]


def suite() -> Suite:
    made = Suite("v2-source", 3000, "Version 2, form source: keys by code point, tokens as they stand in the body.")
    group = made.group("Valid deliveries: the rules of the canonical text, one by one.", ["v2"])
    for comment, flags, body, text in TEXTS:
        value = header(v2=hmac_hex(SECRET, text + T))
        group.valid(comment, flags, body, value, canonicalForm=FORM)
    real_bodies(made)
    depth(made)
    cases_v2_hostile.add(made)
    not_json_bodies(made)
    beside_others(made)
    return made


def real_bodies(made: Suite) -> None:
    group = made.group("Events as the service sends them. Each group of bodies shares one header.", ["v2"])
    for name, event in (("transaction event", TRANSACTION_EVENT), ("intent event", INTENT_EVENT)):
        sent = signed(bodies.compact(event), ["v2"])
        group.valid(f"{name}, compact", "Genuine RealisticBody", bodies.compact(event), sent, canonicalForm=FORM)
        for comment, flags, body in [
            ("spaces after commas", "Reserialized", bodies.spaced(event)),
            ("indented", "Reserialized", bodies.indented(event)),
            ("indented with tabs, CRLF", "Reserialized LineEndings", bodies.indented(event, "\t", "\r\n")),
            ("keys in another order", "Reserialized", bodies.compact(bodies.reordered(event))),
            ("indented, keys in another order", "Reserialized", bodies.indented(bodies.reordered(event))),
        ]:
            group.valid(f"{name}, {comment}", f"{flags} RealisticBody", body, sent, canonicalForm=FORM)
    many = {f"key {i * 7919 % 200}": i for i in range(200)}
    group.valid("200 keys", "Genuine", bodies.compact(many), signed(bodies.compact(many), ["v2"]), canonicalForm=FORM)
    group.valid(
        "Jane Doe signs like JaneDoe", "BlindToSpaces", b'{"name":"JaneDoe"}', signed(b'{"name":"Jane Doe"}', ["v2"])
    )


def depth(made: Suite) -> None:
    group = made.group("At most 512 levels.", ["v2"])
    makers = {"arrays": not_json.deep_array, "objects": not_json.deep_object, "both": not_json.deep_mixed}
    for name, make in makers.items():
        body = make(512)
        group.valid(f"512 levels of {name}", "DeepNesting", body, signed(body, ["v2"]), canonicalForm=FORM)
    for name, body in [
        ("513 levels of arrays", not_json.deep_array(513)),
        ("513 levels of objects", not_json.deep_object(513)),
        ("514 levels of both", not_json.deep_mixed(514)),
        ("100,000 levels of arrays", not_json.deep_array(100_000)),
        ("600 unclosed brackets", b"[" * 600),
    ]:
        value = header(v2=hmac_hex(SECRET, body + T.encode("ascii")))
        group.invalid(name, "DeepNesting", "BODY_NOT_JSON", body, value)


def not_json_bodies(made: Suite) -> None:
    group = made.group("Not JSON. The digest is valid for what a lenient parser would read.", ["v2"])
    for comment, body, text in not_json.LENIENT:
        value = header(v2=hmac_hex(SECRET, text + T))
        group.invalid(comment, "LenientJson", "BODY_NOT_JSON", body, value)


def beside_others(made: Suite) -> None:
    """A body that is not JSON, when v2 is not the only listed version."""
    body = b'{"a":1,}'
    lenient = hmac_hex(SECRET, '{"a":1}' + T)
    for others in (["v1"], ["v3"], ["v1", "v3"]):
        group = made.group(f"Not JSON, with v2 and {' and '.join(others)} listed.", sorted([*others, "v2"]))
        right = {name: digest(name, key_for(name, SECRET, API_KEY), body) for name in others}
        value = header(digests={**right, "v2": lenient})
        group.invalid("the others match", "OrderOfChecks", "BODY_NOT_JSON", body, value)
        for name in others:
            wrong = {**right, name: "0" * 64, "v2": lenient}
            group.invalid(f"{name} does not match", "OrderOfChecks", "SIGNATURE_MISMATCH", body, header(digests=wrong))
