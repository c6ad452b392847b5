#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Measures proxies between an MCP client and its server: their cost, and the results of calls when the
server is killed. Runs the release build of `rekindle mcp` and the peers that are named.

  mcp.py kills    [--kills 1000]   SIGKILL of the server at random moments, 0.2 to 2 s apart, under 16
                                   calls in flight; every response is checked
  mcp.py recovery [--times 20]     from SIGKILL of the idle server to the first response, alternating
                                   with a cold start of the server
  mcp.py latency  [--calls 2000]   median round trip of `echo` in interleaved blocks, calls per second
                                   with 16 in flight, 1 MiB echoed, memory
  mcp.py end      [--times 5]      stdin is closed, with a normal server and one that ignores it, and
                                   the proxy is killed: time until all processes have exited

  --server COMMAND     the server, with a tool `echo`; for `kills` and `end` the sample server of the
                       tests (tests/support/mcpserver in a build folder of the ci preset)
  --peer NAME=COMMAND  the command before the server's command line, repeatable; `direct` (nothing)
                       and `cat` (cat | server | cat, the minimum for copying bytes) have no command
  --tool NAME          instead of `echo`; `lookup` of the sample server may be called again
Linux; compare columns of one run only.
"""
import argparse
import collections
import json
import os
import random
import select
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["kills", "recovery", "latency", "end"])
parser.add_argument("--server", required=True)
parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
parser.add_argument("--kills", type=int, default=1000)
parser.add_argument("--calls", type=int, default=2000)
parser.add_argument("--times", type=int)
parser.add_argument("--seed", type=int, default=int(time.time()))
parser.add_argument("--tool", default="echo")
options = parser.parse_args()


def words(command):
    """Splits a command line and makes the paths of its files absolute."""
    return [os.path.abspath(word) if "/" in word and os.path.exists(word) else word for word in shlex.split(command)]


SERVER = words(options.server)
IN_FLIGHT = 16
SCRATCH = tempfile.TemporaryDirectory(prefix="rekindle-bench.")  # for files of servers and proxies
NOTHING = {"direct": [], "cat": ["bash", "-c", 'cat | "$0" "$@" | cat']}


def peers(names):
    named = dict(peer.partition("=")[::2] for peer in options.peer or names)
    return {name: words(command) or NOTHING[name] for name, command in named.items()}


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            own = [int(child) for child in file.read().split()]
    except OSError:
        return []
    return own + [grandchild for child in own for grandchild in children(child)]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Session:
    """A client's connection: sends lines and receives messages."""

    def __init__(self, command):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0, cwd=SCRATCH.name)
        self.rest = []
        self.last_id = 0
        self.greetings = 0
        self.poll = select.poll()
        self.poll.register(self.process.stdout, select.POLLIN)

    def server(self):
        """Returns the process that runs the server's program, or None."""
        for pid in reversed([self.process.pid] + children(self.process.pid)):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")[:-1]
            except OSError:
                continue
            if words[-len(SERVER):] == SERVER and len(words) == len(SERVER):
                return pid
        return None

    def send(self, message):
        self.greetings += message.get("method") == "initialize"
        view = memoryview(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n")
        while view:
            view = view[os.write(self.process.stdin.fileno(), view):]

    def lines(self, timeout):
        """Returns the received lines after at most this many seconds."""
        if not self.poll.poll(timeout * 1000):
            return []
        got = os.read(self.process.stdout.fileno(), 1 << 20)
        if not got:
            raise EOFError
        self.rest.append(got)
        if b"\n" not in got:
            return []
        lines = b"".join(self.rest).split(b"\n")
        self.rest = [lines.pop()]
        return lines

    def answer(self, wanted, timeout=30):
        """Returns the response with this id and its time, or None."""
        end = time.perf_counter() + timeout
        while (left := end - time.perf_counter()) > 0:
            for line in self.lines(left):
                message = json.loads(line)
                if "method" not in message and message.get("id") == wanted:
                    return message
        return None

    def ask(self, method, params=None, timeout=30):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params or {}})
        return self.answer(self.last_id, timeout)

    def greet(self):
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "benchmark", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def call(self, message="x", timeout=30):
        answer = self.ask("tools/call", {"name": options.tool, "arguments": {"message": message}}, timeout)
        return bool(answer and "result" in answer and not answer["result"].get("isError"))

    def end(self):
        """Closes stdin and ends all processes."""
        tree = children(self.process.pid)
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in tree:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)


