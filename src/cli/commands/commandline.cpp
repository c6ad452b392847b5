// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"

#include "json/nearestname.h"

#include <rekindle/version.h>

#include <QFileInfo>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace Rekindle {

namespace {

constexpr char programExamples[] =
    R"(Examples:
  rekindle run -- ./server --port 8080      supervise one program
  rekindle up agents.json                   supervise all agents of a file
  rekindle mcp -- ./mcp-server              keep an MCP session open while its server restarts
  rekindle status                           show the agents of a running host

Exit codes:
  0   success
  64  usage

Run `rekindle COMMAND --help` for the options and the other exit codes of a command.
)";

#define REKINDLE_ADDRESS(name) &(name),
constexpr const CommandRow *commandRows[] = {REKINDLE_COMMANDS(REKINDLE_ADDRESS)};

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

// "all not in {json,none,text}" becomes "expected json, none or text, found "all"".
std::string expectedNamesText(const std::string &text, std::size_t foundAt)
{
    const std::string sign = " not in {";
    const auto end = text.rfind(sign);
    const QString names = QString::fromStdString(text.substr(end + sign.size()));
    QString expected = names.left(names.lastIndexOf(u'}'));
    if (const qsizetype last = expected.lastIndexOf(u','); last >= 0)
        expected.replace(last, 1, QLatin1String(" or "));
    expected.replace(u',', QLatin1String(", "));
    return text.substr(0, foundAt) + "expected " + expected.toStdString() + ", found \""
        + text.substr(foundAt, end - foundAt) + '"';
}

// Replaces the parser's "--max-retries: At Most 1 required but received 2" and its messages about
// the value of a flag and about a value that is not one of the permitted names.
std::string faultText(const CLI::Error &error)
{
    std::string text = error.what();
    if (const auto end = text.find(": At Most 1 required but received "); end != std::string::npos)
        return text.substr(0, end) + ": given more than once";
    if (const auto end = text.find(" was given a disallowed flag override");
        end != std::string::npos)
        return "--" + text.substr(0, end) + ": unexpected value";
    if (const auto found = text.find(": ");
        found != std::string::npos && text.rfind(" not in {") != std::string::npos)
        return expectedNamesText(text, found + 2);
    return text;
}

QStringList texts(char **begin, char **end)
{
    QStringList result;
    for (char **argument = begin; argument != end; ++argument)
        result.append(QString::fromUtf8(*argument));
    return result;
}

// "--option=": the parser would use the next argument as the value.
bool lacksValue(const std::string &argument)
{
    return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
}

} // namespace

Command::~Command() = default;

const std::optional<QStringList> &Command::program() const { return m_line->program(); }

void Command::expectProgram(CLI::App &command, const std::string &usage, const std::string &what,
                            const std::function<bool()> &isOptional) const
{
    command.formatter(std::make_shared<ProgramFormatter>(usage));
    const std::string example = usage.substr(0, usage.find(" ["));
    command.final_callback([this, what, example, isOptional] {
        if (isOptional && isOptional())
            return;
        if (!program() || program()->isEmpty() || program()->front().isEmpty())
            throw CLI::ValidationError("missing " + what + "; specify it after --: " + example
                                       + " -- " + (what == "server" ? "SERVER" : "PROGRAM"));
    });
}

std::string helpText(const CommandRow &row)
{
    std::map<int, const char *> codes;
    if (row.make != nullptr)
        codes = {{0, "success"}, {1, "stdout cannot be written"}, {64, "usage"}};
    for (const auto &[code, meaning] : row.exitCodes)
        codes[code] = meaning;
    const auto label = [](int code) {
        return code == ExitCode::bySignal(0) ? "128 + N" : std::to_string(code);
    };
    std::size_t width = 0;
    for (const auto &[code, meaning] : codes)
        width = std::max(width, label(code).size() + 2);
    std::string text = row.help;
    if (!codes.empty())
        text += "\nExit codes:\n";
    for (const auto &[code, meaning] : codes) {
        if (meaning == nullptr)
            continue;
        text += "  " + label(code) + std::string(width - label(code).size(), ' ');
        for (const char *next = meaning; *next != '\0'; ++next)
            text += *next == '\n' ? '\n' + std::string(width + 2, ' ') : std::string(1, *next);
        text += '\n';
    }
    return text + row.note;
}

CommandLine::CommandLine(int argumentCount, char **arguments)
    : m_parser(std::make_unique<CLI::App>(
          "Supervises agents and restarts them by policy when they fail.", "rekindle"))
    , m_arguments(arguments + std::min(argumentCount, 1))
    , m_argumentsEnd(arguments + argumentCount)
    , m_end(std::find(m_arguments, m_argumentsEnd, std::string_view("--")))
{
    // The arguments of the program must not be parsed.
    if (m_end != m_argumentsEnd)
        m_program = texts(m_end + 1, m_argumentsEnd);
    m_parser->set_version_flag("--version", "rekindle " REKINDLE_VERSION_STR, "Show the version");
    m_parser->set_help_flag("-h,--help", "Show this help");
    m_parser->require_subcommand(1);
    m_parser->footer(programExamples);
    for (const CommandRow *row : commandRows)
        add(*row);
    refuseValues(*m_parser);
    findServer();
}

