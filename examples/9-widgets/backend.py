#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""An HTTP server on the port of its argument. SIGUSR1 makes it leak memory."""

import http.server
import signal
import sys

leak = []
signal.signal(signal.SIGUSR1, lambda *_: leak.append(b"x" * 100_000_000))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
