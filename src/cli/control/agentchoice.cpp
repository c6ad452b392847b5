// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"

#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "hostconnection_p.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

QJsonArray arrayOf(const std::vector<std::string> &names)
{
    QJsonArray array;
    for (const std::string &each : names)
        array.append(QString::fromStdString(each));
    return array;
}

} // namespace

CLI::Option *AgentChoice::addTo(CLI::App &parser, const std::string &description, Default choice)
{
    CLI::Option *const names = parser.add_option("AGENT", m_names, description);
    CLI::Option *const tags = addTagTo(parser, names);
    if (choice == Default::None)
        addAllTo(parser, names, tags);
    return names;
}

void AgentChoice::addSharedTo(CLI::App &parser, const std::string &description)
{
    m_offersShared = true;
    CLI::Option *const shared = addText(parser, "--shared", m_shared, description, "NAME");
    for (CLI::Option *const other : parser.get_options()) {
        if (other->get_name() == "AGENT" || other->get_name() == "--tag"
            || other->get_name() == "--all")
            shared->excludes(other);
    }
}

void AgentChoice::addOptionsTo(CLI::App &parser, const std::string &description)
{
    addTagTo(parser,
             parser.add_option("--agent", m_names, description)
                 ->expected(1)
                 ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                 ->allow_extra_args(false) // otherwise the parser reads [ab] as a list
                 ->type_name("AGENT"));
}

CLI::Option *AgentChoice::addTagTo(CLI::App &parser, CLI::Option *names)
{
    return addTexts(parser, "--tag", m_tags,
                    "Agents with this tag, instead of " + names->get_name() + "; can be repeated",
                    "TAG")
        ->excludes(names);
}

void AgentChoice::addAllTo(CLI::App &parser, CLI::Option *names, CLI::Option *tags)
{
    m_offersAll = true;
    parser.add_flag("--all", m_isAll, "All agents, instead of AGENT")
        ->excludes(names)
        ->excludes(tags);
    parser.final_callback([this] {
        if (m_names.empty() && !needsHost() && m_shared.isEmpty())
            throw CLI::RequiredError(m_offersShared ? "AGENT, --tag, --all or --shared"
                                                    : "AGENT, --tag or --all");
    });
}

std::optional<QJsonObject> AgentChoice::list(HostConnection &host) const
{
    QJsonObject params;
    if (!m_names.empty())
        params[QLatin1String("agents")] = arrayOf(m_names);
    if (!m_tags.isEmpty())
        params[QLatin1String("tags")] = QJsonArray::fromStringList(m_tags);
    const auto result = host.request(QStringLiteral("agents.list"), params);
    if (!result)
        return std::nullopt;
    const QJsonObject members = result->toObject();
    if (!m_tags.isEmpty() && members[QLatin1String("agents")].toArray().isEmpty()) {
        host.report(ExitCode::usage,
                    QLatin1String("no agent has the tag ") + m_tags.join(QLatin1String(" or ")));
        return std::nullopt;
    }
    return members;
}

std::optional<QJsonArray> AgentChoice::names(HostConnection &host) const
{
    // Other supervisors use this name for all agents.
    const bool mayMeanAll = m_offersAll && m_names == std::vector<std::string>{"all"};
    if (!m_names.empty() && !mayMeanAll)
        return arrayOf(m_names);
    const std::optional<QJsonObject> chosen = list(host);
    if (!chosen) {
        if (mayMeanAll && host.exitCode() == ExitCode::usage)
            host.say(QStringLiteral("to select all agents, use --all"));
        return std::nullopt;
    }
    QJsonArray names;
    for (const auto &each : chosen->value(QLatin1String("agents")).toArray())
        names.append(each.toObject()[QLatin1String("agent")]);
    return names;
}

} // namespace Rekindle
