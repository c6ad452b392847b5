#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Runs an example with a window and checks its picture, messages and exit codes: test.py PROGRAM"""

import os
import re
import struct
import subprocess
import sys
import tempfile

program = sys.argv[1]
displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
environment = {name: value for name, value in os.environ.items() if name not in displays}
environment["QT_QUICK_BACKEND"] = "software"
# Messages of the platform "offscreen", and the log of restarts.
expected = re.compile(r"This plugin does not support |rekindle\.restart: |QStandardPaths: ")


def run(*arguments, **changes):
    return subprocess.run([program, *arguments], env=environment | changes, capture_output=True, text=True,
                          timeout=120)


def check(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")


def check_picture(folder, size, *arguments, **changes):
    path = os.path.join(folder, "picture.png")
    result = run("--shoot", path, *arguments, **changes)
    unexpected = [line for line in result.stderr.splitlines() if not expected.match(line)]
    check(result.returncode == 0 and not unexpected and not result.stdout, result)
    with open(path, "rb") as file:
        header = file.read(24)
    check(header[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG")
    check(struct.unpack(">II", header[16:]) == size, f"the size is {struct.unpack('>II', header[16:])}")


def check_refusal(text, code, *arguments):
    result = run(*arguments)
    check(result.returncode == code and text in result.stderr and not result.stdout, result)


with tempfile.TemporaryDirectory() as folder:
    check_picture(folder, (1280, 800))
    check_picture(folder, (2560, 1600), "--dark", QT_SCALE_FACTOR="2")
    check_refusal("cannot be written", 1, "--shoot", os.path.join(folder, "missing", "picture.png"))
check_refusal("'--shoot'", 2, "--shoot")
check_refusal("'--shoot'", 2, "--shoot", "")
check_refusal("nonsense", 2, "--nonsense")
check_refusal("'extra'", 2, "extra")
check_refusal("--shoot FILE", 1)
usage = run("--help")
check(usage.returncode == 0 and "QT_QPA_PLATFORM=offscreen" in usage.stdout.replace("\n", " "), usage)
