#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Measures how soon Rekindle notices that an agent exceeds its limits, and what the samples cost.

  limits.py REKINDLE [--rounds 5] [--seconds 60]

One agent leaks 10 MB per second and has the limit 100 MB, the other uses a whole core and may use half of one for
two seconds. The limits are checked each second. The delay is the time from the moment at which an observer sees
that the limit is exceeded to the event of the failure. The script fails if a delay exceeds two seconds, or if the
event does not name the measured value and the limit.

Then 1,000 agents that only sleep run for the given time, with limits that are checked every five seconds, and again
without limits. The script fails if the host uses more than 1 % of a core more with them. Linux only.
"""

import argparse
import contextlib
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 100_000_000
MOST = 2.0  # seconds
AGENTS = 1000
MOST_SHARE = 0.01  # of a core
LEAK = "import time\nleak = []\nwhile True:\n    leak.append(bytearray(b'x' * 1_000_000))\n    time.sleep(0.1)"
BURN = "while True: pass"


def agent(name, code, limits):
    return {"name": name, "kind": "process", "program": sys.executable, "arguments": ["-S", "-c", code], "ready": "now",
            "limits": {"interval": "1s", **limits}}


def memory(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def cpu_time(pid):
    """Of the threads of the process, in seconds, in steps of some nanoseconds."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def events_of(path):
    with open(path) as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def seconds(event):
    return datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp()


@contextlib.contextmanager
def supervised(rekindle, configuration):
    """Runs a host. Provides its process id and a function that returns its events of one type."""
    with tempfile.TemporaryDirectory() as folder:
        config, events = folder + "/limits.json", folder + "/events.jsonl"
        with open(config, "w") as file:
            json.dump(configuration, file)
        with open(events, "w"):
            pass
        host = subprocess.Popen([rekindle, "up", config, "--store", "off", "--state", "off", "--control", "off",
                                 "--log", "none", "--events", events], env=os.environ | {"XDG_STATE_HOME": folder},
                                stderr=subprocess.DEVNULL)
        try:
            yield host.pid, lambda kind: [e for e in events_of(events) if e["type"] == f"rekindle.{kind}.v1"]
        finally:
            host.terminate()
            host.wait()


def measure(rekindle, definition, exceeded):
    """Returns the delay and the event. `exceeded` returns when the limit of the process is exceeded."""
    with supervised(rekindle, {"defaults": {"policy": {"maxRetries": 0}}, "agents": [definition]}) as (_, events):
        while not (starts := events("agent.started")):
            time.sleep(0.01)
        crossed = exceeded(starts[0])
        while not (failed := events("agent.failed")):
            time.sleep(0.01)
        return seconds(failed[0]) - crossed, failed[0]["data"]


def memory_exceeded(start):
    while memory(start["data"]["pid"]) <= LIMIT:
        time.sleep(0.005)
    return time.time()


def cpu_exceeded(start):
    return seconds(start) + 2


def share(rekindle, limits, length):
    """Returns the share of a core that a host of sleeping agents uses."""
    agents = [{"name": f"a{i}", "kind": "process", "program": "sleep", "arguments": ["100000"], "ready": "now", **limits}
              for i in range(AGENTS)]
    with supervised(rekindle, {"agents": agents}) as (host, events):
        while len(events("agent.ready")) < AGENTS:
            time.sleep(0.1)
        time.sleep(10)  # agents become stable, and memory is released
        before, begun = cpu_time(host), time.monotonic()
        time.sleep(length)
        return (cpu_time(host) - before) / (time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rekindle", metavar="REKINDLE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    isMissed = False
    for definition, exceeded in (
            (agent("leak", LEAK, {"memory": "100MB"}), memory_exceeded),
            (agent("burn", BURN, {"cpu": {"share": "50%", "for": "2s"}}), cpu_exceeded)):
        delays = []
        for _ in range(options.rounds):
            delay, failure = measure(options.rekindle, definition, exceeded)
            delays.append(delay)
            isMissed |= delay > MOST or failure["reason"] != "ResourceExhaustion"
        print(f"{definition['name']}: median {statistics.median(delays):.2f} s, longest {max(delays):.2f} s; "
              f"{failure['reason']}: {failure['detail']}")
    with_limits = share(options.rekindle, {"limits": {"memory": "1GB", "cpu": {"share": "90%", "for": "10s"}}},
                        options.seconds)
    without = share(options.rekindle, {}, options.seconds)
    isMissed |= with_limits - without > MOST_SHARE
    print(f"{AGENTS} agents: {with_limits:.2%} of a core with limits, {without:.2%} without")
    sys.exit(1 if isMissed else 0)


if __name__ == "__main__":
    main()
