#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Measures proxies between an MCP client and its server: their cost, and the results of calls when the
server is killed. Runs the release build of `rekindle mcp` and the peers that are named.

  mcp.py kills    [--kills 1000]   sends SIGKILL to the server at random times, 0.2 to 2 s apart, with
                                   16 calls in flight; checks every response
  mcp.py recovery [--times 20]     time from SIGKILL of the idle server to the first response,
                                   alternating with a cold start of the server
  mcp.py latency  [--calls 2000]   median round trip of `echo` in interleaved blocks, calls per second
                                   with 16 in flight, 1 MiB echoed, memory
  mcp.py end      [--times 5]      time until all processes have exited after stdin is closed or the
                                   proxy is killed; with a normal server and one that ignores both
                                   closed stdin and SIGTERM

  --server COMMAND     the server, with a tool `echo`; for `kills` and `end` the sample server of the
                       tests (tests/support/mcpserver in a build folder of the ci preset)
  --peer NAME=COMMAND  the command before the server's command line, repeatable; `direct` (nothing)
                       and `cat` (cat | server | cat, the minimum for copying bytes) have no command
  --tool NAME          a tool instead of `echo`; the tool `lookup` of the sample server is read-only,
                       so its calls can be repeated after a kill
Compare only figures of the same run. Linux only.
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

import processtree

IN_FLIGHT = 16
NOTHING = {"direct": [], "cat": ["bash", "-c", 'cat | "$0" "$@" | cat']}
REKINDLE = "rekindle=build/bench/bin/rekindle mcp --"
# The servers are killed more often than any usual policy permits.
UNLIMITED = "rekindle=build/bench/bin/rekindle mcp --policy immediate --max-retries unlimited --circuit-breaker off --"


def words(command):
    """Splits a command line and makes the paths of its files absolute."""
    return [os.path.abspath(word) if "/" in word and os.path.exists(word) else word for word in shlex.split(command)]


def peers(named):
    """Returns the command before the server's command line for each NAME=COMMAND."""
    split = dict(peer.partition("=")[::2] for peer in named)
    return {name: words(command) or NOTHING[name] for name, command in split.items()}


class Session:
    """A client's connection: sends lines and receives messages."""

    def __init__(self, server, prefix=(), tool="echo"):
        self.server_command, self.tool = server, tool
        self.scratch = tempfile.TemporaryDirectory(prefix="rekindle-bench.")
        self.begun = time.perf_counter()
        self.process = subprocess.Popen([*prefix, *server], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0, cwd=self.scratch.name,
                                        env={**os.environ, "XDG_STATE_HOME": self.scratch.name})
        self.rest = []
        self.last_id = 0
        self.greetings = 0
        self.poll = select.poll()
        self.poll.register(self.process.stdout, select.POLLIN)

    def server(self):
        """Returns the process that runs the server's program, or None."""
        for pid in {self.process.pid} | processtree.descendants(self.process.pid):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")[:-1]
            except OSError:
                continue
            if words == self.server_command:
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
        """Returns the response with this id, or None."""
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
        answer = self.ask("tools/call", {"name": self.tool, "arguments": {"message": message}}, timeout)
        return bool(answer and "result" in answer and not answer["result"].get("isError"))

    def end(self):
        """Closes stdin and terminates all processes."""
        tree = processtree.descendants(self.process.pid)
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in filter(processtree.is_alive, tree):
            os.kill(pid, signal.SIGKILL)
        self.scratch.cleanup()


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
                self.tally["responses without a request, or duplicates"] += 1
            elif "result" in message:
                self.tally["good responses"] += 1
            else:
                data = message["error"].get("data", {})
                self.errors[f"{tool}: {message['error']['code']} {data.get('reason', message['error']['message'])}"
                            f"{', may have been executed' if data.get('maybeExecuted') else ''}"] += 1

    def keep_up(self, until):
        """Sends calls until the limit of calls in flight is reached."""
        while (left := until - time.perf_counter()) > 0:
            while len(self.open) < IN_FLIGHT:
                self.make()
            self.take(left)


def kills(server, options):
    for name, prefix in peers(options.peer or [UNLIMITED]).items():
        with tempfile.TemporaryDirectory(prefix="rekindle-bench.") as folder:
            session = Session(server, prefix, options.tool)
            session.greet()
            session.ask("tools/list")
            draw = random.Random(options.seed)
            calls = Calls(session, folder, draw)
            hit = killed = 0
            begun = time.perf_counter()
            while killed < options.kills:
                calls.keep_up(time.perf_counter() + draw.uniform(0.2, 2))
                while not (pid := session.server()):
                    calls.take(0.001)
                os.kill(pid, signal.SIGKILL)
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
            print(f"  calls without a response: {len(calls.open)}; writes executed twice: {len(written) - len(set(written))}")
            for what, number in sorted(calls.tally.items()):
                print(f"  {what}: {number}")
            for what, number in sorted(calls.errors.items()):
                print(f"  errors of {what}: {number}")
            print(f"  initialize sent by the client: {session.greetings}; the server rejects a call before one")
            session.end()


