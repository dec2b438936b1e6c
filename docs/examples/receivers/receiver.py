# A webhook receiver in Python 3, using only the standard library.
#
#   WEBHOOK_SECRET=whsec_… PORT=8090 python3 receiver.py
#
# Run it behind an HTTPS proxy. Each event is appended to EVENTS_FILE as one line of JSON.
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["WEBHOOK_SECRET"].encode()
PORT = int(os.environ.get("PORT", "8090"))
EVENTS_FILE = os.environ.get("EVENTS_FILE", "events.ndjson")
TOLERANCE_SECONDS = 300
LARGEST_BODY = 1_000_000

# An event can arrive twice. Store the ids with the events, for example in a unique column.
handled = set()
lock = Lock()


def is_genuine(header, body):
    """Whether the sender has the secret and signed these bytes within the last five minutes."""
    parts = [part.strip().split("=", 1) for part in (header or "").split(",")]
    times = [part[1] for part in parts if len(part) == 2 and part[0] == "t"]
    if not times or not re.fullmatch(r"[0-9]{1,12}", times[0]):
        return False
    if abs(time.time() - int(times[0])) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    # There are two v1 values during a secret rotation; accept any that matches.
    signatures = [part[1] for part in parts if len(part) == 2 and part[0] == "v1"]
    return any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        if length > LARGEST_BODY:
            return self.answer(413)
        # Use the raw bytes as received: parsed and serialized again, they would have a different signature.
        body = self.rfile.read(length)
        if not is_genuine(self.headers.get("Service-Signature"), body):
            return self.answer(400)
        event = json.loads(body)
        with lock:
            if event["id"] not in handled:
                with open(EVENTS_FILE, "a", encoding="utf-8") as file:
                    file.write(json.dumps(event) + "\n")
                    file.flush()
                    os.fsync(file.fileno())
                handled.add(event["id"])
        # Durably stored, so acknowledge now and process later; the sender times out after 10 seconds.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
