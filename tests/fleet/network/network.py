#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Random failures of a fleet in network namespaces; see `run`. Expects namespaces of its own for users, networks,
mounts and processes. network.py COUNT SEED [SCENARIO]"""

import os
import pathlib
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time

from fleet import AGENTS, MEMBERS, NODES, Failed, Fleet, boot_time
from scenarios import Scenarios

# The shortest times that the configuration permits with a stop sequence of 400 ms.
LEASE = {"duration": "4s", "renewal": "1s", "giveUp": "2s"}
STOP = {"terminate": "200ms", "kill": "200ms"}


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


def run(fleet, cause, count, draws):
    fleet.wait_until_running(boot_time())
    away = []
    for i in range(1, count + 1):
        what = cause()
        away.append(fleet.wait_until_running(boot_time()))
        print(f"{i}: {what}; all agents run {away[-1]:.1f} s after its end", flush=True)
        fleet.check()
        time.sleep(draws.uniform(0, 2))
    return away


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    scenario = sys.argv[3] if len(sys.argv) > 3 else "random"
    missing = [program for program in ("rekindle", "etcd") if not shutil.which(program)]
    if missing:
        sys.exit(f"network.py: {missing[0]} is not in PATH")
    with tempfile.TemporaryDirectory(prefix="rekindle-network-", ignore_cleanup_errors=True) as name:
        draws = random.Random(seed)
        fleet = Fleet(pathlib.Path(name), *((LEASE, STOP) if scenario == "random" else ({}, {})))
        scenarios = Scenarios(fleet, draws)
        cause = Failures(fleet, draws).cause if scenario == "random" else getattr(scenarios, scenario)
        try:
            away = run(fleet, cause, count, draws)
        except Failed as failed:
            shutil.copytree(name, f"{name}-failed", ignore=shutil.ignore_patterns("*.sock*"))
            sys.exit(f"FAILED: {failed}\nSeed {seed}. The logs are in {name}-failed.")
        processes = sum(run[0] in AGENTS for run in fleet.runs())
        print(f"{count} failures ({scenario}) with seed {seed}: {processes} processes of {len(AGENTS)} agents, no "
              f"overlap; an agent runs {statistics.median(away):.1f} s (median) and at most {max(away):.1f} s after a "
              "failure")
        if scenarios.figures:
            print(f"{scenario}: {statistics.median(scenarios.figures):.3f} s (median), at most "
                  f"{max(scenarios.figures):.3f} s")


if __name__ == "__main__":
    main()
