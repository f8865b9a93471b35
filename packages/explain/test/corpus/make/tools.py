"""Faults that a check of the whole project found unnamed, each made by a tool or a library."""
import base64
import html
import json
import platform
import subprocess
import urllib.parse
from pathlib import Path

HERE = Path(__file__).parent
SENT = {line["name"]: line for line in map(json.loads, (HERE / "../sent.jsonl").read_text().splitlines())}
BODY = {name: base64.b64decode(line["body"]) for name, line in SENT.items()}
PYTHON = f"Python {platform.python_version()}"


def add(tool, kind, name, did, expect, says, body=None, **more):
    if body is not None:
        more["body"] = base64.b64encode(body.encode() if isinstance(body, str) else body).decode()
    print(json.dumps({"tool": tool, "kind": kind, "sent": name, "did": did, "expect": expect, "says": says, **more}))


def run(command, given):
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, cwd=HERE.parents[4]).stdout


def node(code, given):
    """Runs a module of Node with the packages of the repository. The body is in `raw` and in `body`."""
    start = "import { readFileSync } from 'node:fs'; const raw = readFileSync(0); const body = raw.toString();"
    return run(["node", "--input-type=module", "-e", start + code], given)


def only_v3(name):
    t, _, _, v3 = SENT[name]["header"].split(",")
    return f"{t},{v3}"


GO = 'package main\nimport ("encoding/json"; "os")\nfunc main() { var v any; json.NewDecoder(os.Stdin).Decode(&v); json.NewEncoder(os.Stdout).Encode(v) }\n'
Path("/tmp/print.go").write_text(GO)
PARSER = """import bodyParser from 'body-parser'; import { Readable } from 'node:stream';
const req = Object.assign(Readable.from([raw]), { headers: { 'content-type': TYPE, 'content-length': String(raw.length) } });
bodyParser.KIND(req, {}, () => process.stdout.write(PRINTED));"""


def body_parser(kind, content_type, printed, given):
    code = PARSER.replace("KIND", kind).replace("TYPE", repr(content_type)).replace("PRINTED", printed)
    return node(code, given)


# v3 alone: what was signed cannot be found if the order of the keys is lost, but its traces show.
add("Go", "printed", "intent", "v3 alone, json.NewEncoder(w).Encode(map)", "body-reserialized?", "sorted",
    run(["go", "run", "/tmp/print.go"], BODY["intent"]), header=only_v3("intent"))
add(PYTHON, "printed", "intent-plain", "v3 alone, json.dumps(sort_keys=True)", "body-reserialized?", "sorted",
    json.dumps(json.loads(BODY["intent-plain"]), sort_keys=True), header=only_v3("intent-plain"))
add("fast-json-stable-stringify", "printed", "transaction", "v3 alone", "body-reserialized?", "sorted",
    node("import stringify from 'fast-json-stable-stringify'; process.stdout.write(stringify(JSON.parse(body)))",
         BODY["transaction"]), header=only_v3("transaction"))
add("body-parser", "printed", "intent", "v3 alone, JSON.stringify(req.body)", "body-reserialized", "re-serialized",
    body_parser("json()", "application/json", "JSON.stringify(req.body)", BODY["intent"]), header=only_v3("intent"))
add("body-parser", "key", "intent", "v3 alone, JSON.stringify(req.body), and a secret with a line break",
    "key-white-space+body-reserialized", "line break.*re-serialized",
    body_parser("json()", "application/json", "JSON.stringify(req.body)", BODY["intent"]),
    header=only_v3("intent"), secret=SENT["intent"]["secret"] + "\n")
add("body-parser", "key", "transaction", "JSON.stringify(req.body), and a secret with a line break",
    "key-white-space+body-reserialized", "line break.*re-serialized",
    body_parser("json()", "application/json", "JSON.stringify(req.body)", BODY["transaction"]),
    secret=SENT["transaction"]["secret"] + "\n")
add("jq", "printed", "transaction", "v3 alone, jq -c .", "body-reserialized", "re-serialized|50\\.0",
    run(["jq", "-c", "."], BODY["transaction"]), header=only_v3("transaction"))
add("jq", "printed", "intent", "v3 alone, jq -S .", "body-reserialized?", "sorted",
    run(["jq", "-S", "."], BODY["intent"]), header=only_v3("intent"))
add(PYTHON, "printed", "intent", "v3 alone, json.dumps(separators=(',', ':'))", "body-reserialized", "re-serialized",
    json.dumps(json.loads(BODY["intent"]), separators=(",", ":")), header=only_v3("intent"))

# What printers lose.
add("jq", "printed", "intent-plain", "{} to [] in one of two places", "body-reserialized", "\\{\\} where \\[\\]",
    run(["jq", "-c", "(.data.intent.active_transaction.provider_transaction_fields) = []"], BODY["intent-plain"]))
