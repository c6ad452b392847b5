#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Kills N programs of `rekindle up` at once and observes how the governor starts them again.

    governor.py REKINDLE [N [MAX_STARTING [RATE]]]     default: 1000 20 200

Each program appends one line when it runs and, after READY_TIME, one right before it becomes ready.
The lines are the only evidence: the figures do not depend on what the host reports. Fails if more
than MAX_STARTING programs were not ready at the same time.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

READY_TIME = 0.08  # seconds; a little less than MAX_STARTING / RATE, so that most slots are occupied
PROGRAM = f'echo "+ $$" >> log; sleep {READY_TIME}; echo "- $$" >> log; echo ready; exec sleep 100000'


def configuration(count, limit, rate):
    return {
        "governor": {"maxStarting": limit, "rate": f"{rate}/s", "burst": limit},
        "defaults": {
            "policy": {"type": "immediate", "circuitBreaker": "off"},
            "ready": {"kind": "line", "pattern": "^ready$"},
        },
        "agents": [
            {"name": f"a{i}", "kind": "process", "program": "sh", "arguments": ["-c", PROGRAM]}
            for i in range(count)
        ],
    }


def lines_of(log):
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def wait_for_ready(log, count, host):
    while sum(1 for sign, _ in lines_of(log) if sign == "-") < count:
        if host.poll() is not None:
            sys.exit("the host has exited")
        time.sleep(0.02)


def most_starting(lines):
    starting = most = 0
    for sign, _ in lines:
        starting += 1 if sign == "+" else -1
        most = max(most, starting)
    return most


def main():
    rekindle = os.path.abspath(sys.argv[1])
    count, limit, rate = (int(each) for each in sys.argv[2:] + ["1000", "20", "200"][len(sys.argv) - 2:])
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        path = pathlib.Path(folder, "agents.json")
        path.write_text(json.dumps(configuration(count, limit, rate)))
        environment = os.environ | {"XDG_STATE_HOME": folder}
        with subprocess.Popen([rekindle, "up", str(path), "--control", "off"], cwd=folder, env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as host:
            begin = time.monotonic()
            wait_for_ready(log, count, host)
            started = time.monotonic() - begin
            first = lines_of(log)
            begin = time.monotonic()
            for _, pid in (each for each in first if each[0] == "-"):
                os.kill(int(pid), signal.SIGKILL)
            wait_for_ready(log, 2 * count, host)
            back = time.monotonic() - begin
            most = most_starting(lines_of(log))
            host.send_signal(signal.SIGTERM)
    print(f"{count} programs, maxStarting {limit}, rate {rate}/s: all ready after {started:.2f} s, "
          f"back after {back:.2f} s, at most {most} not ready")
    return 0 if most <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
