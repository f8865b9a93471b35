#!/usr/bin/env bash
# What command lines make of a body: coreutils, iconv, jq, curl, sqlite3, openssl.
set -euo pipefail
cd "$(dirname "$0")"
dir=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; rm -rf "$dir"' EXIT
body() { jq -rn --arg name "$1" --slurpfile sent ../sent.jsonl '$sent[] | select(.name == $name) | .body' | base64 -d; }
add() { # tool kind sent did expect says < body
  jq -cn --arg tool "$1" --arg kind "$2" --arg sent "$3" --arg did "$4" --arg expect "$5" --arg says "$6" --arg body "$(base64 -w0)" '$ARGS.named'
}
# Lines that were joined can be undone in more than one way.
joined='body-line-endings|body-reserialized+body-trailing-newline|body-not-verbatim'
core=$(sort --version | sed -n "1s,.*(GNU coreutils),coreutils,p")
body intent > "$dir/body"; body intent-plain > "$dir/plain"; body intent-utf8 > "$dir/utf8"; body indented > "$dir/indented"
body lines > "$dir/lines"; body transaction > "$dir/transaction"; body big-integer > "$dir/big"
echo "$(cat "$dir/body")" | add "bash 5" text intent 'echo "$(cat body)" > file' body-trailing-newline 'line feed'
printf '%s' "$(cat "$dir/indented")" | add "bash 5" text indented 'printf %s "$(cat body)"' body-trailing-newline 'line feed'
sed 's/$/\r/' "$dir/indented" | add "GNU sed" text indented 'sed s/$/\r/, as unix2dos does' body-line-endings CRLF
tr -d '\n' < "$dir/indented" | add "$core" text indented "tr -d '\n'" "$joined" 'line breaks|indented|white space'
tr -d ' \n' < "$dir/indented" | add "$core" text indented "tr -d ' \n'" "$joined" 'line breaks|indented|white space'
fold -w 80 "$dir/body" | add "$core" text intent 'fold -w 80' body-line-endings 'line breaks'
head -c 1024 "$dir/body" | add "$core" cut intent 'head -c 1024' body-cut? '1,?024'
head -c 4096 <(body long) | add "$core" cut long 'head -c 4096' body-cut? '4,?096'
base64 "$dir/body" | add "$core" wrapped intent 'base64, in lines of 76' body-base64 base64
openssl base64 -A -in "$dir/body" | add "$(openssl version | cut -d' ' -f1-2)" wrapped intent 'openssl base64 -A' body-base64 base64
gzip -c "$dir/plain" | add "$(gzip --version | sed -n 1p)" wrapped intent-plain 'gzip' body-compressed compressed
gzip -9n -c "$dir/body" | add "$(gzip --version | sed -n 1p)" wrapped intent 'gzip -9' body-compressed compressed
xxd -p "$dir/transaction" 2>/dev/null | tr -d '\n' > "$dir/hex" || od -An -v -tx1 "$dir/transaction" | tr -d ' \n' > "$dir/hex"
[ -s "$dir/hex" ] || od -An -v -tx1 "$dir/transaction" | tr -d ' \n' > "$dir/hex"
add "$core" wrapped transaction 'od -tx1, hex digits of the body' body-bytes-printed bytes < "$dir/hex"
iconv_version=$(iconv --version | sed -n 1p)
iconv -f latin1 -t utf8 "$dir/utf8" | add "$iconv_version" text intent-utf8 'iconv -f latin1 -t utf8' body-charset Latin-1
iconv -f cp1252 -t utf8 -c "$dir/utf8" | add "$iconv_version" text intent-utf8 'iconv -c -f cp1252 -t utf8' body-charset 'Windows-1252|Latin-1'
iconv -f utf8 -t utf16 "$dir/plain" | add "$iconv_version" text intent-plain 'iconv -t utf16' body-charset UTF-16
iconv -f utf8 -t latin1//TRANSLIT "$dir/utf8" | add "$iconv_version" text intent-utf8 'iconv -t latin1//TRANSLIT' body-characters-lost? 'charset|UTF-8'
jq_version=$(jq --version)
jq . "$dir/plain" | add "$jq_version" printed intent-plain 'jq .' body-reserialized '10\.0|indented'
jq -c . "$dir/body" | add "$jq_version" printed intent 'jq -c .' body-reserialized '10\.0'
jq -cS . "$dir/body" | add "$jq_version" printed intent 'jq -cS .' body-reserialized '10\.0'
jq -S . "$dir/transaction" | add "$jq_version" printed transaction 'jq -S .' body-reserialized '10\.0'
jq -ac . "$dir/body" | add "$jq_version" printed intent 'jq -ac .' body-reserialized '10\.0'
jq -c . "$dir/big" | add "$jq_version" printed big-integer 'jq -c .' body-reserialized '2\^53|53 bits'
jq -c 'del(..|nulls)' "$dir/transaction" | add "$jq_version" printed transaction 'jq "del(..|nulls)"' body-reserialized null
jq -Rs . "$dir/body" | add "$jq_version" wrapped intent 'jq -Rs .' body-json-string string
sqlite=$(sqlite3 --version | cut -d' ' -f1)
sqlite3 :memory: "select json(readfile('$dir/body'))" 2>/dev/null > "$dir/out" || sqlite3 :memory: "select json(cast(readfile('$dir/body') as text))" > "$dir/out"
add "SQLite $sqlite" printed intent 'select json(body)' body-reserialized 're-serialized' < "$dir/out"
python3 - "$dir/port" "$dir/arrived" <<'PY' & pid=$!
import http.server, sys
class Recorder(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        open(sys.argv[2], "wb").write(self.rfile.read(int(self.headers["Content-Length"]))); self.send_response(204); self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Recorder)
open(sys.argv[1], "w").write(str(server.server_port)); server.serve_forever()
PY
until [ -s "$dir/port" ]; do sleep 0.1; done
url=http://127.0.0.1:$(cat "$dir/port")/webhooks
curl_version=$(curl --version | sed -n 1p | cut -d' ' -f1-2)
curl -s "$url" --data "@$dir/indented"; add "$curl_version" text indented 'curl --data @body.json, which drops line breaks' "$joined" 'line breaks|indented|white space' < "$dir/arrived"
curl -s "$url" --data "@$dir/lines"; add "$curl_version" text lines 'curl --data @body.json' body-trailing-newline 'white space|line feed' < "$dir/arrived"
curl -s "$url" --data-urlencode "@$dir/body"; add "$curl_version" wrapped intent 'curl --data-urlencode @body.json' body-form-encoded form < "$dir/arrived"
curl -s "$url" --data-urlencode "payload@$dir/body"; add "$curl_version" wrapped intent 'curl --data-urlencode payload@body.json' body-form-encoded form < "$dir/arrived"
curl -s "$url" -F "payload=<$dir/body"; add "$curl_version" wrapped intent 'curl -F payload=<body.json' body-envelope 'multipart|form' < "$dir/arrived"
