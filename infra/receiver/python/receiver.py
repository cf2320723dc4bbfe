"""Receives Ligeiro's webhooks. Python 3.9 or later, nothing to install.

WEBHOOK_SECRET=whsec_... python3 receiver.py 9000
"""
import base64
import hashlib
import hmac
import http.server
import os
import re
import sys
import threading
import time

TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 64 * 1024  # mostly 2 kB; 32 kB at most
KEY_BYTES_MIN = 24  # without a check, an empty secret would verify what anybody has signed with an empty key


def verify(secret, headers, body):
    """Raises ValueError if the webhook was not signed with the secret in the last 5 minutes.

    body: the received bytes, not parsed and written again; headers: get() finds a name in upper and lower case
    """
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("webhook-timestamp is missing or more than 5 minutes off")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if len(key) < KEY_BYTES_MIN:
        raise ValueError("the receiver's secret is not whsec_ and the base64 of at least 24 bytes")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    # While a secret is rotated, the header has a signature for each of the two secrets, separated by a space.
    signatures = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures):
        raise ValueError("no signature in webhook-signature fits the secret")


class Inbox:
    """Stores each webhook once. In production a table with webhook-id as its primary key: what is in memory is lost in a crash."""

    IDS_MAX = 10_000

    def __init__(self):
        self._webhooks = {}
        self._lock = threading.Lock()

    def store(self, webhook_id, body):
        """Returns False for a repetition. A repetition is normal: the response to the first one may have been lost."""
        with self._lock:
            if webhook_id in self._webhooks:
                return False
            if len(self._webhooks) == self.IDS_MAX:
                del self._webhooks[next(iter(self._webhooks))]
            self._webhooks[webhook_id] = body
            return True


def receive(port, secret, verify):
    inbox = Inbox()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(max(0, min(length, BODY_BYTES_MAX)))
            try:
                verify(secret, self.headers, body)
            except Exception as reason:
                self.respond(400, f"refused: {reason}")
                return
            # Respond at once: the work on a stored webhook comes later, in another thread or process.
            webhook_id = self.headers["webhook-id"]
            new = inbox.store(webhook_id, body)
            self.respond(204, f"{'stored' if new else 'repeated'}: {webhook_id}")

        def respond(self, status, line):
            print(line, flush=True)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"receiving on port {port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    receive(int(sys.argv[1]), os.environ["WEBHOOK_SECRET"], verify)
