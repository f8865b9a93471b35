"""Faults that were invented as a support engineer would meet them, without sight of the rules of explain.

"neutral" was written at the same time and says in plain words what the first line must name. "expect" and "says",
which were added afterwards, say the same in the names of findings. Run by make.sh.
"""
import base64
import gzip
import html
import json
import pprint
import quopri
import re
import subprocess
import sys
import textwrap
import unicodedata
import urllib.parse
import zlib
from pathlib import Path

HERE = Path(__file__).parent
SENT = {}
for line in (HERE / "../sent.jsonl").read_text().splitlines():
    delivery = json.loads(line)
    SENT[delivery["name"]] = dict(delivery, body=base64.b64decode(delivery["body"]))
EXPECTED = json.loads((HERE / "invented-expected.json").read_text())
NOW = 1743090092_000
HOUR = 3600_000


def body(name):
    return SENT[name]["body"]


def text(name):
    return body(name).decode()


def parsed(name):
    return json.loads(body(name))


def secret(name):
    return SENT[name]["secret"]


def header(name):
    return SENT[name]["header"]


def run(command, given):
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


def node(code, given):
    """Runs a module of Node in the repository, so that its packages are found. The body is in `raw`."""
    start = "import { readFileSync } from 'node:fs'; const raw = readFileSync(0); const body = raw.toString();"
    root = HERE.parents[4]
    command = ["node", "--input-type=module", "-e", start + code]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, cwd=root).stdout


def case(kind, sent, did, neutral, **more):
    line = {"tool": "invented", "kind": kind, "sent": sent, "did": did, "neutral": neutral}
    line.update(EXPECTED.get(did, {"expect": "?", "says": ""}))
    if "body" in more:
        given = more.pop("body")
        more["body"] = base64.b64encode(given.encode() if isinstance(given, str) else given).decode()
    line.update(more)
    print(json.dumps(line))


# Parsed and printed again.
case("printed", "refund", "express.json(), then JSON.stringify(req.body)", "re-serialised: numbers, key order",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body)))", body("refund")))
case("printed", "refund-utf8", "NestJS: JSON.stringify(req.body, null, 2)", "re-serialised: numbers",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body), null, 2))", body("refund-utf8")))
case("printed", "refund", "Flask: json.dumps(request.json, ensure_ascii=False)", "re-serialised: escapes decoded",
     body=json.dumps(parsed("refund"), ensure_ascii=False))
case("printed", "transaction", "Celery: json.dumps(obj, separators=(',', ':'), sort_keys=True)",
     "re-serialised: keys sorted", body=json.dumps(parsed("transaction"), separators=(",", ":"), sort_keys=True))
case("printed", "transaction-compact", "Django: json.dumps(json.loads(request.body))", "re-serialised: spaces added",
     body=json.dumps(parsed("transaction-compact")))
case("printed", "refund", "requests: json.dumps(obj, indent=4)", "re-serialised: indented",
     body=json.dumps(parsed("refund"), indent=4))
case("printed", "refund", "FastAPI: orjson.dumps(await request.json())", "re-serialised: spaces, escapes",
     body=run([sys.executable, "-c", "import sys,json,orjson; sys.stdout.buffer.write(orjson.dumps(json.load(sys.stdin)))"], body("refund")))
case("printed", "refund", "ujson.dumps(ujson.loads(body))", "re-serialised: slashes escaped",
     body=run([sys.executable, "-c", "import sys,ujson; sys.stdout.write(ujson.dumps(ujson.loads(sys.stdin.read())))"], body("refund")))
case("printed", "transaction", "Flask: str(request.json)", "body is a Python dict printed with str()",
     body=str(parsed("transaction")))
case("printed", "refund", "PHP: json_encode(json_decode($body))", "re-serialised: slashes escaped",
     body=run(["php", "-r", "echo json_encode(json_decode(stream_get_contents(STDIN)));"], body("refund")))
case("printed", "intent", "Laravel: json_encode($request->all(), JSON_UNESCAPED_UNICODE)", "re-serialised: {} as []",
     body=run(["php", "-r", "echo json_encode(json_decode(stream_get_contents(STDIN), true), JSON_UNESCAPED_UNICODE);"], body("intent")))
