# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts a file of process-compose."""

import os
import re

from output import DAY, HOUR, SECOND, Place, Rejected, Source, duration, policy_of, printable
from words import Variables, tag_is_valid
from yamlfile import List, Map, Text, fixed, interpolate, items, load

MOST_REPLICAS = 1000
LEVELS = {"process_started": "started", "process_healthy": "ready", "process_log_ready": "ready",
          "process_completed_successfully": "completed", "process_completed": "completed"}
KNOWN = """command entrypoint working_dir environment env_file is_dotenv_disabled depends_on availability
    readiness_probe liveness_probe ready_log_line log_location disabled is_disabled replicas shutdown namespace
    vars description launch_timeout_seconds disable_ansi_colors is_template_disabled""".split()
ADVICE = {
    "is_daemon": "make the program run in the foreground; a program that exits counts as stopped",
    "is_foreground": "the agent has no terminal; it is started by hand",
    "is_tty": "the agent has no terminal", "is_interactive": "the agent has no terminal",
    "is_elevated": 'set "user", or run the command with sudo',
    "schedule": "run `rekindle start NAME` from cron",
    "watch": 'set "watch" by hand', "success_exit_codes": "make the program exit with 0",
    "extends": "merge the processes by hand"}
TOP = """version name processes environment vars shell log_level log_length log_format is_strict is_tui_disabled
    disable_env_expansion ordered_shutdown""".split()