add("jq", "printed", "intent-plain", "null members deleted: del(..|nulls)", "body-reserialized", "null",
    run(["jq", "-c", "del(..|nulls)"], BODY["intent-plain"]))
add("jq", "printed", "transaction", "v3 alone, null members deleted", "body-reserialized?", "as 50",
    run(["jq", "-c", "del(..|nulls)"], BODY["transaction"]), header=only_v3("transaction"))

# Charsets.
add("iconv", "text", "intent-utf8", "iconv -f latin1 -t utf8, twice", "body-charset", "Latin-1.*twice",
    run(["iconv", "-f", "latin1", "-t", "utf-8"], run(["iconv", "-f", "latin1", "-t", "utf-8"], BODY["intent-utf8"])))
add("iconv-lite", "text", "refund-utf8", "decode(win1252), twice", "body-charset", "Windows-1252.*twice",
    node("""import iconv from 'iconv-lite'; const twice = iconv.decode(Buffer.from(iconv.decode(raw, 'win1252')), 'win1252');
    process.stdout.write(twice)""", BODY["refund-utf8"]))
add("iconv-lite", "text", "intent-utf8", "encode(text, 'win1252'): an emoji as ?", "body-characters-lost?|body-charset", "charset|\\?",
    node("import iconv from 'iconv-lite'; process.stdout.write(iconv.encode(body, 'win1252'))", BODY["intent-utf8"]))
add(PYTHON, "text", "intent-utf8", "encode('latin1', 'replace'): an emoji as ?", "body-characters-lost?", "charset|\\?",
    BODY["intent-utf8"].decode().encode("latin1", "replace"))
add(PYTHON, "text", "intent-utf8", "emoji alone as ?", "body-characters-lost?", "\\?",
    BODY["intent-utf8"].decode().replace("\U0001f600", "?"))

# Entities and forms: undone, so what was signed had them.
ENTITIES = json.dumps({"type": "card.note", "id": "n_1", "note": "Tea &amp; scones &lt;b&gt;", "api_version": "1.1"})
FORMS = json.dumps({"type": "card.note", "id": "n_2", "return_url": "https://shop.example/r?q=a+b", "api_version": "1.1"})
SPACES = json.dumps({"type": "card.note", "id": "n_3", "return_url": "https://shop.example/my%20shop", "api_version": "1.1"})


def signed(body):
    """The header of another sender, made by openssl."""
    t = SENT["intent"]["header"].split(",")[0]
    message = base64.b64encode(body.encode()) + t[2:].encode()
    mac = run(["openssl", "dgst", "-sha256", "-hmac", SENT["intent"]["secret"], "-r"], message)
    return f"{t},v3={mac.decode().split()[0]}"


add(PYTHON, "wrapped", "intent", "html.unescape(body)", "body-html-escaped", "entities", html.unescape(ENTITIES), header=signed(ENTITIES))
add(PYTHON, "wrapped", "intent", "urllib.parse.unquote_plus(body): + as a blank", "body-form-encoded", "\\+", urllib.parse.unquote_plus(FORMS), header=signed(FORMS))
add(PYTHON, "wrapped", "intent", "urllib.parse.unquote(body): %20 as a blank", "body-form-encoded", "%20", urllib.parse.unquote(SPACES), header=signed(SPACES))
add("body-parser", "wrapped", "intent-plain", "urlencoded(), the only key of req.body", "body-form-encoded|body-reserialized", "form|printed",
    body_parser("urlencoded({ extended: false })", "application/x-www-form-urlencoded",
                "new URLSearchParams(req.body).toString()", BODY["intent-plain"]))

# Cut at the start.
for size in [1024, 256]:
    add(PYTHON, "cut", "intent", f"the first {size} bytes lost", "body-cut?", "beginning|starts", BODY["intent"][size:])

# Keys.
SECRET = SENT["refund"]["secret"]
add("shell", "key", "refund", "a key copied with the ; after it", "key-quoted", ";", secret=SECRET + ";")
add("shell", "key", "refund", "a key copied with quotes and ;", "key-quoted", ";", secret=f'"{SECRET}";')
add(PYTHON, "key", "refund", "a hex key in capitals", "key-hex", "upper case", secret=SECRET.upper())
ENCODED = "wsk%2F9fK2%2BQmX7pLr4Zt8"
ENCODED_HEADER = signed("{}").split(",")[0] + ",v3=" + run(
    ["openssl", "dgst", "-sha256", "-hmac", ENCODED, "-r"],
    base64.b64encode(BODY["intent"]) + SENT["intent"]["header"].split(",")[0][2:].encode()).decode().split()[0]
add(PYTHON, "key", "intent", "a key that was URL-decoded once too often", "key-percent-encoded", "decoded",
    header=ENCODED_HEADER, secret=urllib.parse.unquote(ENCODED))