case("printed", "refund", "PHP: JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES", "re-serialised: indented",
     body=run(["php", "-r", "echo json_encode(json_decode(stream_get_contents(STDIN)), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES);"], body("refund")))
case("printed", "intent", "Laravel: ConvertEmptyStringsToNull, then json_encode", "re-serialised: empty texts as null",
     body=run(["php", "-r", "$a = json_decode(stream_get_contents(STDIN), true); array_walk_recursive($a, function (&$v) { if ($v === '') $v = null; }); echo json_encode($a);"], body("intent")))
case("printed", "refund", "Rails: params.to_json (JSON.generate)", "re-serialised: escapes decoded",
     body=run(["ruby", "-rjson", "-e", "print JSON.generate(JSON.parse(STDIN.read))"], body("refund")))
case("printed", "transaction", "Ruby: JSON.pretty_generate", "re-serialised: indented",
     body=run(["ruby", "-rjson", "-e", "print JSON.pretty_generate(JSON.parse(STDIN.read))"], body("transaction")))
case("printed", "transaction", "Ruby: JSON.parse(body).to_s (inspect of a Hash)", "body is a Ruby hash printed with inspect",
     body=run(["ruby", "-rjson", "-e", "print JSON.parse(STDIN.read).to_s"], body("transaction")))
GO = 'package main\nimport ("encoding/json"; "os")\nfunc main() { var v any; json.NewDecoder(os.Stdin).Decode(&v); json.NewEncoder(os.Stdout).Encode(v) }\n'
Path("/tmp/invented.go").write_text(GO)
case("printed", "refund", "Go: json.NewEncoder(w).Encode(map)", "re-serialised: keys sorted, & < > escaped",
     body=run(["go", "run", "/tmp/invented.go"], body("refund")))
case("printed", "refund", "Perl: JSON::PP->new->canonical->encode", "re-serialised: keys sorted",
     body=run(["perl", "-MJSON::PP", "-0777", "-ne", "print JSON::PP->new->utf8->canonical->encode(JSON::PP->new->utf8->decode($_))"], body("refund")))
case("printed", "refund", "jq -c . in a shell script", "re-serialised: spaces", body=run(["jq", "-c", "."], body("refund")))
case("printed", "transaction", "jq . in a shell script", "re-serialised: indented", body=run(["jq", "."], body("transaction")))
case("printed", "transaction", "jq -S --tab .", "re-serialised: keys sorted", body=run(["jq", "-S", "--tab", "."], body("transaction")))
case("printed", "transaction", "stored in a jsonb column of Postgres", "re-serialised: key order of jsonb",
     body=node("""import { PGlite } from '@electric-sql/pglite'; const db = new PGlite();
     const { rows } = await db.query('select $1::jsonb::text as body', [body]); process.stdout.write(rows[0].body)""", body("transaction")))
case("printed", "refund", "SQLite: json(body)", "re-serialised: spaces removed",
     body=run([sys.executable, "-c", "import sys,sqlite3; sys.stdout.write(sqlite3.connect(':memory:').execute('select json(?)', (sys.stdin.read(),)).fetchone()[0])"], body("refund")))
case("printed", "refund", "formatted by Prettier (body pasted into an editor)", "re-serialised: layout",
     body=node("import { format } from 'prettier'; process.stdout.write(await format(body, { parser: 'json' }))", body("refund")))
case("printed", "refund", "safe-stable-stringify(req.body)", "re-serialised: keys sorted",
     body=node("import { stringify } from 'safe-stable-stringify'; process.stdout.write(stringify(JSON.parse(body)))", body("refund")))
case("printed", "big-integer", "a reference above 2^53 through JSON.parse", "re-serialised: integer lost digits",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body)))", body("big-integer")))
case("printed", "transaction", "Spring: Jackson with Include.NON_NULL (by deleting the nulls)", "re-serialised: null members dropped",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body, (k, v) => v === null ? undefined : v)))", body("transaction")))
case("printed", "transaction", "keys to camelCase by an axios interceptor", "keys renamed to camelCase",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body, (k, v) => v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).map(([a, b]) => [a.replace(/_([a-z])/g, (m, c) => c.toUpperCase()), b])) : v)))", body("transaction")))
case("printed", "transaction", "System.Text.Json: JsonNode.ToJsonString() (& as \\u0026, + as \\u002B)", "re-serialised: & and + escaped",
     body=re.sub(r"[&+<>'`]", lambda m: "\\u%04X" % ord(m[0]), json.dumps(parsed("transaction"), separators=(",", ":"))))
