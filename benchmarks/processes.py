#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Measures the supervision of real processes, compared with a bare loop of vfork, exec and wait.

  processes.py latency [--pairs 5] [--kills 100]   SIGKILL of a child to the first instruction of
                                                   its replacement, in interleaved pairs
  processes.py storm   [--pairs 5] [--n 1000]      memory and idle CPU with N children, then the
                                                   time to restart all of them

Options: --bin FOLDER (default build/bench/bin) and --peer NAME=COMMAND (repeatable) for another
supervisor, with {child}, {n} and {dir} in its command. Linux; compare columns of one run only.
"""
import argparse
import json
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

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["latency", "storm"])
parser.add_argument("--bin", default="build/bench/bin")
parser.add_argument("--pairs", type=int, default=5)
parser.add_argument("--kills", type=int, default=100)
parser.add_argument("--uptime", type=float, default=0.02, help="age of a child in seconds when it is killed")
parser.add_argument("--n", type=int, default=1000)
parser.add_argument("--idle", type=float, default=5, help="seconds over which idle CPU is measured")
parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
options = parser.parse_args()
BIN = os.path.abspath(options.bin)

RUN = ("exec " + BIN + "/rekindle run --policy immediate --max-retries unlimited --circuit-breaker off "
       "--quiet -- {child}")
BARE = "exec " + BIN + "/bareloop {n} {child}"


def configuration(folder, child, count):
    agents = [{"name": f"child-{i}", "kind": "process", "program": child[0], "arguments": child[1:],
               "stdin": "null", "stdout": "null", "stderr": "null", "policy": "storm"} for i in range(count)]
    policy = {"type": "immediate", "maxRetries": "unlimited", "circuitBreaker": "off"}
    path = folder + "/storm.json"
    with open(path, "w") as file:
        json.dump({"policies": {"storm": policy}, "agents": agents}, file)
    return "exec " + BIN + "/rekindle up --store off " + path


class Supervised:
    """A supervisor with n children that report their starts on a FIFO."""

    def __init__(self, command, count):
        self.folder = tempfile.mkdtemp(prefix="rekindle-bench.")
        fifo = self.folder + "/fifo"
        os.mkfifo(fifo)
        self.fifo = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        child = [BIN + "/sleeper", fifo]
        if command is None:
            command = configuration(self.folder, child, count)
        text = command.format(child=" ".join(child), n=count, dir=self.folder)
        self.process = subprocess.Popen(["/bin/sh", "-c", text], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        self.children = {}

    def starts(self, count, timeout=60):
        found, rest, end = [], b"", time.monotonic() + timeout
        while len(found) < count:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fifo], [], [], left)[0]:
                raise SystemExit(f"only {len(found)} of {count} children started within {timeout} s")
            rest += os.read(self.fifo, 16 * (count - len(found)) - len(rest))
            while len(rest) >= 16:
                found.append(struct.unpack("qq", rest[:16]))
                rest = rest[16:]
        return found

    def family(self):
        """Returns the supervisor and its descendants without the children."""
        parent = {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parent[int(entry)] = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                pass
        family = {self.process.pid}
        while True:
            more = {p for p, q in parent.items() if q in family and p not in family and not is_sleeper(p)}
            if not more:
                return family
            family |= more

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in self.children:
            if is_sleeper(pid):
                os.kill(pid, signal.SIGKILL)
        os.close(self.fifo)
        shutil.rmtree(self.folder, ignore_errors=True)


def is_sleeper(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe") == BIN + "/sleeper"
    except OSError:
        return False


def summed(pids, path, key):
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/{path}") as file:
                for line in file:
                    if line.startswith(key):
                        total += int(line.split()[1])
        except OSError:
            pass
    return total


def cpu(pids):
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/schedstat") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass
    return total / 1e6


def latency(command):
    run = Supervised(command, 1)
    try:
        (pid, born), = run.starts(1)
        found = []
        for kill in range(options.kills + 3):
            time.sleep(max(0.0, options.uptime - (time.monotonic_ns() - born) / 1e9))
            begin = time.monotonic_ns()
            os.kill(pid, signal.SIGKILL)
            (pid, born), = run.starts(1)
            run.children = {pid}
            if kill >= 3:
                found.append((born - begin) / 1000)
        return statistics.median(found)
    finally:
        run.close()


def storm(command):
    run = Supervised(command, options.n)
    try:
        begin = time.monotonic_ns()
        children = run.starts(options.n)
        run.children = {pid for pid, _ in children}
        up = (max(born for _, born in children) - begin) / 1e6
        time.sleep(2)
        family = run.family()
        memory = summed(family, "smaps_rollup", "Pss:") / 1024
        before, wakes = cpu(family), summed(family, "status", "voluntary_ctxt_switches:")
        time.sleep(options.idle)
        idle = (cpu(family) - before) / options.idle
        wakes = (summed(family, "status", "voluntary_ctxt_switches:") - wakes) / options.idle
        begin = time.monotonic_ns()
        for pid, _ in children:
            os.kill(pid, signal.SIGKILL)
        children = run.starts(options.n)
        run.children |= {pid for pid, _ in children}
        back = (max(born for _, born in children) - begin) / 1e6
        return {"up": up, "pss": memory, "idle": idle, "wakes": wakes, "back": back}
    finally:
        run.close()


peers = dict(peer.split("=", 1) for peer in options.peer)
if options.what == "latency":
    contenders = {"bare vfork loop": BARE, "rekindle run": RUN, **peers}
    seen = {name: [] for name in contenders}
    for pair in range(options.pairs):
        for name, command in contenders.items():
            seen[name].append(latency(command.replace("{n}", "1")))
        print(f"pair {pair + 1}: " + ", ".join(f"{name} {values[-1]:.0f} us" for name, values in seen.items()), file=sys.stderr)
    ratios = {name: statistics.median(v / b for v, b in zip(values, seen["bare vfork loop"])) for name, values in seen.items()}
    for name, values in seen.items():
        print(f"{name:18} median {statistics.median(values):8.0f} us   x bare {ratios[name]:.2f}")
else:
    contenders = {"bare vfork loop": BARE, "rekindle up": None, **peers}
    seen = {name: [] for name in contenders}
    for pair in range(options.pairs):
        for name, command in contenders.items():
            seen[name].append(storm(command))
        print(f"pair {pair + 1}: " + ", ".join(f"{name} {values[-1]['back']:.0f} ms" for name, values in seen.items()), file=sys.stderr)
    for name, values in seen.items():
        middle = {key: statistics.median(value[key] for value in values) for key in values[0]}
        ratio = statistics.median(v["back"] / b["back"] for v, b in zip(values, seen["bare vfork loop"]))
        print(f"{name:18} n={options.n} PSS {middle['pss']:.1f} MB, up {middle['up']:.0f} ms, idle {middle['idle']:.3f} ms/s "
              f"with {middle['wakes']:.1f} wake-ups/s, all back {middle['back']:.0f} ms, x bare {ratio:.2f}")
