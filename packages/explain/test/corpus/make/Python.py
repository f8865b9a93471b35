"""What Python makes of a delivery, and what others make of it where their output is documented and they cannot be run."""
import base64
import email.message
import email.policy
import gzip
import html
import json
import platform
import re
import unicodedata
import urllib.parse
import zlib

import brotli

# Lines that were joined can be undone in more than one way.
JOINED = "body-line-endings|body-reserialized+body-trailing-newline|body-not-verbatim"
SENT = {line["name"]: line for line in map(json.loads, open("../sent.jsonl"))}
BODY = {name: base64.b64decode(line["body"]) for name, line in SENT.items()}
TEXT = {name: body.decode() for name, body in BODY.items() if name != "compressed"}


def add(kind, name, did, expect, says, body=None, tool=f"Python {platform.python_version()}", **more):
    if isinstance(body, str):
        body = body.encode()
    if body is not None:
        more["body"] = base64.b64encode(body).decode()
    print(json.dumps({"tool": tool, "kind": kind, "sent": name, "did": did, "expect": expect, "says": says, **more}))


def parsed(name, **options):
    return json.loads(TEXT[name], **options)


for name in ["intent-plain", "intent-compact"]:
    add("printed", name, "json.dumps, indent=4", "body-reindented", "indented", json.dumps(parsed(name), indent=4))
add("printed", "intent-compact", "json.dumps(json.loads(body))", "body-reserialized", "re-serialized",
    json.dumps(parsed("intent-compact")))
add("printed", "intent", "json.dumps, ensure_ascii=False", "body-reserialized", "escapes|re-serialized",
    json.dumps(parsed("intent"), ensure_ascii=False))
add("printed", "intent", "json.dumps, ensure_ascii=False, compact", "body-reserialized", "re-serialized",
    json.dumps(parsed("intent"), ensure_ascii=False, separators=(",", ":")))
add("printed", "intent", "json.dumps, sort_keys=True", "body-not-verbatim", "sorted",
    json.dumps(parsed("intent"), sort_keys=True))
add("printed", "intent", "json.dumps, sort_keys=True, indent=2", "body-not-verbatim", "sorted",
    json.dumps(parsed("intent"), sort_keys=True, indent=2))
add("printed", "intent", "parse_float=int, as for a column of integers", "body-reserialized", r"10\.0",
    json.dumps(parsed("intent", parse_float=lambda number: int(float(number)))))
add("printed", "intent", "parse_float=int, sorted, indented", "body-reserialized", r"10\.0",
    json.dumps(parsed("intent", parse_float=lambda number: int(float(number))), sort_keys=True, indent=2))
add("printed", "intent", "amounts with two decimals, as a decimal type prints them", "body-reserialized", "decimals|floats|re-serialized",
    re.sub(r"(\d+)\.0\b", r"\1.00", TEXT["intent"]))


