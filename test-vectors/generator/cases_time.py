"""time.json: the window around now, to the millisecond."""

from typing import Any

from .bodies import SMALL
from .signing import SECRET, T, digest, header, signed
from .suite import Group, Suite

OLD = "TIMESTAMP_TOO_OLD"
FUTURE = "TIMESTAMP_IN_FUTURE"
AT = int(T) * 1000
DAY = 86_400_000
TEN_YEARS_AHEAD = "2058450080"


def suite() -> Suite:
    made = Suite("time", 7000, "The time window: age = now - 1000 t. Both edges belong to the window.")
    usual_window(made)
    other_windows(made)
    unbounded(made)
    spelling(made)
    changed_t(made)
    return made


def at_age(group: Group, age: int, flags: str, code: str = "", t: str = T) -> None:
    now = int(t) * 1000 + age
    comment = f"age {age:,} ms" if age >= 0 else f"{-age:,} ms ahead"
    if code:
        group.invalid(comment, flags, code, SMALL, signed(SMALL, ["v3"], t), now)
    else:
        group.valid(comment, flags, SMALL, signed(SMALL, ["v3"], t), now)


def usual_window(made: Suite) -> None:
    group = made.group("300 seconds back, 60 ahead.", ["v3"])
    for age in (0, 1, 999, 1000, 299_000, 299_999, 300_000, -1, -999, -1000, -59_999, -60_000):
        at_age(group, age, "WindowEdge")
    for age in (300_001, 300_999, 301_000):
        at_age(group, age, "WindowEdge", OLD)
    for age in (600_000, DAY, 365 * DAY):
        at_age(group, age, "StaleDelivery", OLD)
    for age in (-60_001, -60_999, -61_000):
        at_age(group, age, "WindowEdge FutureTimestamp", FUTURE)
    for age in (-120_000, -299_000, -300_000):
        at_age(group, age, "AbsoluteWindow FutureTimestamp", FUTURE)
    for age in (-300_001, -DAY):
        at_age(group, age, "FutureTimestamp", FUTURE)
    group.invalid("ten years ahead", "FutureTimestamp", FUTURE, SMALL, signed(SMALL, ["v3"], TEN_YEARS_AHEAD), AT)
    group.invalid("the receiver's clock is at zero", "FutureTimestamp", FUTURE, SMALL, signed(SMALL, ["v3"]), 0)
    group.valid("the receiver's clock is at zero, and t too", "ZeroTimestamp", SMALL, signed(SMALL, ["v3"], "0"), 0)
    group.valid("t before 2001, nine digits", "WindowEdge", SMALL, signed(SMALL, ["v3"], "999999999"), 999_999_999_500)


def other_windows(made: Suite) -> None:
    def group(comment: str, tolerance: Any, future: Any) -> Group:
        return made.group(comment, ["v3"], tolerance=tolerance, future=future)

    one = group("Nothing ahead is allowed: 0 is a limit, not a switch.", 300, 0)
    for age in (0, 1, 300_000):
        at_age(one, age, "MagicZero")
    for age in (-1, -1000, -60_000):
        at_age(one, age, "MagicZero FutureTimestamp", FUTURE)
    at_age(one, 300_001, "WindowEdge", OLD)

    one = group("One second back, none ahead.", 1, 0)
    for age in (0, 1000):
        at_age(one, age, "WindowEdge")
    at_age(one, 1001, "WindowEdge", OLD)
    at_age(one, -1, "MagicZero FutureTimestamp", FUTURE)

    one = group("Half a second back, a quarter ahead.", 0.5, 0.25)
    for age in (500, -250):
        at_age(one, age, "WindowEdge")
    at_age(one, 501, "WindowEdge", OLD)
    at_age(one, -251, "WindowEdge FutureTimestamp", FUTURE)

    one = group("More ahead than back.", 60, 600)
    for age in (60_000, -600_000):
        at_age(one, age, "AbsoluteWindow")
    at_age(one, 60_001, "AbsoluteWindow", OLD)
    at_age(one, 600_000, "AbsoluteWindow", OLD)
    at_age(one, -600_001, "AbsoluteWindow FutureTimestamp", FUTURE)


