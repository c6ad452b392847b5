# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
"""Converts an ecosystem file of pm2; node evaluates JavaScript."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess

from output import DAY, HOUR, MILLISECOND, SECOND, Failed, Place, Rejected, Source, policy_of, printable, say
from words import literal, memory_size, runs_without_shell

MOST_INSTANCES = 1000
MOST_SECONDS = 15  # for a file that waits; the limit of CPU time also applies to node
UNITS = {"": 1e-3, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}
INTERPRETERS = {".sh": "bash", ".rb": "ruby", ".php": "php", ".pl": "perl", ".js": "node",
                ".cjs": "node", ".mjs": "node", ".coffee": "coffee", ".ls": "lsc", ".ts": "bun", ".tsx": "bun"}
OUT, ERROR = ("out_file", "output", "out", "out_log"), ("error_file", "error", "err", "err_file", "err_log")
KNOWN = (*OUT, *ERROR, *"""script exec cmd command name cwd args interpreter exec_interpreter node_args
    interpreter_args instances exec_mode env increment_var instance_var port uid user gid kill_timeout
    max_memory_restart autorestart autostart max_restarts min_uptime restart_delay exp_backoff_restart_delay
    stop_exit_codes merge_logs combine_logs log_file log disable_logs""".split())
WRITE_TIME, CRON = "let the program write the time", "run `rekindle restart NAME` from cron"
ADVICE = dict.fromkeys("""ignore_watch watch_delay watch_options namespace vizion source_map_support pmx
    disable_source_map_support force treekill automation pid_file pid windowsHide""".split(), "") | {
    "watch": 'set "watch" by hand', "cron_restart": CRON, "cron": CRON,
    "wait_ready": 'print a line when the program is ready, and use "ready" with "line"',
    "listen_timeout": 'set "startTimeout" of the policy if you use "ready"',
    "log_date_format": WRITE_TIME, "time": WRITE_TIME, "log_type": "let the program write JSON",
    "shutdown_with_message": "handle SIGINT in the program",
    "node_version": 'set "program" to the path of this version'}
# The file may print to stdout, which is for the configuration.
EVALUATE = """
const fs = require("fs"), file = process.argv[1];
process.stdout.write = process.stderr.write.bind(process.stderr);
const fail = error => { fs.writeSync(2, String(error) + "\\n"); process.exit(1); };
const write = value => {
  const text = JSON.stringify(value) ?? "null";
  for (let at = 0; at < text.length; at += 16384) fs.writeSync(1, text.slice(at, at + 16384));
  process.exit(0);
};
const asModule = () => import(require("url").pathToFileURL(file).href);
const asObject = () => require("vm").runInThisContext("(" + fs.readFileSync(file, "utf8").replace("\\ufeff", "") + ")");
new Promise(done => done(file.endsWith(".mjs") ? asModule() : /[.]c?js$/.test(file) ? require(file) : asObject()))
  .catch(error => /[.]js$/.test(file) && (error.code === "ERR_REQUIRE_ESM" || error instanceof SyntaxError) ?
    asModule() : fail(error))
  .then(value => write(value.default ?? value)).catch(fail);
"""


def evaluate(path, options):
    if options.no_eval:
        raise Failed(f"{path}: --no-eval prevents node from evaluating this file; print its object as JSON, "
                     "and import that file", 78)
    if not shutil.which("node"):
        raise Failed(f"{path}: node, which evaluates this file, was not found; install the Debian package nodejs", 69)
    say(f"{path}: node evaluates this file, as pm2 does")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    try:
        run = subprocess.run(
            ["node", "--max-old-space-size=256", "-e", EVALUATE, os.path.abspath(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=MOST_SECONDS, check=False,
            cwd=os.path.dirname(path) or ".",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (hard, hard)))
        used_up = run.returncode == -signal.SIGXCPU
    except subprocess.TimeoutExpired:
        used_up = True
    if used_up:
        raise Failed(f"{path}: node did not evaluate this file in time", 78)
    if run.returncode:
        raise Rejected(Place(), "expected JavaScript that node can evaluate; see the error of node")
    return json.loads(run.stdout)


def scalar(value):
    """A text, number or boolean as text; otherwise None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, (str, int, float)) else None


def words_of(value):
    """Splits a text as pm2 does."""
    if isinstance(value, list):
        return [scalar(item) or "" for item in value]
    pattern = r"""[^\s"'=]+="[^"]*"|[^\s"'=]+='[^']*'|"[^"]*"|'[^']*'|\S+"""
    words = [match[0] for match in re.finditer(pattern, scalar(value) or "")]
    words = [word[1:-1] if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0] else word for word in words]
    return [word for word in words if word.strip()]


