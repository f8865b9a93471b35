"""Flags about the header and the order of the checks."""

from .notes import note

HEADER_FLAGS = {
    "HeaderMissing": note(
        "Presence",
        "There is no signature header.",
        "Anybody who knows the address can report a payment. Goods leave, no money came.",
        "bolt: asks for the secret even when there is no signature header",
    ),
    "HeaderEmpty": note(
        "Presence",
        "The header is there, but there is no signature in it.",
        "A check for presence alone lets a forgery through, or a crash answers 500 and hides the attack.",
    ),
    "RepeatedHeader": note(
        "Header grammar",
        "The header came several times. A receiver must not choose among them.",
        "An attacker adds a header beside an old genuine one. Two parts of a system read different ones.",
    ),
    "RepeatedElement": note(
        "Header grammar",
        "A known name stands twice in the header.",
        "With a second t an old delivery looks fresh, and one payment is booked twice.",
        "stripe: the last of two t= wins",
    ),
    "ElementGrammar": note(
        "Header grammar",
        "An element is not name=value, or the elements are not separated by commas.",
        "A lenient reader guesses. What it guesses is up to the sender of a forgery.",
    ),
    "NameGrammar": note(
        "Header grammar",
        "The name of an element is not a lower-case letter followed by lower-case letters and digits.",
        "Names that look alike (V3, v3 with another kind of digit) mean different things to two readers.",
    ),
    "NameIgnored": note(
        "Header grammar",
        "A genuine digest under another name. Only the listed version counts.",
        "A digest made by another recipe, or for another use, is accepted as a signature.",
        "workos: ignores the name of the element, so v0 passes as v1",
    ),
    "UnknownElement": note(
        "Header grammar",
        "An element that nobody knows yet. It must be ignored.",
        "On the day the service adds v4, every genuine delivery is lost.",
    ),
    "ElementOrder": note(
        "Header grammar",
        "The elements may stand in any order.",
        "Genuine deliveries are lost when the service changes the order.",
    ),
    "SpaceAround": note(
        "Header grammar",
        "Spaces and tabs around an element are allowed, as in other HTTP lists.",
        "Genuine deliveries are lost behind a proxy that prints lists with spaces.",
    ),
    "SpaceInside": note(
        "Header grammar",
        "Space inside an element, beside = or inside a value.",
        "A reader that trims everywhere signs another t than the one that was sent.",
    ),
    "HeaderLimits": note(
        "Resources",
        "At most 1,024 characters and 16 elements, checked before any other work.",
        "One long header keeps the server busy, and genuine deliveries time out.",
        "stripe: walks a header of 20,000 entries",
    ),
    "DigestForm": note(
        "Digest",
        "A digest that is not 64 lower-case hex digits.",
        "One signature has two spellings, so a list of seen ones fails. A decoder that stops early checks too little.",
        "@octokit/webhooks: its Node build says false where its web build throws",
    ),
    "TruncatedDigest": note(
        "Digest",
        "Only the first digits of a genuine digest.",
        "A comparison over the shorter length accepts a guess of one byte: 256 tries forge a payment.",
    ),
    "SwappedDigest": note(
        "Digest",
        "A genuine digest of one version in the place of another.",
        "A digest over a weaker text is taken for one over the bytes, and the bytes can be changed.",
    ),
    "VersionMissing": note(
        "Downgrade",
        "A listed version is not in the header.",
        "A version that may be left out protects nobody: the attacker leaves it out.",
    ),
    "Downgrade": note(
        "Downgrade",
        "Only an older version is sent, though genuine. It must not stand in for the listed one.",
        "The merchant asked for v3 and gets the weaknesses of v1: spaces can be changed.",
    ),
    "PartialMatch": note(
        "Downgrade",
        "Several versions are listed. Every listed one must match, and only the listed ones are judged.",
        "If one match is enough, the weakest version decides.",
    ),
    "OrderOfChecks": note(
        "Order of checks",
        "Several faults at once. Presence, grammar, versions, time, digest, body: the first decides.",
        "Wrong codes lead to wrong repairs, and costly checks run before cheap ones.",
    ),
    "CatchAll": note(
        "Order of checks",
        "The code must name the cause. Not every fault is a wrong signature.",
        "A merchant hunts a wrong key for days while the body was cut on the way.",
    ),
}
