#!/usr/bin/env bash
# What nginx makes of a delivery: a real nginx with the lua module on loopback, which passes it on to nginx itself.
set -euo pipefail
cd "$(dirname "$0")"
dir=$(mktemp -d)
trap 'kill "$(cat "$dir/nginx.pid")" 2>/dev/null; sleep 0.3; rm -rf "$dir"' EXIT
cat > "$dir/nginx.conf" <<CONF
load_module /usr/lib/nginx/modules/ndk_http_module.so;
load_module /usr/lib/nginx/modules/ngx_http_lua_module.so;
pid $dir/nginx.pid; error_log $dir/error.log; worker_processes 1; daemon on; user root;
events {}
http {
  access_log off; client_body_temp_path $dir/body; proxy_temp_path $dir/proxy; fastcgi_temp_path $dir/f;
  uwsgi_temp_path $dir/u; scgi_temp_path $dir/s; client_max_body_size 8m; lua_package_cpath "/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;;";
  log_format plain escape=default '\$request_body'; log_format json escape=json '\$request_body'; log_format none escape=none '\$request_body';
  log_format header escape=default '"\$http_service_signature"';
  server { listen 127.0.0.1:18981;
    location /cjson { access_by_lua_block {
      local cjson = require "cjson"; ngx.req.read_body()
      ngx.req.set_body_data(cjson.encode(cjson.decode(ngx.req.get_body_data()))) }
      proxy_pass http://127.0.0.1:18982; }
    location /unescape { access_by_lua_block { ngx.req.read_body()
      ngx.req.set_body_data(ngx.unescape_uri(ngx.req.get_body_data())) } proxy_pass http://127.0.0.1:18982; }
    location /escape { access_by_lua_block { ngx.req.read_body()
      ngx.req.set_body_data(ngx.escape_uri(ngx.req.get_body_data())) } proxy_pass http://127.0.0.1:18982; }
    location /base64 { access_by_lua_block { ngx.req.read_body()
      ngx.req.set_body_data(ngx.encode_base64(ngx.req.get_body_data())) } proxy_pass http://127.0.0.1:18982; }
    location /quote { proxy_set_header Service-Signature '"\$http_service_signature"'; proxy_pass http://127.0.0.1:18982; }
    location /twice { proxy_set_header Service-Signature "\$http_service_signature, \$http_service_signature"; proxy_pass http://127.0.0.1:18982; }
    location /headers { proxy_pass_request_body off; proxy_set_header Content-Length ""; proxy_pass http://127.0.0.1:18982; }
    location /log-plain { access_log $dir/log plain; proxy_pass http://127.0.0.1:18982; }
    location /log-json { access_log $dir/log json; proxy_pass http://127.0.0.1:18982; }
  }
  server { listen 127.0.0.1:18982; client_body_buffer_size 1m; access_log off;
    location / { content_by_lua_block { ngx.req.read_body()
      local cjson = require "cjson"
      ngx.print(cjson.encode({ body = ngx.encode_base64(ngx.req.get_body_data() or ""), header = ngx.req.get_headers()["Service-Signature"] })) } }
  }
}
CONF
nginx -c "$dir/nginx.conf" -p "$dir"
for attempt in 1 2 3 4 5 6 7 8 9 10; do curl -fs http://127.0.0.1:18981/headers -d x >/dev/null && break; sleep 0.2; done
log="$dir/log" python3 - "$(nginx -v 2>&1 | sed 's,.*nginx/,nginx ,'), lua-cjson 2.1.0" <<'PY'
import base64, json, os, sys, time, urllib.request
sent = {line["name"]: line for line in map(json.loads, open("../sent.jsonl"))}
def post(path, name):
    request = urllib.request.Request(f"http://127.0.0.1:18981/{path}", base64.b64decode(sent[name]["body"]),
        {"Service-Signature": sent[name]["header"], "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response: return json.load(response)
def add(kind, name, did, expect, says, **more):
    print(json.dumps({"tool": sys.argv[1], "kind": kind, "sent": name, "did": did, "expect": expect, "says": says, **more}))
for name in ["transaction", "transaction-compact", "intent", "intent-compact", "intent-plain", "intent-utf8"]:
    add("printed", name, "cjson.encode(cjson.decode(body))", "body-reserialized", r"\[\]", body=post("cjson", name)["body"])
add("printed", "intent", "cjson.encode(cjson.decode(body)), by name", "body-reserialized", "lua-cjson", body=post("cjson", "intent")["body"])
add("printed", "big-integer", "cjson.encode(cjson.decode(body))", "integers-rounded?", "integer", body=post("cjson", "big-integer")["body"])
add("wrapped", "intent", "ngx.escape_uri", "body-form-encoded", "form", body=post("escape", "intent")["body"])
add("wrapped", "intent", "ngx.unescape_uri", "body-form-encoded", "form", body=post("unescape", "intent")["body"])
add("wrapped", "intent", "ngx.encode_base64", "body-base64", "base64", body=post("base64", "intent")["body"])
add("wrapped", "intent", "proxy_pass_request_body off", "body-consumed?", "empty", body=post("headers", "intent")["body"])
add("header", "intent", "proxy_set_header with quotes", "header-quoted", "quotes", header=post("quote", "intent")["header"])
add("header", "intent", "proxy_set_header with the value twice", "header-repeated", "signatures", header=post("twice", "intent")["header"])
def logged(path, name):
    open(os.environ["log"], "w").close(); post(path, name); time.sleep(0.3)
    return base64.b64encode(open(os.environ["log"], "rb").read().rstrip(b"\n")).decode()
add("wrapped", "intent", "access log, escape=default: \\x22", "body-bytes-printed", "log|\\\\x", body=logged("log-plain", "intent"))
add("wrapped", "intent-utf8", "access log, escape=default: \\x22 and \\xC3", "body-bytes-printed", "log|\\\\x", body=logged("log-plain", "intent-utf8"))
add("wrapped", "intent", "access log, escape=json", "body-json-string", "string", body=logged("log-json", "intent"))
PY
