# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Scenarios with limits of time, for the default times of a fleet."""

import base64
import json
import os
import signal
import threading
import time
import urllib.request

from fleet import AGENTS, MEMBERS, NODES, Failed, boot_time, member_url

DURATION = 20
KILL = 16  # the guard kills this long after the last acknowledged renewal
STOP_SEQUENCE = 7
TOLERATED_OUTAGE = 5
MOST_WAIT = 600


def revision_of(node, member):
    """The revision of the last renewal of a node; raises OSError if the member does not answer."""
    key = base64.b64encode(f"rekindle/renewals/{node}".encode()).decode()
    request = urllib.request.Request(f"{member_url(member)}/v3/kv/range", json.dumps({"key": key}).encode())
    with urllib.request.urlopen(request, timeout=3) as reply:
        return json.load(reply).get("kvs", [{}])[0].get("mod_revision")


class Outage(threading.Thread):
    """Measures for how long no member has answered a linearizable read."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest = 0
        self._done = threading.Event()
        self.start()

    def end(self):
        self._done.set()
        self.join()
        return self.longest

    def run(self):
        answered = boot_time()
        while not self._done.is_set():
            for member in MEMBERS:
                try:
                    revision_of(NODES[0], member)
                except OSError:
                    continue
                self.longest = max(self.longest, boot_time() - answered)
                answered = boot_time()
                break
            time.sleep(0.05)


class Scenarios:
    """Each returns a text, and adds its figure in seconds to `figures`, or raises Failed."""

    def __init__(self, fleet, draws):
        self.fleet = fleet
        self.draws = draws
        self.figures = []

    def limited(self, text, seconds, limit):
        self.figures.append(seconds)
        if seconds > limit:
            raise Failed(f"{text}: {seconds:.3f} s instead of at most {limit} s")
        return f"{text}: {seconds:.3f} s"

    def busy_node(self):
        """A node with placed agents, and their current runs."""
        current = {run[0]: run for run in self.fleet.runs() if run[0] in AGENTS}
        node = self.draws.choice(sorted({run[2] for run in current.values()}))
        return node, [run for run in current.values() if run[2] == node]

    def wait(self, what, condition):
        end = boot_time() + MOST_WAIT
        while not (result := condition()):
            if boot_time() > end:
                raise Failed(f"not within {MOST_WAIT} s: {what}")
            time.sleep(0.1)
        return result

    def runs_since(self, agent, since):
        return [run for run in self.fleet.runs() if run[0] == agent and run[3] > since]

    def successors(self, runs):
        """The next run of each agent."""
        return [self.wait(f"{agent} runs again", lambda: self.runs_since(agent, first))[0]
                for agent, _, _, first, _ in runs]

    def last_renewal(self, node, seconds):
        """Observes the session of a node until a time after a renewal. Returns when that was seen."""
        known, seen = None, None
        while seen is None or boot_time() < seen + seconds:
            try:
                found = revision_of(node, "etcd1")
            except OSError:
                continue
            if known not in (None, found):
                seen = boot_time()
            known = found
            time.sleep(0.02)
        return seen

    def sigstop(self):
        node, runs = self.busy_node()
        host = self.fleet.processes[node].pid
        renewed = self.last_renewal(node, self.draws.uniform(0, 2.5))
        os.kill(host, signal.SIGSTOP)
        stopped = boot_time()
        time.sleep(60)
        last = max(run[4] for run in self.fleet.runs() if run[2] == node and run[0] in AGENTS)
        os.kill(host, signal.SIGCONT)
        self.successors(runs)
        agent = runs[0][0]
        continued = boot_time()
        self.wait(f"{agent} moves back to {node}", lambda: self.moves(agent, node))
        return self.limited(f"SIGSTOP of {node} {stopped - renewed:.1f} s after its last renewal, and its last agent "
                            f"died {last - stopped:.3f} s later; {agent} runs there again {boot_time() - continued:.1f} s "
                            "after SIGCONT. From renewal to death", last - renewed, KILL)

    def moves(self, agent, node):
        owner = max((run for run in self.fleet.runs() if run[0] == agent), key=lambda run: run[3])[2]
        if owner != node:
            self.fleet.command(owner, "fleet", "move", agent, node)
            time.sleep(1)
        return owner == node

    def kill(self):
        node, runs = self.busy_node()
        killed = boot_time()
        self.fleet.processes[node].kill()
        after = self.successors(runs)
        self.fleet.restart(node)
        return self.limited(f"SIGKILL of {node}; its {len(runs)} agents run again", max(run[3] for run in after) - killed,
                            MOST_WAIT)

    def drain(self):
        node, runs = self.busy_node()
        self.fleet.command(node, "fleet", "drain", node)
        after = {run[0]: run for run in self.successors(runs)}
        before = {run[0]: run for run in self.fleet.runs() if run[0] in after and run[2] == node}
        self.fleet.command(node, "fleet", "drain", node, "--cancel")
        gap = max(after[agent][3] - before[agent][4] for agent in after)
        return self.limited(f"drain of {node} with {len(runs)} agents: longest gap", gap, STOP_SEQUENCE + 1)

    def outage(self):
        before = len(self.fleet.runs())
        outage = Outage()
        if self.draws.random() < 0.5:
            text = "all members stopped for 4.5 s"
            for name in MEMBERS:
                os.kill(self.fleet.processes[name].pid, signal.SIGSTOP)
            time.sleep(4.5)
            for name in MEMBERS:
                os.kill(self.fleet.processes[name].pid, signal.SIGCONT)
        else:
            text = "two members killed and restarted"
            killed = self.draws.sample(MEMBERS, 2)
            for name in killed:
                self.fleet.processes[name].kill()
            for name in killed:
                self.fleet.restart(name)
        time.sleep(KILL)
        longest = outage.end()
        restarts = len(self.fleet.runs()) - before
        if restarts and longest < TOLERATED_OUTAGE:
            raise Failed(f"{text}: {restarts} restarts after an outage of {longest:.1f} s")
        self.figures.append(longest)
        return f"{text}: {restarts} restarts, outage of {longest:.1f} s"

    def orphans(self):
        """The host is killed and restarted at once, while its guard is stopped."""
        node, runs = self.busy_node()
        guard = self.fleet.guard(node)
        os.kill(guard, signal.SIGSTOP)
        self.fleet.processes[node].kill()
        self.fleet.restart(node)
        time.sleep(self.draws.choice([0.1, 1, 10]))  # no other node takes over meanwhile
        os.kill(guard, signal.SIGCONT)
        continued = boot_time()
        after = self.successors(runs)
        return self.limited(f"{node} restarted while its guard was stopped; its {len(runs)} agents run again",
                            max(run[3] for run in after) - continued, MOST_WAIT)
