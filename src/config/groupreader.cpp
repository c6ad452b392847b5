// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groupreader_p.h"

#include "agentnames_p.h"

#include <rekindle/policy/validation.h>

#include <QHash>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr std::size_t mostGroups = 1000;

void readName(JsonObjectReader &object, QString &name, QStringList &faulty)
{
    const auto place = object.required("name");
    const auto text = place ? place->text() : std::nullopt;
    const auto fault = nameFault(text.value_or(QString()));
    name = fault ? QString() : *text;
    if (fault)
        faulty.append(QStringLiteral("/name"));
    if (fault && text)
        place->fault(*fault);
}

} // namespace

std::optional<AgentOrGroup>
readAgentOrGroup(const JsonPlace &place, const std::function<void(JsonObjectReader &)> &readOthers)
{
    if (!place.isString() && !place.isObject()) {
        place.mismatch(R"(a name, {"agent": NAME} or {"group": NAME})");
        return std::nullopt;
    }
    std::optional<JsonPlace> name = place;
    bool isGroup = false;
    if (place.isObject()) {
        JsonObjectReader object(place);
        name = object.member("agent");
        if (const auto group = object.member("group")) {
            if (name) {
                group->faultAtName(R"(expected "agent" or "group", found both)");
                return std::nullopt;
            }
            name = group;
            isGroup = true;
        }
        if (!name)
            place.at("/agent").fault(R"(missing; expected "agent" or "group")");
        readOthers(object);
        object.finish();
    }
    const std::optional<QString> text = name ? name->textNotEmpty() : std::nullopt;
    return text ? std::optional(AgentOrGroup{*name, *text, isGroup}) : std::nullopt;
}

void GroupReader::read(const std::vector<JsonPlace> &groups)
{
    for (const JsonPlace &item : groups) {
        if (m_entries.size() >= mostGroups) {
            item.fault(QStringLiteral("expected at most %1 groups, found more").arg(mostGroups));
            return;
        }
        m_groups.append(readOne(m_entries.emplace_back(Entry{item, {}, {}})));
    }
}

GroupDefinition GroupReader::readOne(Entry &entry)
{
    GroupDefinition group;
    JsonObjectReader object(entry.place);
    readName(object, group.name, entry.faulty);
    object.read("strategy", group.strategy, groupStrategies);
    readMembers(object, entry, group);
    object.nested("intensity", [&group](JsonObjectReader &reader) {
        reader.read("restarts", group.maxRestarts, 0, GroupDefinition::highestMaxRestarts);
        reader.read("period", group.period, GroupDefinition::shortestPeriod,
                    GroupDefinition::longestTime);
    });
    object.read("onGiveUp", group.onGiveUp, onGiveUpNames);
    object.read("autoShutdown", group.autoShutdown, autoShutdowns);
    object.readUnless("off", "rearmAfter", group.rearmAfter, GroupDefinition::shortestRearmAfter,
                      GroupDefinition::longestTime);
    object.finish();
    return group;
}

void GroupReader::readMembers(JsonObjectReader &object, Entry &entry, GroupDefinition &group)
{
    const auto place = object.required("members");
    const auto items = place ? place->items() : std::nullopt;
    if (!items) {
        entry.faulty.append(QStringLiteral("/members"));
        return;
    }
    for (const JsonPlace &item : *items) {
        GroupMember member;
        const auto found = readAgentOrGroup(item, [&member](JsonObjectReader &reader) {
            reader.read("significant", member.significant);
        });
        if (!found)
            entry.faulty.append(QStringLiteral("/members/%1").arg(group.members.size()));
        member.name = found ? found->name : QString();
        member.isGroup = found && found->isGroup;
        group.members.append(member);
        entry.members.push_back(found);
    }
}

void GroupReader::check(const QList<AgentDefinition> &agents)
{
    const QList<GroupFault> faults = faultsOfGroups(m_groups);
    for (const GroupFault &each : faults) {
        const Entry &entry = m_entries.at(static_cast<std::size_t>(each.group));
        if (!entry.faulty.contains(each.place))
            entry.place.at(each.place).fault(each.text);
    }
    m_isValid = faults.isEmpty();

    QHash<QString, const AgentDefinition *> known;
    for (const AgentDefinition &each : agents)
        known.insert(each.name, &each);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QList<GroupMember> &members = m_groups.at(static_cast<qsizetype>(i)).members;
        for (std::size_t j = 0; j < m_entries[i].members.size(); ++j) {
            const std::optional<AgentOrGroup> &member = m_entries[i].members[j];
            if (!member || member->isGroup)
                continue;
            const AgentDefinition *const agent = known.value(member->name);
            if (!agent)
                member->place.fault(unknownAgentText(member->name, known.keys()));
            else if (members.at(static_cast<qsizetype>(j)).significant
                     && agent->policy.restartOn == RestartOn::Always)
                m_entries[i]
                    .place.at(QStringLiteral("/members/%1/significant").arg(j))
                    .fault(QStringLiteral("has no effect: the policy of %1 restarts it after each "
                                          "exit (restartOn \"always\"); expected restartOn "
                                          "\"failure\"")
                               .arg(member->name));
        }
    }
}

bool GroupReader::contains(const QString &group) const
{
    return std::any_of(m_groups.begin(), m_groups.end(),
                       [&](const GroupDefinition &each) { return each.name == group; });
}

QStringList GroupReader::agentsOf(const QString &group) const
{
    return m_isValid ? agentsOfGroup(m_groups, group) : QStringList();
}

} // namespace Rekindle