class Process(Source):
    def __init__(self, name, node, result, root):
        super().__init__(result)
        self.name, self.node, self.root = name, node, root
        self.agents, self.number, self.place = [], 0, root["processes"].places[name]
        self.replicas = self.integer(node, "replicas", 1, MOST_REPLICAS) or 1

    def at(self, key):
        return self.place

    def plain(self, node, key, standard=""):
        """A text in which Rekindle replaces no variables."""
        value = node.get(key)
        if not isinstance(value, Text):
            return standard
        return fixed(value, os.environ.get, lambda text: self.note(value.place, f"{key}: {text}"))

    def text(self, node, key, standard="", has_templates=True):
        """With variables in the form of Rekindle."""
        value = node.get(key)
        return self.expanded(value, value.place, has_templates) if isinstance(value, Text) else standard

    def integer(self, node, key, standard, greatest):
        return self.whole(key, self.plain(node, key), standard, 0, greatest, node.at(key) if key in node else None)

    def expanded(self, text, place, has_templates=True):
        """Replaces ${NAME}, as process-compose does, and {{.NAME}}."""
        if "$" not in text and "{{" not in text:
            return text
        variables = Variables()
        values = items(self.root.get("vars"), Map) | items(self.node.get("vars"), Map)

        def template(match):
            name = re.fullmatch(r"\s*\.(\w+)\s*", match[1])
            if name and name[1] == "PC_REPLICA_NUM":
                return str(self.number)
            if name and isinstance(values.get(name[1]), str):
                return values[name[1]]
            if quoted := re.fullmatch(r'\s*"([^"\\]*)"\s*', match[1]):
                return quoted[1]
            self.note(place, f"{printable(match[0])} is not converted; replace it by hand")
            return match[0]
        if self.root.get("disable_env_expansion") != "true":
            text = interpolate(text, variables, lambda note: self.note(place, note), has_bare_names=False)
        if has_templates:
            text = re.sub(r"\{\{(.*?)\}\}", template, text)
        return variables.finish(text)

    def add(self):
        width = len(str(self.replicas))
        for number in range(self.replicas):
            name = self.name if self.replicas == 1 else f"{self.name}-{number:0{width}}"
            self.agents.append(self.result.add(name, self.place))

    def convert(self, processes):
        for self.number, self.agent in enumerate(self.agents):
            self.convert_agent(self.agent.members, processes)
            self.result.done(self.agent, self.place)
            for key in self.node if self.number == 0 else ():
                if key not in KNOWN and not key.startswith("x-") and self.node[key] not in (None, "false"):
                    advice = ADVICE.get(key, "set it by hand if it is needed")
                    self.note(self.node.places[key], f"{printable(key)} is not converted; {advice}")

    def convert_agent(self, members, processes):
        node = self.node
        if "true" in (node.get("disabled"), node.get("is_disabled"), node.get("is_foreground")):
            members["start"] = "manual"
        if tag_is_valid(namespace := self.plain(node, "namespace")):
            members["tags"] = [namespace]
        words = [self.expanded(word, word.place) for word in items(node.get("entrypoint"), List) if word]
        if command := self.text(node, "command", "", node.get("is_template_disabled") != "true"):
            words = [*self.shell(), command]
        self.set_command(self.place, words)
        folder = self.text(node, "working_dir")
        members["workingDirectory"] = folder or "."
        if "true" in (node.get("is_tty"), node.get("is_interactive")):
            members["stdin"] = "pipe"
        self.convert_environment(members, folder)
        self.convert_dependencies(members, processes)
        self.convert_restarts(members)
        self.convert_ready(members, folder)
        self.convert_stop(members)

    def shell(self):
        shell = items(self.root.get("shell"), Map)
        return [self.text(shell, "shell_command", "bash"), self.text(shell, "shell_argument", "-c")]

    def convert_environment(self, members, folder):
        node, files = self.node, []
        if node.get("is_dotenv_disabled") != "true":
            files.append({"file": ".env", "optional": True})
        if file := self.text(node, "env_file"):
            files.append(os.path.join(folder, file))
        if files:
            members["environmentFiles"] = files
        for item in [f"PC_PROC_NAME={self.name}", f"PC_REPLICA_NUM={self.number}",
                     *items(self.root.get("environment"), List), *items(node.get("environment"), List)]:
            name, _, value = (item if isinstance(item, str) else "").partition("=")
            place = getattr(item, "place", self.place)
            self.set_variable(place, name, self.expanded(value, place))

    def convert_dependencies(self, members, processes):
        for name, node in items(self.node.get("depends_on"), Map).items():
            place, node = self.node["depends_on"].places[name], items(node, Map)
            condition = self.plain(node, "condition", "process_started")
            if condition == "process_completed":
                self.note(place, f"depends_on: {printable(name)} must exit with 0; process-compose accepts any code")
            if condition not in LEVELS:
                self.note(place, f'depends_on: expected a condition, found "{printable(condition)}"; using process_started')
            for agent in processes.get(name) or ():
                members.setdefault("dependsOn", []).append(
                    {"agent": agent.name, "until": LEVELS.get(condition, "started")})
            if name not in processes:
                self.note(place, f'depends_on: {printable(name)} is not converted; set "dependsOn" by hand')

    def convert_restarts(self, members):
        availability = items(self.node.get("availability"), Map)
        restart = self.plain(availability, "restart", "no")
        delay = max(self.integer(availability, "backoff_seconds", 1, 7 * 86400), 1)
        most = self.integer(availability, "max_restarts", 0, 1_000_000)
        for key in ("exit_on_end", "exit_on_skipped"):
            if availability.get(key) == "true":
                self.note(availability.at(key), f"{key} is not converted; the other agents keep running")
        members["ready"], members["policy"] = "now", {"type": "none"}
        if restart == "exit_on_failure":
            self.note(availability.at("restart"), "restart=exit_on_failure: the other agents keep running")
        elif restart in ("always", "on_failure"):
            policy = {"type": "stepped", "steps": [duration(delay * SECOND)], "maxRetries": most or "unlimited"}
            # process-compose never resets its count.
            members["policy"] = policy_of(policy, restart == "always", "1d" if most else "1s")
        elif restart != "no":
            self.note(availability.at("restart"), f'restart: expected always, on_failure, exit_on_failure or no, '
                                                  f'found "{printable(restart)}"; using no')

    def probe(self, key, folder):
        node = items(self.node.get(key), Map)
        check, http = items(node.get("exec"), Map), items(node.get("http_get"), Map)
        if command := self.text(check, "command"):
            other = self.text(check, "working_dir")
            words = [*self.shell(), command]
            if other and other != folder:
                words = ["sh", "-c", 'cd "$0" && exec "$@"', other, *words]
            probe = {"kind": "exec", "command": words}
        elif http:
            scheme, host, path, port = (self.text(http, name, standard) for name, standard in (
                ("scheme", "http"), ("host", "127.0.0.1"), ("path", "/"), ("port", "")))
            probe = {"kind": "http", "url": f"{scheme.lower()}://{host}{port and ':' + port}{path}"}
            for name in ("headers", "status_code"):
                if http.get(name) not in (None, "200"):
                    self.note(http.at(name), f"{name} is not converted; a status of 200 to 399 is good")
        else:
            return None, 0, 0
        period = (self.integer(node, "period_seconds", 10, 86400) or 10) * SECOND
        timeout = (self.integer(node, "timeout_seconds", 1, 1200) or 1) * SECOND
        misses = self.integer(node, "failure_threshold", 3, 1000) or 3
        grace = self.integer(node, "initial_delay_seconds", 0, 86400) * SECOND
        probe |= {"interval": duration(period), "timeout": duration(timeout)}
        return probe, {"misses": misses, "grace": duration(grace)}, grace + misses * (period + timeout)

    def convert_ready(self, members, folder):
        ready, schedule, unready = self.probe("readiness_probe", folder)
        alive, alive_schedule, _ = self.probe("liveness_probe", folder)
        line, log = self.text(self.node, "ready_log_line"), self.text(self.node, "log_location")
        if ready:
            members["ready"] = {"kind": "probe", "probe": ready}
            members["health"] = [ready | schedule]
            members["policy"]["startTimeout"] = duration(min(max(unready, SECOND), DAY))
            self.note(self.node["readiness_probe"].place, "readiness_probe: an agent that is not ready is "
                                                          "killed with SIGKILL; process-compose stops it")
        elif line:
            members["ready"] = {"kind": "line", "pattern": line}
            members["policy"]["startTimeout"] = "1d"
        if alive and members["policy"].get("maxRetries") == "unlimited":
            members.setdefault("health", []).append(alive | alive_schedule)
            self.note(self.node["liveness_probe"].place, "liveness_probe: an unhealthy agent is restarted; "
                                                         "process-compose only reports it")
        elif alive:
            self.note(self.node["liveness_probe"].place, "liveness_probe is not converted, because an unhealthy "
                      "agent would be killed but not always restarted; process-compose only reports it")
        if log and line and not ready:
            self.note(self.node.at("log_location"), "log_location is not converted, because ready_log_line needs the lines")
        elif log:
            file = log.replace("{PC_REPLICA_NUM}", str(self.number))
            file += f".{self.number}" if self.replicas > 1 and "{PC_REPLICA_NUM}" not in log else ""
            members["stdout"] = members["stderr"] = {"file": file}

    def convert_stop(self, members):
        shutdown = items(self.node.get("shutdown"), Map)
        seconds = self.integer(shutdown, "timeout_seconds", 0, 10**9)
        if not seconds:
            self.result.note(self.root.places["processes"], None, "without shutdown.timeout_seconds, process-compose "
                             "never sends SIGKILL; Rekindle sends it after 1h")
        place = shutdown.at("timeout_seconds") if seconds else self.place
        limit = self.limited("shutdown.timeout_seconds", seconds * SECOND or HOUR, 0, HOUR, place)
        self.set_stop("shutdown.signal", str(self.integer(shutdown, "signal", 15, 31) or 15), limit)
        for key in ("command", "send_keys", "parent_only"):
            if shutdown.get(key) not in (None, "false"):
                self.note(shutdown.at(key), f"shutdown.{key} is not converted; the signal is sent to the whole process group")


def convert(result, text, _path, _read_text, _options):
    root = load(text)
    if not isinstance(root, Map) or not isinstance(root.get("processes"), Map):
        raise Rejected(getattr(root, "place", Place(1)), "expected processes: with a mapping")
    processes = {name: Process(name, node, result, root) for name, node in root["processes"].items()
                 if isinstance(node, Map)}
    for process in processes.values():
        process.add()
    agents = {agent.name: [agent] for process in processes.values() for agent in process.agents}
    agents |= {name: process.agents for name, process in processes.items()}
    for process in processes.values():
        process.convert(agents)
    for key in root:
        if key not in TOP and not key.startswith("x-"):
            result.note(root.places[key], None, f"{printable(key)} is not converted; set it by hand if it is needed")
    return "a process"