def by_length(value):
    if isinstance(value, dict):
        return {key: by_length(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [by_length(item) for item in value] if isinstance(value, list) else value


JSONB = "PostgreSQL 16, documented order and layout of jsonb (not run)"
add("printed", "intent", "jsonb::text", "body-not-verbatim", "sorted|jsonb",
    json.dumps(by_length(parsed("intent")), ensure_ascii=False), JSONB)
add("printed", "transaction", "jsonb::text", "body-not-verbatim", "sorted|jsonb",
    json.dumps(by_length(parsed("transaction")), ensure_ascii=False), JSONB)

NET = ".NET 8 System.Text.Json, documented escapes (not run)"
ESCAPES = {character: f"\\u{ord(character):04X}" for character in "<>&'+`"}


def system_text_json(text):
    text = re.sub(r"\\u[0-9a-f]{4}", lambda escape: "\\u" + escape[0][2:].upper(), text)
    return "".join(ESCAPES.get(character, character) for character in text)


add("printed", "intent", "JsonNode.ToJsonString()", "body-reserialized", "re-serialized",
    system_text_json(json.dumps(parsed("intent"), separators=(",", ":"))), NET)
add("printed", "transaction", "JsonNode.ToJsonString()", "body-reserialized", "re-serialized",
    system_text_json(json.dumps(parsed("transaction"), separators=(",", ":"))), NET)

for form in ["NFD", "NFKD"]:
    add("text", "intent-utf8", f"unicodedata.normalize('{form}')", "body-unicode-form", "NFK?D",
        unicodedata.normalize(form, TEXT["intent-utf8"]))
add("text", "intent-utf8", "bytes.decode('cp1252', 'replace')", "body-charset", "Windows-1252|Latin-1",
    BODY["intent-utf8"].decode("cp1252", "replace"))
add("text", "intent-utf8", "encode('ascii', 'replace')", "body-characters-lost?", r'"\?"',
    TEXT["intent-utf8"].encode("ascii", "replace"))
add("text", "intent-utf8", "encode('ascii', 'ignore')", "values-changed?", "changed",
    TEXT["intent-utf8"].encode("ascii", "ignore"))
add("text", "intent-plain", "encode('utf-16')", "body-charset", "UTF-16", TEXT["intent-plain"].encode("utf-16"))
add("text", "intent", "encode('utf-8-sig')", "body-byte-order-mark", "byte order mark",
    TEXT["intent"].encode("utf-8-sig"))
add("text", "lines", "strip()", "body-trailing-newline", "white space|line feed", TEXT["lines"].strip())
add("text", "lines", "rstrip()", "body-trailing-newline", "white space|line feed", TEXT["lines"].rstrip())
add("text", "indented", "''.join(splitlines())", JOINED, "line breaks|indented|white space", "".join(TEXT["indented"].splitlines()))
add("text", "indented", "' '.join(splitlines())", JOINED, "line breaks|indented|white space", " ".join(TEXT["indented"].splitlines()))
add("wrapped", "intent", "html.escape, quote=False", "body-html-escaped", "HTML", html.escape(TEXT["intent"], quote=False))
add("wrapped", "intent", "quote_plus", "body-form-encoded", "form", urllib.parse.quote_plus(TEXT["intent"]))
add("wrapped", "transaction", "unquote_plus", "body-form-encoded", "form", urllib.parse.unquote_plus(TEXT["transaction"]))
add("wrapped", "intent", "str(bytes)", "body-bytes-printed", "bytes", str(BODY["intent"]))
add("wrapped", "intent", "str(dict)", "body-printed-object?", "parse", str(parsed("intent")))
add("wrapped", "intent", "json.dumps(text)", "body-json-string", "string", json.dumps(TEXT["intent"]))
add("wrapped", "intent", "urlsafe_b64encode", "body-base64", "base64", base64.urlsafe_b64encode(BODY["intent"]))
add("wrapped", "intent-plain", "gzip.compress", "body-compressed", "compressed", gzip.compress(BODY["intent-plain"]))
add("wrapped", "intent-plain", "zlib.compress", "body-compressed", "compressed", zlib.compress(BODY["intent-plain"]))
add("wrapped", "intent-plain", "brotli.compress", "body-compressed", "compressed", brotli.compress(BODY["intent-plain"]))
add("wrapped", "intent-plain", "gzip, then base64", "body-base64+body-compressed", "compressed",
    base64.b64encode(gzip.compress(BODY["intent-plain"])))
add("wrapped", "compressed", "decompressed, and signed compressed", "body-compressed", "compressed",
    gzip.decompress(BODY["compressed"]), may=["body-not-verbatim"])
add("wrapped", "intent", "gzip cut at 512 bytes", "body-compressed?", "compressed", gzip.compress(BODY["intent"])[:512])


def chunked(body, size):
    parts = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


add("wrapped", "intent", "chunked, in chunks of 512, not decoded", "body-chunked", "chunk", chunked(BODY["intent"], 512))
add("wrapped", "intent-compact", "one chunk, not decoded", "body-chunked", "chunk", chunked(BODY["intent-compact"], 8192))
add("wrapped", "intent", "chunked, last chunk missing", "body-chunked", "chunk", chunked(BODY["intent"], 2048)[:-5])
add("wrapped", "intent", "size line left in front", "body-chunked", "chunk", b"642\r\n" + BODY["intent"])
for size in [1024, 512]:
    add("cut", "intent", f"socket.recv({size})", "body-cut?", f"{size:,}|{size}", BODY["intent"][:size])
add("cut", "long", "socket.recv(65536)", "body-cut?", "65,?536", BODY["long"][:65536])
add("cut", "intent", "a column of 255 letters", "body-cut?", "255", BODY["intent"][:255])
add("cut", "intent-utf8", "a column of utf8mb3, which ends before an emoji", "body-cut?", "ends",
    TEXT["intent-utf8"].split("\U0001f600")[0])

HEADER = SENT["intent"]["header"]
message = email.message.EmailMessage(policy=email.policy.SMTP.clone(max_line_length=78))
message["Service-Signature"] = HEADER.replace(",", ", ")
folded = message.as_bytes().split(b": ", 1)[1].rstrip(b"\r\n").decode()
add("header", "intent", "folded by email.message, after a blank was put after each comma", "header-separators", "folded|line",
    header=folded)
add("header", "intent", "folded after each comma", "header-separators", "folded|line", header=HEADER.replace(",", ",\r\n "))
add("header", "intent", "folded, its line break left at the end", "header-separators", "header", header=HEADER + "\r\n")
add("header", "intent", "str(list)", "header-quoted+header-separators", "quotes", header=str([HEADER]))
add("header", "intent", "str(bytes)", "header-quoted", "quotes", header=str(HEADER.encode()))
add("header", "intent", "quote", "header-percent-encoded", "percent", header=urllib.parse.quote(HEADER))
add("header", "intent", "quote_plus, with blanks", "header-percent-encoded|header-percent-encoded+header-separators", "percent",
    header=urllib.parse.quote_plus(HEADER.replace(",", ", ")))
add("header", "intent", "copied with its name from curl -v", "header-name-in-value", "name", header=f"Service-Signature: {HEADER}")
add("header", "intent", "digests with sha256= before them", "header-digest-prefix", "prefix",
    header=re.sub(r"=([0-9a-f]{64})", r"=sha256=\1", HEADER))
add("header", "intent", "digests as base64", "header-digest-base64", "base64",
    header=re.sub(r"=([0-9a-f]{64})", lambda match: "=" + base64.b64encode(bytes.fromhex(match[1])).decode(), HEADER))
secret = SENT["intent"]["secret"]
add("key", "intent", "str(bytes) of the secret", "key-quoted", "quotes", secret=str(secret.encode()))
add("key", "intent", "secret.strip('=')", "key-cut", "cut|padding", secret=secret.strip("="))
add("key", "intent", "secret cut at 16 letters", "key-other?", "account", secret=secret[:16])
add("key", "intent", "two keys in a list, neither is right", "key-other?", "account", secret=["wsk_live/a1b2c3", "wsk_test/d4e5f6"])
