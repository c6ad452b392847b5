# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Reads lines of JSON from stdin, the schema first. Prints for each other line whether it conforms."""
import json
import sys

from jsonschema import Draft202012Validator

schema = json.loads(sys.stdin.readline())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for line in sys.stdin:
    print("good" if validator.is_valid(json.loads(line)) else "bad")
