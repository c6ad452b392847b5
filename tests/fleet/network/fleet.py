# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Three etcd members and three hosts in network namespaces."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import time

from proxy import Proxy

HERE = pathlib.Path(__file__).resolve().parent
NODES = ("a", "b", "c")
MEMBERS = ("etcd1", "etcd2", "etcd3")
AGENTS = ("red", "green", "blue")
LOCALS = {node: f"local{node}" for node in NODES}
BRIDGE = "10.77.0.1"
ADDRESSES = {name: f"10.77.0.{10 + i}" for i, name in enumerate(MEMBERS + NODES)}
MOST_AWAY = 600  # seconds until an agent must run again after the end of a failure; the machine may be busy


class Failed(Exception):
    pass


def shell(*command):
    subprocess.run(command, check=True)


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def member_url(name):
    return f"http://{ADDRESSES[name]}:2379"


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
    """`lease` and `stop` are parts of the configuration."""

    def __init__(self, folder, lease, stop):
        self.folder = folder
        self.lease = lease
        self.stop = stop
        self.rows = folder / "rows"
        self.rows.mkdir()
        self.network = Network()
        self.processes = {}
        self.host_starts = dict.fromkeys(NODES, 0)
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
                   "stop": self.stop, "placement": {"prefer": list(NODES[i:] + NODES[:i])}}
                  for i, name in enumerate(AGENTS)]
        agents.append({"name": LOCALS[node], "program": sys.executable, "arguments": program + [LOCALS[node]]})
        fleet = {"node": node, "etcd": {"endpoints": endpoints}, "lease": self.lease}
        (folder / "fleet.json").write_text(json.dumps({"fleet": fleet, "agents": agents}))

    def start(self, name, folder, command, **environment):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                self.network.command(name, *command), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, env=os.environ | environment)

    def start_member(self, name):
        peer, client = f"http://{ADDRESSES[name]}:2380", member_url(name)
        cluster = ",".join(f"{each}=http://{ADDRESSES[each]}:2380" for each in MEMBERS)
        self.start(name, self.folder,
                   ["etcd", f"--name={name}", f"--data-dir={self.folder / name}", f"--listen-client-urls={client}",
                    f"--advertise-client-urls={client}", f"--listen-peer-urls={peer}",
                    f"--initial-advertise-peer-urls={peer}", f"--initial-cluster={cluster}"])

    def environment(self, node):
        return {"NODE": node, "XDG_STATE_HOME": str(self.folder / node), "XDG_RUNTIME_DIR": str(self.folder / node)}

    def start_host(self, name):
        self.host_starts[name] += 1
        self.start(name, self.folder / name, ["rekindle", "up", "fleet.json", "--log", "text"],
                   **self.environment(name))

    def command(self, node, *arguments):
        """Runs a command for the host of a node. Returns whether it succeeded."""
        configuration = self.folder / node / "fleet.json"
        with open(self.folder / f"{node}.log", "ab") as log:
            return subprocess.run(["rekindle", *arguments, "--config", configuration], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  env=os.environ | self.environment(node), check=False).returncode == 0

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
        """Of each process of an agent: agent, token, node, first and last moment in seconds."""
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
            last = dict.fromkeys((*AGENTS, *LOCALS.values()), 0)
            for agent, _, _, _, end in self.runs():
                last[agent] = max(last[agent], end)
            if min(last.values()) > since:
                return boot_time() - since
            time.sleep(0.1)
        raise Failed(f"{[agent for agent in last if last[agent] <= since]} did not run within {MOST_AWAY} s")

    def check(self):
        """Raises Failed if two copies of a placed agent have run, or if a local agent was restarted."""
        runs = self.runs()
        faults = []
        for before, after in zip(runs, runs[1:]):
            if before[0] != after[0] or before[0] not in AGENTS:
                continue
            if after[3] <= before[4]:
                faults.append(f"overlap of {before[4] - after[3]:.3f} s: {before} and {after}")
            if after[1] < before[1]:
                faults.append(f"the token becomes smaller: {before} and {after}")
        for node, agent in LOCALS.items():
            count = sum(run[0] == agent for run in runs)
            if count > self.host_starts[node]:
                faults.append(f"{agent} was started {count} times by {self.host_starts[node]} hosts")
        if faults:
            raise Failed("; ".join(faults))
