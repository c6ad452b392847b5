#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Sends heartbeats for five seconds and then hangs: the process is alive but does no work."""
import os
import socket
import time


def notify(text):
    address = os.environ["NOTIFY_SOCKET"]
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(text.encode(), address)


notify("READY=1")
pause = int(os.environ["WATCHDOG_USEC"]) / 4e6  # four heartbeats per interval
end = time.monotonic() + 5
while time.monotonic() < end:
    notify("WATCHDOG=1")
    time.sleep(pause)
print("hanging from now on", flush=True)
while True:
    time.sleep(3600)
