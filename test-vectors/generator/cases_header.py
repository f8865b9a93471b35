"""header.json: presence and grammar of the header, and whether it has the listed versions."""

from . import cases_header_grammar, cases_header_values
from .bodies import SMALL
from .signing import API_KEY, NOW, SECRET, T, VERSIONS, digest, header, signed
from .suite import Suite

ALL = signed(SMALL)
V1 = digest("v1", API_KEY, SMALL)
V2 = digest("v2", SECRET, SMALL)
V3 = digest("v3", SECRET, SMALL)
DIGESTS = {"v1": V1, "v2": V2, "v3": V3}


def suite() -> Suite:
    made = Suite("header", 1000, "The Service-Signature header: presence, grammar, limits, listed versions.")
    presence(made)
    cases_header_grammar.add(made)
    cases_header_values.add(made)
    listed_versions(made)
    swapped_digests(made)
    order_of_checks(made)
    return made


def presence(made: Suite) -> None:
    group = made.group("The header as a whole. A list stands for a header that was sent several times.", ["v3"])
    group.valid("all three versions, as the service sends them", "Genuine", SMALL, ALL)
    group.valid("t and v3 alone", "Genuine", SMALL, header(v3=V3))
    group.invalid("no header", "HeaderMissing", "SIGNATURE_MISSING", SMALL, None)
    group.invalid("no header, empty body", "HeaderMissing", "SIGNATURE_MISSING", b"", None)
    for comment, value in [
        ("empty header", ""),
        ("header of one space", " "),
        ("header of one tab", "\t"),
        ("header of one comma", ","),
        ("the digest alone", V3),
        ("the word null", "null"),
        ("the word undefined", "undefined"),
    ]:
        group.invalid(comment, "HeaderEmpty", "SIGNATURE_MALFORMED", SMALL, value)

    group.valid("a list of one genuine header", "RepeatedHeader", SMALL, [ALL])
    for comment, values in [
        ("an empty list", []),
        ("a list of one empty string", [""]),
        ("the genuine header twice", [ALL, ALL]),
        ("genuine, then forged", [ALL, header(v3="0" * 64)]),
        ("forged, then genuine", [header(v3="0" * 64), ALL]),
        ("t in one header, v3 in another", [f"t={T}", f"v3={V3}"]),
    ]:
        group.invalid(f"list: {comment}", "RepeatedHeader", "SIGNATURE_MALFORMED", SMALL, values)
    group.invalid(
        "the genuine header twice, joined with a comma as a proxy does",
        "RepeatedHeader RepeatedElement", "SIGNATURE_MALFORMED", SMALL, f"{ALL}, {ALL}",
    )
    group.invalid(
        "the name of the header pasted into its value",
        "ElementGrammar", "SIGNATURE_MALFORMED", SMALL, f"Service-Signature: {ALL}",
    )
    group.invalid("quotes around the header", "ElementGrammar", "SIGNATURE_MALFORMED", SMALL, f'"{ALL}"')
    group.invalid("semicolons for commas", "ElementGrammar", "SIGNATURE_MALFORMED", SMALL, ALL.replace(",", ";"))
    group.invalid("spaces for commas", "ElementGrammar", "SIGNATURE_MALFORMED", SMALL, ALL.replace(",", " "))
    group.invalid("ampersands for commas", "ElementGrammar", "SIGNATURE_MALFORMED", SMALL, ALL.replace(",", "&"))


def listed_versions(made: Suite) -> None:
    missing = "SIGNATURE_VERSION_MISSING"
    group = made.group("v3 is listed: nothing else will do.", ["v3"])
    group.invalid("t alone", "VersionMissing", missing, SMALL, f"t={T}")
    group.invalid("only a genuine v1", "Downgrade", missing, SMALL, header(v1=V1))
    group.invalid("only a genuine v2", "Downgrade", missing, SMALL, header(v2=V2))
    group.invalid("genuine v1 and v2, as older senders sent", "Downgrade", missing, SMALL, header(v1=V1, v2=V2))
    for name in ["v0", "v4", "v30", "x", "sig", "signature"]:
        group.invalid(
            f"the genuine v3 digest under the name {name}",
            "NameIgnored", missing, SMALL, f"t={T},{name}={V3}",
        )

    for listed in (["v1"], ["v2"], ["v1", "v2"], ["v1", "v3"], ["v2", "v3"], list(VERSIONS)):
        group = made.group(f"{' and '.join(listed)} listed: each must be there.", listed)
        group.valid("all three are there", "Genuine", SMALL, ALL)
        for name in listed:
            rest = {other: DIGESTS[other] for other in VERSIONS if other != name}
            group.invalid(f"{name} is not there", "VersionMissing Downgrade", missing, SMALL, header(digests=rest))


def swapped_digests(made: Suite) -> None:
    for name in VERSIONS:
        group = made.group(f"{name} listed: a valid digest of another version in its place.", [name])
        for other in VERSIONS:
            if other != name:
                group.invalid(
                    f"the digest of {other} in the place of {name}", "SwappedDigest", "SIGNATURE_MISMATCH",
                    SMALL, header(digests={**DIGESTS, name: DIGESTS[other]}),
                )

    group = made.group("All three listed: every two of them changed about, and one wrong.", VERSIONS)
    for one, two in (("v1", "v2"), ("v1", "v3"), ("v2", "v3")):
        swapped = {**DIGESTS, one: DIGESTS[two], two: DIGESTS[one]}
        group.invalid(
            f"{one} and {two} changed about", "SwappedDigest", "SIGNATURE_MISMATCH", SMALL, header(digests=swapped)
        )
    for name in VERSIONS:
        wrong = {**DIGESTS, name: "0" * 64}
        group.invalid(
            f"only {name} does not match", "PartialMatch", "SIGNATURE_MISMATCH", SMALL, header(digests=wrong)
        )


def order_of_checks(made: Suite) -> None:
    group = made.group("Several faults at once: the first check that fails gives the code.", ["v3"])
    stale = NOW + 3_600_000
    for comment, code, value, now in [
        ("malformed, and stale", "SIGNATURE_MALFORMED", f"{ALL},", stale),
        ("malformed, and v3 not there", "SIGNATURE_MALFORMED", f"t={T},v1={V1.upper()}", NOW),
        ("v3 not there, and stale", "SIGNATURE_VERSION_MISSING", header(v1=V1), stale),
        ("v3 not there, and from the future", "SIGNATURE_VERSION_MISSING", header(v1=V1), 0),
        ("stale, and a wrong digest", "TIMESTAMP_TOO_OLD", header(v3="0" * 64), stale),
        ("from the future, and a wrong digest", "TIMESTAMP_IN_FUTURE", header(v3="0" * 64), 0),
    ]:
        group.invalid(comment, "OrderOfChecks", code, SMALL, value, now)
    group.valid(
        "v1 and v2 are wrong but not listed: only what is listed is judged",
        "PartialMatch", SMALL, header(v1="0" * 64, v2="f" * 64, v3=V3),
    )