void CommandLine::findServer()
{
    if (m_arguments == m_end || *m_arguments != std::string_view("mcp"))
        return;
    const CLI::App *const mcp = m_parser->get_subcommand("mcp");
    for (char **argument = m_arguments + 1; argument < m_end; ++argument) {
        const std::string_view word = *argument;
        if (word.substr(0, 1) != "-") {
            m_end = argument;
            m_program = texts(m_end, m_argumentsEnd);
            return;
        }
        const CLI::Option *const option = mcp->get_option_no_throw(std::string(word));
        if (option != nullptr && option->get_items_expected_max() > 0)
            ++argument; // its value
    }
}

void CommandLine::add(const CommandRow &row)
{
    const std::string words = row.name;
    const std::size_t space = words.find(' ');
    CLI::App *const parent = space == std::string::npos
        ? m_parser.get()
        : m_parser->get_subcommand(words.substr(0, space));
    CLI::App *const own = parent->add_subcommand(words.substr(space + 1), row.summary);
    own->footer(helpText(row));
    if (row.make == nullptr) {
        own->require_subcommand(1);
        return;
    }
    auto command = row.make();
    command->setLine(*this);
    command->addOptions(*own);
    m_commands.emplace_back(own, std::move(command));
}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse()
{
    char **const empty = std::find_if(m_arguments, m_end, lacksValue);
    if (empty != m_end)
        return usageFault(*empty + std::string(": missing value after '='"));
    try {
        // The parser expects the arguments in reverse order.
        m_parser->parse(std::vector<std::string>(std::reverse_iterator(m_end),
                                                 std::reverse_iterator(m_arguments)));
        if (m_program && !takesProgram())
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

bool CommandLine::takesProgram() const
{
    return m_parser->got_subcommand("run") || m_parser->got_subcommand("mcp")
        || m_parser->got_subcommand("tools");
}

std::string CommandLine::describeUnknown(const std::string &argument) const
{
    const CLI::App &command = parsedCommand();
    QStringList known;
    const auto withHint = [&](const char *kind) {
        return kind + argument + didYouMean(QString::fromStdString(argument), known).toStdString();
    };
    if (argument.starts_with('-')) {
        for (const CLI::Option *option : command.get_options()) {
            for (const std::string &name : option->get_lnames())
                known.append(QLatin1String("--") + QString::fromStdString(name));
        }
        return withHint("unknown option ");
    }
    for (const CLI::App *below : command.get_subcommands([](const CLI::App *) { return true; }))
        known.append(QString::fromStdString(below->get_name()));
    if (known.isEmpty())
        return "unexpected argument " + argument
            + (command.get_option_no_throw("--config") != nullptr
                       && QFileInfo::exists(QString::fromStdString(argument))
                   ? "; did you mean --config " + argument + "?"
                   : separatorHint(argument));
    known.append(QStringLiteral("--help"));
    if (command.get_parent() == nullptr)
        known.append(QStringLiteral("--version"));
    return withHint("unknown command ");
}

// If no program follows, the -- before it may be missing.
std::string CommandLine::separatorHint(const std::string &argument) const
{
    if (m_program || !takesProgram())
        return {};
    const std::string command = commandName();
    std::string example = command + " [OPTIONS] -- " + argument + " ...";
    if (command == "rekindle tools")
        example = "rekindle tools list [OPTIONS] -- " + argument + " ...";
    else if (command == "rekindle tools call") // the arguments before it may belong to the server
        example = "rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...]";
    return std::string("; specify the ") + (command == "rekindle run" ? "program" : "server")
        + " after --: " + example;
}

const CLI::App &CommandLine::parsedCommand() const
{
    const CLI::App *app = m_parser.get();
    // Subcommands can have subcommands.
    while (!app->get_subcommands().empty())
        app = app->get_subcommands().front();
    return *app;
}

std::string CommandLine::commandName() const
{
    std::string command;
    for (const CLI::App *app = &parsedCommand(); app != nullptr; app = app->get_parent()) {
        command.insert(0, app->get_name());
        if (app->get_parent() != nullptr)
            command.insert(0, " ");
    }
    return command;
}

int CommandLine::usageFault(const std::string &text) const
{
    const std::string command = commandName();
    std::cerr << command << ": " << text << "; see `" << command << " --help`\n";
    return ExitCode::usage;
}

CommandEntry CommandLine::tree() const { return commandTree(*m_parser); }

Command &CommandLine::selected() const
{
    return *std::find_if(m_commands.begin(), m_commands.end(), [](const auto &each) {
                return each.first->parsed();
            })->second;
}

} // namespace Rekindle