class Calls:
    """Sixteen calls in flight and their results. Ids are alternately numbers and strings, so that both 7
    and "7" are used."""

    def __init__(self, session, folder, draw):
        self.session, self.folder, self.draw = session, folder, draw
        self.made = 100  # lower ids belong to the handshake
        self.open = {}  # id -> tool
        self.tally = collections.Counter()
        self.errors = collections.Counter()

    def make(self):
        number = self.made
        self.made += 1
        call_id = number // 2 if number % 2 == 0 else str(number // 2)
        tool, arguments = self.draw.choice([
            ("lookup", {"message": f"m{number}"}),
            ("rest", {"ms": self.draw.randrange(5, 80)}),
            ("rest", {"ms": self.draw.randrange(5, 80)}),
            ("count", {"file": f"{self.folder}/count-{number // 2000}", "line": f"line {number}"})])
        if self.draw.randrange(50) == 0:
            tool, arguments = "big", {"bytes": self.draw.randrange(300000)}
        self.open[call_id] = tool
        self.session.send({"id": call_id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})

    def take(self, timeout):
        for line in self.session.lines(timeout):
            message = json.loads(line)
            if "method" in message:
                self.tally[message["method"]] += 1
            elif (tool := self.open.pop(message["id"], None)) is None:
                self.tally["answers to nothing, or second ones"] += 1
            elif "result" in message:
                self.tally["good answers"] += 1
            else:
                data = message["error"].get("data", {})
                self.errors[f"{tool}: {message['error']['code']} {data.get('reason', message['error']['message'])}"
                            f"{', may have been carried out' if data.get('maybeExecuted') else ''}"] += 1

    def keep_up(self, until):
        """Sends calls until the limit of calls in flight is reached."""
        while (left := until - time.perf_counter()) > 0:
            while len(self.open) < IN_FLIGHT:
                self.make()
            self.take(left)


def kills():
    for name, prefix in peers(["rekindle=build/release/bin/rekindle mcp --"]).items():
        with tempfile.TemporaryDirectory(prefix="rekindle-bench.") as folder:
            session = Session(prefix + SERVER)
            session.greet()
            session.ask("tools/list")
            draw = random.Random(options.seed)
            calls = Calls(session, folder, draw)
            hit = killed = 0
            begun = time.perf_counter()
            while killed < options.kills:
                calls.keep_up(time.perf_counter() + draw.uniform(0.2, 2))
                while not (server := session.server()):
                    calls.take(0.001)
                os.kill(server, signal.SIGKILL)
                hit += len(calls.open)
                killed += 1
                if killed % 100 == 0:
                    print(f"  {killed} kills, {calls.made - 100} calls, {sum(calls.errors.values())} errors", file=sys.stderr)
            while calls.open and time.perf_counter() - begun < 30 + 4 * options.kills:
                calls.take(1)
            time.sleep(1)  # a duplicate response would arrive by now
            session.send({"id": "last", "method": "tools/list"})
            calls.open["last"] = "tools/list"
            end = time.perf_counter() + 60
            while "last" in calls.open and time.perf_counter() < end:
                calls.take(1)
            written = []
            for file in os.listdir(folder):
                if file.startswith("count-"):
                    with open(f"{folder}/{file}") as lines:
                        written += lines.read().split("\n")[:-1]
            print(f"{name}: seed {options.seed}, {killed} kills in {time.perf_counter() - begun:.0f} s, "
                  f"{hit} calls in flight at them, {calls.made - 100} calls in all")
            print(f"  without an answer: {len(calls.open)}; writes done twice: {len(written) - len(set(written))}")
            for what, number in sorted(calls.tally.items()):
                print(f"  {what}: {number}")
            for what, number in sorted(calls.errors.items()):
                print(f"  errors of {what}: {number}")
            print(f"  initialize sent by the client: {session.greetings}; what came without one would have been refused")
            session.end()


