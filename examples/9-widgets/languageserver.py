#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""A language server that supports no language. SIGUSR1 makes it leak memory."""

import json
import signal
import sys

leak = []
signal.signal(signal.SIGUSR1, lambda *_: leak.append(b"x" * 100_000_000))


def read():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else {"method": "exit"}


while (message := read()).get("method") != "exit":
    if "id" not in message:
        continue
    response = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        response["result"] = {"capabilities": {}}
    elif message["method"] == "shutdown":
        response["result"] = None
    else:
        response["error"] = {"code": -32601, "message": "unknown method"}
    text = json.dumps(response).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    sys.stdout.buffer.flush()
