# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""protocolcheck.py SCHEMA message|exchanges: validates JSON on stdin with the schema of the protocol.

`exchanges` is an object with the members of golden files. Prints a line for each fault.
"""

import json
import sys

from jsonschema import Draft202012Validator

schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)


def faults(message, reference):
    rule = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{reference}"}
    for error in Draft202012Validator(rule).iter_errors(message):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"


def of_message(message):
    method = message.get("method")
    kind = "requests" if method and "id" in message else "notifications" if method else "error"
    if method and method not in schema["$defs"][kind]["$defs"]:
        return [f"{method}: unknown"]
    name = (method or "").replace("/", "~1")
    return faults(message, f"{kind}/$defs/{name}" if method else kind)


def of_exchange(exchange):
    sent = exchange["sent"]
    if isinstance(sent, str):  # an invalid line, or its description
        sent = {"method": None}
    elif "id" not in sent:
        yield from of_message(sent)
    if sent["method"] in schema["$defs"]["requests"]["$defs"]:
        if exchange["received"][-1].get("error", {}).get("code") != -32602:
            yield from of_message(sent)
    for message in exchange["received"]:
        if "result" in message:
            yield from faults(message["result"], f"results/$defs/{sent['method']}")
        else:
            yield from of_message(message)


found = json.load(sys.stdin)
if sys.argv[2] == "message":
    print(*of_message(found), sep="\n", end="")
else:
    print(*(f"{name}: {fault}" for name in found for fault in of_exchange(found[name])), sep="\n", end="")
