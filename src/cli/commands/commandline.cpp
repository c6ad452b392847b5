// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/version.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <utility>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Examples:\n"
    "  rekindle run -- ./server --port 8080      supervise one program\n"
    "  rekindle tools list -- ./mcp-server       see and call the tools of an MCP server\n"
    "  rekindle up agents.json                   supervise all agents of a file\n"
    "  rekindle check agents.json                find every fault in a file\n"
    "  rekindle plan default                     show what a restart policy does\n"
    "  rekindle license verify acme.license ...  what a licence file is good for\n"
    "  rekindle history                          show what happened\n"
    "  rekindle explain web                      tell why an agent was restarted, or was not\n"
    "  rekindle plugins                          show the custom evaluators that are there\n"
    "\n"
    "Each command has its own --help. Exit codes: 0 fine, 64 usage, 78 configuration.\n";

// "--max-retries: At Most 1 required but received 2", says the parser.
void parseInto(CLI::App &parser, std::vector<std::string> &&arguments)
{
    try {
        parser.parse(std::move(arguments));
    } catch (const CLI::ArgumentMismatch &error) {
        const std::string text = error.what();
        const std::size_t end = text.find(": At Most 1 required but received ");
        if (end == std::string::npos)
            throw;
        throw CLI::ValidationError(text.substr(0, end), "found more than once, allowed once");
    }
}

class ProgramFormatter final : public CLI::Formatter
{
public:
    explicit ProgramFormatter(std::string usage)
        : m_usage(std::move(usage))
    {
    }

    std::string make_usage(const CLI::App *, std::string) const override
    {
        return "Usage: " + m_usage + "\n";
    }

private:
    std::string m_usage;
};

// A flag with a value is a mistake, whatever the value.
void refuseValues(CLI::App &app)
{
    for (CLI::Option *option :
         app.get_options([](const CLI::Option *any) { return any->get_items_expected_max() == 0; }))
        option->disable_flag_override();
    for (CLI::App *below : app.get_subcommands([](const CLI::App *) { return true; }))
        refuseValues(*below);
}

// The parser has no word of its own for that.
std::string faultText(const CLI::Error &error)
{
    const std::string text = error.what();
    const std::size_t end = text.find(" was given a disallowed flag override");
    return end == std::string::npos ? text
                                    : "--" + text.substr(0, end) + ": found a value, allowed none";
}

// "--option=": the parser would take the next word for its value.
bool lacksValue(const std::string &argument)
{
    return argument.rfind("--", 0) == 0 && argument.find('=') == argument.size() - 1;
}

std::vector<std::string> reversed(std::vector<std::string> arguments)
{
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

} // namespace

Command::~Command() = default;

CommandLine::CommandLine(int argumentCount, char **arguments)
    : m_parser(std::make_unique<CLI::App>("Keeps agents running: restarts what fails, by policy.",
                                          "rekindle"))
    , m_arguments(arguments + std::min(argumentCount, 1), arguments + argumentCount)
{
    // The parser must not touch what belongs to the program.
    const auto separator = std::find(m_arguments.begin(), m_arguments.end(), "--");
    if (separator != m_arguments.end()) {
        m_program.emplace();
        for (auto argument = separator + 1; argument != m_arguments.end(); ++argument)
            m_program->append(QString::fromStdString(*argument));
        m_arguments.erase(separator, m_arguments.end());
    }
    m_parser->set_version_flag("--version", "rekindle " REKINDLE_VERSION_STR, "Show the version");
    m_parser->set_help_flag("-h,--help", "Show this help");
    m_parser->require_subcommand(1);
    m_parser->footer(examples);
    m_commands.push_back(makeRunCommand(m_program));
    m_commands.push_back(makeMcpCommand(m_program));
    m_commands.push_back(makeToolsCommand(m_program));
    m_commands.push_back(makeUpCommand());
    m_commands.push_back(makeCheckCommand());
    m_commands.push_back(makePlanCommand());
    m_commands.push_back(makeLicenseCommand());
    m_commands.push_back(makeHistoryCommand());
    m_commands.push_back(makeExplainCommand());
    m_commands.push_back(makePluginsCommand());
    for (const std::unique_ptr<Command> &command : m_commands)
        command->addTo(*m_parser);
    refuseValues(*m_parser);
}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse()
{
    const auto empty = std::find_if(m_arguments.begin(), m_arguments.end(), lacksValue);
    if (empty != m_arguments.end())
        return usageFault(*empty + ": found nothing after the =, allowed a value");
    try {
        parseInto(*m_parser, reversed(m_arguments));
        const bool takesProgram = m_parser->got_subcommand("run") || m_parser->got_subcommand("mcp")
            || m_parser->got_subcommand("tools");
        if (m_program && !takesProgram)
            return usageFault("found --, which only run, mcp and tools take");
        return {};
    } catch (const CLI::CallForHelp &) {
        return show(m_parser->help());
    } catch (const CLI::CallForVersion &version) {
        return show(version.what() + std::string("\n"));
    } catch (const CLI::Error &error) {
        const std::vector<std::string> unknown = m_parser->remaining(true);
        return usageFault(unknown.empty() ? faultText(error) : describeUnknown(unknown.front()));
    }
}

