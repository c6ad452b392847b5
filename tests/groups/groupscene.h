// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>

namespace Rekindle {

/// Reads groups from a text: words that describe a group, then its name and members, and so on:
/// "oneForAll 3/1m giveUp=stop shutdown=anySignificant rearm=10s outer:a,b*,[inner] inner:c".
/// "*" marks a significant member, and brackets a group.
inline QList<GroupDefinition> groupsOf(const QString &text)
{
    QList<GroupDefinition> groups;
    GroupDefinition next;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString value = word.section(u'=', 1);
        if (const auto strategy = valueOf(groupStrategies, word)) {
            next.strategy = *strategy;
        } else if (word.startsWith(QLatin1String("giveUp="))) {
            next.onGiveUp = valueOf(onGiveUpNames, value).value();
        } else if (word.startsWith(QLatin1String("shutdown="))) {
            next.autoShutdown = valueOf(autoShutdowns, value).value();
        } else if (word.startsWith(QLatin1String("rearm="))) {
            next.rearmAfter = durationFromString(value).value();
        } else if (word.contains(u'/')) {
            next.maxRestarts = word.section(u'/', 0, 0).toInt();
            next.period = durationFromString(word.section(u'/', 1)).value();
        } else {
            next.name = word.section(u':', 0, 0);
            for (QString member : word.section(u':', 1).split(u',')) {
                const bool isGroup = member.startsWith(u'[');
                const bool isSignificant = member.endsWith(u'*');
                member.remove(u'[').remove(u']').remove(u'*');
                next.members.append({member, isGroup, isSignificant});
            }
            groups.append(std::exchange(next, {}));
        }
    }
    return groups;
}

/// A stage whose agents belong to groups. The log has the orders to the agents ("a.START",
/// "a.STOP"), their failures ("a.FAILED", "a.COLLATERAL"), and of the groups each state
/// ("g.Running"), each failure that counts ("g!a") and the end ("g.EXHAUSTED:a").
class GroupScene
{
public:
    /// "a=started +1s ready; b=started fail". "!" before a script: the agent exits three seconds
    /// after stop(). "?": it ignores stop(). "permanent": its failure is not retried.
    GroupScene(const QString &agents, const QString &definitions)
        : dependencies(stage.supervisor)
        , groups(dependencies)
    {
        for (const QString &each : agents.split(QStringLiteral("; "), Qt::SkipEmptyParts))
            add(each.section(u'=', 0, 0), each.section(u'=', 1));
        RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
        QObject::connect(&evaluator, &RestartPolicyEvaluator::agentFailed, &groups,
                         [this](const AgentFailed &event) {
                             write(event.agent
                                   + QLatin1String(event.collateral ? ".COLLATERAL" : ".FAILED"));
                         });
        QObject::connect(&stage.supervisor, &AgentSupervisor::allStopped, &groups,
                         [this] { write(QStringLiteral("ALLSTOPPED")); });
        QObject::connect(&groups, &AgentGroups::groupStateChanged, &groups,
                         [this](const QString &group, GroupState, GroupState state) {
                             write(group + u'.' + toText(state));
                         });
        QObject::connect(
            &groups, &AgentGroups::groupRestarting, &groups,
            [this](const QString &group, const QString &member) { write(group + u'!' + member); });
        QObject::connect(&groups, &AgentGroups::groupExhausted, &groups,
                         [this](const QString &group, const QString &member) {
                             write(group + QLatin1String(".EXHAUSTED:") + member);
                         });
        const QStringList faults = groups.setGroups(groupsOf(definitions));
        if (!faults.isEmpty())
            qFatal("%s", qPrintable(faults.join(u'\n')));
    }

    void add(const QString &name, QString script)
    {
        AgentScript agent;
        if (script.startsWith(u'!'))
            agent.onStop = QStringLiteral("+3s stopped");
        else if (script.startsWith(u'?'))
            agent.onStop.clear();
        if (script.startsWith(u'!') || script.startsWith(u'?'))
            script.remove(0, 1);
        const bool isPermanent = script == QLatin1String("permanent");
        agent.runs = isPermanent ? QStringLiteral("started fail") : script;
        add(name, agent, QStringLiteral("'maxRetries':%1").arg(isPermanent ? 0 : 10));
    }

    void add(const QString &name, const AgentScript &script, const QString &policy)
    {
        const auto report = [this, name](const QString &word) { write(name + u'.' + word); };
        const auto added = stage.supervisor.add(
            name, std::make_unique<ScriptedAgent>(stage.scheduler, script, report),
            policyOf(QStringLiteral("'stableAfter':'10s','stopTimeout':'5s',") + policy));
        if (!added)
            qFatal("%s was not added", qPrintable(name));
    }

    [[nodiscard]] QString log() const { return m_words.join(u' '); }
    void clear() { m_words.clear(); }

    [[nodiscard]] AgentSnapshot snapshot(const char *agent) const
    {
        return stage.supervisor.snapshot(stage.supervisor.idOf(QLatin1String(agent))).value();
    }
    [[nodiscard]] QStringList holdTexts(const char *agent) const
    {
        return toTexts(snapshot(agent).holdCauses);
    }

    Stage stage;
    AgentDependencies dependencies;
    AgentGroups groups;

private:
    void write(const QString &word)
    {
        if (const Instant now = stage.scheduler.now(); now != m_written) {
            m_words.append(durationToString(now - m_begin));
            m_written = now;
        }
        m_words.append(word);
    }

    Instant m_begin = stage.scheduler.now();
    Instant m_written = m_begin;
    QStringList m_words;
};

} // namespace Rekindle
