#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""An MCP server on stdio for docs/systems.md. Its tools crash or fail on request."""

import json
import os
import sys


def health_check():
    return "healthy"


def crash():
    os._exit(3)


def crash_once():
    """Crashes at its first call in this folder."""
    if not os.path.exists("crashed"):
        open("crashed", "w").close()
        crash()
    return "survived"


def fail():
    raise RuntimeError("the file is locked")


READS = {"readOnlyHint": True}
TOOLS = {"health_check": (health_check, READS), "crash": (crash, {}),
         "crash_once": (crash_once, READS), "fail": (fail, READS)}


def call(name):
    try:
        text, failed = TOOLS[name][0](), False
    except KeyError:
        text, failed = "Unknown tool: " + name, True
    except RuntimeError as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "systems", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}, "annotations": hints}
                          for name, (_, hints) in TOOLS.items()]}
    return call(params["name"]) if method == "tools/call" else {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
