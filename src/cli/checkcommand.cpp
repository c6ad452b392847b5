// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"
#include "evaluatoroptions_p.h"
#include "exitcode_p.h"
#include "messages_p.h"

#include <rekindle/config/configuration.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "Each fault is a line on stderr: FILE:LINE:COLUMN: JSON-POINTER: what was found and what is\n"
    "allowed. Warnings, for example of a program that is not there, do not fail the check.\n"
    "With --json they are one array on stdout, empty where there is nothing to say, of\n"
    "{file, line, column, pointer, severity, message}; severity is error or warning, a line and\n"
    "column of 0 are unknown.\n"
    "\n"
    "Examples:\n"
    "  rekindle check agents.json\n"
    "  rekindle check agents.json && rekindle up agents.json\n"
    "  rekindle check agents.json --json | jq -r '.[].pointer'\n"
    "\n"
    "Exit codes: 0 fine, 64 usage, 78 the configuration has a fault.\n";

using Json = nlohmann::ordered_json;

QByteArray faultsJson(const QList<Fault> &faults, const QString &file)
{
    Json json = Json::array();
    for (const Fault &fault : faults) {
        json.push_back({{"file", file.toStdString()},
                        {"line", fault.line},
                        {"column", fault.column},
                        {"pointer", fault.path.toStdString()},
                        {"severity", fault.isError() ? "error" : "warning"},
                        {"message", fault.message.toStdString()}});
    }
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace))
        + '\n';
}

class CheckCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        CLI::App *command = parser.add_subcommand("check", "Find every fault of a configuration");
        command->footer(examples);
        command->add_option("CONFIG", m_path, "The configuration, a JSON file")->required();
        command->add_flag("--json", m_json, "Faults and warnings as a JSON array on stdout");
        addEvaluatorOption(*command, m_pluginFolders);
    }

    int execute(Messages &messages) override
    {
        const Parsed<Configuration> parsed = loadConfiguration(QString::fromStdString(m_path));
        if (m_json) {
            const bool printed =
                print(messages, faultsJson(parsed.faults + parsed.warnings, parsed.file));
            if (!parsed)
                return ExitCode::configuration;
            return printed ? ExitCode::fine : ExitCode::outputFailed;
        }
        messages.sayFaults(parsed.faults + parsed.warnings, parsed.file);
        if (!parsed)
            return ExitCode::configuration;
        const QList<Fault> faults = evaluatorFaults(*parsed.value, parsed.file, m_pluginFolders);
        messages.sayFaults(faults, parsed.file);
        if (hasErrors(faults))
            return ExitCode::configuration;
        const QString summary = QStringLiteral("%1: fine, %2 agents, %3 policies of its own\n")
                                    .arg(QString::fromStdString(m_path))
                                    .arg(parsed.value->agents.size())
                                    .arg(parsed.value->policies.size());
        return print(messages, summary.toLocal8Bit()) ? ExitCode::fine : ExitCode::outputFailed;
    }

private:
    std::string m_path;
    bool m_json = false;
    QStringList m_pluginFolders;
};

} // namespace

std::unique_ptr<Command> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace Rekindle
