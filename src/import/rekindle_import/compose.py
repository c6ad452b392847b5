# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts the services of a Compose file."""

import os
import re

from output import DAY, HOUR, MILLISECOND, MINUTE, SECOND, Rejected, Source, policy_of, printable
from words import Variables, memory_size, tag_is_valid
from yamlfile import List, Map, Text, fixed, interpolate, interpolated, items, load, number_text

MOST_REPLICAS = 1000
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}
LEVELS = {"service_started": "started", "service_healthy": "ready",
          "service_completed_successfully": "completed"}
NETWORK = "the program uses the network of the machine"
ADVICE = dict.fromkeys("expose container_name hostname labels init stdin_open".split(), "") | {
    "ports": "the program listens on the machine itself; configure its port",
    "networks": NETWORK, "network_mode": NETWORK,
    "volumes": "use paths of the machine in the command and the environment",
    "user": 'it is a user of the image; set "user" by hand',
    "logging": 'use "stdout" and "stderr" with a file',
    "extends": "merge the settings of the two services by hand",
    "tty": "the program has no terminal"}
KNOWN = """scale deploy profiles entrypoint command image build working_dir env_file environment restart
    healthcheck depends_on stop_grace_period stop_signal mem_limit""".split()


class Service(Source):
    def __init__(self, name, node, result, services):
        super().__init__(result)
        self.name, self.node, self.services, deploy = name, node, services, items(node.get("deploy"), Map)
        self.limits = items(items(deploy.get("resources"), Map).get("limits"), Map)
        self.replicas = self.fixed(deploy if deploy.get("replicas") is not None else node, "replicas"
                                   if deploy.get("replicas") is not None else "scale", "1")
        self.replicas = int(self.replicas) if re.fullmatch("[0-9]{1,4}", self.replicas) else 0
        self.agents, self.command = [], None

    def at(self, key):
        return self.node.at(key) if key in self.node else self.node.place

    def noter(self, place):
        return lambda text: self.note(place, text)

    def text(self, node, key, standard=""):
        value = node.get(key)
        return value if isinstance(value, Text) else standard

    def fixed(self, node, key, standard=""):
        if not (value := self.text(node, key)):
            return standard
        return fixed(value, os.environ.get, lambda text: self.note(node.at(key), f"{key}: {text}"))

    def texts(self, value):
        return [interpolated(item, self.noter(item.place)) for item in items(value, List)
                if isinstance(item, Text)]

    def duration(self, node, key, standard, least, greatest):
        """The duration in nanoseconds and its text, which is clamped. If 0 is too small, it is the default."""
        text = self.fixed(node, key)
        place = node.place if key != "stop_grace_period" or not text else node.at(key)
        value = self.span(key, text, UNITS, standard, place)
        if not value and least:
            value = standard
        return value, self.limited(key, value, least, greatest, place)

    def words(self, key):
        value = self.node.get(key)
        if not isinstance(value, Text):
            return self.texts(value)
        variables = Variables()
        text = interpolate(value, variables, self.noter(value.place))
        if re.search(r"\$\{\w+:-[^}]*[\s'\"\\]", variables.finish(text)):
            self.note(value.place, f"a default in {key} is one argument; Compose splits it at blanks")
        if ":-}" in variables.finish(re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", "", text)):
            self.note(value.place, f"an empty variable in {key} is an empty argument; Compose passes none")
        words = variables.split(text)
        if words is None:
            self.note(value.place, f"{key} has an unclosed quote; add the agent by hand")
        return words or []

    def find_command(self):
        """Before the agents, because others depend on those that have a command."""
        entrypoint, command = self.words("entrypoint"), self.words("command")
        place = self.node.place
        if not entrypoint and not command:
            self.note(place, "the command is in the image; add an agent with it by hand, or supervise "
                             f"`docker compose up {self.name}`")
        elif (entrypoint or command)[0].startswith("-"):
            self.note(place, f"{printable((entrypoint or command)[0])} is an argument of the program in the image; add an "
                             f"agent with it by hand, or supervise `docker compose up {self.name}`")
        else:
            self.command = entrypoint + command
        for key in ("image", "build") if self.command else ():
            if self.node.get(key) is not None:
                self.note(self.node.at(key), f"{key} is not used; install the program on this machine" + (
                    "" if entrypoint else "; if the image has an entry point, put it before the command"))
                break

    def add(self):
        if not 1 <= self.replicas <= MOST_REPLICAS:
            self.note(self.node.place, f"expected 1 to {MOST_REPLICAS} replicas; one agent is added")
            self.replicas = 1
        for replica in range(1, self.replicas + 1):
            name = self.name if self.replicas == 1 else f"{self.name}-{replica}"
            self.agent = self.result.add(name, self.services.places[self.name])
            self.agents.append(self.agent)
            if replica == 1:
                self.find_command()
            if not self.command:
                break
            self.agent.members["program"] = self.command[0]

    def convert(self, services, healthy):
        first = self.agent = self.agents[0]
        if self.command:
            self.set_command(self.node.place, self.command)
            self.convert_profiles(first.members)
            self.convert_agent(first.members, services, healthy)
        for agent in self.agents:  # replicas do not differ
            agent.members = first.members
            self.result.done(agent, self.node.place)
        self.note_others()

    def convert_profiles(self, members):
        """Compose starts a service with profiles only on request."""
        if (profiles := self.node.get("profiles")) is None:
            return
        if not isinstance(profiles, List):
            self.note(profiles.place, 'profiles: expected a list; set "tags" by hand')
        tags = list(dict.fromkeys(self.texts(profiles)))
        members |= {"start": "manual"} if tags else {}
        for tag in [tag for tag in tags if not tag_is_valid(tag)] + tags[32:]:
            self.note(profiles.place, f"the profile {printable(tag)} is not converted; an agent has at most 32 "
                                      'tags of letters, digits, ".", "_" and "-"')
        if tags := [tag for tag in tags if tag_is_valid(tag)][:32]:
            members["tags"] = tags

    def convert_agent(self, members, services, healthy):
        node = self.node
        if folder := self.text(node, "working_dir"):
            members["workingDirectory"] = interpolated(folder, self.noter(folder.place))
        if node.get("stdin_open") == "true" or node.get("tty") == "true":
            members["stdin"] = "pipe"
        self.convert_environment(members)
        self.convert_restarts(members)
        self.convert_health(members, healthy)
        self.convert_dependencies(members, services)
        _, grace = self.duration(node, "stop_grace_period", 10 * SECOND, 0, HOUR)
        self.set_stop("stop_signal", self.fixed(node, "stop_signal", "SIGTERM"), grace)
        limit = self.limits if self.limits.get("memory") is not None else node
        key = "memory" if limit is self.limits else "mem_limit"
        memory = self.fixed(limit, key)
        if size := memory_size(memory):
            members["limits"] = {"memory": size}
        elif memory:
            self.note(limit.at(key), f'the memory limit {printable(memory)} is not converted; set "limits" '
                                     "by hand")

    def convert_environment(self, members):
        files = self.node.get("env_file")
        for file in files if isinstance(files, List) else [files] if files is not None else []:
            path = file.get("path") if isinstance(file, Map) else file
            if not isinstance(path, Text) or not path:
                self.note(self.node.at("env_file"), "expected the path of a file; add it by hand")
                continue
            path = interpolated(path, self.noter(path.place))
            is_optional = isinstance(file, Map) and file.get("required") == "false"
            members.setdefault("environmentFiles", []).append(
                {"file": path, "optional": True} if is_optional else path)
        variables = self.node.get("environment")
        pairs = [(name, value, variables.places[name]) for name, value in items(variables, Map).items()]
        for item in items(variables, List):
            name, equals, value = (item if isinstance(item, Text) else "").partition("=")
            pairs += [(name, value, item.place)] if equals else []
        # A name alone is the variable of rekindle, which agents have in any case.
        for name, value, place in pairs:
            if isinstance(value, str):
                value = interpolated(number_text(value), self.noter(place))
                self.set_variable(place, name, value)

    def convert_restarts(self, members):
        restart = self.fixed(self.node, "restart", "no")
        kind, _, most = restart.partition(":")
        members["ready"], members["policy"] = "now", {"type": "none"}
        if kind not in ("always", "unless-stopped", "on-failure"):
            if kind != "no":
                self.note(self.node.at("restart"), "restart: expected no, always, unless-stopped or "
                                                   f'on-failure, found "{printable(restart)}"')
            return
        is_limited = kind == "on-failure" and re.fullmatch("0*[1-9][0-9]{0,5}", most)
        # Docker doubles the delay from 100 ms to one minute and resets it after ten seconds.
        policy = {"type": "exponential", "initialDelay": "100ms", "maxDelay": "1m",
                  "maxRetries": int(most) if is_limited else "unlimited"}
        members["policy"] = policy_of(policy, kind != "on-failure", "10s")

    def convert_health(self, members, healthy):
        check = items(self.node.get("healthcheck"), Map)
        test = check.get("test")
        kind, *words = self.texts(test) or ["NONE"]
        if isinstance(test, Text):
            words = ["sh", "-c", interpolated(test, self.noter(test.place))]
        elif kind == "CMD-SHELL" and words:
            words = ["sh", "-c", words[0]]
        elif kind != "CMD" or not words or not words[0]:
            if kind != "NONE":
                self.note(check.at("test"), f'healthcheck: expected CMD, CMD-SHELL or NONE, found "{printable(kind)}"')
            return
        if check.get("disable") == "true":
            return
        interval, interval_text = self.duration(check, "interval", 30 * SECOND, 10 * MILLISECOND, DAY)
        timeout, timeout_text = self.duration(check, "timeout", 30 * SECOND, MILLISECOND, 20 * MINUTE)
        grace, grace_text = self.duration(check, "start_period", 0, 0, DAY)
        retries = self.whole("retries", self.fixed(check, "retries"), 3, 0, 10**9, check.place)
        misses = min(retries or 3, 1000)
        if check.get("start_interval") is not None:
            self.note(check.at("start_interval"), "start_interval is not converted; interval is used")
        is_restarted = members["policy"].get("maxRetries") == "unlimited"
        if is_restarted:
            members["health"] = [{"kind": "exec", "command": words, "interval": interval_text,
                                  "timeout": timeout_text, "misses": misses, "grace": grace_text}]
        if self.name in healthy:
            members["ready"] = {"kind": "probe", "probe": {
                "kind": "exec", "command": words, "interval": interval_text, "timeout": timeout_text}}
            # Until then, Docker reports that the container starts.
            unhealthy = min(grace, DAY) + misses * min(interval + timeout, DAY)
            members["policy"]["startTimeout"] = self.limited(
                "start_period", unhealthy if is_restarted else DAY, SECOND, DAY, check.place)
        self.note(check.place, "an unhealthy agent is restarted; Docker only reports it" if is_restarted else
                  "healthcheck is not converted to a probe, because an unhealthy agent would be killed but "
                  "not always restarted; Docker only reports it")

    def convert_dependencies(self, members, services):
        dependencies = self.node.get("depends_on")
        pairs = [(name, items(value, Map)) for name, value in items(dependencies, Map).items()]
        pairs += [(name, Map()) for name in items(dependencies, List) if isinstance(name, Text)]
        for name, node in pairs:
            place = node.place if node else getattr(name, "place", self.node.at("depends_on"))
            condition = self.text(node, "condition", "service_started")
            if condition not in LEVELS:
                self.note(place, "depends_on: expected service_started, service_healthy or "
                          f'service_completed_successfully, found "{printable(condition)}"; using service_started')
            service = services.get(name)
            if not service or not service.command:
                self.note(place, f"depends_on: {printable(name)} is not converted, because no agent was "
                                 "created for this service")
            for agent in service.agents if service and service.command else ():
                dependency = {"agent": agent.name, "until": LEVELS.get(condition, "started")}
                if node.get("restart") == "true":
                    dependency["onDown"] = "restart"
                members.setdefault("dependsOn", []).append(dependency)

    def note_others(self):
        deploy = items(self.node.get("deploy"), Map)
        resources = items(deploy.get("resources"), Map)
        for path, node, known in (("deploy", deploy, ("replicas", "resources")),
                                  ("deploy.resources", resources, ("limits",)),
                                  ("deploy.resources.limits", self.limits, ("memory",))):
            for key in node:
                if key not in known:
                    self.note(node.at(key), f"{path}.{printable(key)} is not converted; set it by hand")
        for key in self.node:
            advice = ADVICE.get(key, "set it by hand if it is needed")
            if key not in KNOWN and not key.startswith("x-") and advice:
                self.note(self.node.places[key], f"{printable(key)} is not converted; {advice}")


def convert(result, text, path, _read_text, _options):
    root = load(text)
    nodes = root.get("services") if isinstance(root, Map) else None
    if nodes is not None and not isinstance(nodes, Map):
        found = "an array" if isinstance(nodes, List) else f'"{printable(nodes)}"'
        raise Rejected(root.places["services"], f"services: expected a mapping, found {found}")
    nodes = items(nodes, Map)
    services = {name: Service(name, node, result, nodes) for name, node in nodes.items() if isinstance(node, Map)}
    for service in services.values():
        service.add()
    healthy = {name for node in nodes.values()
               for name, dependency in items(items(node, Map).get("depends_on"), Map).items()
               if items(dependency, Map).get("condition") == "service_healthy"}
    for service in services.values():
        service.convert(services, healthy)
    if isinstance(root, Map) and "include" in root:
        result.note(root.places["include"], None, "include is not converted; import each file, and list the "
                                                  'results in "include"')
    if "${" in text and os.path.isfile(os.path.join(os.path.dirname(path), ".env")):
        result.note(root.place, None, "the file .env is not read for variables; set them in the environment of "
                                      "`rekindle up`")
    return "a service"
