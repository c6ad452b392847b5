#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""A placed agent: its file in the folder has the boot clock in nanoseconds of its first moment, and of its latest
one, which is renewed every 5 ms. placed.py FOLDER AGENT"""

import os
import struct
import sys
import time

name = "-".join((sys.argv[2], os.environ["REKINDLE_FENCE"], os.environ["NODE"], str(os.getpid())))
file = os.open(os.path.join(sys.argv[1], name), os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
first = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
while True:
    os.pwrite(file, struct.pack("<qq", first, time.clock_gettime_ns(time.CLOCK_BOOTTIME)), 0)
    time.sleep(0.005)
