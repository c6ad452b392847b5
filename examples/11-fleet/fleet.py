#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Three etcd members, three nodes and one agent on this machine; the node that runs the agent is killed.
`rekindle` and `etcd` are taken from PATH."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
NODES = ("a", "b", "c")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Fleet:
    def __init__(self, folder):
        self.folder = folder
        self.rows = folder / "rows"
        ports = free_ports(2 * len(NODES))
        self.clients, self.peers = ports[:len(NODES)], ports[len(NODES):]
        self.members = []
        self.hosts = {}

    def start_etcd(self):
        cluster = ",".join(f"{node}=http://127.0.0.1:{port}" for node, port in zip(NODES, self.peers))
        for node, client, peer in zip(NODES, self.clients, self.peers):
            arguments = {"name": node, "data-dir": self.folder / f"etcd-{node}",
                         "listen-client-urls": f"http://127.0.0.1:{client}",
                         "advertise-client-urls": f"http://127.0.0.1:{client}",
                         "listen-peer-urls": f"http://127.0.0.1:{peer}",
                         "initial-advertise-peer-urls": f"http://127.0.0.1:{peer}",
                         "initial-cluster": cluster}
            command = ["etcd"] + [f"--{name}={value}" for name, value in arguments.items()]
            with open(self.folder / f"etcd-{node}.log", "wb") as log:
                self.members.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True))

    def start_host(self, node):
        folder = self.folder / node
        folder.mkdir()
        shutil.copy(HERE / "fleet.json", folder)
        environment = os.environ | {
            "NODE": node, "PROGRAM": str(HERE / "clock.sh"), "ROWS": str(self.rows),
            "XDG_STATE_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
            **{f"ETCD_{i}": str(port) for i, port in enumerate(self.clients, 1)}}
        folder.chmod(0o700)
        with open(folder / "log", "wb") as log:
            self.hosts[node] = subprocess.Popen(["rekindle", "up", "fleet.json"], cwd=folder, env=environment,
                                                stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)

    def last_row(self):
        """The node, the token and the time of the newest line of the agent; None: it has not started yet."""
        lines = self.rows.read_text().splitlines() if self.rows.exists() else []
        if not lines:
            return None
        node, token, uptime = lines[-1].split()
        return node, int(token), float(uptime)

    def wait_for(self, condition):
        """Waits until the newest row meets the condition, and returns it."""
        for _ in range(900):
            ended = [node for node, host in self.hosts.items() if host.poll() is not None]
            if ended:
                sys.exit((self.folder / ended[0] / "log").read_text() + f"The host of node {ended[0]} has exited.")
            row = self.last_row()
            if row and condition(row):
                return row
            time.sleep(0.1)
        sys.exit("The agent has not started on another node within 90 s.")

    def show_status(self, node):
        folder = self.folder / node
        subprocess.run(["rekindle", "fleet", "status", "--config", "fleet.json"], cwd=folder, check=True,
                       env=os.environ | {"XDG_RUNTIME_DIR": str(folder)})

    def stop(self):
        for processes in list(self.hosts.values()), self.members:
            for each in processes:
                each.terminate()
            for each in processes:
                each.wait()


def play(fleet):
    print("Starting three etcd members and the nodes a, b and c ...", flush=True)
    fleet.start_etcd()
    for node in NODES:
        fleet.start_host(node)
    first, token, _ = fleet.wait_for(lambda row: True)
    print(f"The agent runs on node {first} with fencing token {token}.\n", flush=True)
    fleet.show_status(first)

    print(f"\nKilling the host of node {first}. Another node starts the agent 17 to 23 s later ...", flush=True)
    host = fleet.hosts.pop(first)
    host.send_signal(signal.SIGKILL)
    host.wait()
    node, new_token, _ = fleet.wait_for(lambda row: row[0] != first)
    rows = [row.split() for row in fleet.rows.read_text().splitlines()]
    end = max(float(uptime) for row_node, _, uptime in rows if row_node == first)
    begin = min(float(uptime) for row_node, _, uptime in rows if row_node != first)
    print(f"The agent runs on node {node} with fencing token {new_token}. It was away for {begin - end:.1f} s.\n",
          flush=True)
    fleet.show_status(node)


def main():
    missing = [program for program in ("rekindle", "etcd") if not shutil.which(program)]
    if missing:
        sys.exit(f"fleet.py: {missing[0]} is not in PATH; examples/11-fleet/run installs it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="rekindle-fleet-") as folder:
        fleet = Fleet(pathlib.Path(folder))
        try:
            play(fleet)
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            fleet.stop()


if __name__ == "__main__":
    main()
