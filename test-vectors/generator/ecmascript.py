"""How JavaScript's JSON.stringify prints numbers and strings (ECMA-262)."""

import math

SHORT_ESCAPES = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
}


def number(value: float) -> str:
    """Number::toString, and null for what is not finite."""
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"  # -0 too
    sign = "-" if value < 0 else ""
    digits, point = shortest_digits(abs(value))
    return sign + layout(digits, point)


def shortest_digits(value: float) -> "tuple[str, int]":
    """The digits and the n of the standard: value = 0.digits * 10^n."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or "0")
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    return digits.strip("0"), point


def layout(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    tail = "e" + ("-" if exponent < 0 else "+") + str(abs(exponent))
    if count == 1:
        return digits + tail
    return digits[0] + "." + digits[1:] + tail


def string(value: str) -> str:
    """Well-formed JSON.stringify: a lone surrogate is printed as an escape."""
    return '"' + "".join(map(character, value)) + '"'


def character(one: str) -> str:
    if one in SHORT_ESCAPES:
        return SHORT_ESCAPES[one]
    code = ord(one)
    if code < 0x20 or 0xD800 <= code <= 0xDFFF:
        return f"\\u{code:04x}"
    return one


def sort_key(key: str) -> bytes:
    """Bytes that compare as the UTF-16 code units of the key do."""
    return key.encode("utf-16-be", "surrogatepass")