def measure_recovery(server, proxied, times, tool="echo"):
    """Returns the times of cold starts, those after a kill for each proxy, and the number of failed calls."""
    cold, back = [], {name: [] for name in proxied}
    errors = collections.Counter()
    for _ in range(times):
        session = Session(server, tool=tool)
        session.greet()
        session.call()
        cold.append(time.perf_counter() - session.begun)
        session.end()
        for name, prefix in proxied.items():
            session = Session(server, prefix, tool)
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
    return cold, back, errors


def recovery(server, options):
    proxied = {name: prefix for name, prefix in peers(options.peer or [REKINDLE]).items() if prefix}
    cold, back, errors = measure_recovery(server, proxied, options.times or 20, options.tool)
    start = statistics.median(cold)
    print(f"cold start to the first response to a call: {1000 * start:.0f} ms (median of {len(cold)})")
    for name, times in back.items():
        print(f"{name}: {1000 * statistics.median(times):.0f} ms after the kill, {1000 * (statistics.median(times) - start):+.0f} ms; "
              f"slowest {1000 * max(times):.0f} ms; {errors[name]} calls failed before that")


def calls_per_second(session, calls):
    """Returns the rate with 16 calls in flight."""
    begun = time.perf_counter()
    sent = answered = 0
    while answered < calls:
        while sent < calls and sent - answered < IN_FLIGHT:
            sent += 1
            session.send({"id": f"p{sent}", "method": "tools/call",
                          "params": {"name": session.tool, "arguments": {"message": "p"}}})
        answered += sum(b'"method"' not in line for line in session.lines(30))
    return calls / (time.perf_counter() - begun)


def measure_latency(server, contenders, calls=2000, tool="echo"):
    """Returns the figures of each program. The programs are measured in turn, in blocks. The memory is the
    memory of the first process, which is the server itself if there is no proxy, seven seconds after the last message."""
    sessions = {name: Session(server, prefix, tool) for name, prefix in contenders.items()}
    for session in sessions.values():
        session.greet()
        session.ask("tools/list")
        for _ in range(300):
            session.call()
    trips = {name: [] for name in sessions}
    for _ in range(calls // 100):
        for name, session in sessions.items():
            for _ in range(100):
                begun = time.perf_counter()
                assert session.call(), name
                trips[name].append(1000 * (time.perf_counter() - begun))
    rates = {name: [] for name in sessions}
    for _ in range(5):
        for name, session in sessions.items():
            rates[name].append(calls_per_second(session, calls))
    big = {name: [] for name in sessions}
    for _ in range(20):
        for name, session in sessions.items():
            begun = time.perf_counter()
            assert session.call("a" * (1 << 20)), name
            big[name].append(1000 * (time.perf_counter() - begun))
    time.sleep(7)
    found = {}
    for name, session in sessions.items():
        trip = sorted(trips[name])
        found[name] = {"median ms": trip[len(trip) // 2], "p95 ms": trip[len(trip) * 95 // 100],
                       "p99 ms": trip[len(trip) * 99 // 100], "16 in flight /s": statistics.median(rates[name]),
                       "1 MiB ms": statistics.median(big[name]),
                       "resident MB": processtree.memory([session.process.pid], "Rss:"),
                       "PSS MB": processtree.memory([session.process.pid])}
        session.end()
    return found


def latency(server, options):
    found = measure_latency(server, peers(options.peer or ["direct", "cat", REKINDLE]), options.calls, options.tool)
    print("| | " + " | ".join(next(iter(found.values()))) + " |\n" + "|---" * 8 + "|")
    for name, figures in found.items():
        print(f"| {name} | " + " | ".join(f"{figure:.4g}" for figure in figures.values()) + " |")


def end(server, options):
    stubborn = server + ["--ignore-eof", "--ignore-term"]
    for kind, command in [("good", server), ("stubborn", stubborn)]:
        for how in ["stdin closed", "SIGKILL"]:
            for name, prefix in peers(options.peer or ["direct", REKINDLE]).items():
                if not prefix and (how == "SIGKILL" or kind == "stubborn"):
                    continue
                times = []
                for _ in range(options.times or 5):
                    session = Session(command, prefix, options.tool)
                    session.greet()
                    session.call()
                    tree = {session.process.pid} | processtree.descendants(session.process.pid)
                    begun = time.perf_counter()
                    if how == "SIGKILL":
                        session.process.kill()
                    else:
                        session.process.stdin.close()
                    while time.perf_counter() - begun < 12 and any(map(processtree.is_alive, tree)):
                        session.process.poll()
                        time.sleep(0.001)
                    times.append(time.perf_counter() - begun)
                    for pid in filter(processtree.is_alive, tree):
                        os.kill(pid, signal.SIGKILL)
                    session.process.wait()
                alive = sum(time >= 12 for time in times)
                print(f"{kind} server, {how}, {name}: all exited after {1000 * statistics.median(times):.0f} ms, "
                      f"at most {1000 * max(times):.0f} ms" + (f"; {alive} times running after 12 s" if alive else ""))


def main():
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
    {"kills": kills, "recovery": recovery, "latency": latency, "end": end}[options.what](words(options.server), options)


if __name__ == "__main__":
    main()