case("printed", "intent", "Newtonsoft: JToken.Parse(body).ToString() (indented, CRLF)", "re-serialised: indented",
     body=json.dumps(parsed("intent"), indent=2, ensure_ascii=False).replace("\n", "\r\n"))
case("printed", "transaction", "a template: console.log(req.body) pasted into the test", "body is an object printed by util.inspect",
     body=node("import { inspect } from 'node:util'; process.stdout.write(inspect(JSON.parse(body), { depth: null }))", body("transaction")))
case("printed", "transaction", "`${req.body}`", "body is [object Object]", body="[object Object]")
case("printed", "transaction", "fetch(..., { body: JSON.stringify(req.rawBody) }) of a Buffer", "body is a Buffer as JSON",
     body=json.dumps({"type": "Buffer", "data": list(body("transaction"))}, separators=(",", ":")))
case("printed", "transaction", "String(new Uint8Array(raw))", "body is a list of the bytes' numbers", body=",".join(str(b) for b in body("transaction")))
case("printed", "intent", "XSS filter: & < > in texts HTML-escaped, then JSON.stringify", "texts in the JSON were HTML-escaped",
     body=node("process.stdout.write(JSON.stringify(JSON.parse(body, (k, v) => typeof v === 'string' ? v.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : v)))", body("intent")))
case("printed", "refund", "YAML gateway: yaml.dump(json) back to JSON with sorted keys", "re-serialised: keys sorted",
     body=run([sys.executable, "-c", "import sys,json,yaml; sys.stdout.write(json.dumps(yaml.safe_load(yaml.dump(json.load(sys.stdin)))))"], body("refund")))

# Wrapped or encoded.
case("wrapped", "refund", "Lambda: isBase64Encoded ignored", "body is base64", body=base64.b64encode(body("refund")))
case("wrapped", "refund", "base64 with line breaks (openssl base64)", "body is base64", body=run(["openssl", "base64"], body("refund")))
case("wrapped", "refund", "base64url without padding (JWT-minded queue)", "body is base64url",
     body=base64.urlsafe_b64encode(body("refund")).rstrip(b"="))
case("wrapped", "transaction", "base64 twice (Pub/Sub push in a Lambda)", "body is base64 of base64", body=base64.b64encode(base64.b64encode(body("transaction"))))
case("wrapped", "transaction", "hex, as from Postgres bytea (\\x...)", "body is hex", body="\\x" + body("transaction").hex())
case("wrapped", "refund", "gzip by a proxy that compresses requests", "body is gzip", body=gzip.compress(body("refund"), mtime=0))
case("wrapped", "refund", "zlib (deflate) by a proxy", "body is deflate", body=zlib.compress(body("refund")))
case("wrapped", "refund", "brotli", "body is brotli", body=node("import { brotliCompressSync } from 'node:zlib'; process.stdout.write(brotliCompressSync(raw))", body("refund")))
case("wrapped", "transaction", "gzip, then base64 (CloudWatch subscription)", "body is base64 of gzip", body=base64.b64encode(gzip.compress(body("transaction"), mtime=0)))
case("wrapped", "refund", "JSON.stringify(rawBody): a JSON text in a JSON string", "body is a JSON string", body=json.dumps(text("refund")))
case("wrapped", "refund", "chunk sizes left in (own HTTP server over a socket)", "body has its chunked framing",
     body=b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body("refund")[:700], body("refund")[700:], b"")))
