"""Values of the known elements, and duplicate known elements."""

from .bodies import SMALL
from .signing import API_KEY, NOW, SECRET, T, digest, hmac_hex, message, header, signed
from .suite import Suite

V1 = digest("v1", API_KEY, SMALL)
V3 = digest("v3", SECRET, SMALL)
MALFORMED = "SIGNATURE_MALFORMED"


def add(made: Suite) -> None:
    timestamps(made)
    listed_digests(made)
    unlisted_digests(made)
    repeated(made)


def timestamps(made: Suite) -> None:
    group = made.group("t is 1 to 12 ASCII digits. In each case the digest is genuine for t as it stands.", ["v3"])
    for comment, flags, t in [
        ("letters after the digits", "LenientTimestamp", f"{T}abc"),
        ("123abc", "LenientTimestamp", "123abc"),
        ("empty", "LenientTimestamp", ""),
        ("plus sign", "LenientTimestamp", f"+{T}"),
        ("minus sign", "LenientTimestamp", "-1"),
        ("minus zero", "LenientTimestamp", "-0"),
        ("decimal point", "LenientTimestamp", f"{T}.5"),
        ("decimal point and zero", "LenientTimestamp", f"{T}.0"),
        ("exponent", "LenientTimestamp", "1743090080e0"),
        ("1e3", "LenientTimestamp", "1e3"),
        ("hexadecimal", "LenientTimestamp", "0x67e57220"),
        ("underscores", "LenientTimestamp", "1_743_090_080"),
        ("letter n at the end", "LenientTimestamp", f"{T}n"),
        ("NaN", "NotANumber", "NaN"),
        ("Infinity", "NotANumber", "Infinity"),
        ("the word undefined", "NotANumber", "undefined"),
        ("an ISO date", "LenientTimestamp", "2025-03-27T15:41:20Z"),
        ("milliseconds, 13 digits", "Milliseconds", f"{T}000"),
        ("13 digits with leading zeros", "LenientTimestamp", f"000{T}"),
        ("Arabic-Indic digits", "ForeignDigits", "".join(chr(0x660 + int(d)) for d in T)),
        ("full-width digits", "ForeignDigits", "".join(chr(0xFF10 + int(d)) for d in T)),
        ("mathematical bold digits", "ForeignDigits", "".join(chr(0x1D7CE + int(d)) for d in T)),
        ("superscript two at the end", "ForeignDigits", f"{T[:-1]}\u00b2"),
    ]:
        group.invalid(f"t: {comment}", flags, MALFORMED, SMALL, signed(SMALL, ["v3"], t))
    group.invalid("no t", "TimestampMissing", MALFORMED, SMALL, f"v3={V3}")
    bare = hmac_hex(SECRET, message("v3", SMALL, ""))
    group.invalid("no t, and the digest is made without it", "TimestampMissing", MALFORMED, SMALL, f"v3={bare}")
    group.invalid("no t, only unknown names", "TimestampMissing", MALFORMED, SMALL, "foo=bar")
    group.invalid("timestamp instead of t", "TimestampMissing", MALFORMED, SMALL, f"timestamp={T},v3={V3}")


def digest_forms(value: str) -> "list[tuple[str, str, str]]":
    """Comment, flag and another way to write a valid digest."""
    return [
        ("empty", "DigestForm", ""),
        ("upper-case hex", "DigestForm", value.upper()),
        ("one letter in upper case", "DigestForm", upper_one(value)),
        ("63 digits", "TruncatedDigest", value[:63]),
        ("65 digits", "DigestForm", f"{value}0"),
        ("one digit", "TruncatedDigest", value[:1]),
        ("the first 32 digits", "TruncatedDigest", value[:32]),
        ("128 digits, the digest twice", "DigestForm", value * 2),
        ("a letter that is not hex", "DigestForm", f"{value[:63]}g"),
        ("64 letters that are not hex", "DigestForm", "z" * 64),
        ("0x before the digits", "DigestForm", f"0x{value}"),
        ("0x in place of the first two digits", "DigestForm", f"0x{value[2:]}"),
        ("sha256= before the digits", "DigestForm", f"sha256={value}"),
        ("a dash in the middle", "DigestForm", f"{value[:32]}-{value[32:]}"),
        ("quotes", "DigestForm", f'"{value}"'),
        ("percent escape", "DigestForm", f"{value[:63]}%{ord(value[63]):02x}"),
        ("full-width digits", "ForeignDigits", full_width(value)),
    ]


def upper_one(value: str) -> str:
    index = next(i for i, letter in enumerate(value) if letter.isalpha())
    return value[:index] + value[index].upper() + value[index + 1:]


def full_width(value: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in value)


def listed_digests(made: Suite) -> None:
    group = made.group("v3 is 64 lower-case hex digits, and nothing else.", ["v3"])
    for comment, flags, value in digest_forms(V3):
        group.invalid(f"v3: {comment}", flags, MALFORMED, SMALL, header(v3=value))


def unlisted_digests(made: Suite) -> None:
    group = made.group("A known version in another form is malformed though it is not listed. v3 is genuine.", ["v3"])
    for comment, flags, value in digest_forms(V1):
        if flags != "TruncatedDigest" or comment == "63 digits":
            group.invalid(f"v1: {comment}", flags, MALFORMED, SMALL, header(v1=value, v3=V3))
    group.invalid("v2: empty", "DigestForm", MALFORMED, SMALL, header(v2="", v3=V3))


def repeated(made: Suite) -> None:
    group = made.group("A known name twice is malformed, even with the same value.", ["v3"])
    wrong = "0" * 64
    old = "1600000000"
    for comment, value in [
        ("the same t twice", f"t={T},t={T},v3={V3}"),
        ("stale t, then the genuine t", f"t={old},t={T},v3={V3}"),
        ("genuine t, then a stale t", f"t={T},t={old},v3={V3}"),
        ("genuine t first, another t last", f"t={T},v3={V3},t={old}"),
        ("the same v3 twice", f"t={T},v3={V3},v3={V3}"),
        ("forged v3, then genuine v3", f"t={T},v3={wrong},v3={V3}"),
        ("genuine v3, then forged v3", f"t={T},v3={V3},v3={wrong}"),
        ("v1 twice, not listed", f"t={T},v1={V1},v1={V1},v3={V3}"),
        ("v2 twice, not listed, two values", f"t={T},v2={wrong},v2={V3},v3={V3}"),
    ]:
        group.invalid(comment, "RepeatedElement", MALFORMED, SMALL, value)

    replayed = signed(SMALL, ["v3"], old)
    group.invalid(
        "an old delivery, with a fresh t added at its end", "RepeatedElement StaleDelivery",
        MALFORMED, SMALL, f"{replayed},t={T}",
    )
    group.invalid(
        "an old delivery, with a fresh t added at its start", "RepeatedElement StaleDelivery",
        MALFORMED, SMALL, f"t={T},{replayed}", NOW,
    )