int CommandLine::show(const std::string &text)
{
    const QString fault = writeToStdout(QByteArray::fromStdString(text));
    if (fault.isEmpty())
        return ExitCode::fine;
    std::cerr << "rekindle: " << fault.toLocal8Bit().toStdString() << '\n';
    return ExitCode::outputFailed;
}

std::string CommandLine::describeUnknown(const std::string &argument) const
{
    if (argument.rfind('-', 0) == 0)
        return "unknown option " + argument;
    if (m_parser->get_subcommands().empty())
        return "unknown command " + argument;
    return "unexpected argument " + argument + separatorHint(argument);
}

// Where a program is to follow and nothing does, it may be that only the -- is missing.
std::string CommandLine::separatorHint(const std::string &argument) const
{
    const bool isRun = m_parser->got_subcommand("run");
    if (m_program
        || (!isRun && !m_parser->got_subcommand("mcp") && !m_parser->got_subcommand("tools")))
        return {};
    const std::string command = commandName();
    std::string example = command + " [OPTIONS] -- " + argument + " ...";
    if (command == "rekindle tools")
        example = "rekindle tools list [OPTIONS] -- " + argument + " ...";
    else if (command == "rekindle tools call") // what came before it may have been the server
        example = "rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...]";
    return std::string("; the ") + (isRun ? "program" : "server")
        + " comes after --, as in: " + example;
}

std::string CommandLine::commandName() const
{
    std::string command = "rekindle";
    // Down to the innermost: a command may have commands of its own.
    for (const CLI::App *app = m_parser.get(); !app->get_subcommands().empty();) {
        app = app->get_subcommands().front();
        command += ' ' + app->get_name();
    }
    return command;
}

int CommandLine::usageFault(const std::string &text) const
{
    const std::string command = commandName();
    std::cerr << command << ": " << text << "; `" << command << " --help` shows what is allowed\n";
    return ExitCode::usage;
}

int CommandLine::execute(Messages &messages)
{
    const auto subcommands = m_parser->get_subcommands({});
    for (std::size_t i = 0; i < subcommands.size(); ++i) {
        if (m_parser->got_subcommand(subcommands[i]))
            return m_commands[i]->execute(messages);
    }
    return ExitCode::usage;
}

void expectProgram(CLI::App &command, const ProgramArguments &program, const std::string &usage,
                   const std::string &what, const std::function<bool()> &isOptional)
{
    command.formatter(std::make_shared<ProgramFormatter>(usage));
    const std::string example = usage.substr(0, usage.find(" ["));
    command.final_callback([&program, what, example, isOptional] {
        if (isOptional && isOptional())
            return;
        if (!program || program->isEmpty() || program->front().isEmpty())
            throw CLI::ValidationError("found no " + what + ", it comes after --, as in: " + example
                                       + " -- " + (what == "server" ? "SERVER" : "PROGRAM"));
    });
}

void addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                 const std::string &description)
{
    parser
        .add_option_function<std::string>(
            name,
            [&target, name](const std::string &text) {
                target = durationFromString(QString::fromStdString(text));
                if (!target) {
                    throw CLI::ValidationError(name,
                                               "found \"" + text
                                                   + "\", allowed a duration such as 500ms, 5s or "
                                                     "1m, at most 10000d");
                }
            },
            description)
        ->type_name("D");
}

void addTimeLimit(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                  const std::string &description)
{
    addDuration(parser, name, target, description);
    parser.get_option(name)->check(
        [](const std::string &text) {
            const std::optional<Duration> time = durationFromString(QString::fromStdString(text));
            return std::string(time && *time <= Duration{0} ? "found 0, allowed more than that"
                                                            : "");
        },
        "");
}

void addText(CLI::App &parser, const std::string &name, QString &target,
             const std::string &description, const std::string &typeName)
{
    parser
        .add_option_function<std::string>(
            name,
            [&target, name, typeName](const std::string &text) {
                if (text.empty())
                    throw CLI::ValidationError(name, "found nothing, allowed " + typeName);
                target = QString::fromStdString(text);
            },
            description)
        ->type_name(typeName);
}

} // namespace Rekindle
