// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"

#include "cli/output/messages_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "hostconnection_p.h"
#include "json/nearestname.h"

#include <CLI/CLI.hpp>

#include <QHash>

namespace Rekindle {

namespace {

[[noreturn]] void refuseGroup(const QString &name, QStringList known, Messages &messages)
{
    known.sort(); // the keys of a hash
    QString what = didYouMean(name, known);
    if (what.isEmpty() && !known.isEmpty())
        what = QLatin1String("; known groups: ") + listed(known);
    messages.end(ExitCode::usage, QLatin1String("no group named ") + name + what);
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

QStringList AgentChoice::givenNames() const
{
    QStringList names;
    for (const std::string &each : m_names)
        names.append(QString::fromStdString(each));
    return names;
}

// The agents of these groups, also those in groups of the groups.
QStringList AgentChoice::groupMembers(HostConnection &host) const
{
    QHash<QString, QList<GroupStatus::Member>> members;
    const HostStatus status = host.result(host.client().listAgents());
    for (const GroupStatus &each : status.groups)
        members.insert(each.name, each.members);
    for (const QString &each : m_groups) {
        if (!members.contains(each))
            refuseGroup(each, members.keys(), host.messages());
    }
    QStringList groups = m_groups;
    QStringList agents;
    for (qsizetype i = 0; i < groups.size(); ++i) {                     // grows
        for (const GroupStatus::Member &each : members.take(groups[i])) // empty if taken before
            (each.group.isEmpty() ? agents : groups).append(each.agent + each.group);
    }
    return agents;
}

QJsonObject AgentChoice::list(HostConnection &host) const
{
    const QStringList agents = m_groups.isEmpty() ? givenNames() : groupMembers(host);
    QJsonObject result =
        host.request(QStringLiteral("agents.list"),
                     {{QStringLiteral("agents"), QJsonArray::fromStringList(agents)},
                      {QStringLiteral("tags"), QJsonArray::fromStringList(m_tags)}})
            .toObject();
    if (!m_tags.isEmpty() && result[QLatin1String("agents")].toArray().isEmpty())
        host.messages().end(ExitCode::usage,
                            QLatin1String("no agent has the tag ")
                                + m_tags.join(QLatin1String(" or ")));
    return result;
}

QStringList AgentChoice::names(HostConnection &host) const
{
    // Other supervisors use this name for all agents.
    const bool mayMeanAll = m_offersAll && m_names == std::vector<std::string>{"all"};
    if (!m_names.empty() && !mayMeanAll)
        return givenNames();
    if (!m_groups.isEmpty())
        return groupMembers(host);
    try {
        QStringList names;
        const auto chosen = fromJson<HostStatus>(list(host));
        for (const AgentStatus &each : chosen.agents)
            names.append(each.agent);
        return names;
    } catch (const CommandFailure &failure) {
        if (mayMeanAll && failure.exitCode == ExitCode::usage)
            host.messages().say(QStringLiteral("to select all agents, use --all"));
        throw;
    }
}

} // namespace Rekindle