class App(Source):
    def __init__(self, node, result, folder):
        super().__init__(result)
        self.node, self.folder = node, folder
        self.place = getattr(node, "place", Place())
        self.script, self.cwd = self.text("script", "exec", "cmd", "command"), self.text("cwd")

    def at(self, key):
        return self.node.at(key) if hasattr(self.node, "at") and key in self.node else self.place

    def get(self, *keys):
        return next((self.node[key] for key in keys if self.node.get(key) is not None), None)

    def text(self, *keys):
        return scalar(self.get(*keys)) or ""

    def duration(self, key, standard):
        return self.span(key, self.text(key), UNITS, standard)

    def convert(self):
        count = self.text("instances") or "1"
        instances = int(count) if re.fullmatch("[0-9]{1,4}", count) else 0
        name = self.text("name") or os.path.splitext(os.path.basename(self.script))[0]
        is_known = 1 <= instances <= MOST_INSTANCES
        for instance in range(instances if is_known else 1):
            self.agent = self.result.add(name if instances <= 1 or not is_known else f"{name}-{instance}", self.place)
            if instance == 0 and not is_known:
                self.note("instances", f"instances={printable(count)} depends on the machine; one agent is "
                                       "added, copy it as needed")
            self.convert_instance(self.agent.members, instance, instances)
            self.result.done(self.agent, self.place)
            if instance == 0:
                self.note_others()

    def convert_instance(self, members, instance, instances):
        interpreter = self.convert_command()
        members["workingDirectory"] = literal(self.cwd) or "."
        for member, keys in (("user", ("uid", "user")), ("group", ("gid",))):
            if self.text(*keys):
                members[member] = self.text(*keys)
        self.convert_environment(members, instance, interpreter)
        members["stdin"] = "pipe"
        self.convert_restarts(members)
        self.convert_outputs(members, instance if instances > 1 else None)
        self.set_stop("signal", "SIGINT", self.limited(
            "kill_timeout", self.duration("kill_timeout", 1600 * MILLISECOND), 0, HOUR))
        memory = self.text("max_memory_restart")
        if size := memory_size(memory):
            members["recycle"] = {"memory": size}
        elif memory:
            self.note("max_memory_restart", f"max_memory_restart={printable(memory)} is not converted; set "
                                            '"recycle" by hand')
        mode = self.text("exec_mode") or ("cluster" if os.path.basename(interpreter).endswith(("node", "bun")) else "")
        if mode.startswith("cluster") and instances > 1:
            self.note("exec_mode", "exec_mode=cluster: the agents are separate processes; give each its own "
                                   "port, or set SO_REUSEPORT")

    def convert_command(self):
        """Returns the interpreter."""
        script, interpreter = self.script, self.text("exec_interpreter", "interpreter")
        path = os.path.join(self.folder, self.cwd, script)
        extension, options, args = os.path.splitext(script)[1], words_of(self.get("node_args", "interpreter_args")), \
            words_of(self.get("args"))
        if not script:
            self.note("script", "script is missing; add the agent by hand")
            return ""
        if " " in script:
            self.set_command("script", ["bash", "-c", literal(script)])
            return "bash"
        if not interpreter and extension == ".py":
            interpreter = "python" if shutil.which("python") else "python3"
        elif not interpreter and extension in INTERPRETERS:
            interpreter = INTERPRETERS[extension]
        elif not interpreter and os.path.isfile(path):
            with open(path, "rb") as file:
                interpreter = "none" if b"\0" in file.read(512) else "node"
        elif not interpreter and not shutil.which(script):
            self.note("script", f"{printable(script)} was not found; pm2 runs a script without a known extension "
                                "with node")
        if interpreter.startswith("node@"):
            self.note("interpreter", f"interpreter={printable(interpreter)}: the version is not converted; set "
                                     '"program" to the path of this version')
            interpreter = "node"
        if interpreter not in ("", "none"):
            words = [interpreter, *options, script, *args]
        elif os.path.isfile(path):
            program = os.path.join(self.cwd, script)
            program = program if "/" in program else f"./{program}"
            words = [*([] if runs_without_shell(path, "") else ["sh"]), program, *args]
        else:
            words = [script, *args]
        self.set_command("script", list(map(literal, words)))
        return interpreter

    def convert_environment(self, members, instance, interpreter):
        variables = self.get("env")
        variables = dict(variables) if isinstance(variables, dict) else {}
        if self.text("port"):
            variables["PORT"] = self.text("port")
        if "python" in interpreter:
            variables["PYTHONUNBUFFERED"] = "1"
        if name := self.text("increment_var"):
            first = scalar(variables.get(name)) or ""
            variables[name] = str((int(first) if re.fullmatch("[0-9]{1,9}", first) else 0) + instance)
        variables[self.text("instance_var") or "NODE_APP_INSTANCE"] = str(instance)
        for name, value in variables.items():
            if value is not None:
                text = scalar(value)
                text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) if text is None else text
                self.set_variable("env", name, literal(text))

    def convert_restarts(self, members):
        members["ready"] = "now"
        if self.text("autostart") == "false":
            members["start"] = "manual"
        if self.text("autorestart") == "false":
            members["policy"] = {"type": "none"}
            return
        restarts = max(self.whole("max_restarts", self.text("max_restarts"), 16, 0, 1_000_000) - 1, 0)
        growing, fixed = self.duration("exp_backoff_restart_delay", 0), self.duration("restart_delay", 0)
        stable = self.duration("min_uptime", SECOND)
        if growing:
            # pm2 multiplies the delay by 1.5 up to 15 s, and resets it after 30 s.
            stable = 30 * SECOND
            first = self.limited("exp_backoff_restart_delay", growing, MILLISECOND, 15 * SECOND)
            policy = {"type": "exponential", "initialDelay": first, "multiplier": 1.5, "maxDelay": "15s"}
        elif fixed:
            policy = {"type": "stepped", "steps": [self.limited("restart_delay", fixed, MILLISECOND, 7 * DAY)]}
        else:
            policy = {"type": "immediate"}
        policy["maxRetries"] = "unlimited" if growing and "max_restarts" not in self.node else restarts
        members["policy"] = policy_of(policy, True, self.limited("min_uptime", stable, MILLISECOND, DAY))
        codes = self.get("stop_exit_codes")
        codes = [scalar(code) for code in (codes if isinstance(codes, list) else [codes]) if code is not None]
        if "0" in codes:
            members["policy"]["restartOn"] = "failure"
        if codes and codes != ["0"]:
            self.note("stop_exit_codes", "stop_exit_codes: only 0 is converted; make the program exit with 0")

    def convert_outputs(self, members, instance):
        """The combined log replaces outputs that have no file of their own."""
        log = self.text("log_file", "log")
        log = "" if log in ("NULL", "/dev/null", "true", "false") else log
        for stream, keys in (("stdout", OUT), ("stderr", ERROR)):
            file = self.text(*keys)
            if self.text("disable_logs") == "true":
                file = "NULL"
            elif log and file not in ("", "NULL", "/dev/null"):
                self.note("log_file", "the combined log is not written; the lines are in the files of stdout and stderr")
            else:
                file = log or file
            if file in ("NULL", "/dev/null"):
                members[stream] = "null"
            elif file:
                base, extension = os.path.splitext(file)
                if instance is not None and self.text("merge_logs", "combine_logs") != "true":
                    file = f"{base}-{instance}{extension}"
                home = file.startswith("~")
                file = os.path.join(self.cwd, file) if not home and not os.path.isabs(file) else file
                members[stream] = {"file": "${userHome}" + literal(file[1:]) if home else literal(file)}

    def note_others(self):
        for key, value in self.node.items():
            text = ADVICE.get(key, "Rekindle has no such setting")
            if key.startswith("env_"):
                text = 'set "environment" or "environmentFiles" in a second configuration'
            if key not in KNOWN and text and scalar(value) != "false":
                self.note(key, f"{printable(key)} is not converted; {text}")


def convert(result, text, path, _read_text, options):
    extension = os.path.splitext(path)[1]
    if extension in (".yml", ".yaml"):
        from yamlfile import load
        root = load(text)
    else:
        try:
            root = json.loads(text)
        except (ValueError, RecursionError):  # pm2 also reads other JSON as JavaScript
            root = evaluate(path, options)
    if "\\u0000" in json.dumps(root):
        raise Rejected(Place(), "expected text, found a null character")
    apps = root.get("apps", root.get("pm2", root)) if isinstance(root, dict) else root
    for app in apps if isinstance(apps, list) else [apps]:
        if isinstance(app, dict):
            App(app, result, os.path.dirname(path)).convert()
    if isinstance(root, dict) and "deploy" in root:
        place = root.places["deploy"] if hasattr(root, "places") else Place()
        result.note(place, None, "deploy is not converted; Rekindle does not deploy")
    return "apps"