case("wrapped", "transaction", "the whole request from tcpdump", "body has the request's header lines",
     body=b"POST /webhooks HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body("transaction")), body("transaction")))
case("wrapped", "transaction", "FormData: a multipart field", "body is multipart",
     body=node("const form = new FormData(); form.set('payload', body); process.stdout.write((await new Response(form).text()).replaceAll(/----formdata-undici-\\d+/g, '----formdata-undici-041234567890'))", body("transaction")))
case("wrapped", "refund", "new URLSearchParams({ payload: body })", "body is a form field", body=node("process.stdout.write(String(new URLSearchParams({ payload: body })))", body("refund")))
case("wrapped", "refund", "encodeURIComponent(body)", "body is percent-encoded", body=node("process.stdout.write(encodeURIComponent(body))", body("refund")))
case("wrapped", "transaction", "express.urlencoded() took it as a form, qs.stringify(req.body)", "body was parsed as a form",
     body=node("import qs from 'qs'; process.stdout.write(qs.stringify(qs.parse(body)))", body("transaction")))
case("wrapped", "refund", "html.escape(body) in a template", "body is HTML-escaped", body=html.escape(text("refund")))
case("wrapped", "refund", "addslashes($body)", "quotes have back slashes", body=run(["php", "-r", "echo addslashes(stream_get_contents(STDIN));"], body("refund")))
case("wrapped", "refund", "SQS: the message's JSON with the body in `body`", "body is in an envelope",
     body=json.dumps({"Records": [{"messageId": "19dd0b57", "body": text("refund"), "attributes": {"SentTimestamp": "1743090081123"}, "eventSource": "aws:sqs"}]}))
case("wrapped", "refund", "SNS: Message member of the notification", "body is in an envelope",
     body=json.dumps({"Type": "Notification", "MessageId": "22b80b92", "TopicArn": "arn:aws:sns:eu-west-1:1:hooks", "Message": text("refund"), "Timestamp": "2025-03-27T15:41:22.101Z"}, indent=2))
case("wrapped", "transaction", "EventBridge: the parsed event in `detail`", "body is in an envelope, re-serialised",
     body=json.dumps({"version": "0", "id": "6a7e8feb", "detail-type": "webhook", "source": "shop", "detail": parsed("transaction")}, separators=(",", ":")))
case("wrapped", "refund", "Lambda event as a whole, body in base64", "body is in an envelope, base64",
     body=json.dumps({"version": "2.0", "rawPath": "/hooks", "headers": {"content-type": "application/json"}, "body": base64.b64encode(body("refund")).decode(), "isBase64Encoded": True}))
case("wrapped", "refund", "Pub/Sub push: message.data", "body is in an envelope, base64",
     body=json.dumps({"message": {"data": base64.b64encode(body("refund")).decode(), "messageId": "136969346945"}, "subscription": "projects/p/subscriptions/s"}))
case("wrapped", "refund", "a line of the log: time, level, text, body", "body has a prefix of the log",
     body="2025-03-27 15:41:21,482 INFO  [webhooks] received body: " + text("refund"))
case("wrapped", "refund", "quoted by the shell: '...'", "body is in quotes", body="'" + text("refund") + "'")
case("wrapped", "transaction", "b'...' of Python: str(request.data)", "body is a printed Python bytes", body=str(body("transaction")))
case("wrapped", "refund-utf8", "b'...' of Python with letters as \\xc3\\xa9", "body is a printed Python bytes", body=str(body("refund-utf8")))
case("wrapped", "refund-utf8", "quoted-printable by a mail gateway", "body is quoted-printable", body=quopri.encodestring(body("refund-utf8")))
case("wrapped", "transaction", "server-sent events: data: <body>", "body has a prefix data:", body="data: " + text("transaction") + "\n\n")
case("wrapped", "transaction", "two retries appended to one file, read as one", "body is there twice", body=body("transaction") * 2)
case("wrapped", "transaction", "JSON array of one: a batching queue", "body is in an array", body=b"[" + body("transaction") + b"]")

# Changed as text.
case("text", "indented", "unix2dos (git autocrlf of a fixture)", "line breaks LF as CRLF", body=body("indented").replace(b"\n", b"\r\n"))
case("text", "indented", "trim()", "white space trimmed at the end", body=body("indented").strip())
case("text", "refund", "echo \"$BODY\" > file", "line break added at the end", body=run(["bash", "-c", 'echo "$(cat)"'], body("refund")))
case("text", "refund", "PowerShell Set-Content -Encoding utf8: BOM and CRLF", "BOM and line break added", body=b"\xef\xbb\xbf" + body("refund") + b"\r\n")
case("text", "refund", "PowerShell > file: UTF-16LE with BOM", "body is UTF-16",
     body=b"\xff\xfe" + run(["iconv", "-f", "utf-8", "-t", "utf-16le"], body("refund")))
case("text", "refund-utf8", "request.setEncoding('latin1'), then written as UTF-8", "UTF-8 read as Latin-1",
     body=node("process.stdout.write(raw.toString('latin1'))", body("refund-utf8")))
case("text", "refund-utf8", "UTF-8 read as windows-1252", "UTF-8 read as windows-1252",
     body=node("import iconv from 'iconv-lite'; process.stdout.write(iconv.decode(raw, 'win1252'))", body("refund-utf8")))
case("text", "refund-utf8", "UTF-8 read as Latin-1 twice", "UTF-8 read as Latin-1, twice",
     body=node("process.stdout.write(Buffer.from(raw.toString('latin1')).toString('latin1'))", body("refund-utf8")))
case("text", "refund-utf8", "stored as windows-1252", "text is in windows-1252",
     body=run(["iconv", "-f", "utf-8", "-t", "windows-1252"], body("refund-utf8")))
case("text", "refund-utf8", "encode('ascii', 'replace')", "letters replaced with ?", body=text("refund-utf8").encode("ascii", "replace"))
case("text", "refund-utf8", "each chunk decoded on its own", "letters replaced with U+FFFD",
     body=node("const at = raw.indexOf(0xc3) + 1; process.stdout.write(raw.subarray(0, at).toString() + raw.subarray(at).toString())", body("refund-utf8")))
case("text", "refund-utf8", "NFD, as from a macOS clipboard", "unicode normalisation NFD", body=unicodedata.normalize("NFD", text("refund-utf8")))
case("text", "transaction", "smart quotes of a chat program", "quotes became typographic", body=re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text("transaction")))
case("text", "transaction", "no-break spaces (copied from a web page)", "spaces became no-break spaces", body=text("transaction").replace(" ", "\u00a0"))
case("text", "transaction", "wrapped at 76 columns by a mail program (fold)", "line breaks inserted", body=run(["fold", "-w", "76"], body("transaction")))
case("text", "intent-utf8", "emoji removed by a sanitiser", "letters lost", body=text("intent-utf8").replace("\U0001f600", ""))
case("text", "refund", "urllib.parse.unquote_plus(body)", "decoded as a form: + as space", body=urllib.parse.unquote_plus(text("refund")))
case("text", "refund", "a shell's printf \"$BODY\": back slashes interpreted", "escapes interpreted", body=run(["bash", "-c", 'printf "%b" "$(cat)"'], body("refund")))
case("text", "indented", "tabs instead of the spaces (editor, unexpand)", "indentation by tabs", body=run(["unexpand", "--first-only", "-t", "2"], body("indented")))

