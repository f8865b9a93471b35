"""Collects the cases of one file, and checks each expectation against verifier.py."""

from typing import Any, Dict, List, Optional, Sequence

from .flags import FLAGS
from .signing import API_KEY, NOW, SECRET
from .verifier import outcome


class Suite:
    def __init__(self, name: str, first_id: int, description: str) -> None:
        self.name = name
        self.next_id = first_id
        self.description = description
        self.groups: List[Group] = []

    def group(self, comment: str, versions: Sequence[str], **options: Any) -> "Group":
        group = Group(self, comment, versions, **options)
        self.groups.append(group)
        return group

    def document(self) -> Dict[str, Any]:
        tests = [test for group in self.groups for test in group.tests]
        used = {flag for test in tests for flag in test["flags"]}
        return {
            "suite": self.name,
            "description": self.description,
            "numberOfTests": len(tests),
            "notes": {flag: FLAGS[flag] for flag in sorted(used)},
            "testGroups": [group.document() for group in self.groups],
        }


class Group:
    def __init__(
        self,
        suite: Suite,
        comment: str,
        versions: Sequence[str],
        operation: str = "signature",
        secrets: Optional[Sequence[str]] = None,
        api_keys: Optional[Sequence[str]] = None,
        tolerance: Any = 300,
        future: Any = 60,
    ) -> None:
        self.suite = suite
        self.tests: List[Dict[str, Any]] = []
        self.settings = {
            "comment": comment,
            "operation": operation,
            "secrets": list([SECRET] if secrets is None else secrets),
            "apiKeys": list([API_KEY] if api_keys is None else api_keys),
            "versions": list(versions),
            "toleranceSeconds": tolerance,
            "futureToleranceSeconds": future,
        }

    def document(self) -> Dict[str, Any]:
        return {**self.settings, "tests": self.tests}

    def valid(
        self, comment: str, flags: str, body: bytes, header: Any, now: int = NOW, **proof: Any
    ) -> None:
        """proof: secretIndex and canonicalForm, if the case is about them."""
        found = self.add(comment, flags, body, header, now)
        self.expect(comment, "result", "valid", found)
        for name, value in proof.items():
            self.expect(comment, name, value, found)

    def invalid(
        self, comment: str, flags: str, code: str, body: bytes, header: Any, now: int = NOW
    ) -> None:
        """code without its ERR_, for short lines."""
        found = self.add(comment, flags, body, header, now)
        self.expect(comment, "code", "ERR_" + code, found)

    def add(self, comment: str, flags: str, body: bytes, header: Any, now: int) -> Dict[str, Any]:
        test = {
            "tcId": self.suite.next_id,
            "comment": comment.encode("ascii", "backslashreplace").decode("ascii"),
            "flags": flags.split(),
            "body": body.hex(),
            "header": header,
            "now": now,
            **outcome(self.settings, body, header, now),
        }
        self.suite.next_id += 1
        self.tests.append(test)
        return test

    def expect(self, comment: str, name: str, value: Any, found: Dict[str, Any]) -> None:
        if found.get(name) != value:
            raise AssertionError(f"{self.suite.name}: {comment}: {name} is {found.get(name)}, not {value}")
