// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"

#include "cli/output/exitcode_p.h"
#include "hostconnection_p.h"
#include "policy/internal/texthelpers.h"
#include "json/nearestname.h"

#include <CLI/CLI.hpp>

#include <QHash>

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
    addSetsTo(parser, names);
    if (choice == Default::None)
        addAllTo(parser);
    return names;
}

void AgentChoice::addSharedTo(CLI::App &parser, const std::string &description)
{
    m_offersShared = true;
    CLI::Option *const shared = addText(parser, "--shared", m_shared, description, "NAME");
    for (const char *const other : {"AGENT", "--tag", "--group", "--all"})
        shared->excludes(parser.get_option(other));
}

void AgentChoice::addOptionsTo(CLI::App &parser, const std::string &description)
{
    addSetsTo(parser,
              parser.add_option("--agent", m_names, description)
                  ->expected(1)
                  ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                  ->allow_extra_args(false) // otherwise the parser reads [ab] as a list
                  ->type_name("AGENT"));
}

void AgentChoice::addSetsTo(CLI::App &parser, CLI::Option *names)
{
    const std::string instead = ", instead of " + names->get_name() + "; can be repeated";
    CLI::Option *const tags =
        addTexts(parser, "--tag", m_tags, "Agents with this tag" + instead, "TAG");
    CLI::Option *const groups =
        addTexts(parser, "--group", m_groups, "Agents in this group" + instead, "NAME");
    tags->excludes(names);
    groups->excludes(names)->excludes(tags);
}

void AgentChoice::addAllTo(CLI::App &parser)
{
    m_offersAll = true;
    CLI::Option *const all = parser.add_flag("--all", m_isAll, "All agents, instead of AGENT");
    for (const char *const other : {"AGENT", "--tag", "--group"})
        all->excludes(parser.get_option(other));
    parser.final_callback([this, &parser] {
        if (!m_names.empty() || needsHost() || !m_shared.isEmpty())
            return;
        // The other options select agents of a running host.
        const CLI::Option *const store = parser.get_option_no_throw("--store");
        if (store != nullptr && store->count() > 0)
            throw CLI::RequiredError("AGENT");
        throw CLI::RequiredError(m_offersShared ? "AGENT, --tag, --group, --all or --shared"
                                                : "AGENT, --tag, --group or --all");
    });
}

// The agents of these groups, also those in groups of the groups. Nothing after an error.
std::optional<QJsonArray> AgentChoice::groupMembers(HostConnection &host) const
{
    const auto result = host.request(QStringLiteral("agents.list"));
    if (!result)
        return std::nullopt;
    QHash<QString, QJsonArray> members;
    for (const auto &each : (*result)[QLatin1String("groups")].toArray())
        members.insert(textIn(each.toObject(), "name"), each[QLatin1String("members")].toArray());
    for (const QString &each : m_groups) {
        if (!members.contains(each)) {
            host.report(ExitCode::usage,
                        QLatin1String("no group named ") + each + didYouMean(each, members.keys()));
            return std::nullopt;
        }
    }
    QStringList groups = m_groups;
    QJsonArray agents;
    for (qsizetype i = 0; i < groups.size(); ++i) {        // grows
        for (const auto &each : members.take(groups[i])) { // empty if it was taken before
            const QJsonObject member = each.toObject();
            if (const QString group = textIn(member, "group"); !group.isEmpty())
                groups.append(group);
            else
                agents.append(textIn(member, "agent"));
        }
    }
    return agents;
}

std::optional<QJsonObject> AgentChoice::list(HostConnection &host) const
{
    QJsonObject params;
    if (!m_groups.isEmpty()) {
        const std::optional<QJsonArray> members = groupMembers(host);
        if (!members)
            return std::nullopt;
        params[QLatin1String("agents")] = *members;
    }
    if (!m_names.empty())
        params[QLatin1String("agents")] = arrayOf(m_names);
    if (!m_tags.isEmpty())
        params[QLatin1String("tags")] = QJsonArray::fromStringList(m_tags);
    const auto result = host.request(QStringLiteral("agents.list"), params);
    if (!result)
        return std::nullopt;
    if (!m_tags.isEmpty() && (*result)[QLatin1String("agents")].toArray().isEmpty()) {
        host.report(ExitCode::usage,
                    QLatin1String("no agent has the tag ") + m_tags.join(QLatin1String(" or ")));
        return std::nullopt;
    }
    return result->toObject();
}

std::optional<QJsonArray> AgentChoice::names(HostConnection &host) const
{
    // Other supervisors use this name for all agents.
    const bool mayMeanAll = m_offersAll && m_names == std::vector<std::string>{"all"};
    if (!m_names.empty() && !mayMeanAll)
        return arrayOf(m_names);
    if (!m_groups.isEmpty())
        return groupMembers(host);
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
