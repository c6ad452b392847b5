#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Random failures of a fleet in network namespaces; see `run`. Expects namespaces of its own for users, networks,
mounts and processes. network.py FAILURES SEED"""

import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from proxy import Proxy

HERE = pathlib.Path(__file__).resolve().parent
NODES = ("a", "b", "c")
MEMBERS = ("etcd1", "etcd2", "etcd3")
AGENTS = ("red", "green", "blue")
BRIDGE = "10.77.0.1"
ADDRESSES = {name: f"10.77.0.{10 + i}" for i, name in enumerate(MEMBERS + NODES)}
# The shortest times that the configuration permits with a stop sequence of 400 ms.
LEASE = {"duration": "4s", "renewal": "1s", "giveUp": "2s"}
STOP = {"terminate": "200ms", "kill": "200ms"}
MOST_AWAY = 60  # seconds until an agent must run again after the end of a failure


def shell(*command):
    subprocess.run(command, check=True)


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Network:
    def __init__(self):
        shell("mount", "-t", "tmpfs", "tmpfs", "/run")
        shell("ip", "link", "set", "lo", "up")
        shell("ip", "link", "add", "bridge", "type", "bridge")
        shell("ip", "address", "add", f"{BRIDGE}/24", "dev", "bridge")
        shell("ip", "link", "set", "bridge", "up")
        for name, address in ADDRESSES.items():
            shell("ip", "netns", "add", name)
            shell("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "net", "netns", name)
            shell("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
            self.inside(name, "ip", "link", "set", "lo", "up")
            self.inside(name, "ip", "address", "add", f"{address}/24", "dev", "net")
            self.inside(name, "ip", "link", "set", "net", "up")

    @staticmethod
    def command(name, *command):
        return ["nsenter", f"--net=/run/netns/{name}", *command]

    def inside(self, name, *command):
        shell(*self.command(name, *command))

    @staticmethod
    def set_link(name, state):
        shell("ip", "link", "set", f"to-{name}", state)


class Fleet:
    def __init__(self, folder):
        self.folder = folder
        self.rows = folder / "rows"
        self.rows.mkdir()
        self.network = Network()
        self.processes = {}
        self.proxies = {}
        for name in MEMBERS:
            self.start_member(name)
        members = [(ADDRESSES[name], 2379) for name in MEMBERS]
        for i, node in enumerate(NODES):
            listen = [(BRIDGE, 4000 + 10 * i + k) for k in range(len(MEMBERS))]
            self.proxies[node] = Proxy(listen, members)
            self.write_configuration(node, [f"http://{host}:{port}" for host, port in listen])
            self.start_host(node)

    def write_configuration(self, node, endpoints):
        folder = self.folder / node
        folder.mkdir(mode=0o700)
        program = [str(HERE / "placed.py"), str(self.rows)]
        agents = [{"name": name, "program": sys.executable, "arguments": program + [name],
                   "stop": STOP, "placement": {"prefer": list(NODES[i:] + NODES[:i])}}
                  for i, name in enumerate(AGENTS)]
        fleet = {"node": node, "etcd": {"endpoints": endpoints}, "lease": LEASE}
        (folder / "fleet.json").write_text(json.dumps({"fleet": fleet, "agents": agents}))

    def start(self, name, folder, command, **environment):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                self.network.command(name, *command), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, env=os.environ | environment)

    def start_member(self, name):
        peer, client = (f"http://{ADDRESSES[name]}:{port}" for port in (2380, 2379))
        cluster = ",".join(f"{each}=http://{ADDRESSES[each]}:2380" for each in MEMBERS)
        self.start(name, self.folder,
                   ["etcd", f"--name={name}", f"--data-dir={self.folder / name}", f"--listen-client-urls={client}",
                    f"--advertise-client-urls={client}", f"--listen-peer-urls={peer}",
                    f"--initial-advertise-peer-urls={peer}", f"--initial-cluster={cluster}"])

    def start_host(self, name):
        folder = self.folder / name
        self.start(name, folder, ["rekindle", "up", "fleet.json", "--log", "text"], NODE=name,
                   XDG_STATE_HOME=str(folder), XDG_RUNTIME_DIR=str(folder))

    def restart(self, name):
        self.processes[name].wait()
        (self.start_member if name in MEMBERS else self.start_host)(name)

    def guard(self, node):
        """The guard of a node's host; None if it has none at the moment."""
        host = str(self.processes[node].pid).encode()
        for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                arguments = file.read_bytes().split(b"\0")
            except OSError:
                continue
            if arguments[0].endswith(b"rekindle-guard") and arguments[1] == host:
                return int(file.parent.name)
        return None

    def runs(self):
        """Of each process of a placed agent: agent, token, node, first and last moment in seconds."""
        result = []
        for path in self.rows.iterdir():
            agent, token, node, _ = path.name.split("-")
            data = path.read_bytes()
            if len(data) == 16:
                first, last = (each / 1e9 for each in struct.unpack("<qq", data))
                result.append((agent, int(token), node, first, last))
        return sorted(result, key=lambda run: (run[0], run[3]))

    def wait_until_running(self, since):
        """Returns after how many seconds each agent has run at a moment after `since`."""
        while boot_time() < since + MOST_AWAY:
            last = {agent: 0 for agent in AGENTS}
            for agent, _, _, _, end in self.runs():
                last[agent] = max(last[agent], end)
            if min(last.values()) > since:
                return boot_time() - since
            time.sleep(0.1)
        sys.exit(f"FAILED: {[agent for agent in AGENTS if last[agent] <= since]} did not run within {MOST_AWAY} s")