# Cut.
case("cut", "refund", "VARCHAR(255)", "body cut at 255", body=body("refund")[:255])
case("cut", "intent", "log line limited to 1,024 bytes", "body cut at 1024", body=body("intent")[:1024])
case("cut", "refund", "log line with ... at its end", "body cut", body=text("refund")[:500] + "...")
case("cut", "refund", "Logger: '... (1043 more bytes)'", "body cut", body=text("refund")[:600] + f"... ({len(body('refund')) - 600} more bytes)")
case("cut", "refund-utf8", "Content-Length counted in characters", "body cut: last bytes missing",
     body=body("refund-utf8")[:len(text("refund-utf8"))])
case("cut", "transaction", "first chunk of the stream only", "body cut at 512", body=body("transaction")[:512])
case("cut", "intent-utf8", "MySQL utf8mb3 cuts at the emoji", "body cut at a letter of four bytes", body=body("intent-utf8")[:body("intent-utf8").index("\U0001f600".encode())])
case("cut", "transaction", "stream read twice", "body empty", body=b"")
case("cut", "transaction", "req.body is {} (no parser for the type), stringified", "body is {}", body=b"{}")
case("cut", "transaction", "first 16 bytes lost (read ahead to sniff the type)", "start of the body missing", body=body("transaction")[16:])

