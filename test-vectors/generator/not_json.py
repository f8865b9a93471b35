"""Bodies that are not strict JSON in UTF-8, and what a lenient parser would read in them."""

from typing import List, Tuple

# Comment, body, and the canonical text of a lenient reader. The digest is made over that text,
# so a verifier with a lenient parser accepts the case.
LENIENT: List[Tuple[str, bytes, str]] = [
    ("empty body", b"", ""),
    ("one space", b" ", ""),
    ("byte order mark alone", b"\xef\xbb\xbf", ""),
    ("two byte order marks", b"\xef\xbb\xbf\xef\xbb\xbf{}", "{}"),
    ("byte order mark at the end", b"{}\xef\xbb\xbf", "{}"),
    ("UTF-16, little endian, with its mark", '\ufeff{"a":1}'.encode("utf-16-le"), '{"a":1}'),
    ("UTF-16, big endian, without a mark", '{"a":1}'.encode("utf-16-be"), '{"a":1}'),
    ("UTF-32, little endian", '{"a":1}'.encode("utf-32-le"), '{"a":1}'),
    ("Latin-1", b'{"a":"\xe9"}', '{"a":"\u00e9"}'),
    ("byte 0xff in a string", b'{"a":"\xff"}', '{"a":"\ufffd"}'),
    ("overlong encoding of /", b'{"a":"\xc0\xaf"}', '{"a":"/"}'),
    ("a surrogate encoded as three bytes", b'{"a":"\xed\xa0\x80"}', '{"a":"\\ud800"}'),
    ("a pair encoded as six bytes", b'{"a":"\xed\xa0\xbd\xed\xb8\x80"}', '{"a":"\U0001f600"}'),
    ("a character cut off by the quote", b'{"a":"\xc3"}', '{"a":"\ufffd"}'),
    ("above U+10FFFF", b'{"a":"\xf4\x90\x80\x80"}', '{"a":"\ufffd"}'),
    ("comma before }", b'{"a":1,}', '{"a":1}'),
    ("comma before ]", b"[1,]", "[1]"),
    ("comma after [", b"[,1]", "[null,1]"),
    ("two commas", b"[1,,2]", "[1,null,2]"),
    ("NaN", b'{"a":NaN}', '{"a":NaN}'),
    ("Infinity", b'{"a":Infinity}', '{"a":Infinity}'),
    ("-Infinity", b'{"a":-Infinity}', '{"a":-Infinity}'),
    ("undefined", b'{"a":undefined}', "{}"),
    ("True, as Python prints it", b'{"a":True}', '{"a":true}'),
    ("single quotes", b"{'a':1}", '{"a":1}'),
    ("key without quotes", b"{a:1}", '{"a":1}'),
    ("number as key", b"{1:2}", '{"1":2}'),
    ("block comment", b'{"a":1/* x */}', '{"a":1}'),
    ("line comment", b'{"a":1}// x', '{"a":1}'),
    ("hash comment", b'{"a":1}# x', '{"a":1}'),
    ("leading zero", b"[01]", "[1]"),
    ("minus and leading zero", b"[-01]", "[-1]"),
    ("plus sign", b"[+1]", "[1]"),
    ("no digit before the point", b"[.5]", "[0.5]"),
    ("no digit after the point", b"[5.]", "[5]"),
    ("point, then an exponent", b"[5.e1]", "[50]"),
    ("exponent without digits", b"[1e]", "[1]"),
    ("hexadecimal", b"[0x10]", "[16]"),
    ("minus alone", b"[-]", "[0]"),
    ("underscore in a number", b"[1_000]", "[1000]"),
    ("full-width digit", "[\uff11]".encode("utf-8"), "[1]"),
    ("space inside a number", b"[1 2]", "[12]"),
    ("raw tab in a string", b'{"a":"x\ty"}', '{"a":"x\\ty"}'),
    ("raw line feed in a string", b'{"a":"x\ny"}', '{"a":"xy"}'),
    ("raw NUL in a string", b'{"a":"x\x00y"}', '{"a":"x\\u0000y"}'),
    ("escape \\x41", b'{"a":"\\x41"}', '{"a":"A"}'),
    ("escape of a single quote", b'{"a":"\\\'"}', '{"a":"\'"}'),
    ("\\u with three digits", b'{"a":"\\u041"}', '{"a":"A"}'),
    ("\\u with a letter that is not hex", b'{"a":"\\u00g1"}', '{"a":"\\u00g1"}'),
    ("\\U in upper case", b'{"a":"\\U0041"}', '{"a":"A"}'),
    ("line feed after a backslash", b'{"a":"x\\\ny"}', '{"a":"xy"}'),
    ("no-break space between tokens", b'{"a":\xc2\xa01}', '{"a":1}'),
    ("form feed between tokens", b'{"a":\x0c1}', '{"a":1}'),
    ("vertical tab between tokens", b'{"a":\x0b1}', '{"a":1}'),
    ("U+2028 between tokens", b'{"a":\xe2\x80\xa81}', '{"a":1}'),
    ("a second value", b'{"a":1}{"b":2}', '{"a":1}'),
    ("a second line, as in JSON lines", b'{"a":1}\n{"b":2}\n', '{"a":1}'),
    ("a letter after the value", b'{"a":1}x', '{"a":1}'),
    ("NUL after the value", b'{"a":1}\x00', '{"a":1}'),
    ("} missing", b'{"a":1', '{"a":1}'),
    ("one } too many", b'{"a":1}}', '{"a":1}'),
    ("] for }", b'{"a":1]', '{"a":1}'),
    ("quote missing at the end", b'"abc', '"abc"'),
    ("colon missing", b'{"a" 1}', '{"a":1}'),
    ("value missing", b'{"a":}', '{"a":null}'),
    ("comma missing between members", b'{"a":1 "b":2}', '{"a":1,"b":2}'),
    ("the word [object Object]", b"[object Object]", "{}"),
    ("form fields", b"a=1&b=2", '{"a":"1","b":"2"}'),
    ("JSON inside base64", b"eyJhIjoxfQ==", '{"a":1}'),
    ("gzip", bytes.fromhex("1f8b0800000000000203ab564a54b232ac0500afac1b5607000000"), '{"a":1}'),
]

# For files in which a few represent all.
SOME = {
    "empty body", "byte order mark alone", "two byte order marks", "UTF-16, little endian, with its mark",
    "byte 0xff in a string", "a surrogate encoded as three bytes", "comma before }", "NaN", "Infinity",
    "single quotes", "block comment", "leading zero", "raw line feed in a string", "no-break space between tokens",
    "a letter after the value", "} missing", "the word [object Object]", "form fields",
}


def deep_array(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def deep_object(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


def deep_mixed(depth: int) -> bytes:
    """Arrays and objects in turn; depth is even."""
    return b'[{"a":' * (depth // 2) + b"1" + b"}]" * (depth // 2)
