"""Flags about the header and the order of the checks."""

from .notes import note

HEADER_FLAGS = {
    "HeaderMissing": note(
        "Presence",
        "The signature header is missing.",
        "An attacker who knows the address can report a payment, and goods are shipped without money.",
        "bolt: asks for the secret even when there is no signature header",
    ),
    "HeaderEmpty": note(
        "Presence",
        "The header exists, but contains no signature.",
        "A check that the header exists accepts a forgery, or a crash answers 500 and hides the attack.",
    ),
    "RepeatedHeader": note(
        "Header grammar",
        "The header was sent several times. A receiver must not choose among them.",
        "An attacker adds a second header to an old valid one, and two parts of a system read different ones.",
    ),
    "RepeatedElement": note(
        "Header grammar",
        "A known name is duplicated in the header.",
        "With a second t an old delivery looks fresh, and one payment is booked twice.",
        "stripe: the last of two t= wins",
    ),
    "ElementGrammar": note(
        "Header grammar",
        "An element is not name=value, or the elements are not separated by commas.",
        "A lenient reader guesses, and the sender of a forgery decides what it guesses.",
    ),
    "NameGrammar": note(
        "Header grammar",
        "The name of an element is not a lower-case letter followed by lower-case letters and digits.",
        "Names that look alike (V3, v3 with another kind of digit) mean different things to two readers.",
    ),
    "NameIgnored": note(
        "Header grammar",
        "A valid digest under another name. Only the listed version counts.",
        "A digest made by another recipe, or for another use, is accepted as a signature.",
        "workos: ignores the name of the element, so v0 passes as v1",
    ),
    "UnknownElement": note(
        "Header grammar",
        "An element with an unknown name. It must be ignored.",
        "On the day the service adds v4, every valid delivery is lost.",
    ),
    "ElementOrder": note(
        "Header grammar",
        "The elements may have any order.",
        "Valid deliveries are lost when the service changes the order.",
    ),
    "SpaceAround": note(
        "Header grammar",
        "Spaces and tabs around an element are allowed, as in other HTTP lists.",
        "Valid deliveries are lost after a proxy that prints lists with spaces.",
    ),
    "SpaceInside": note(
        "Header grammar",
        "Space inside an element, next to = or inside a value.",
        "A reader that trims everywhere signs another t than the one that was sent.",
    ),
    "HeaderLimits": note(
        "Resources",
        "At most 1,024 characters and 16 elements, checked before any other work.",
        "One long header keeps the server busy, and valid deliveries time out.",
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
        "Only the first digits of a valid digest.",
        "A comparison over the shorter length accepts a guess of one byte: 256 tries forge a payment.",
    ),
    "SwappedDigest": note(
        "Digest",
        "A valid digest of one version in the place of another.",
        "A digest over a weaker text is taken for one over the bytes, and the bytes can be changed.",
    ),
    "VersionMissing": note(
        "Downgrade",
        "A listed version is not in the header.",
        "An optional version does not protect: the attacker leaves it out.",
    ),
    "Downgrade": note(
        "Downgrade",
        "Only an older version is sent, with a valid digest. It must not replace the listed one.",
        "The merchant asked for v3 and gets the weaknesses of v1: spaces can be changed.",
    ),
    "PartialMatch": note(
        "Downgrade",
        "Several versions are listed. Every listed one must match, and only the listed ones are checked.",
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
        "A merchant looks for a wrong key for days although the body was cut on the way.",
    ),
}
