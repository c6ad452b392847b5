#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Runs `rekindle up` with many agents for a long time, kills agents at random and checks that nothing grows.

  soak.py [--agents 6000] [--minutes 60] [--kills-per-second 10] [--output FILE] [--merge]

The store and the state file are on. stdout and stderr of the agents are read as lines. At regular intervals,
by default each minute, the kills pause until all agents run again. Then the memory, descriptors, threads and
zombies of the command are recorded. The first tenth of these samples is a warm-up and is ignored. The script
compares the medians of the first and the last quarter of the other samples. It fails if a restart is missed,
if descriptors, threads or zombies grow, or if the resident memory grows by more than 5 % and more than 1 MB.
PSS is only recorded, because it depends on the other programs that use the same libraries.

--output writes a summary as JSON. --merge adds it to benchmarks/results.json and to the tables. Linux only.
"""

import argparse
import datetime
import os
import random
import statistics
import sys
import time

import machine
import processes
import processtree
import report
import supervisors

SAMPLES = 60  # at most; a shorter run has one each minute, and at least ten
RESTART_LIMIT = 30  # seconds until a killed agent must run again


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=6000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--kills-per-second", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("--merge", action="store_true")
    options = parser.parse_args()
    if options.merge and not os.path.exists(f"{report.ROOT}/{report.RESULTS}"):
        parser.error(f"--merge: {report.RESULTS} does not exist")
    return options


class Soak:
    def __init__(self, run, options):
        self.run, self.options = run, options
        self.draw = random.Random(options.seed)
        self.running = [pid for pid, _ in run.starts(options.agents, timeout=600)]
        self.kills = self.missed = self.pending = 0
        self.samples = []

    def kill_until(self, end):
        """Kills agents at random until this time."""
        pause = 1 / self.options.kills_per_second
        while time.monotonic() < end:
            if self.running:
                position = self.draw.randrange(len(self.running))
                self.running[position], self.running[-1] = self.running[-1], self.running[position]
                processes.kill([self.running.pop()])
                self.kills += 1
                self.pending += 1
            self.collect(self.draw.expovariate(1 / pause))

    def collect(self, timeout):
        """Receives the starts of replacements for `timeout` seconds."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            for pid, _ in self.run.available(left):
                self.running.append(pid)
                self.pending -= 1

    def settle(self):
        """Waits until every killed agent runs again."""
        end = time.monotonic() + RESTART_LIMIT
        while self.pending > 0 and time.monotonic() < end:
            self.collect(0.1)
        if self.pending > 0:
            self.missed += self.pending
            self.pending = 0
        self.collect(1)  # an unexpected extra restart would have arrived by then
        if self.pending < 0:
            raise RuntimeError(f"{-self.pending} more starts than kills")

    def sample(self, minute):
        pid = self.run.process.pid
        zombies = sum(processtree.state(child) == "Z" for child in processtree.descendants(pid))
        self.samples.append({
            "minute": round(minute, 2), "resident MB": round(processtree.memory([pid], "Rss:"), 2),
            "PSS MB": round(processtree.memory([pid]), 2), "descriptors": processtree.descriptors([pid]),
            "threads": processtree.summed([pid], "status", "Threads:"), "zombies": zombies, "kills": self.kills,
            "missed restarts": self.missed})
        print(", ".join(f"{key} {value}" for key, value in self.samples[-1].items()), flush=True)

    def summary(self):
        measured = self.samples[len(self.samples) // 10:]
        quarter = max(1, len(measured) // 4)
        first, last = ({key: statistics.median(sample[key] for sample in part) for key in measured[0]}
                       for part in (measured[:quarter], measured[-quarter:]))
        faults = [f"{key} grew from {first[key]:g} to {last[key]:g}"
                  for key in ("descriptors", "threads", "zombies") if last[key] > first[key]]
        key = "resident MB"
        if last[key] > first[key] * 1.05 and last[key] > first[key] + 1:
            faults.append(f"{key} grew from {first[key]:g} to {last[key]:g}")
        if self.missed:
            faults.append(f"{self.missed} restarts were missed")
        return {"date": datetime.date.today().isoformat(), "commit": machine.commit(report.ROOT, report.WRITTEN),
                "agents": self.options.agents, "minutes": self.options.minutes, "seed": self.options.seed,
                "kills": self.kills, "missedRestarts": self.missed, "faults": faults, "first": first, "last": last,
                "samples": self.samples}


def main():
    options = parse()
    processtree.prepare()
    seconds = options.minutes * 60
    count = max(10, min(SAMPLES, round(options.minutes)))
    try:
        with processes.Supervised(supervisors.rekindle_up(streams="lines"), options.agents) as run:
            soak = Soak(run, options)
            begin = time.monotonic()
            for number in range(1, count + 1):
                soak.kill_until(begin + seconds * number / count)
                soak.settle()
                if run.process.poll() is not None:
                    sys.exit(f"soak: rekindle exited with {run.process.returncode}")
                soak.sample((time.monotonic() - begin) / 60)
            summary = soak.summary()
    except KeyboardInterrupt:
        return 130
    finally:
        processtree.kill_descendants()
    if options.output:
        with open(options.output, "w") as file:
            file.write(report.to_text(summary) + "\n")
    if options.merge:
        report.write({**report.read(), "soak": summary})
    for fault in summary["faults"]:
        print(f"soak: {fault}", file=sys.stderr)
    return 1 if summary["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
