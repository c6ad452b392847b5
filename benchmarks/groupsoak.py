#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Kills agents and the host of a configuration with groups at random, and checks that nothing is lost.

  groupsoak.py REKINDLE [--minutes 60] [--host-kills 20] [--seed N] [--folder FOLDER]

The host is `rekindle up` with 30 agents: groups of all strategies, one within another, dependencies, a governor
and two shared breakers. Agents are killed, exit with an error, report that a dependency is down, or request a
restart. For some seconds at a time, an agent cannot start or a shared endpoint is down. The host is killed with
SIGKILL, and started again at once or when all its processes have exited.

The script fails in these cases:

- a process of a killed host still exists after ten seconds
- an agent has two processes for longer than two seconds
- an agent does not run at the end, after the failures have ceased for 90 seconds
- a process exists after `rekindle down`
- `rekindle replay` of any run of a host differs from what was recorded

FOLDER is kept if it is given. Linux only.
"""

import argparse
import collections
import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ORPHAN_LIMIT = 10  # seconds
DOUBLE_LIMIT = 2
CALM = 90
SAMPLE = 0.25

# The ready line follows the checks. The child of the shell must not survive it.
AGENT = """
test -e "$SOAK/outage-$2" && exit 69
test -e "$SOAK/broken-$1" && exit 1
trap 'exit 69' USR1
trap 'exit 42' USR2
trap 'exit 3' HUP
trap 'exit 0' TERM
echo ready
while :; do sleep 3600 & wait $!; done
"""


def configuration():
    agents = []

    def add(name, shared=None, **more):
        agents.append({"name": name, "kind": "process", "program": "sh",
                       "arguments": ["-c", AGENT, "soak-agent", name, shared or "none"],
                       **({"requires": [shared]} if shared else {}), **more})
        return name

    def many(prefix, count, **more):
        return [add(f"{prefix}{i}", **more) for i in range(count)]

    often = {"restarts": 10000, "period": "60s"}
    groups = [
        {"name": "all", "strategy": "oneForAll", "members": many("all", 4), "intensity": often},
        {"name": "rest", "strategy": "restForOne", "members": many("rest", 5), "intensity": often},
        {"name": "inner", "strategy": "oneForAll", "members": many("inner", 3), "intensity": often},
        {"name": "outer", "strategy": "restForOne",
         "members": [*many("outer", 2), {"group": "inner"}, add("outer2")], "intensity": often},
        {"name": "one", "strategy": "oneForOne", "members": many("one", 4, shared="api"), "intensity": often},
    ]
    many("client", 5, shared="api")
    many("reader", 3, shared="db", dependsOn=["rest0"])
    add("front", dependsOn=[{"agent": "all3", "onDown": "restart", "downGrace": "500ms"}])
    add("edge", dependsOn=[{"agent": "front", "onDown": "restart", "downGrace": "0s"}, "client0"])
    add("report", dependsOn=[{"group": "outer"}])
    shared = {"threshold": 3, "agents": 2, "timeout": "3s", "maxTimeout": "10s", "provenAfter": "1s"}
    return {
        "governor": {"maxStarting": 4, "rate": "20/s", "burst": 10},
        "sharedBreakers": {"api": shared, "db": shared},
        "defaults": {"ready": {"kind": "line", "pattern": "ready"}, "stop": {"terminate": "2s"},
                     "policy": {"initialDelay": "100ms", "maxDelay": "2s", "maxRetries": "unlimited",
                                "stableAfter": "5s", "circuitBreaker": {"threshold": 5, "timeout": "3s"}}},
        "groups": groups,
        "agents": agents,
    }


class Processes:
    """The processes of the agents, found by a variable in their environment."""

    def __init__(self, folder):
        self.mark = f"SOAK={folder}".encode()

    def all(self):
        """Yields the pid and the name of the agent of each process, and whether it leads its session."""
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            with contextlib.suppress(OSError):
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if self.mark not in file.read().split(b"\0"):
                        continue
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{entry}/stat", "rb") as file:
                    state, _, _, session = file.read().rsplit(b")", 1)[1].split()[:4]
                if state in b"ZX":
                    continue
                name = words[4].decode() if len(words) > 5 and words[3] == b"soak-agent" else ""
                yield int(entry), name, name and int(session) == int(entry)

    def leaders(self):
        found = collections.defaultdict(list)
        for pid, name, leads in self.all():
            if leads:
                found[name].append(pid)
        return found


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.draw = random.Random(options.seed)
        self.config, self.store = folder + "/soak.json", folder + "/soak.sqlite"
        self.processes = Processes(folder)
        self.environment = os.environ | {"SOAK": folder, "XDG_STATE_HOME": folder, "XDG_RUNTIME_DIR": folder + "/run"}
        os.makedirs(folder + "/run", mode=0o700, exist_ok=True)
        with open(self.config, "w") as file:
            json.dump(configuration(), file, indent=1)
        self.names = [agent["name"] for agent in configuration()["agents"]]
        self.did = collections.Counter()
        self.doubles = {}
        self.faults = []
        self.repairs = []  # time and path of a file to be removed
        self.host = None

    def fail(self, text):
        self.faults.append(text)
        print(f"FAULT: {text}", flush=True)

    def start_host(self):
        command = [self.options.rekindle, "up", self.config, "--store", self.store, "--log", "none"]
        with open(self.folder + "/host.log", "ab") as log:
            self.host = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                         stderr=log)

    def command(self, *words):
        return subprocess.run([self.options.rekindle, *words], env=self.environment, capture_output=True, text=True,
                              check=False)

    def kill_host(self):
        old = {pid for pid, _, _ in self.processes.all()}
        self.host.kill()
        self.host.wait()
        self.did["host killed"] += 1
        waits = self.draw.random() < 0.5
        if not waits:
            self.start_host()
        end = time.monotonic() + ORPHAN_LIMIT
        while left := old & {pid for pid, _, _ in self.processes.all()}:
            if time.monotonic() > end:
                self.fail(f"{len(left)} processes of a killed host exist after {ORPHAN_LIMIT} s: {sorted(left)}")
                break
            time.sleep(0.1)
        if waits:
            self.start_host()
        self.doubles = {}

    def sample(self):
        """Looks for agents with two processes."""
        now = time.monotonic()
        leaders = self.processes.leaders()
        twice = {name for name, pids in leaders.items() if len(pids) > 1}
        self.doubles = {name: self.doubles.get(name, now) for name in twice}
        for name, since in self.doubles.items():
            if now - since > DOUBLE_LIMIT:
                self.fail(f"{name} has two processes: {leaders[name]}")
        return leaders

    def break_for_a_while(self, path):
        with open(path, "w"):
            pass
        self.repairs.append((time.monotonic() + self.draw.uniform(1, 8), path))

    def repair(self, everything=False):
        for end, path in list(self.repairs):
            if everything or time.monotonic() > end:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path)
                self.repairs.remove((end, path))

    def hurt(self, leaders):
        running = sorted(leaders)
        kind = self.draw.choices(["kill", "crash", "dependency", "restart", "storm", "broken", "outage", "operate"],
                                 [30, 20, 15, 10, 3, 6, 2, 8])[0]
        self.did[kind] += 1
        victims = self.draw.sample(running, min(len(running), self.draw.randint(5, 20) if kind == "storm" else 1))
        numbers = {"crash": signal.SIGHUP, "dependency": signal.SIGUSR1, "restart": signal.SIGUSR2}
        if kind == "outage":
            shared = self.draw.choice(["api", "db"])
            self.break_for_a_while(f"{self.folder}/outage-{shared}")
            users = {"api": ("one", "client"), "db": ("reader",)}[shared]
            victims = [name for name in running if name.startswith(users)]
            numbers[kind] = signal.SIGUSR1
        elif kind == "broken":
            name = self.draw.choice(self.names)
            self.break_for_a_while(f"{self.folder}/broken-{name}")
            victims = [name]
        elif kind == "operate":
            self.command("restart", self.draw.choice(self.names), "--config", self.config)
            return
        for name in victims:
            for pid in leaders.get(name, []):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, numbers.get(kind, signal.SIGKILL))

    def run(self):
        self.start_host()
        begin = time.monotonic()
        end = begin + self.options.minutes * 60
        kills = sorted(self.draw.uniform(begin + 5, end) for _ in range(self.options.host_kills))
        next_hurt = begin + 10
        while (now := time.monotonic()) < end:
            if self.host.poll() is not None:
                self.fail(f"the host exited with {self.host.returncode}")
                return
            leaders = self.sample()
            self.repair()
            if kills and now > kills[0]:
                kills.pop(0)
                self.kill_host()
            elif now > next_hurt:
                self.hurt(leaders)
                next_hurt = now + self.draw.expovariate(1 / 0.7)
            time.sleep(SAMPLE)
        self.repair(everything=True)
        self.converge()
        self.stop()
        self.replay()

    def converge(self):
        end = time.monotonic() + CALM
        while time.monotonic() < end:
            self.sample()
            time.sleep(SAMPLE)
        status = json.loads(self.command("status", "--config", self.config, "--json").stdout)
        for agent in status["agents"]:
            if agent["state"] != "Running":
                self.fail(f"{agent['agent']} does not run after {CALM} s without failures: {json.dumps(agent)}")
        leaders = self.processes.leaders()
        for name in self.names:
            if len(leaders[name]) != 1:
                self.fail(f"{name} has {len(leaders[name])} processes at the end")

    def stop(self):
        self.command("down", "--config", self.config)
        self.host.wait()
        if left := list(self.processes.all()):
            self.fail(f"processes exist after rekindle down: {left}")

    def replay(self):
        with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True) as store:
            runs = [run for run, in store.execute("SELECT run FROM runs ORDER BY id")]
        summed = collections.Counter()
        for run in runs:
            result = self.command("replay", self.store, "--run", run)
            print(f"{run}: {result.stdout.strip()} {result.stderr.strip()}", flush=True)
            if result.returncode != 0:
                self.fail(f"replay of {run} exited with {result.returncode}")
            for number, what in re.findall(r"([\d,]+) (inputs|events|decisions)", result.stdout):
                summed[what] += int(number.replace(",", ""))
        if len(runs) != self.did["host killed"] + 1:
            self.fail(f"the store has {len(runs)} runs of {self.did['host killed'] + 1}")
        print(f"{len(runs)} runs replayed: " + ", ".join(f"{count:,} {what}" for what, count in summed.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rekindle", metavar="REKINDLE")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--host-kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder")
    options = parser.parse_args()
    options.rekindle = os.path.abspath(options.rekindle)
    print(f"seed {options.seed}", flush=True)
    folder = os.path.abspath(options.folder) if options.folder else tempfile.mkdtemp(prefix="groupsoak-")
    soak = Soak(options, folder)
    try:
        soak.run()
    finally:
        if soak.host and soak.host.poll() is None:
            soak.host.kill()
        if not options.folder:
            shutil.rmtree(folder)
    print(", ".join(f"{what}: {count}" for what, count in soak.did.most_common()))
    print("failed" if soak.faults else "passed")
    sys.exit(1 if soak.faults else 0)


if __name__ == "__main__":
    main()
