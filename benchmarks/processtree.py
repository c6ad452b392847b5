# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Finds the descendants of a process and the resources that they use, in /proc (Linux)."""

import ctypes
import os
import resource
import signal
import sys
import time


def parents():
    """Returns the parent of each process."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                found[int(entry)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    return found


def descendants(root, is_left_out=lambda pid: False):
    """Returns the descendants of a process, without those that are left out and their descendants."""
    children = {}
    for child, parent in parents().items():
        children.setdefault(parent, []).append(child)
    found, pending = set(), list(children.get(root, []))
    while pending:
        pid = pending.pop()
        if not is_left_out(pid):
            found.add(pid)
            pending += children.get(pid, [])
    return found


def prepare():
    """Prepares this process for programs with many children.

    It becomes the parent of orphaned descendants, so that kill_descendants() finds them. Signals raise
    an exception, also if the process runs in the background. The limits of descriptors are raised as far as
    permitted."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limits in ((max(soft, min(hard, 20_000)), hard), (max(soft, 20_000), max(hard, 65_536))):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        except (OSError, ValueError):
            pass


def kill_descendants():
    """Kills and reaps everything that this process started."""
    while pids := descendants(os.getpid()):
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap_orphans()
        time.sleep(0.01)


def reap_orphans(other_than=None):
    """Reaps children that have exited. Stops at the child `other_than`, whose exit status other code reads."""
    try:
        while exited := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if exited.si_pid == other_than:
                return
            os.waitpid(exited.si_pid, 0)
    except ChildProcessError:
        pass


def state(pid):
    """Returns the letter of proc(5): Z is a zombie, X is a process that does not exist."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def is_alive(pid):
    return state(pid) not in "ZX"


def summed(pids, path, key):
    """Adds the numbers of a line `key NUMBER` in /proc/PID/path."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/{path}") as file:
                for line in file:
                    if line.startswith(key):
                        total += int(line.split()[1])
        except OSError:
            pass
    return total


def memory(pids, key="Pss:"):
    """Returns the memory in megabytes, from /proc/PID/smaps_rollup."""
    return summed(pids, "smaps_rollup", key) * 1024 / 1e6


def cpu(pids):
    """Returns the CPU time in milliseconds."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/schedstat") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass
    return total / 1e6


def descriptors(pids):
    total = 0
    for pid in pids:
        try:
            total += len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            pass
    return total
