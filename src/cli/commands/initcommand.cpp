// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/durablefile_p.h"
#include "command_p.h"

namespace Rekindle {

namespace {

constexpr char configuration[] =
    R"(// A configuration of Rekindle. Relative paths are relative to the folder of this file, but the
// default of workingDirectory is the folder in which `rekindle` was started.
// `rekindle check FILE` validates it, `rekindle up FILE` starts the agents.
// docs/configuration.md (installed in share/doc/rekindle) describes every key.
{
  // For editors:
  // "$schema": "/usr/share/rekindle/schema/rekindle.schema.json",

  // Other configurations whose agents are added:
  // "include": ["conf.d/*.json"],

  // Restart policies by name. `rekindle plan patient --config FILE` shows the schedule.
  "policies": {
    "patient": {
      "type": "exponential",   // or none, immediate, linear, stepped, custom
      "initialDelay": "1s",    // doubles with each restart ...
      "maxDelay": "1m",        // ... up to this delay
      "maxRetries": 10,        // then the agent is given up; or "unlimited"
      "stableAfter": "60s",    // after this time without a failure, delays begin at
                               // initialDelay again
      // After 5 failures in a row, no restart for 2 minutes; or "off".
      "circuitBreaker": { "threshold": 5, "timeout": "2m" },
    },
  },

  // At most 8 agents start at the same time, and 50 per second:
  // "governor": { "maxStarting": 8, "rate": "50/s" },

  // Keys that all agents have in common. Each agent can override them.
  "defaults": {
    "policy": "patient",       // or a preset, such as "systemd" or "kubernetes"
    // A file with lines NAME=VALUE, for example for passwords.
    "environmentFiles": [{ "file": ".env", "optional": true }],
  },

  "agents": [
    {
      "name": "example",
      "kind": "process",
      "tags": ["demo"],        // for `rekindle stop --tag demo` and other commands
      "program": "sh",         // a name in PATH, or a path if it contains a "/"
      "arguments": ["-c", "echo started on port $PORT; while sleep 5; do date; done"],
      "environment": { "PORT": "${PORT:-8000}" }, // from the environment of rekindle
      // "workingDirectory": "data",

      // When a start has succeeded: "alive" (after 1 s), "notify", or when the agent prints a
      // matching line:
      "ready": { "kind": "line", "pattern": "^started" },

      // SIGTERM; SIGKILL if the agent has not exited after this time:
      "stop": { "terminate": "10s" },

      // Checks of the running agent. It is restarted after three probe failures:
      // "health": [{ "kind": "http", "url": "http://127.0.0.1:8000/" }],

      // Start it only when another agent is ready:
      // "dependsOn": ["database"],

      // Restart the agent when a file changes:
      // "watch": ["src/**/*.py"],

      // Append the output to a file instead of showing it:
      // "stdout": { "file": "example.log" },
    },
  ],
}
)";

class InitCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.add_option("FILE", m_path, "File to write (default: agents.jsonc)");
    }

    int execute(Messages &messages) override
    {
        const QString path = QString::fromStdString(m_path);
        if (path.isEmpty())
            return messages.fail(ExitCode::usage,
                                 QStringLiteral("init: expected a file name, found an empty one"));
        const QString fault = createFile(path, configuration, byUmask);
        if (!fault.isEmpty())
            return messages.fail(ExitCode::cannotCreate, path + QLatin1String(": ") + fault);
        return print(messages,
                     QStringLiteral("%1: created; run `rekindle check %1` and `rekindle up %1`\n")
                         .arg(path)
                         .toLocal8Bit());
    }

private:
    std::string m_path = "agents.jsonc";
};

} // namespace

const CommandRow initCommand{
    .name = "init",
    .summary = "Write a configuration with comments",
    .help =
        R"(Writes a configuration with one agent, and with comments that explain the usual keys. An existing
file is never changed. The extension .jsonc makes editors accept comments; other extensions also
work.

Examples:
  rekindle init
  rekindle init site.jsonc && rekindle check site.jsonc && rekindle up site.jsonc
)",
    .exitCodes = {{73, "the file already exists or cannot be created"}},
    .make = makeCommand<InitCommand>,
};

} // namespace Rekindle
