// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/reference/commandtree_p.h"
#include "command_p.h"

namespace Rekindle {

/// The whole command line.
class CommandLine
{
public:
    CommandLine(int argumentCount, char **arguments);
    ~CommandLine();

    /// Returns the exit code if there is no command to execute, after help or a usage error was
    /// printed.
    [[nodiscard]] std::optional<int> parse();

    /// All commands and options.
    [[nodiscard]] CommandEntry tree() const;

    /// The program and its arguments: those after `--`.
    [[nodiscard]] const std::optional<QStringList> &program() const { return m_program; }

    /// The command that was given.
    [[nodiscard]] Command &selected() const;

private:
    void add(const CommandRow &row);
    /// Finds the server of `rekindle mcp`, which needs no `--` before it: some launchers of MCP
    /// servers remove it.
    void findServer();
    [[nodiscard]] static int show(const std::string &text);
    [[nodiscard]] bool takesProgram() const;
    [[nodiscard]] std::string describeUnknown(const std::string &argument) const;
    [[nodiscard]] std::string separatorHint(const std::string &argument) const;
    /// The command that was given, as far as it is known.
    [[nodiscard]] const CLI::App &parsedCommand() const;
    [[nodiscard]] std::string commandName() const;
    [[nodiscard]] int usageFault(const std::string &text) const;

    std::unique_ptr<CLI::App> m_parser;
    std::vector<std::pair<CLI::App *, std::unique_ptr<Command>>> m_commands;
    char **const m_arguments;
    char **const m_argumentsEnd;
    char **m_end; ///< without the program
    std::optional<QStringList> m_program;
};

} // namespace Rekindle
