#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Plays the editor in docs/systems.md: one session with server.py behind `rekindle mcp`, in which
the server crashes and is restarted by request. Prints what each tool answers."""

import json
import os
import subprocess
import sys

server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py")
rekindle = subprocess.Popen(["rekindle", "mcp", "--policy", "watchdog"] + sys.argv[1:]
                            + ["--", "python3", server],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
count = 0


def say(**message):
    rekindle.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    rekindle.stdin.flush()


def ask(method, **params):
    global count
    count += 1
    say(id=count, method=method, params=params)
    for line in rekindle.stdout:
        message = json.loads(line)
        if message.get("id") == count:
            return message
    sys.exit("the session has ended")


def use(tool, **arguments):
    message = ask("tools/call", name=tool, arguments=arguments)
    text = message["error"]["message"] if "error" in message \
        else message["result"]["content"][0]["text"]
    print(f"{tool}: {text}", flush=True)


ask("initialize", protocolVersion="2025-11-25", capabilities={},
    clientInfo={"name": "watchdog", "version": "1"})
say(method="notifications/initialized")
ask("tools/list")
use("health_check")
use("crash")
use("health_check")
use("restart_server", reason="Load new code")
use("health_check")
use("verify_server_restarted", since_timestamp="2020-01-01T00:00:00Z")
rekindle.stdin.close()
sys.exit(rekindle.wait())