# Key.
case("key", "refund", "secret from a file with a line break at its end", "secret: line break at the end", secret=secret("refund") + "\n")
case("key", "transaction", "secret from a Windows file", "secret: CRLF at the end", secret=secret("transaction") + "\r\n")
case("key", "transaction", "docker --env-file keeps the quotes", "secret: in quotes", secret=f'"{secret("transaction")}"')
case("key", "refund", "secret is hex, so it was decoded", "secret was hex-decoded", secret=bytes.fromhex(secret("refund")).decode("latin1"))
case("key", "transaction", "the line of .env", "secret: whole line of the env file", secret="SERVICE_WEBHOOK_SECRET=" + secret("transaction"))
case("key", "transaction", "export line of the shell", "secret: whole line of the env file", secret=f"export WEBHOOK_SECRET='{secret('transaction')}'")
case("key", "transaction", "an env parser that splits at =", "secret: == missing at the end", secret=secret("transaction").rstrip("="))
case("key", "transaction", "from a URL: + became a space", "secret: + as space", secret=secret("transaction").replace("+", " "))
case("key", "transaction", "percent-encoded in a connection string", "secret: percent-encoded", secret=urllib.parse.quote(secret("transaction"), safe=""))
case("key", "transaction", "json_encode: \\/", "secret: slashes escaped", secret=secret("transaction").replace("/", "\\/"))
case("key", "transaction", "HTML-escaped by a Go template", "secret: HTML-escaped", secret=secret("transaction").replace("+", "&#43;"))
case("key", "transaction", "kubernetes: base64 left on", "secret: base64-encoded", secret=base64.b64encode(secret("transaction").encode()).decode())
case("key", "transaction", "kubernetes: base64 of echo with its line break", "secret: base64-encoded, line break", secret=base64.b64encode(secret("transaction").encode() + b"\n").decode())
case("key", "transaction", "base64url of the secret's text: + and / exchanged", "secret: - and _ for + and /", secret=secret("transaction").replace("+", "-").replace("/", "_"))
case("key", "transaction", "prefix taken for a label and removed", "secret: prefix wsk_live/ missing", secret=secret("transaction").removeprefix("wsk_live/"))
case("key", "transaction", "API key given as the secret", "secret is the API key", secret=SENT["transaction"]["apiKey"])
case("key", "transaction", "Bearer in front", "secret: Bearer in front", secret="Bearer " + secret("transaction"))
case("key", "refund", "lower case to upper case", "secret: letters' case", secret=secret("refund").upper())
case("key", "transaction", "secret lower-cased", "secret: letters' case", secret=secret("transaction").lower())
case("key", "transaction", "pasted twice", "secret is there twice", secret=secret("transaction") * 2)
case("key", "refund", "last character not selected", "secret: last character missing", secret=secret("refund")[:-1])
case("key", "transaction", "JSON of AWS Secrets Manager", "secret is in JSON", secret=json.dumps({"webhookSecret": secret("transaction")}))
case("key", "transaction", "zero width space from a web page", "secret: invisible character", secret=secret("transaction") + "\u200b")
case("key", "transaction", "BOM of the secret's file", "secret: BOM", secret="\ufeff" + secret("transaction"))
case("key", "transaction", "no-break space at the end", "secret: white space", secret=secret("transaction") + "\u00a0")
case("key", "transaction", "placeholder never replaced", "secret is a placeholder (asked)", secret="your-webhook-secret")
case("key", "transaction", "String(undefined)", "secret is the word undefined", secret="undefined")
case("key", "transaction", "masked value copied from the dashboard", "secret is masked", secret=secret("transaction")[:12] + "****************")
case("key", "transaction", "secret of another organization", "another secret (asked)", secret=secret("refund"))
case("key", "transaction", "variable never expanded", "secret is a variable", secret="${WEBHOOK_SECRET}")
case("key", "refund", "API key with a line break, versions v1", "API key: line break", versions=["v1"], giveApiKey=SENT["refund"]["apiKey"] + "\n")
case("key", "refund", "secret given where the API key belongs, versions v1", "API key is the secret", versions=["v1"], giveApiKey=secret("refund"))

