#!/usr/bin/env python3
"""Prints the webhooks that arrive on the loopback address, and whether their signatures are valid. Responds 204 to every POST."""
import argparse
import http.server
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from python.receiver import BODY_BYTES_MAX, verify


def arguments():
    parser = argparse.ArgumentParser(prog="infra/receiver", description=__doc__)
    parser.add_argument("port", nargs="?", type=int, default=9000)
    parser.add_argument(
        "--secret",
        action="append",
        metavar="whsec_...",
        help="the endpoint's secret; can be repeated. Without it: WEBHOOK_SECRET in demo.env",
    )
    parser.add_argument(
        "--home", type=pathlib.Path, default=pathlib.Path(".ligeiro"), help="the folder with demo.env, by default .ligeiro"
    )
    return parser.parse_args()


def secrets():
    """Read again for each webhook: infra/run may be started after the receiver."""
    if given.secret:
        return given.secret
    file = given.home / "demo.env"
    return re.findall('^WEBHOOK_SECRET="?(whsec_[^"\n]+)', file.read_text(), re.MULTILINE) if file.exists() else []


def verdict(headers, body):
    refusal = "no secret is known: give --secret, or --home with a demo.env that has WEBHOOK_SECRET"
    for secret in secrets():
        try:
            verify(secret, headers, body)
            return "verified"
        except ValueError as reason:
            refusal = reason
    return f"not verified: {refusal}"


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(max(0, min(int(self.headers.get("Content-Length", 0)), BODY_BYTES_MAX)))
        headers = self.headers.as_string().strip()
        print(f"\nPOST {self.path}\n{headers}\n\n{body.decode(errors='replace')}\n{verdict(self.headers, body)}", flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot encode a character of a webhook prints its number
given = arguments()
server = http.server.ThreadingHTTPServer(("127.0.0.1", given.port), Receiver)
print(f"receiving on http://127.0.0.1:{given.port}/", flush=True)
server.serve_forever()
