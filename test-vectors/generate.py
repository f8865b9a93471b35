#!/usr/bin/env python3
"""Writes the test vectors of this folder.

  python3 generate.py            write all JSON files
  python3 generate.py --check    compare with the files on disk; exit 1 if they differ
  python3 generate.py --oracle   answer JSON lines on standard input (see README.md)

Python 3.9 or later, standard library only. Nothing here comes from the packages under test.
"""

import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the vectors

from generator import files, oracle, signing  # noqa: E402

KNOWN_ANSWER = "ca13480c8142f2f2b44822c764909027974e84b3e8c94457a314f129d8d60148"


def main() -> int:
    # From public code; if this one fails, nothing below can be trusted.
    known = signing.digest("v3", "test_signature_key", b'"webhook_payload"', "1743090080")
    if known != KNOWN_ANSWER:
        raise SystemExit(f"v3 of the known answer is {known}, not {KNOWN_ANSWER}")

    arguments = sys.argv[1:]
    if arguments == []:
        return files.write()
    if arguments == ["--check"]:
        return files.check()
    if arguments == ["--oracle"]:
        oracle.serve(sys.stdin.buffer)
        return 0
    sys.stderr.write(__doc__ or "")
    return 2


if __name__ == "__main__":
    sys.exit(main())