def recovery():
    proxied = {name: prefix for name, prefix in peers(["rekindle=build/release/bin/rekindle mcp --"]).items() if prefix}
    cold, back = [], {name: [] for name in proxied}
    errors = collections.Counter()
    for _ in range(options.times or 20):
        session = Session(SERVER)
        session.greet()
        session.call()
        cold.append(time.perf_counter() - session.begun)
        session.end()
        for name, prefix in proxied.items():
            session = Session(prefix + SERVER)
            session.greet()
            session.ask("tools/list")
            session.call()
            time.sleep(0.5)
            os.kill(session.server(), signal.SIGKILL)
            killed = time.perf_counter()
            while not (good := session.call(timeout=3)) and time.perf_counter() - killed < 10:
                errors[name] += 1
                time.sleep(0.005)
            back[name].append(time.perf_counter() - killed if good else float("inf"))
            session.end()
    start = statistics.median(cold)
    print(f"cold start to the first answer of a call: {1000 * start:.0f} ms (median of {len(cold)})")
    for name, times in back.items():
        print(f"{name}: {1000 * statistics.median(times):.0f} ms after the kill, {1000 * (statistics.median(times) - start):+.0f} ms; "
              f"slowest {1000 * max(times):.0f} ms; {errors[name]} calls failed before that")


def latency():
    sessions = {name: Session(prefix + SERVER) for name, prefix in
                peers(["direct", "cat", "rekindle=build/release/bin/rekindle mcp --"]).items()}
    for session in sessions.values():
        session.greet()
        session.ask("tools/list")
        for _ in range(300):
            session.call()
    trips = {name: [] for name in sessions}
    for _ in range(options.calls // 100):
        for name, session in sessions.items():
            for _ in range(100):
                begun = time.perf_counter()
                assert session.call(), name
                trips[name].append(time.perf_counter() - begun)
    rates = {name: [] for name in sessions}
    for _ in range(5):
        for name, session in sessions.items():
            begun = time.perf_counter()
            sent = answered = 0
            while answered < options.calls:
                while sent < options.calls and sent - answered < IN_FLIGHT:
                    sent += 1
                    session.send({"id": f"p{sent}", "method": "tools/call",
                                  "params": {"name": options.tool, "arguments": {"message": "p"}}})
                answered += sum(b'"method"' not in line for line in session.lines(30))
            rates[name].append(options.calls / (time.perf_counter() - begun))
    big = {name: [] for name in sessions}
    for _ in range(20):
        for name, session in sessions.items():
            begun = time.perf_counter()
            assert session.call("a" * (1 << 20)), name
            big[name].append(time.perf_counter() - begun)
    print("| | median | p95 | p99 | 16 in flight | 1 MiB | RSS | PSS |\n|---|---|---|---|---|---|---|---|")
    for name, session in sessions.items():
        with open(f"/proc/{session.process.pid}/smaps_rollup") as file:
            memory = {line.split()[0]: int(line.split()[1]) * 1024 / 1e6 for line in file if " kB" in line}
        trip = [1000 * time for time in sorted(trips[name])]
        print(f"| {name} | {trip[len(trip) // 2]:.3f} ms | {trip[len(trip) * 95 // 100]:.2f} ms | {trip[len(trip) * 99 // 100]:.2f} ms "
              f"| {statistics.median(rates[name]):.0f}/s | {1000 * statistics.median(big[name]):.1f} ms "
              f"| {memory['Rss:']:.1f} MB | {memory['Pss:']:.1f} MB |", flush=True)
        session.end()


def end():
    stubborn = SERVER + ["--ignore-eof", "--ignore-term"]
    for kind, server in [("good", SERVER), ("stubborn", stubborn)]:
        for how in ["stdin closed", "SIGKILL"]:
            for name, prefix in peers(["direct", "rekindle=build/release/bin/rekindle mcp --"]).items():
                if not prefix and (how == "SIGKILL" or kind == "stubborn"):
                    continue
                times = []
                for _ in range(options.times or 5):
                    session = Session(prefix + server)
                    session.greet()
                    session.call()
                    tree = [session.process.pid] + children(session.process.pid)
                    begun = time.perf_counter()
                    if how == "SIGKILL":
                        session.process.kill()
                    else:
                        session.process.stdin.close()
                    while time.perf_counter() - begun < 12 and any(map(is_alive, tree)):
                        session.process.poll()
                        time.sleep(0.001)
                    times.append(time.perf_counter() - begun)
                    for pid in filter(is_alive, tree):
                        os.kill(pid, signal.SIGKILL)
                    session.process.wait()
                alive = sum(time >= 12 for time in times)
                print(f"{kind} server, {how}, {name}: all gone after {1000 * statistics.median(times):.0f} ms, "
                      f"at most {1000 * max(times):.0f} ms" + (f"; {alive} times alive after 12 s" if alive else ""))


{"kills": kills, "recovery": recovery, "latency": latency, "end": end}[options.what]()
