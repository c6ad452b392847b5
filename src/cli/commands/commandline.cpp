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

constexpr char programExamples[] =
    R"(Examples:
  rekindle run -- ./server --port 8080      supervise one program
  rekindle up agents.json                   supervise all agents of a file
  rekindle check agents.json                check a configuration
  rekindle plan default                     show the schedule of a restart policy
  rekindle history                          show recorded events
  rekindle explain web                      show why an agent was restarted or not
  rekindle mcp -- ./mcp-server              keep an MCP session open while its server restarts
  rekindle tools list -- ./mcp-server       list the tools of an MCP server
  rekindle license verify acme.license ...  verify a license file
  rekindle plugins                          list custom evaluators

Run `rekindle COMMAND --help` for the options of a command.

Exit codes:
  0   success
  64  usage
  78  invalid configuration
)";

// Replaces the parser's "--max-retries: At Most 1 required but received 2".
void parseInto(CLI::App &parser, std::vector<std::string> &&arguments)
{
    try {
        parser.parse(std::move(arguments));
    } catch (const CLI::ArgumentMismatch &error) {
        const std::string text = error.what();
        const std::size_t end = text.find(": At Most 1 required but received ");
        if (end == std::string::npos)
            throw;
        throw CLI::ValidationError(text.substr(0, end), "given more than once");
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

// A flag has no value, not even true or false.
void refuseValues(CLI::App &app)
{
    for (CLI::Option *option :
         app.get_options([](const CLI::Option *any) { return any->get_items_expected_max() == 0; }))
        option->disable_flag_override();
    for (CLI::App *below : app.get_subcommands([](const CLI::App *) { return true; }))
        refuseValues(*below);
}

// Replaces the parser's message about the value of a flag.
std::string faultText(const CLI::Error &error)
{
    const std::string text = error.what();
    const std::size_t end = text.find(" was given a disallowed flag override");
    return end == std::string::npos ? text : "--" + text.substr(0, end) + ": unexpected value";
}

// "--option=": the parser would use the next argument as the value.
bool lacksValue(const std::string &argument)
{
    return argument.rfind("--", 0) == 0 && argument.find('=') == argument.size() - 1;
}

std::vector<std::string> reversed(std::vector<std::string> arguments)
{
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

int executeSelected(CLI::App &parser, const std::vector<std::unique_ptr<Command>> &commands,
                    Messages &messages)
{
    const auto parsers = parser.get_subcommands({});
    for (std::size_t i = 0; i < parsers.size(); ++i) {
        if (parser.got_subcommand(parsers[i]))
            return commands[i]->execute(messages);
    }
    return ExitCode::usage;
}

} // namespace

Command::~Command() = default;

CommandGroup::CommandGroup(const char *name, const char *summary, const char *examples,
                           std::vector<std::unique_ptr<Command>> commands)
    : m_name(name)
    , m_summary(summary)
    , m_examples(examples)
    , m_commands(std::move(commands))
{
}

void CommandGroup::addTo(CLI::App &parser)
{
    m_parser = parser.add_subcommand(m_name, m_summary);
    m_parser->footer(m_examples);
    m_parser->require_subcommand(1);
    for (const std::unique_ptr<Command> &command : m_commands)
        command->addTo(*m_parser);
}

int CommandGroup::execute(Messages &messages)
{
    return executeSelected(*m_parser, m_commands, messages);
}

CommandLine::CommandLine(int argumentCount, char **arguments)
    : m_parser(std::make_unique<CLI::App>(
        "Supervises agents and restarts them by policy when they fail.", "rekindle"))
    , m_arguments(arguments + std::min(argumentCount, 1), arguments + argumentCount)
{
    // The arguments of the program must not be parsed.
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
    m_parser->footer(programExamples);
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
        return usageFault(*empty + ": missing value after '='");
    try {
        parseInto(*m_parser, reversed(m_arguments));
        const bool takesProgram = m_parser->got_subcommand("run") || m_parser->got_subcommand("mcp")
            || m_parser->got_subcommand("tools");
        if (m_program && !takesProgram)
            return usageFault("unexpected --; only run, mcp and tools accept a program");
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

// If no program follows, the -- before it may be missing.
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
    else if (command == "rekindle tools call") // the arguments before it may belong to the server
        example = "rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...]";
    return std::string("; specify the ") + (isRun ? "program" : "server") + " after --: " + example;
}

std::string CommandLine::commandName() const
{
    std::string command = "rekindle";
    // Subcommands can have subcommands.
    for (const CLI::App *app = m_parser.get(); !app->get_subcommands().empty();) {
        app = app->get_subcommands().front();
        command += ' ' + app->get_name();
    }
    return command;
}

int CommandLine::usageFault(const std::string &text) const
{
    const std::string command = commandName();
    std::cerr << command << ": " << text << "; see `" << command << " --help`\n";
    return ExitCode::usage;
}

int CommandLine::execute(Messages &messages)
{
    return executeSelected(*m_parser, m_commands, messages);
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
            throw CLI::ValidationError("missing " + what + "; specify it after --: " + example
                                       + " -- " + (what == "server" ? "SERVER" : "PROGRAM"));
    });
}

} // namespace Rekindle
