"""keys.json: which key, how its text becomes bytes, and several keys at once."""

import base64
import hashlib
from typing import Iterator, Tuple

from .bodies import SMALL
from .signing import API_KEY, SECRET, VERSIONS, Text, digest, header, signed
from .suite import Suite

MISMATCH = "SIGNATURE_MISMATCH"
HEX = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
BASE64 = "dGVzdC1zaWduaW5nLXNlY3JldC1mb3ItdmVjdG9ycw=="
BASE64_URL = "-_-_dGVzdC1zaWduaW5nLXNlY3JldA"
PREFIXED = "whsec_" + BASE64
NOT_HEX = "zz test signature key"
ACCENTED = "cl\u00e9-secr\u00e8te-\u4e16\U0001f511"
DECOMPOSED = "cle\u0301-secre\u0300te-\u4e16\U0001f511"


def suite() -> Suite:
    made = Suite("keys", 8000, "Keys are text, used as its UTF-8 bytes. Several secrets and API keys.")
    text_keys(made)
    wrong_keys(made)
    rotation(made)
    api_keys(made)
    split_secrets(made)
    both_kinds(made)
    return made


def other_readings(key: str) -> Iterator[Tuple[str, str, Text]]:
    """Comment, flags, and a key that some code makes of this text."""
    yield "the empty key", "EmptyKeyFallback", b""
    yield "the key in upper case", "WrongKey", key.upper()
    yield "the key without its last character", "WrongKey", key[:-1]
    yield "a line feed at the end of the key", "WrongKey", f"{key}\n"
    yield "a space in front of the key", "WrongKey", f" {key}"
    yield "quotes around the key", "WrongKey", f'"{key}"'
    yield "hex of the key", "DecodedKey", key.encode("utf-8").hex()
    yield "base64 of the key", "DecodedKey", base64.b64encode(key.encode("utf-8"))
    yield "SHA-256 of the key", "DecodedKey", hashlib.sha256(key.encode("utf-8")).digest()
    yield "UTF-16 of the key", "DecodedKey", key.encode("utf-16-le")


def text_keys(made: Suite) -> None:
    long_key = "k" * 200
    for comment, flags, key, wrong in [
        ("a key of hex digits", "DecodedKey", HEX, [
            ("decoded from hex", bytes.fromhex(HEX)), ("in upper case", HEX.upper()),
        ]),
        ("a key that looks like base64", "DecodedKey", BASE64, [
            ("decoded from base64", base64.b64decode(BASE64)), ("without its padding", BASE64.rstrip("=")),
        ]),
        ("a key that looks like URL-safe base64", "DecodedKey", BASE64_URL, [
            ("decoded from base64", base64.urlsafe_b64decode(BASE64_URL + "==")),
        ]),
        ("a key with the prefix whsec_", "DecodedKey", PREFIXED, [
            ("without the prefix", BASE64), ("without the prefix, decoded from base64", base64.b64decode(BASE64)),
        ]),
        ("a key that is one byte of base64", "WeakKey", "whsec_YQ==", [("that byte", b"a"), ("YQ==", "YQ==")]),
        ("a key that is not hex at all", "EmptyKeyFallback", NOT_HEX, [("the empty key", b"")]),
        ("a key that begins as hex", "EmptyKeyFallback", "abcd-test-key", [
            ("what was decoded before the first letter that is not hex", bytes.fromhex("abcd")), ("the empty key", b""),
        ]),
        ("a key that is not base64 at all", "EmptyKeyFallback", "***.***.***", [("the empty key", b"")]),
        ("a key with a space inside", "KeyText", "two words", [
            ("without the space", "twowords"), ("up to the space", "two"), ("with a plus for the space", "two+words"),
        ]),
        ("a key with NUL inside", "NulInKey", "before\0after", [
            ("up to the NUL", "before"), ("without the NUL", "beforeafter"),
        ]),
        ("a key beyond ASCII", "NonAsciiKey", ACCENTED, [
            ("decomposed", DECOMPOSED), ("question marks for the letters", ACCENTED.encode("ascii", "replace")),
            ("the low byte of each code point", bytes(ord(c) & 0xFF for c in ACCENTED)),
            ("pairs encoded as six bytes", cesu(ACCENTED)), ("as UTF-16", ACCENTED.encode("utf-16-le")),
        ]),
        ("a decomposed key", "NonAsciiKey", DECOMPOSED, [("composed", ACCENTED)]),
        ("a Latin-1 key", "NonAsciiKey", "cl\u00e9", [("as Latin-1", b"cl\xe9"), ("encoded twice", "cl\u00c3\u00a9")]),
        ("a key with percent escapes", "KeyText", "a%20b%3D", [("escapes decoded", "a b=")]),
        ("a key of two characters", "KeyText", "ab", [("the first character", "a")]),
        ("a key of 64 bytes", "LongKey", "k" * 64, [("63 bytes of it", "k" * 63)]),
        ("a key of 65 bytes", "LongKey", "k" * 65, [("64 bytes of it", "k" * 64)]),
        ("a key of 200 bytes", "LongKey", long_key, [
            ("64 bytes of it", "k" * 64), ("32 bytes of it", "k" * 32),
            ("hex of its SHA-256", hashlib.sha256(long_key.encode("ascii")).hexdigest()),
        ]),
        ("a key of 2,000 bytes", "LongKey", "0123456789" * 200, [("1,999 bytes of it", ("0123456789" * 200)[:-1])]),
        ("a key of JSON", "KeyText", '{"k":"v"}', [("the member", "v")]),
        ("a key with commas", "KeyText", "org,acc,true", [("the first item", "org")]),
    ]:
        group = made.group(f"{comment[0].upper()}{comment[1:]}.", ["v2", "v3"], secrets=[key])
        group.valid(f"{comment}, as text", flags, SMALL, signed(SMALL, ["v2", "v3"], secret=key), secretIndex=0)
        for reading, other in wrong:
            group.invalid(f"{comment}: {reading}", flags, MISMATCH, SMALL, signed(SMALL, ["v2", "v3"], secret=other))


