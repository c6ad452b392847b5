#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Operates the widgets in a real window system: Xvfb with the window manager openbox.

Usage: desktoptest.py PROGRAM [--pictures FOLDER] [OPTION...]

PROGRAM is that of desktopwindow.cpp; the options are passed to it. With --pictures, each step writes a
picture of the screen to FOLDER, which needs ImageMagick. Exits with 77 if a tool is missing.
"""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

LIMIT = 60  # seconds for each step


class Desktop:
    """The window system, and the program with its newest state."""

    def __init__(self, folder, pictures):
        self.processes = []
        self.program = None
        self.pictures = pictures
        self.environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_RUNTIME_DIR=folder)
        self.environment.update(QT_QPA_PLATFORM="xcb", LC_ALL="C.UTF-8")
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.lines = queue.Queue()
        self.state = {}

    def start(self, *command, **options):
        # They end with this process, also if it is killed.
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command], env=self.environment, text=True, **options
        )
        self.processes.append(process)
        return process

    def begin(self, command):
        reader, writer = os.pipe()
        screen = ["-screen", "0", "2560x1600x24", "-dpi", "96", "-nolisten", "tcp"]
        self.start("Xvfb", "-displayfd", str(writer), *screen, pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as display:
            self.environment["DISPLAY"] = f":{display.readline().strip()}"
        manager = self.start("openbox", "--sm-disable", "--startup", "echo ready", stdout=subprocess.PIPE)
        if "ready\n" not in manager.stdout:
            raise AssertionError("openbox did not start")
        self.program = self.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def end(self):
        if self.program:
            self.program.stdin.close()  # it then kills its agents
            try:
                self.program.wait(LIMIT)
            except subprocess.TimeoutExpired:
                pass
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def wait(self, what, condition):
        """Waits until the state meets a condition, and returns its value."""
        while not (value := self.attempt(condition)):
            try:
                state = self.lines.get(timeout=LIMIT)
            except queue.Empty:
                raise AssertionError(f"not reached: {what}\n{json.dumps(self.state, indent=1)}") from None
            if state is None:
                raise AssertionError(f"the program exited before: {what}")
            self.state = state
        return value

    def attempt(self, condition):
        try:
            return condition(self.state)
        except KeyError:
            return None

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, timeout=LIMIT)

    def move(self, what, place):
        self.xdotool("mousemove", *self.wait(f"place of {what}", place))

    def click(self, what, place, *, button=1, count=1):
        self.move(what, place)
        self.xdotool("click", "--repeat", count, "--delay", 50, button)

    def press(self, *keys):
        self.xdotool("key", *keys)

    def picture(self, name):
        if self.pictures:
            target = os.path.join(self.pictures, f"{name}.png")
            subprocess.run(["import", "-window", "root", target], env=self.environment, check=True)


def row(name):
    return lambda state: state["rows"][name]["place"]


def sort(desktop):
    desktop.wait("start", lambda s: [s["rows"][name]["state"] for name in ("worker", "indexer", "crasher")]
                 == ["Running", "Running", "Exhausted"])
    desktop.picture("start")
    assert desktop.state["rows"]["crasher"]["row"] == 0, desktop.state
    desktop.click("header", lambda s: s["headers"]["Agent"])
    desktop.wait("order", lambda s: s["rows"]["crasher"]["row"] == 2)


def filter_rows(desktop):
    desktop.click("filter", lambda s: s["filter"])
    desktop.wait("focus of the filter", lambda s: s["focus"] == "Filter")
    desktop.xdotool("type", "work")
    desktop.wait("one row", lambda s: list(s["rows"]) == ["worker"])
    desktop.press("ctrl+a", "BackSpace")
    desktop.wait("all rows", lambda s: len(s["rows"]) == 3)


def restart(desktop):
    desktop.click("worker", row("worker"))
    desktop.wait("selection and output", lambda s: s["rows"]["worker"]["selected"] and "working" in s["output"])
    pid = desktop.state["rows"]["worker"]["pid"]
    desktop.click("worker", row("worker"), button=3)
    desktop.wait("menu", lambda s: s["menu"]["Restart"])
    desktop.picture("menu")
    desktop.click("Restart", lambda s: s["menu"]["Restart"])
    desktop.wait("confirmation", lambda s: s["buttons"]["Cancel"])
    desktop.picture("confirmation")
    desktop.click("Restart", lambda s: s["buttons"]["Restart"])
    desktop.wait("restart", lambda s: s["rows"]["worker"]["pid"] not in ("", pid)
                 and s["rows"]["worker"]["state"] == "Running")


def explain(desktop):
    desktop.click("crasher", row("crasher"), count=2)
    desktop.wait("explanation", lambda s: "crasher" in s["explanation"])
    desktop.picture("explanation")
    desktop.press("Up")
    desktop.wait("keyboard selection", lambda s: s["rows"]["indexer"]["selected"])
    desktop.press("Return")
    desktop.wait("explanation by keyboard", lambda s: "indexer" in s["explanation"])


def move_timeline(desktop):
    span = desktop.state["timeline"]["span"]
    desktop.click("timeline", lambda s: s["timeline"]["place"], button=4, count=3)
    desktop.wait("zoom", lambda s: s["timeline"]["span"] < span)
    desktop.xdotool("mousedown", 1, "mousemove_relative", 60, 0)
    desktop.wait("drag", lambda s: not s["timeline"]["follow"])
    desktop.press("F9")
    desktop.wait("5,000 agents", lambda s: s["agents"] == 5003 and s["timeline"]["rows"] == 5003)
    desktop.xdotool("mousemove_relative", 60, 20, "mouseup", 1)
    desktop.picture("timeline")


def close(desktop):
    pid = int(desktop.state["rows"]["indexer"]["pid"])
    desktop.press("alt+F4")
    desktop.wait("dialog", lambda s: s["buttons"]["Kill now"])
    desktop.picture("stop")
    os.kill(pid, 0)  # fails if it does not run
    desktop.click("Kill now", lambda s: s["buttons"]["Kill now"])
    code = desktop.program.wait(LIMIT)
    assert code == 0, f"exit code {code}"
    assert not os.path.exists(f"/proc/{pid}"), "the agent runs"


def main():
    arguments = sys.argv[1:]
    pictures = None
    if "--pictures" in arguments:
        at = arguments.index("--pictures")
        pictures = arguments[at + 1]
        del arguments[at:at + 2]
    missing = [tool for tool in ("Xvfb", "openbox", "xdotool", "setpriv") if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} not found; scripts/setup --test installs it")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        desktop = Desktop(folder, pictures)
        try:
            desktop.begin(arguments)
            for step in (sort, filter_rows, restart, explain, move_timeline, close):
                step(desktop)
        finally:
            desktop.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
