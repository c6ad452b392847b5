#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Sends heartbeats for a while and then hangs."""
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
pause = int(os.environ["WATCHDOG_USEC"]) / 4e6
for _ in range(8):
    notify("WATCHDOG=1")
    time.sleep(pause)
while True:
    time.sleep(3600)
