#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Measures the supervision of real processes, compared with a bare loop of vfork, exec and wait.

  processes.py latency [--pairs 5] [--kills 100]   time from SIGKILL of a child to the first instruction
                                                   of its replacement, in interleaved pairs
  processes.py storm   [--pairs 5] [--n 1000]      memory and idle CPU with N children, then the
                                                   time to restart all of them

--peer NAME=COMMAND (repeatable) adds another supervisor. Its command can contain {child}, {n} and {dir}.
Compare only figures of the same run. benchmarks/run measures all peers. Linux only.
"""

import argparse
import os
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import processtree
import supervisors

SLEEPER = supervisors.BIN + "/sleeper"


class Supervised:
    """A supervisor with children that report their starts on a FIFO."""

    def __init__(self, supervisor, count):
        self.folder = tempfile.mkdtemp(prefix="rekindle-bench.")
        fifo = self.folder + "/fifo"
        os.mkfifo(fifo)
        self.fifo = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b""
        self.launch = supervisor(self.folder, [SLEEPER, fifo], count)
        self.environment = {**os.environ, **self.launch.environment}
        self.begin = time.monotonic_ns()
        self.process = subprocess.Popen(self.launch.command, env=self.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)

    def __enter__(self):
        return self

    def available(self, timeout):
        """Waits at most this time for starts. Returns the pid and the time of the first instruction of each."""
        if not select.select([self.fifo], [], [], timeout)[0]:
            return []
        self.rest += os.read(self.fifo, 1 << 16)
        end = len(self.rest) // 16 * 16
        found, self.rest = list(struct.iter_unpack("qq", self.rest[:end])), self.rest[end:]
        return found

    def starts(self, count, timeout=60):
        """Waits for this number of starts."""
        found, end = [], time.monotonic() + timeout
        while len(found) < count:
            if time.monotonic() > end:
                raise TimeoutError(f"only {len(found)} of {count} children started within {timeout} s")
            some = self.available(0.2)
            found += some
            if not some:
                processtree.reap_orphans(other_than=self.process.pid)  # the children of monit are orphans
        return found

    def family(self):
        """Returns the supervisor and its descendants without the children."""
        pid = self.process.pid
        if self.launch.pid_file:
            with open(self.launch.pid_file) as file:
                pid = int(file.read())
        return {pid} | processtree.descendants(pid, is_sleeper)

    def __exit__(self, *_):
        try:
            if self.launch.farewell:
                subprocess.run(self.launch.farewell, env=self.environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=120)
            else:
                self.process.send_signal(self.launch.stop)
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            pass
        finally:
            processtree.kill_descendants()
            self.process.wait()
            os.close(self.fifo)
            shutil.rmtree(self.folder, ignore_errors=True)


def is_sleeper(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe") == os.path.realpath(SLEEPER)
    except OSError:
        return False


def kill(pids):
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def milliseconds(begin, children):
    """Returns the time until the first instruction of the last child."""
    return (max(born for _, born in children) - begin) / 1e6


def latency(supervisor, kills=100, uptime=0.02, warm_up=3):
    """Returns the median time in microseconds from SIGKILL of a child to its replacement.

    A child is killed after `uptime` seconds."""
    with Supervised(supervisor, 1) as run:
        (pid, born), = run.starts(1)
        found = []
        for _ in range(kills + warm_up):
            time.sleep(max(0.0, uptime - (time.monotonic_ns() - born) / 1e9))
            begin = time.monotonic_ns()
            kill([pid])
            (pid, born), = run.starts(1)
            found.append((born - begin) / 1000)
        return statistics.median(found[warm_up:])


def start_up(supervisor, count):
    """Returns the time in milliseconds until all children run."""
    with Supervised(supervisor, count) as run:
        return milliseconds(run.begin, run.starts(count, timeout=240))


def storm(supervisor, count, idle=5, settle=2):
    """Kills all children at once. Returns the resources that the supervisor used before and after, and the time
    until all children are restarted."""
    with Supervised(supervisor, count) as run:
        children = run.starts(count, timeout=240)
        found = {"started ms": milliseconds(run.begin, children)}
        time.sleep(settle)
        family = run.family()
        found["PSS MB"] = processtree.memory(family)
        before = processtree.cpu(family), processtree.summed(family, "status", "voluntary_ctxt_switches:")
        time.sleep(idle)
        found["idle ms/s"] = (processtree.cpu(family) - before[0]) / idle
        found["wake-ups /s"] = (processtree.summed(family, "status", "voluntary_ctxt_switches:") - before[1]) / idle
        begin = time.monotonic_ns()
        kill(pid for pid, _ in children)
        found["restarted ms"] = milliseconds(begin, run.starts(count, timeout=240))
        time.sleep(settle)
        found["PSS after MB"] = processtree.memory(run.family())
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["latency", "storm"])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--uptime", type=float, default=0.02, help="age of a child in seconds when it is killed")
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--idle", type=float, default=5, help="seconds over which idle CPU is measured")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()
    processtree.prepare()

    if options.what == "latency":
        own, key = {"rekindle run": supervisors.rekindle_run}, "replacement us"
        measure = lambda supervisor: {key: latency(supervisor, options.kills, options.uptime)}
    else:
        own, key = {"rekindle up": supervisors.rekindle_up("--store", "off")}, "restarted ms"
        measure = lambda supervisor: storm(supervisor, options.n, options.idle)
    named = dict(peer.split("=", 1) for peer in options.peer)
    contenders = {"bare vfork loop": supervisors.bare_loop, **own,
                  **{name: supervisors.from_text("exec " + command) for name, command in named.items()}}
    seen = {name: [] for name in contenders}
    try:
        for pair in range(options.pairs):
            for name, supervisor in contenders.items():
                seen[name].append(measure(supervisor))
            print(f"pair {pair + 1}: " + ", ".join(f"{name} {values[-1][key]:.0f}" for name, values in seen.items()),
                  file=sys.stderr)
    finally:
        processtree.kill_descendants()
    for name, values in seen.items():
        ratio = statistics.median(value[key] / bare[key] for value, bare in zip(values, seen["bare vfork loop"]))
        figures = ", ".join(f"{figure} {statistics.median(value[figure] for value in values):.4g}"
                            for figure in values[0])
        print(f"{name:18} {figures}, x bare {ratio:.2f}")


if __name__ == "__main__":
    main()
