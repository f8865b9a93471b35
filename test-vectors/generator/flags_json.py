"""Flags about JSON: reading it strictly, and the canonical text of v2."""

from .notes import note

JSON_FLAGS = {
    "GenuineNotJson": note(
        "JSON parsing",
        "The signature is valid, the body is not JSON. The answer needs a code of its own.",
        "A plain crash answers 500, which a sender may retry forever, or the fault is taken for a forgery.",
        "stripe: throws a plain SyntaxError",
        "standardwebhooks: throws a plain SyntaxError",
    ),
    "UnknownEvent": note(
        "JSON parsing",
        "A delivery of an unknown event type with a valid signature. It is valid.",
        "An answer of 404 makes the sender retry forever, and new events are lost.",
        "shopify: answers 404 for an unknown event",
    ),
    "LenientJson": note(
        "JSON parsing",
        "Not JSON, but a lenient parser reads it. The digest is valid for the text that it reads.",
        "Two parsers read different payments in one body.",
    ),
    "DeepNesting": note(
        "Resources",
        "At most 512 levels of nesting.",
        "A stack overflow stops the process, and every delivery in it is lost.",
    ),
    "NestedSort": note(
        "Canonical JSON",
        "Keys are sorted at every depth, in objects inside arrays too.",
        "Flat test bodies pass, and every real event is lost.",
    ),
    "ArrayOrder": note(
        "Canonical JSON",
        "Arrays keep their order.",
        "If arrays are sorted, an attacker can change the order of items unseen.",
    ),
    "EmptyContainer": note(
        "Canonical JSON",
        "{}, [] and null are different values.",
        "Languages with one kind of container print one for the other, and lose every real event.",
    ),
    "RepeatedKey": note(
        "Canonical JSON",
        "The same key twice. The last one wins, as in JSON.parse and json.loads.",
        "The check sees one amount, the shop another.",
    ),
    "PrototypeKey": note(
        "Canonical JSON",
        "__proto__, constructor and the like are keys as any other.",
        "A member vanishes from the text that is checked and not from the event: it can be forged.",
    ),
    "IntegerLikeKey": note(
        "Canonical JSON",
        "Keys of digits sort as text: 10 before 2.",
        "JavaScript objects list such keys by number. Deliveries with numbered custom fields are lost.",
    ),
    "LocaleSort": note(
        "Canonical JSON",
        "Keys sort by code, not by language: Z before a.",
        "Real events have keys of mixed case. The result depends on the language of the server.",
    ),
    "CodePointOrder": note(
        "Canonical JSON",
        "Beyond the BMP, order by code point and by UTF-16 code unit differ.",
        "Deliveries with an emoji in a key of custom_fields are lost.",
    ),
    "NumberSpelling": note(
        "Canonical JSON",
        "10.0, 1e5, 1e-7: printed again, numbers look different in each language.",
        "In public: 136.0 became 136, and half of one vendor's webhooks failed.",
    ),
    "LargeInteger": note(
        "Canonical JSON",
        "Integers over 2^53 do not fit into a double.",
        "A delivery with a long reference number is lost.",
    ),
    "NegativeZero": note(
        "Canonical JSON",
        "-0 and -0.0: each form prints them in its own way.",
        "A refund of nothing is lost in one language and not in another.",
    ),
    "NumberOverflow": note(
        "Canonical JSON",
        "Numbers that no double holds.",
        "Infinity or null takes the place of a number, and the text is another.",
    ),
    "BlindToDigits": note(
        "Known weakness",
        "Two spellings of a number, or two numbers that are one double, have one text and one signature.",
        "In forms ecmascript and python an attacker can change digits that a double cannot hold. Use v3.",
    ),
    "EscapeSpelling": note(
        "Canonical JSON",
        "A letter and its escape are one string and two texts.",
        "Deliveries with accents, slashes or quotes are lost.",
    ),
    "LoneSurrogate": note(
        "Canonical JSON",
        "An escape of half a surrogate pair. It cannot be written as UTF-8.",
        "A crash in the encoder, or different strings that become one U+FFFD.",
    ),
    "LineSeparator": note(
        "Canonical JSON",
        "U+2028 and U+2029 are ordinary characters in JSON, not line breaks.",
        "A delivery with pasted text is lost.",
    ),
    "MixedForms": note(
        "Canonical JSON",
        "Numbers of one form, strings or order of another. Three forms are tried, not their mixtures.",
        "Every further text that is accepted is a further chance for a forgery.",
    ),
}
