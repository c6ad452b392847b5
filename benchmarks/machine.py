# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""The machine and the commit of a measurement, and whether the machine is quiet enough for it."""

import os
import platform
import re
import subprocess
import time

BUSY_LIMIT = 0.06  # share of the CPU time of all cores that other processes may use
LOAD_LIMIT = 0.5  # load average of the last minute, per core
PATIENCE = 60  # seconds
SAMPLE = 2  # seconds


def first_match(path, pattern):
    try:
        with open(path) as file:
            found = re.search(pattern, file.read(), re.M)
            return found[1].strip('"') if found else "unknown"
    except OSError:
        return "unknown"


def output(*command, cwd=None):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def describe(build):
    compiler = first_match(build + "/CMakeCache.txt", r"^CMAKE_CXX_COMPILER:\w+=(.*)$")
    return {
        "cpu": first_match("/proc/cpuinfo", r"^model name\s*: (.*)$"),
        "cores": os.cpu_count(),
        "kernel": f"{platform.system()} {platform.release()}",
        "distribution": first_match("/etc/os-release", r"^PRETTY_NAME=(.*)$"),
        "qt": output("pkg-config", "--modversion", "Qt6Core") or "unknown",
        "compiler": output(compiler, "--version").split("\n")[0] or "unknown",
        "build": first_match(build + "/CMakeCache.txt", r"^CMAKE_BUILD_TYPE:\w+=(.*)$"),
    }


def commit(root, written):
    """Returns the commit, with -dirty if files other than those that the run writes are changed."""
    found = output("git", "rev-parse", "--short=10", "HEAD", cwd=root) or "unknown"
    excluded = [f":(exclude){path}" for path in written]
    changed = output("git", "status", "--porcelain", "--", ".", *excluded, cwd=root)
    return found + ("-dirty" if changed or found == "unknown" else "")


def cpu_times():
    """Returns the busy and the total time of all cores, in ticks."""
    with open("/proc/stat") as file:
        times = [int(field) for field in file.readline().split()[1:9]]
    return sum(times) - times[3] - times[4], sum(times)


def process_times():
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                pid_and_name, _, rest = file.read().rpartition(") ")
            fields = rest.split()
            found[pid_and_name.replace("(", "", 1)] = int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return found


def busy():
    """Returns the share of the CPU time that is used now, and the three busiest processes."""
    before, processes = cpu_times(), process_times()
    time.sleep(SAMPLE)
    after, later = cpu_times(), process_times()
    total = max(1, after[1] - before[1])
    own = str(os.getpid()) + " "
    used = {name: ticks - processes.get(name, 0) for name, ticks in later.items() if not name.startswith(own)}
    busiest = [f"{name} ({ticks / total:.0%})"
               for name, ticks in sorted(used.items(), key=lambda item: -item[1])[:3] if ticks > 0]
    return (after[0] - before[0]) / total, busiest


def load():
    return os.getloadavg()[0] / os.cpu_count()


def wait_until_quiet(with_load=False):
    """Waits for at most a minute. Returns the used share of the CPU time, and a message if the machine
    is still too busy."""
    end = time.monotonic() + PATIENCE
    while True:
        share, busiest = busy()
        if share <= BUSY_LIMIT and not (with_load and load() > LOAD_LIMIT):
            return round(share, 3), None
        if time.monotonic() > end:
            return share, (f"the machine is too busy to measure: {share:.0%} of the CPU time is used (limit "
                           f"{BUSY_LIMIT:.0%}), load {os.getloadavg()[0]:.2f} (limit {LOAD_LIMIT * os.cpu_count():.2f}); "
                           f"busiest: {', '.join(busiest) or 'unknown'}")
