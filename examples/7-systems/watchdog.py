#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Plays the editor in docs/systems.md: one session with server.py behind `rekindle mcp`. The server
crashes and is then restarted on request. Prints the response of each tool."""

import json
import os
import subprocess
import sys

server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py")
rekindle = subprocess.Popen(["rekindle", "mcp", "--policy", "watchdog"] + sys.argv[1:]
                            + ["--", "python3", server],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
count = 0


def send(**message):
    rekindle.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    rekindle.stdin.flush()


def request(method, **params):
    global count
    count += 1
    send(id=count, method=method, params=params)
    for line in rekindle.stdout:
        message = json.loads(line)
        if message.get("id") == count:
            return message
    sys.exit("rekindle closed the session")


def call(tool, **arguments):
    message = request("tools/call", name=tool, arguments=arguments)
    text = message["error"]["message"] if "error" in message \
        else message["result"]["content"][0]["text"]
    print(f"{tool}: {text}", flush=True)


request("initialize", protocolVersion="2025-11-25", capabilities={},
        clientInfo={"name": "watchdog", "version": "1"})
send(method="notifications/initialized")
request("tools/list")
call("health_check")
call("crash")
call("health_check")
call("restart_server", reason="Load new code")
call("health_check")
call("verify_server_restarted", since_timestamp="2020-01-01T00:00:00Z")
rekindle.stdin.close()
sys.exit(rekindle.wait())
