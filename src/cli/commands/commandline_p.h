// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/reference/commandtree_p.h"

#include <QString>
#include <QStringList>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

    /// Adds its options to its parser, which keeps references to this object.
    virtual void addOptions(CLI::App &command) = 0;

    /// Is called before the application object exists and before the first thread starts. Returns
    /// the exit code if nothing is left to execute.
    [[nodiscard]] virtual std::optional<int> prepare() { return {}; }

    /// Returns the exit code. Needs the application object.
    virtual int execute(Messages &messages) = 0;
};

/// A program and its arguments: those after `--`.
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

    /// All commands and options.
    [[nodiscard]] CommandEntry tree() const;

    /// The steps of the command; see Command.
    [[nodiscard]] std::optional<int> prepare();
    [[nodiscard]] int execute(Messages &messages);

private:
    [[nodiscard]] Command &selected() const;
    void add(CLI::App &parser, const char *name, const char *summary,
             std::unique_ptr<Command> command);
    /// Finds the server of `rekindle mcp`, which needs no `--` before it: some launchers of MCP
    /// servers remove it.
    void findServer();
    /// Adds a command with required subcommands: `rekindle license verify`.
    [[nodiscard]] CLI::App &addGroup(const char *name, const char *summary, const char *examples);
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
    ProgramArguments m_program;
};

// One for each subcommand.
std::unique_ptr<Command> makeRunCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeMcpCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeToolsListCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeToolsCallCommand(const ProgramArguments &program);
std::unique_ptr<Command> makeUpCommand();
std::unique_ptr<Command> makeCheckCommand();
std::unique_ptr<Command> makeInitCommand();
std::unique_ptr<Command> makeImportCommand();
std::unique_ptr<Command> makePlanCommand();
std::unique_ptr<Command> makeSimulateCommand();
std::unique_ptr<Command> makeReplayCommand();
std::unique_ptr<Command> makeLicenseKeygenCommand();
std::unique_ptr<Command> makeLicenseIssueCommand();
std::unique_ptr<Command> makeLicenseVerifyCommand();
std::unique_ptr<Command> makeHistoryCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makePluginsCommand();
std::unique_ptr<Command> makeHostsCommand();
std::unique_ptr<Command> makeStatusCommand();
std::unique_ptr<Command> makeTopCommand();
std::unique_ptr<Command> makeEventsCommand();
std::unique_ptr<Command> makeLogsCommand();
std::unique_ptr<Command> makeWaitCommand();
std::unique_ptr<Command> makeReloadCommand();
std::unique_ptr<Command> makeDownCommand();
std::unique_ptr<Command> makeControlMcpCommand();
std::unique_ptr<Command> makeControlStdioCommand();
std::unique_ptr<Command> makeCompletionCommand(std::function<CommandEntry()> tree);

/// A command that operates agents of a running host.
struct HostOperation
{
    const char *name = nullptr;
    const char *summary = nullptr;
    const char *method = nullptr; ///< of the control protocol
    const char *done = nullptr;   ///< what is printed for each agent
    bool isForBreaker = false;
    const char *awaited = nullptr; ///< the state for which --wait waits; null: not offered
    const char *help = nullptr;
};
extern const std::array<HostOperation, 7> hostOperations;
std::unique_ptr<Command> makeOperateCommand(const HostOperation &operation);

} // namespace Rekindle
