"""Flags about t and the time window."""

from .notes import note

TIME_FLAGS = {
    "TimestampMissing": note(
        "Time",
        "There is no t in the header.",
        "Without t a delivery never grows old, and can be replayed forever.",
    ),
    "LenientTimestamp": note(
        "Time",
        "t is not 1 to 12 ASCII digits, but a lenient reader finds a number in it.",
        "The number that is checked is not the text that was signed, and the two can be shifted apart.",
        "stripe: accepts t=123abc",
        "standardwebhooks: accepts t=123abc",
    ),
    "NotANumber": note(
        "Time",
        "t becomes NaN or Infinity. Every comparison with NaN is false.",
        "A check of the form 'if too old, refuse' never refuses: replays pass forever.",
        "workos: a NaN passes if it is signed",
    ),
    "ForeignDigits": note(
        "Time",
        "Digits of other scripts, which some number parsers and patterns accept.",
        "Two readers of one header see two times, or two digests.",
    ),
    "Milliseconds": note(
        "Time",
        "t counts milliseconds.",
        "Divided by 1000 on a guess, t is no longer what was signed. Not divided, it lies 50,000 years ahead.",
    ),
    "LeadingZero": note(
        "Time",
        "Leading zeros are part of the text of t, and are signed as sent.",
        "A receiver that prints the number again signs another text, and loses the delivery.",
    ),
    "ZeroTimestamp": note(
        "Time",
        "t is zero, which some languages treat as missing.",
        "If zero counts as absent, the time check is skipped and every replay passes.",
    ),
    "WindowEdge": note(
        "Time",
        "The edges of the window, to the millisecond. Both edges belong to it.",
        "Receivers that round disagree about the same delivery, and retries turn into noise.",
    ),
    "StaleDelivery": note(
        "Time",
        "A valid delivery that is too old.",
        "A delivery that leaked into a log is replayed, and a payment is booked again.",
    ),
    "FutureTimestamp": note(
        "Time",
        "t lies further ahead than clocks differ.",
        "A delivery dated ten years ahead can be replayed for ten years.",
        "stripe: accepts a timestamp ten years ahead",
        "bolt: accepts a timestamp ten years ahead",
        "workos: accepts a timestamp ten years ahead",
    ),
    "AbsoluteWindow": note(
        "Time",
        "Past and future have windows of their own. One window over abs(age) is wrong.",
        "One window for both directions doubles the time in which a replay passes.",
    ),
    "MagicZero": note(
        "Time",
        "A limit of zero means zero.",
        "If zero means 'off', the strictest setting is the weakest.",
    ),
    "InfiniteTolerance": note(
        "Time",
        "No limit back, as for checking stored deliveries. Everything else is still checked.",
        "A switch for old deliveries must not open the future, or skip the digest.",
    ),
    "IntegerOverflow": note(
        "Time",
        "t does not fit into 31 or 32 bits.",
        "After a wrap a date far ahead looks like now. In 2038 every delivery is lost.",
    ),
    "ChangedTimestamp": note(
        "Time",
        "t was changed after signing.",
        "If t is not part of what is compared, an old delivery gets a new date and is replayed.",
    ),
    "BoundaryShift": note(
        "Time",
        "Body and t follow each other without a separator. Digits can move between them and the message stays.",
        "One signature holds for several pairs of body and time. Only grammar and window refuse the others.",
    ),
}