class Failures:
    """Each is a function that causes a failure for some seconds."""

    def __init__(self, fleet, draws):
        self.fleet = fleet
        self.draws = draws
        self.kinds = [self.link_down, self.stop_host, self.stop_guard, self.stop_member, self.kill_host,
                      self.restart_host, self.kill_guard, self.kill_member, self.delay_replies, self.lose_replies]

    def cause(self):
        kind = self.draws.choice(self.kinds)
        seconds = self.draws.choice([0.3, 1, 2, 4, 8])
        name = kind(seconds)
        return f"{kind.__name__} {name} {seconds} s"

    def node(self):
        return self.draws.choice(NODES)

    def link_down(self, seconds):
        name = self.draws.choice(NODES + MEMBERS)
        self.fleet.network.set_link(name, "down")
        time.sleep(seconds)
        self.fleet.network.set_link(name, "up")
        return name

    def stop(self, pid, seconds):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)

    def stop_host(self, seconds):
        name = self.node()
        self.stop(self.fleet.processes[name].pid, seconds)
        return name

    def stop_guard(self, seconds):
        name = self.node()
        guard = self.fleet.guard(name)
        if guard:
            self.stop(guard, seconds)
        return name if guard else f"{name} (none)"

    def stop_member(self, seconds):
        name = self.draws.choice(MEMBERS)
        self.stop(self.fleet.processes[name].pid, seconds)
        return name

    def kill(self, name, seconds):
        self.fleet.processes[name].kill()
        time.sleep(seconds)
        self.fleet.restart(name)
        return name

    def kill_host(self, seconds):
        return self.kill(self.node(), seconds)

    def restart_host(self, _):
        return self.kill(self.node(), 0)

    def kill_member(self, seconds):
        return self.kill(self.draws.choice(MEMBERS), seconds)

    def kill_guard(self, seconds):
        name = self.node()
        guard = self.fleet.guard(name)
        if guard:
            os.kill(guard, signal.SIGKILL)
        time.sleep(seconds)
        return name if guard else f"{name} (none)"

    def set_mode(self, mode, seconds):
        name = self.node()
        self.fleet.proxies[name].set_mode(mode)
        time.sleep(seconds)
        self.fleet.proxies[name].set_mode("pass")
        return name

    def delay_replies(self, seconds):
        return self.set_mode("late", seconds)

    def lose_replies(self, seconds):
        return self.set_mode("lost", seconds)


def check(runs):
    """Prints and returns the faults."""
    faults = []
    for before, after in zip(runs, runs[1:]):
        if before[0] != after[0]:
            continue
        if after[3] <= before[4]:
            faults.append(f"overlap of {before[4] - after[3]:.3f} s: {before} and {after}")
        if after[1] < before[1]:
            faults.append(f"the token becomes smaller: {before} and {after}")
    for fault in faults:
        print(f"FAILED: {fault}")
    return faults


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    missing = [program for program in ("rekindle", "etcd") if not shutil.which(program)]
    if missing:
        sys.exit(f"network.py: {missing[0]} is not in PATH")
    with tempfile.TemporaryDirectory(prefix="rekindle-network-") as name:
        fleet = Fleet(pathlib.Path(name))
        failures = Failures(fleet, random.Random(seed))
        fleet.wait_until_running(boot_time())
        away = []
        for i in range(1, count + 1):
            what = failures.cause()
            away.append(fleet.wait_until_running(boot_time()))
            print(f"{i}: {what}; all agents run {away[-1]:.1f} s after its end", flush=True)
            if check(fleet.runs()):
                shutil.copytree(name, f"{name}-failed", ignore=shutil.ignore_patterns("*.sock*"))
                sys.exit(f"Seed {seed}. The logs are in {name}-failed.")
            time.sleep(failures.draws.uniform(0, 2))
        runs = fleet.runs()
        print(f"{count} failures with seed {seed}: {len(runs)} processes of {len(AGENTS)} agents, no overlap; an agent "
              f"runs {statistics.median(away):.1f} s (median) and at most {max(away):.1f} s after a failure")


if __name__ == "__main__":
    main()
