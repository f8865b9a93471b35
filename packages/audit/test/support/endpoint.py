"""A correct webhook endpoint in Python, with the standard library alone. Prints its port."""

import hashlib
import hmac
import json
import re
import sys
import time
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = sys.argv[1].encode()
DELAY_SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0
LIMIT = 1024 * 1024


class Refused(Exception):
    def __init__(self, status=401):
        self.status = status


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        time.sleep(DELAY_SECONDS)
        try:
            self.verify()
            status = 204
        except Refused as refusal:
            status = refusal.status
        self.send_response(status)
        self.send_header("Content-Length", "0" if status == 204 else "7")
        self.send_header("Connection", "close")
        self.end_headers()
        if status != 204:
            self.wfile.write(b"refused")

    def verify(self):
        lines = self.headers.get_all("Service-Signature", [])
        if len(lines) != 1 or len(lines[0]) > 8192:
            raise Refused()
        pairs = [re.fullmatch(r"([a-z]\w*)=(\w*)", element, re.ASCII) for element in lines[0].split(",")]
        if not all(pairs):
            raise Refused()
        elements = dict(pair.groups() for pair in pairs)
        t = elements.get("t", "")
        if len(elements) < len(pairs) or not re.fullmatch(r"[0-9]{1,12}", t):
            raise Refused()
        if not -60 <= time.time() - int(t) <= 300:
            raise Refused()
        body = self.read_body()
        digest = hmac.new(SECRET, b64encode(body) + t.encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(digest, elements.get("v3", "")):
            raise Refused()
        try:
            json.loads(body)
        except (ValueError, RecursionError):
            raise Refused(400) from None

    def read_body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            return self.read_chunks()
        length = int(self.headers.get("Content-Length", "0"))
        if length > LIMIT:
            raise Refused(413)
        body = self.rfile.read(length)
        if len(body) < length:
            raise Refused(400)
        return body

    def read_chunks(self):
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
            if len(body) > LIMIT:
                raise Refused(413)
        return body

    def log_message(self, *_arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_port, flush=True)
server.serve_forever()
