// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;

/// One subcommand: it says what it takes, and is executed once that was read.
class Command
{
public:
    virtual ~Command();

    /// Adds itself to the parser, which keeps references to this object.
    virtual void addTo(CLI::App &parser) = 0;

    /// Returns the exit code. Needs the application object.
    virtual int execute(Messages &messages) = 0;
};

/// What stands after `--`, as it is: a program and its arguments.
using ProgramArguments = std::optional<QStringList>;

/// Makes a command one that a program follows: its usage, for the parser does not know of what
/// stands after `--`, and a check that there is one, unless it `isOptional`. `what` is "program" or
/// "server".
void expectProgram(CLI::App &command, const ProgramArguments &program, const std::string &usage,
                   const std::string &what, const std::function<bool()> &isOptional = {});

/// The whole command line.
class CommandLine
{
public:
    CommandLine(int argumentCount, char **arguments);
    ~CommandLine();

    /// The exit code, if there is nothing to execute: help was asked for, or the usage is wrong.
    /// All that there is to say was said then.
    [[nodiscard]] std::optional<int> parse();

    [[nodiscard]] int execute(Messages &messages);

private:
    [[nodiscard]] static int show(const std::string &text);
    [[nodiscard]] std::string describeUnknown(const std::string &argument) const;
    [[nodiscard]] std::string separatorHint(const std::string &argument) const;
    [[nodiscard]] std::string commandName() const;
    [[nodiscard]] int usageFault(const std::string &text) const;

    std::unique_ptr<CLI::App> m_parser;
    std::vector<std::unique_ptr<Command>> m_commands;
    std::vector<std::string> m_arguments;
    ProgramArguments m_program;
};

/// Adds an option that takes a duration, such as "500ms".
void addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                 const std::string &description);

/// The same; it must be more than 0.
void addTimeLimit(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                  const std::string &description);

/// An option that takes a text, and not an empty one.
void addText(CLI::App &parser, const std::string &name, QString &target,
             const std::string &description, const std::string &typeName);

// One for each subcommand.
std::unique_ptr<Command> makeRunCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeMcpCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeToolsCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeUpCommand();
std::unique_ptr<Command> makeCheckCommand();
std::unique_ptr<Command> makePlanCommand();
std::unique_ptr<Command> makeLicenseCommand();
std::unique_ptr<Command> makeHistoryCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makePluginsCommand();

} // namespace Rekindle
