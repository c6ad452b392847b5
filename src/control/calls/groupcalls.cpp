// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/groupcalls_p.h"

#include "json/jsonwriter.h"

#include <QSet>

#include <algorithm>

namespace Rekindle {

void GroupCalls::writeStates(JsonWriter &json, const QList<QUuid> &agents) const
{
    const QSet<QUuid> asked(agents.begin(), agents.end());
    const QList<GroupDefinition> all = m_groups ? m_groups->groups() : QList<GroupDefinition>();
    json.beginArray();
    for (const GroupDefinition &each : all) {
        const QStringList contained = agentsOfGroup(all, each.name);
        const bool isAsked =
            std::any_of(contained.begin(), contained.end(), [this, &asked](const QString &agent) {
                return asked.contains(m_supervisor.idOf(agent));
            });
        if (isAsked)
            writeState(json, each);
    }
    json.endArray();
}

void GroupCalls::writeState(JsonWriter &json, const GroupDefinition &group) const
{
    const GroupState state = m_groups->state(group.name).value_or(GroupState::Stopped);
    const GroupSnapshot snapshot = m_groups->snapshot(group.name).value_or(GroupSnapshot());
    const Instant now = m_supervisor.scheduler().now();
    json.beginObject();
    json.member(QLatin1String("name"), group.name);
    json.member(QLatin1String("state"), toText(state));
    json.member(QLatin1String("strategy"), toText(group.strategy));
    json.member(QLatin1String("failures"), static_cast<qint64>(snapshot.incidents.size()));
    json.member(QLatin1String("maxRestarts"), group.maxRestarts);
    json.member(QLatin1String("periodMs"), toMilliseconds(group.period));
    json.member(QLatin1String("startInMs"),
                snapshot.rearmAt ? std::optional(toMilliseconds(*snapshot.rearmAt - now))
                                 : std::nullopt);
    json.key(QLatin1String("members"));
    json.beginArray();
    for (const GroupMember &each : group.members) {
        json.beginObject();
        json.member(QLatin1String(each.isGroup ? "group" : "agent"), each.name);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

} // namespace Rekindle
