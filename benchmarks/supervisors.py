# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""How Rekindle and each of its peers is started with N copies of a child.

A supervisor is a function of (folder, child, count) that writes its configuration into the folder and
returns a Launch. To add a peer, write its function and add it to PEERS. scripts/setup --bench-peers
installs s6 and unpacks the other peers into build/tools/peers.
"""

import dataclasses
import glob
import json
import os
import shutil
import signal

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN = ROOT + "/build/bench/bin"
TOOLS = ROOT + "/build/tools"
UNPACKED = TOOLS + "/peers"


@dataclasses.dataclass
class Launch:
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    stop: int = signal.SIGTERM
    farewell: list = None  # a command that stops the supervisor, instead of a signal
    pid_file: str = None  # set if the supervisor runs in the background


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def rekindle_up(*options, streams="null", program=BIN + "/rekindle"):
    """`rekindle up` with these options. The streams "lines" are the default of the library."""

    def launch(folder, child, count):
        policy = {"type": "immediate", "maxRetries": "unlimited", "circuitBreaker": "off"}
        agent = {"kind": "process", "program": child[0], "arguments": child[1:], "policy": "storm"}
        if streams == "null":
            agent |= {"stdin": "null", "stdout": "null", "stderr": "null"}
        agents = [{"name": f"child-{i}", **agent} for i in range(count)]
        write(folder + "/storm.json", json.dumps({"policies": {"storm": policy}, "agents": agents}))
        return Launch([program, "up", *options, folder + "/storm.json"], {"XDG_STATE_HOME": folder})

    return launch


def rekindle_run(folder, child, count):
    return Launch([BIN + "/rekindle", "run", "--policy", "immediate", "--max-retries", "unlimited",
                   "--circuit-breaker", "off", "--quiet", "--", *child], {"XDG_STATE_HOME": folder})


def bare_loop(folder, child, count):
    return Launch([BIN + "/bareloop", str(count), *child])


def qprocess_loop(folder, child, count):
    return Launch([BIN + "/qprocessloop", str(count), *child])


def from_text(text):
    """Returns the supervisor for a shell command with {child}, {n} and {dir}."""

    def launch(folder, child, count):
        return Launch(["/bin/sh", "-c", text.format(child=" ".join(child), n=count, dir=folder)])

    return launch


def service_folders(folder, child, count, script="exec {child}"):
    for i in range(count):
        write(f"{folder}/services/{i}/run", "#!/bin/sh\n" + script.format(child=" ".join(child)) + "\n", 0o755)
    return folder + "/services"


def unpacked_path():
    return {"PATH": UNPACKED + "/usr/bin:" + os.environ["PATH"]}


def daemontools(folder, child, count):
    return Launch([UNPACKED + "/usr/bin/svscan", service_folders(folder, child, count)], unpacked_path())


def runit(folder, child, count):
    services = service_folders(folder, child, count)
    return Launch([UNPACKED + "/usr/bin/runsvdir", services], unpacked_path(), stop=signal.SIGHUP)


def s6(folder, child, count):
    """With readiness notification, because s6 2.11 otherwise waits for a second before each restart."""
    services = service_folders(folder, child, count, "echo >&3\nexec 3>&-\nexec {child}")
    for i in range(count):
        write(f"{services}/{i}/notification-fd", "3\n")
    return Launch(["s6-svscan", "-c", str(max(count, 10) * 2), services])


def supervisord(folder, child, count):
    write(folder + "/supervisord.conf", f"""[supervisord]
nodaemon=true
logfile=/dev/null
logfile_maxbytes=0
loglevel=critical
pidfile={folder}/supervisord.pid
minfds=8192
[program:child]
command={' '.join(child)}
process_name=%(program_name)s_%(process_num)04d
numprocs={count}
autorestart=true
startsecs=0
startretries=100000000
stdout_logfile=NONE
stderr_logfile=NONE
""")
    return Launch(["/usr/bin/python3", UNPACKED + "/usr/bin/supervisord", "-n", "-c", folder + "/supervisord.conf"],
                  {"PYTHONPATH": UNPACKED + "/usr/lib/python3/dist-packages"})


def pm2(folder, child, count):
    application = {"name": "child", "script": child[0], "args": child[1:], "interpreter": "none", "instances": count,
                   "exec_mode": "fork", "max_restarts": 1000000000, "min_uptime": 0, "restart_delay": 0,
                   "vizion": False, "pmx": False, "out_file": "/dev/null", "error_file": "/dev/null",
                   "merge_logs": True}
    write(folder + "/pm2.json", json.dumps({"apps": [application]}))
    program = ["node", UNPACKED + "/node_modules/pm2/bin/pm2"]
    return Launch([*program, "start", folder + "/pm2.json"],
                  {"PM2_HOME": folder + "/pm2", "PM2_DISCRETE_MODE": "true"},
                  farewell=[*program, "kill"], pid_file=folder + "/pm2/pm2.pid")


def monit(folder, child, count):
    lines = ["set daemon 1", "set log /dev/null", f"set pidfile {folder}/monit.pid", f"set idfile {folder}/monit.id",
             f"set statefile {folder}/monit.state"]
    for i in range(count):
        pid_file = f"{folder}/child-{i}.pid"
        lines.append(f"check process child-{i} with pidfile {pid_file}\n start program = "
                     f"\"/bin/sh -c '{' '.join(child)} & echo $! >{pid_file}'\"")
    write(folder + "/monitrc", "\n".join(lines) + "\n", 0o600)
    return Launch([UNPACKED + "/usr/bin/monit", "-I", "-c", folder + "/monitrc"])


# The function, and a file or program that exists if the peer is installed.
PEERS = {
    "daemontools": (daemontools, UNPACKED + "/usr/bin/svscan"),
    "runit": (runit, UNPACKED + "/usr/bin/runsvdir"),
    "s6": (s6, "s6-svscan"),
    "pm2": (pm2, UNPACKED + "/node_modules/pm2/bin/pm2"),
    "supervisord": (supervisord, UNPACKED + "/usr/bin/supervisord"),
    "monit": (monit, UNPACKED + "/usr/bin/monit"),
}


def is_installed(program):
    return os.path.exists(program) if "/" in program else shutil.which(program) is not None


def erlang():
    """Returns the command and the environment that run an Erlang script, or None."""
    root = UNPACKED + "/usr/lib/erlang"
    folders = glob.glob(root + "/erts-*/bin")
    if not folders:
        return None
    return [folders[0] + "/escript"], {"ROOTDIR": root, "BINDIR": folders[0], "EMU": "beam", "PROGNAME": "erl",
                                       "ESCRIPT_EMULATOR": folders[0] + "/erlexec"}
