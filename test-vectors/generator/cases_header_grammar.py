"""Elements of the header: order, space around them, names, limits."""

from .bodies import SMALL
from .signing import SECRET, T, digest, header, signed
from .suite import Suite

ALL = signed(SMALL)
V3 = digest("v3", SECRET, SMALL)
GENUINE = header(v3=V3)
MALFORMED = "SIGNATURE_MALFORMED"


def add(made: Suite) -> None:
    order_and_space(made)
    names(made)
    unknown_names(made)
    limits(made)


def order_and_space(made: Suite) -> None:
    group = made.group("Order of the elements, and space around them.", ["v3"])
    group.valid("v3 before t", "ElementOrder", SMALL, f"v3={V3},t={T}")
    group.valid("all elements the other way round", "ElementOrder", SMALL, ",".join(reversed(ALL.split(","))))
    for comment, value in [
        ("a space after each comma", ALL.replace(",", ", ")),
        ("a space before each comma", ALL.replace(",", " ,")),
        ("tabs and spaces around each comma", ALL.replace(",", " \t,\t ")),
        ("spaces at both ends", f"  {ALL}  "),
        ("tabs at both ends", f"\t{ALL}\t"),
    ]:
        group.valid(comment, "SpaceAround", SMALL, value)
    for comment, value in [
        ("space before the = of t", f"t ={T},v3={V3}"),
        ("space after the = of t", f"t= {T},v3={V3}"),
        ("tab after the = of t", f"t=\t{T},v3={V3}"),
        ("space before the = of v3", f"t={T},v3 ={V3}"),
        ("space after the = of v3", f"t={T},v3= {V3}"),
        ("space inside a digest", f"t={T},v3={V3[:32]} {V3[32:]}"),
        ("space inside t", f"t={T[:4]} {T[4:]},v3={V3}"),
        ("space inside a name", f"t={T},v 3={V3}"),
    ]:
        group.invalid(comment, "SpaceInside", MALFORMED, SMALL, value)

    for comment, character in [
        ("line feed", "\n"),
        ("carriage return and line feed", "\r\n"),
        ("vertical tab", "\v"),
        ("form feed", "\f"),
        ("NUL", "\0"),
        ("next line U+0085", "\u0085"),
        ("no-break space U+00A0", "\u00a0"),
        ("line separator U+2028", "\u2028"),
        ("zero width space U+200B", "\u200b"),
        ("ideographic space U+3000", "\u3000"),
        ("byte order mark U+FEFF", "\ufeff"),
    ]:
        group.invalid(f"{comment} at the end", "SpaceClass", MALFORMED, SMALL, GENUINE + character)
        group.invalid(f"{comment} before v3", "SpaceClass", MALFORMED, SMALL, f"t={T},{character}v3={V3}")
    group.invalid("line feed at the start", "SpaceClass", MALFORMED, SMALL, f"\n{GENUINE}")
    group.invalid("a folded header line", "SpaceClass", MALFORMED, SMALL, f"t={T},\r\n v3={V3}")


def names(made: Suite) -> None:
    group = made.group("Elements without = and names that break the grammar.", ["v3"])
    for comment, value in [
        ("comma at the start", f",{GENUINE}"),
        ("comma at the end", f"{GENUINE},"),
        ("two commas", f"t={T},,v3={V3}"),
        ("an element of one space", f"t={T}, ,v3={V3}"),
        ("an element without =", f"{GENUINE},v4"),
        ("colons for =", f"t:{T},v3:{V3}"),
        ("t without =", f"t,v3={V3}"),
        ("empty name", f"{GENUINE},=1"),
    ]:
        group.invalid(comment, "ElementGrammar", MALFORMED, SMALL, value)
    for comment, value in [
        ("V3 in upper case", f"t={T},V3={V3}"),
        ("T in upper case", f"T={T},v3={V3}"),
        ("V3 in upper case next to a valid v3", f"{GENUINE},V3={V3}"),
        ("v-3", f"{GENUINE},v-3={V3}"),
        ("v_3", f"{GENUINE},v_3={V3}"),
        ("v3 in quotes", f"t={T},\"v3\"={V3}"),
        ("a digit first", f"{GENUINE},3v=1"),
        ("a letter beyond ASCII", f"{GENUINE},\u00e9=1"),
        ("v and a full-width 3", f"{GENUINE},v\uff13={V3}"),
        ("Cyrillic letter for t", f"{GENUINE},\u0442=1"),
        ("__proto__", f"{GENUINE},__proto__=1"),
    ]:
        group.invalid(f"name: {comment}", "NameGrammar", MALFORMED, SMALL, value)


def unknown_names(made: Suite) -> None:
    group = made.group("Unknown names are ignored, whatever their value.", ["v3"])
    for element in [
        "v0=1", f"v4={'0' * 64}", f"v4={V3}", f"v30={V3}", f"v03={V3}", "v=1", "t1=1", "tt=999999999999",
        "foo=", "foo=a=b=c", "foo==", "foo=inner space", "foo=UPPER", 'foo="quoted"', "a1b2=\u00e9",
        "constructor=1", "foo=1,foo=2", "v4=1,v4=1",
    ]:
        group.valid(f"{element[:24]} after the rest", "UnknownElement", SMALL, f"{GENUINE},{element}")
    group.valid("foo=bar before the rest", "UnknownElement", SMALL, f"foo=bar,{GENUINE}")


def limits(made: Suite) -> None:
    group = made.group("At most 1,024 characters and 16 elements.", ["v3"])

    def padded(length: int) -> str:
        return f"{GENUINE},x=".ljust(length, "a")

    def elements(count: int) -> str:
        return GENUINE + ",x=1" * (count - 2)

    group.valid("1,024 characters", "HeaderLimits", SMALL, padded(1024))
    group.valid("1,024 characters, the last ones spaces", "HeaderLimits", SMALL, GENUINE.ljust(1024))
    group.valid("16 elements", "HeaderLimits", SMALL, elements(16))
    for comment, value in [
        ("1,025 characters", padded(1025)),
        ("1,025 characters, the last ones spaces", GENUINE.ljust(1025)),
        ("17 elements", elements(17)),
        ("16 elements and an empty one", elements(16) + ","),
        ("20,000 characters", padded(20_000)),
        ("20,000 elements", elements(20_000)),
        ("20,000 times t, the last one genuine", "t=1," * 19_999 + GENUINE),
        ("20,000 commas", "," * 20_000),
        ("20,000 spaces, then the genuine header", " " * 20_000 + GENUINE),
        ("20,000 digits in t", f"t={'1' * 20_000},v3={V3}"),
    ]:
        group.invalid(comment, "HeaderLimits", MALFORMED, SMALL, value)
