// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

// What every command needs.
#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandtable_p.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Rekindle {

class CommandLine;

/// A subcommand: adds its options to the parser and is executed after parsing.
class Command
{
public:
    virtual ~Command();

    void setLine(const CommandLine &line) { m_line = &line; }

    /// Adds its options to its parser, which keeps references to this object.
    virtual void addOptions(CLI::App &command) = 0;

    /// Is called before the application object exists and before the first thread starts. Returns
    /// the exit code if nothing is left to execute.
    [[nodiscard]] virtual std::optional<int> prepare() { return {}; }

    /// Returns the exit code. Needs the application object.
    virtual int execute(Messages &messages) = 0;

protected:
    [[nodiscard]] const CommandLine &line() const { return *m_line; }

    /// The program and its arguments: those after `--`.
    [[nodiscard]] const std::optional<QStringList> &program() const;

    /// Expects a program after `--`: sets the usage, which the parser does not know, and checks
    /// that a program is given, unless it `isOptional`. `what` is "program" or "server".
    void expectProgram(CLI::App &command, const std::string &usage, const std::string &what,
                       const std::function<bool()> &isOptional = {}) const;

private:
    const CommandLine *m_line = nullptr;
};

using ExitCodes = std::vector<std::pair<int, const char *>>;

/// What the command line knows of a subcommand. It is in the file of the command.
struct CommandRow
{
    const char *name = nullptr; ///< with the name of its group: "license verify"
    const char *summary = nullptr;
    const char *help = nullptr; ///< description and examples
    /// The exit codes and their meanings. A command also has 0, 1 for a failed stdout, and 64,
    /// except those whose meaning here is null. 128 stands for 128 + N, the codes of signals.
    ExitCodes exitCodes{};
    const char *note = ""; ///< follows the exit codes
    std::unique_ptr<Command> (*make)() =
        nullptr; ///< null: a group, whose commands have their own rows
};

template<typename Type>
std::unique_ptr<Command> makeCommand()
{
    return std::make_unique<Type>();
}

/// The end of the help: description, examples, exit codes and note.
[[nodiscard]] std::string helpText(const CommandRow &row);

} // namespace Rekindle
