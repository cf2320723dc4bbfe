"""A merchant's server: it responds 204 at once; with a fault, to /slow late and to /failing with 500."""
import http.server
import threading
import time

SLOW_SECONDS = 3


class Receiver:
    def __init__(self, port):
        self.port = port
        self.faults = set()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler(self.faults))
        server.handle_error = lambda *peer: None  # the dispatcher has closed the connection
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}"


def handler(faults):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            path = self.path.strip("/")
            if path == "slow" and path in faults:
                time.sleep(SLOW_SECONDS)
            self.send_response(500 if path == "failing" and path in faults else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    return Handler