def unbounded(made: Suite) -> None:
    group = made.group("Any age; the future is still bounded.", ["v3"], tolerance="Infinity")
    at_age(group, 50 * 365 * DAY, "InfiniteTolerance")
    group.valid("t is zero", "InfiniteTolerance ZeroTimestamp", SMALL, signed(SMALL, ["v3"], "0"), AT)
    at_age(group, -60_000, "InfiniteTolerance")
    at_age(group, -60_001, "InfiniteTolerance FutureTimestamp", FUTURE)
    group.invalid(
        "ten years ahead", "InfiniteTolerance FutureTimestamp", FUTURE,
        SMALL, signed(SMALL, ["v3"], TEN_YEARS_AHEAD), AT,
    )
    group.invalid(
        "a wrong digest", "InfiniteTolerance", "SIGNATURE_MISMATCH", SMALL, header(v3="0" * 64), AT + 365 * DAY
    )
    group.invalid(
        "13 digits", "InfiniteTolerance Milliseconds", "SIGNATURE_MALFORMED",
        SMALL, signed(SMALL, ["v3"], f"{T}000"), AT,
    )


def spelling(made: Suite) -> None:
    group = made.group("Size and spelling of t.", ["v3"])
    for t, flags in [
        ("2147483647", "IntegerOverflow"), ("2147483648", "IntegerOverflow"), ("4294967295", "IntegerOverflow"),
        ("4294967296", "IntegerOverflow"), ("999999999999", "IntegerOverflow"), (f"0{T}", "LeadingZero"),
        (f"00{T}", "LeadingZero"), ("01743070070", "LeadingZero"), ("000000000000", "LeadingZero ZeroTimestamp"),
    ]:
        now = int(t) * 1000 + 5000
        group.valid(f"t {t}, five seconds old", flags, SMALL, signed(SMALL, ["v3"], t), now)
    for comment, flags, t, code in [
        ("t zero", "ZeroTimestamp", "0", OLD),
        ("t one", "ZeroTimestamp", "1", OLD),
        ("t of twelve zeros", "ZeroTimestamp", "0" * 12, OLD),
        ("t with 2^32 added", "IntegerOverflow", str(int(T) + 2**32), FUTURE),
        ("t with 2^31 added", "IntegerOverflow", str(int(T) + 2**31), FUTURE),
        ("the largest t", "IntegerOverflow", "9" * 12, FUTURE),
        ("t without its last digit", "ChangedTimestamp", T[:-1], OLD),
        ("t with one digit more", "ChangedTimestamp", f"{T}0", FUTURE),
        ("t in milliseconds, cut to 12 digits", "Milliseconds", f"{T}00", FUTURE),
        ("t in minutes", "ChangedTimestamp", str(int(T) // 60), OLD),
    ]:
        group.invalid(comment, flags, code, SMALL, signed(SMALL, ["v3"], t), AT)


def changed_t(made: Suite) -> None:
    old = str(int(T) - 4000)
    for name in ("v1", "v2", "v3"):
        group = made.group(f"t changed after signing with {name}. The window allows it, the digest does not.", [name])
        value = signed(SMALL, [name]).partition(",")[2]
        for comment, flags, t in [
            ("one second more", "ChangedTimestamp", str(int(T) + 1)),
            ("one second less", "ChangedTimestamp", str(int(T) - 1)),
            ("a zero added in front", "ChangedTimestamp LeadingZero", f"0{T}"),
        ]:
            group.invalid(comment, flags, "SIGNATURE_MISMATCH", SMALL, f"t={t},{value}", AT)
        stale = signed(SMALL, [name], old).partition(",")[2]
        group.invalid(
            "an old delivery with a fresh t", "ChangedTimestamp StaleDelivery", "SIGNATURE_MISMATCH",
            SMALL, f"t={T},{stale}", AT,
        )
        zeros = signed(SMALL, [name], f"0{T}").partition(",")[2]
        group.invalid(
            "a leading zero removed", "ChangedTimestamp LeadingZero", "SIGNATURE_MISMATCH", SMALL, f"t={T},{zeros}", AT
        )
    group = made.group("v3 listed: the time of a genuine v2 does not help a v3 of another time.", ["v3"])
    mixed = header(digests={"v2": digest("v2", SECRET, SMALL), "v3": digest("v3", SECRET, SMALL, old)})
    group.invalid("v2 fresh, v3 old", "ChangedTimestamp StaleDelivery", "SIGNATURE_MISMATCH", SMALL, mixed, AT)