# Header.
H = header("refund")
T, V1, V2, V3 = H.split(",")
case("header", "refund", "name and value", "header has its name", header="Service-Signature: " + H)
case("header", "refund", "set twice by a proxy", "header is there twice", header=f"{H}, {H}")
case("header", "refund", "hex in upper case", "hex in upper case", header=re.sub(r"=([0-9a-f]{64})", lambda m: "=" + m[1].upper(), H))
case("header", "refund", "semicolons", "separated by ;", header=H.replace(",", ";"))
case("header", "refund", "percent-encoded", "header percent-encoded", header=urllib.parse.quote(H, safe=""))
case("header", "refund", "in quotes", "header in quotes", header=f'"{H}"')
case("header", "refund", "JSON.stringify of the header's list", "header is a JSON array", header=json.dumps([H]))
case("header", "refund", "VARCHAR(128)", "header cut", header=H[:128])
case("header", "refund", "VARCHAR(200) cuts v3", "header cut", header=H[:200])
case("header", "refund", "folded onto several lines", "header folded", header=H.replace(",", ",\r\n\t"))
case("header", "refund", "Gson: \\u003d for =", "header: = escaped", header=H.replace("=", "\\u003d"))
case("header", "refund", "b'...' of Python", "header is a printed Python bytes", header=f"b'{H}'")
case("header", "refund", "colons instead of = (parsed into a map and printed)", "header: : for =", header=H.replace("=", ":"))
case("header", "refund", "printed as JSON object", "header parsed and printed as JSON", header=json.dumps(dict(part.split("=") for part in H.split(","))))
case("header", "refund", "v1 and v3 exchanged", "labels exchanged", header=",".join([T, "v1=" + V3[3:], V2, "v3=" + V1[3:]]))
case("header", "refund", "v3 not forwarded", "v3 missing", header=",".join([T, V1, V2]))
case("header", "refund", "t not forwarded", "t missing", header=",".join([V1, V2, V3]))
case("header", "refund", "only the digest", "header without t", header=V3[3:])
case("header", "refund", "header not forwarded by the proxy", "header missing", header=None)
case("header", "transaction", "headers of two deliveries mixed up", "header of another delivery (asked)", header=header("other-intent"))
case("header", "refund", "spaces around =", "spaces around =", header=H.replace("=", " = "))
case("header", "refund", "Authorization-like scheme in front", "text in front of the header", header="Signature " + H)
case("header", "refund", "base64 of the header (API gateway mapping)", "header is base64", header=base64.b64encode(H.encode()).decode())
case("header", "refund", "one digit lost when typed", "digest is short", header=H[:-1])
case("header", "refund", "t as milliseconds by a re-writing proxy", "t in milliseconds", header=H.replace(T, T + "000"))

# Time.
case("time", "refund", "retried from a queue after three days", "too old: 3 days", now=NOW + 72 * HOUR)
case("time", "refund", "server clock an hour behind", "in the future: clock an hour behind", now=NOW - HOUR)
case("time", "refund", "Date.now() / 1000 as the time", "now in seconds instead of milliseconds", now=NOW // 1000)
case("time", "refund", "clock ten minutes ahead", "too old: 10 minutes", now=NOW + 600_000)
case("time", "refund", "time zone taken for UTC (two hours)", "two hours: time zone", now=NOW + 2 * HOUR)

# Other or forged.
case("other", "refund", "amount changed", "body changed (asked)", body=body("refund").replace(b"19.99", b"91.99"))
case("other", "refund", "body of another event", "another body (asked)", body=body("transaction"))
case("other", "refund", "random signature", "forged (asked)", header=T + ",v3=" + "5e" * 32)

# Two at once.
case("key", "refund", "secret with a line break, and JSON.stringify(req.body)", "secret: line break, and re-serialised",
     secret=secret("refund") + "\n", body=node("process.stdout.write(JSON.stringify(JSON.parse(body)))", body("refund")))
case("text", "refund", "BOM in the body and quotes around the secret", "BOM, and secret in quotes",
     secret=f'"{secret("refund")}"', body=b"\xef\xbb\xbf" + body("refund"))
case("time", "refund", "old, and the body is re-serialised", "re-serialised, too old", now=NOW + 72 * HOUR,
     body=json.dumps(parsed("refund"), separators=(",", ":")))
case("wrapped", "refund", "base64, and the secret with quotes", "base64, and secret in quotes", body=base64.b64encode(body("refund")), secret=f"'{secret('refund')}'")
