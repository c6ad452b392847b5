#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""An agent of the test: its file in the folder has the boot clock in nanoseconds of its start, and of its latest
moment, which is renewed every 5 ms by a worker. Only the guard kills the worker if the host is killed.
placed.py FOLDER AGENT"""

import os
import pathlib
import struct
import sys
import time

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")

# Before Python was loaded, but not before the end of the tick in which the process was created.
ticks = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
first = min(time.clock_gettime_ns(time.CLOCK_BOOTTIME), (ticks + 1) * TICK)
worker = os.fork()
if worker:
    os.waitpid(worker, 0)
    sys.exit(1)
name = "-".join((sys.argv[2], os.environ.get("REKINDLE_FENCE", "0"), os.environ["NODE"], str(os.getpid())))
file = os.open(os.path.join(sys.argv[1], name), os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
while True:
    os.pwrite(file, struct.pack("<qq", first, time.clock_gettime_ns(time.CLOCK_BOOTTIME)), 0)
    time.sleep(0.005)
