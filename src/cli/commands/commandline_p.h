// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

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

/// A subcommand: adds its options to the parser and is executed after parsing.
class Command
{
public:
    virtual ~Command();

    /// Adds itself to the parser, which keeps references to this object.
    virtual void addTo(CLI::App &parser) = 0;

    /// Returns the exit code. Needs the application object.
    virtual int execute(Messages &messages) = 0;
};

/// A command with required subcommands: `rekindle license verify`.
class CommandGroup final : public Command
{
public:
    /// The texts are for --help and must be static.
    CommandGroup(const char *name, const char *summary, const char *examples,
                 std::vector<std::unique_ptr<Command>> commands);

    void addTo(CLI::App &parser) override;
    int execute(Messages &messages) override;

private:
    const char *const m_name;
    const char *const m_summary;
    const char *const m_examples;
    const std::vector<std::unique_ptr<Command>> m_commands;
    CLI::App *m_parser = nullptr;
};

/// The arguments after `--`: a program and its arguments.
using ProgramArguments = std::optional<QStringList>;

/// Makes a command expect a program after `--`: sets its usage, which the parser does not know, and
/// checks that a program is given, unless it `isOptional`. `what` is "program" or "server".
void expectProgram(CLI::App &command, const ProgramArguments &program, const std::string &usage,
                   const std::string &what, const std::function<bool()> &isOptional = {});

/// The whole command line.
class CommandLine
{
public:
    CommandLine(int argumentCount, char **arguments);
    ~CommandLine();

    /// Returns the exit code if there is no command to execute, after help or a usage error was
    /// printed.
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

// Those of `rekindle license`.
std::unique_ptr<Command> makeLicenseKeygenCommand();
std::unique_ptr<Command> makeLicenseIssueCommand();
std::unique_ptr<Command> makeLicenseVerifyCommand();

} // namespace Rekindle
