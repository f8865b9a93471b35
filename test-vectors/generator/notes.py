"""One note: what a flag stands for. The texts go into the JSON files as they are here."""

from typing import Any, Dict


def note(bug_class: str, description: str, effect: str, *seen_in: str) -> Dict[str, Any]:
    made: Dict[str, Any] = {"bugClass": bug_class, "description": description, "effect": effect}
    if seen_in:
        made["seenIn"] = list(seen_in)
    return made