def cesu(text: str) -> bytes:
    units = text.encode("utf-16-be")
    pairs = (units[i] << 8 | units[i + 1] for i in range(0, len(units), 2))
    return "".join(map(chr, pairs)).encode("utf-8", "surrogatepass")


def wrong_keys(made: Suite) -> None:
    group = made.group("The digest is made with another key, or another reading of the key.", ["v3"])
    for comment, flags, key in [
        *other_readings(SECRET),
        ("the secret of another organization", "WrongKey", "another_signature_key"),
        ("the word undefined as key", "EmptyKeyFallback", "undefined"),
        ("the word null as key", "EmptyKeyFallback", "null"),
    ]:
        group.invalid(comment, flags, MISMATCH, SMALL, signed(SMALL, ["v3"], secret=key))
    for name in VERSIONS:
        group = made.group(f"{name} listed: secret and API key changed about.", [name])
        group.invalid(
            "secret and API key changed about", "SwappedKeys", MISMATCH,
            SMALL, signed(SMALL, secret=API_KEY, api_key=SECRET),
        )


def rotation(made: Suite) -> None:
    both = ["current_secret", "previous_secret"]
    for listed in (["v3"], ["v2"], ["v2", "v3"]):
        names = " and ".join(listed)
        group = made.group(f"Rotation: current and previous secret, {names} listed.", listed, secrets=both)
        for index, key in enumerate(both):
            group.valid(f"signed with {key}", "Rotation", SMALL, signed(SMALL, secret=key), secretIndex=index)
        for key in ["retired_secret", ",".join(both), "".join(both), ""]:
            comment = f"signed with {key or 'the empty key'}"
            group.invalid(comment, "Rotation WrongKey", MISMATCH, SMALL, signed(SMALL, secret=key))
    group = made.group("Several secrets, two of them the same.", ["v3"], secrets=["one", "two", "two", "three"])
    for key, index in (("one", 0), ("two", 1), ("three", 3)):
        comment = f"signed with {key}: the lowest index"
        group.valid(comment, "Rotation", SMALL, signed(SMALL, secret=key), secretIndex=index)
    group.invalid("signed with four", "Rotation WrongKey", MISMATCH, SMALL, signed(SMALL, secret="four"))


def api_keys(made: Suite) -> None:
    group = made.group("v1 listed: any of the API keys.", ["v1"], api_keys=["key_one", "key_two"])
    for index, key in enumerate(["key_one", "key_two"]):
        group.valid(f"signed with {key}", "Rotation", SMALL, signed(SMALL, api_key=key), secretIndex=index)
    for comment, key in [
        ("another API key of the account", "key_three"),
        ("an organization API key with account and mode", "organization_key,account_1,true"),
        ("the account public key", "public_key_one"),
        ("the signing secret", SECRET),
        ("the empty key", ""),
        ("Bearer in front of the key", "Bearer key_one"),
        ("X-Api-Key in front of the key", "X-Api-Key: key_one"),
    ]:
        group.invalid(comment, "WrongKey", MISMATCH, SMALL, signed(SMALL, api_key=key))


def split_secrets(made: Suite) -> None:
    group = made.group(
        "v2 and v3 listed, two secrets: both versions must match under one of them.",
        ["v2", "v3"], secrets=["first", "second"],
    )
    digests = {key: {v: digest(v, key, SMALL) for v in ("v2", "v3")} for key in ("first", "second", "third")}
    for v2_key in digests:
        for v3_key in digests:
            value = header(v2=digests[v2_key]["v2"], v3=digests[v3_key]["v3"])
            comment = f"v2 with {v2_key}, v3 with {v3_key}"
            if v2_key == v3_key and v2_key != "third":
                group.valid(comment, "SplitSecrets", SMALL, value, secretIndex=int(v2_key == "second"))
            else:
                group.invalid(comment, "SplitSecrets", MISMATCH, SMALL, value)


def both_kinds(made: Suite) -> None:
    group = made.group(
        "v1 and v3 listed: secrets and API keys are matched apart; secretIndex is that of the secret.",
        ["v1", "v3"], secrets=["first", "second"], api_keys=["key_one", "key_two", "key_three"],
    )
    for secret, index in (("first", 0), ("second", 1)):
        for key in ("key_one", "key_three"):
            value = signed(SMALL, secret=secret, api_key=key)
            group.valid(f"v1 with {key}, v3 with {secret}", "Rotation", SMALL, value, secretIndex=index)
    for comment, secret, key in [
        ("v1 with an unknown API key", "first", "key_four"),
        ("v3 with an unknown secret", "third", "key_one"),
        ("v1 with a secret", "first", "second"),
        ("v3 with an API key", "key_two", "key_one"),
    ]:
        group.invalid(comment, "WrongKey PartialMatch", MISMATCH, SMALL, signed(SMALL, secret=secret, api_key=key))
