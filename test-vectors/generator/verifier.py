"""An independent implementation of the rules of a receiver.

Every case says by hand what must happen. This module says it by computing. generate.py
stops when the two differ, so a wrong expectation cannot slip into the files.
"""

import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import signing, strict_json
from .canonical import FORMS

MAX_CHARACTERS = 1024
MAX_ELEMENTS = 16
NAME = re.compile(r"[a-z][a-z0-9]*")
TIMESTAMP = re.compile(r"[0-9]{1,12}")
DIGEST = re.compile(r"[0-9a-f]{64}")
KNOWN = {"t": TIMESTAMP, "v1": DIGEST, "v2": DIGEST, "v3": DIGEST}


class Refused(Exception):
    @property
    def code(self) -> str:
        return str(self.args[0])


def outcome(group: Dict[str, Any], body: bytes, header: Any, now: int) -> Dict[str, Any]:
    """The result fields of one test: result, and code or secretIndex and canonicalForm."""
    try:
        elements = parse_header(header)
        if any(version not in elements for version in group["versions"]):
            raise Refused("ERR_SIGNATURE_VERSION_MISSING")
        check_time(group, int(elements["t"]), now)
        proof = check_digests(group, body, elements)
        if group["operation"] == "webhook":
            parse_body(body)
    except Refused as refused:
        return {"result": "invalid", "code": refused.code}
    return {"result": "valid", **proof}


def parse_header(header: Any) -> Dict[str, str]:
    if header is None:
        raise Refused("ERR_SIGNATURE_MISSING")
    if isinstance(header, list):
        if len(header) != 1:
            raise Refused("ERR_SIGNATURE_MALFORMED")
        header = header[0]
    parts = header.split(",")
    if len(header) > MAX_CHARACTERS or len(parts) > MAX_ELEMENTS:
        raise Refused("ERR_SIGNATURE_MALFORMED")
    elements: Dict[str, str] = {}
    for part in parts:
        name, equals, value = part.strip(" \t").partition("=")
        if not equals or not NAME.fullmatch(name):
            raise Refused("ERR_SIGNATURE_MALFORMED")
        if name not in KNOWN:
            continue
        if name in elements or not KNOWN[name].fullmatch(value):
            raise Refused("ERR_SIGNATURE_MALFORMED")
        elements[name] = value
    if "t" not in elements:
        raise Refused("ERR_SIGNATURE_MALFORMED")
    return elements


def check_time(group: Dict[str, Any], t: int, now: int) -> None:
    age = now - t * 1000
    if age > float(group["toleranceSeconds"]) * 1000:
        raise Refused("ERR_TIMESTAMP_TOO_OLD")
    if -age > group["futureToleranceSeconds"] * 1000:
        raise Refused("ERR_TIMESTAMP_IN_FUTURE")


def check_digests(group: Dict[str, Any], body: bytes, elements: Dict[str, str]) -> Dict[str, Any]:
    listed: Sequence[str] = group["versions"]
    t = elements["t"]
    proof: Dict[str, Any] = {}
    not_json = False

    if "v1" in listed:
        matches = [signing.digest("v1", key, body, t) == elements["v1"] for key in group["apiKeys"]]
        if True not in matches:
            raise Refused("ERR_SIGNATURE_MISMATCH")
        proof["secretIndex"] = matches.index(True)

    secret_keyed = [version for version in listed if version != "v1"]
    if secret_keyed:
        try:
            index, form = match_secret(group["secrets"], secret_keyed, body, elements)
        except strict_json.NotJson:
            # v2 cannot be computed. A wrong v3 is reported first.
            rest = [version for version in secret_keyed if version != "v2"]
            index, form = match_secret(group["secrets"], rest, body, elements) if rest else (0, None)
            not_json = True
        if index is None:
            raise Refused("ERR_SIGNATURE_MISMATCH")
        proof["secretIndex"] = index
        if form is not None:
            proof["canonicalForm"] = form

    if not_json:
        raise Refused("ERR_BODY_NOT_JSON")
    return proof


def match_secret(
    secrets: List[str], listed: Sequence[str], body: bytes, elements: Dict[str, str]
) -> Tuple[Optional[int], Optional[str]]:
    """The lowest index of a secret under which all listed versions match, and v2's form."""
    t = elements["t"]
    found: Tuple[Optional[int], Optional[str]] = (None, None)
    for index, secret in enumerate(secrets):
        form = None
        if "v2" in listed:
            forms = [f for f in FORMS if signing.digest("v2", secret, body, t, f) == elements["v2"]]
            if not forms:
                continue
            form = forms[0]
        if "v3" in listed and signing.digest("v3", secret, body, t) != elements["v3"]:
            continue
        if found[0] is None:
            found = (index, form)
    return found


def parse_body(body: bytes) -> None:
    try:
        strict_json.read(body)
    except strict_json.NotJson as error:
        raise Refused("ERR_BODY_NOT_JSON") from error
