// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agentexplanation.h>

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <algorithm>
#include <optional>

namespace Rekindle {

/// What explains the decisions about one agent: rows of a store, or what a running host has in
/// memory.
struct AgentHistory
{
    struct Decision
    {
        QString instanceId{};
        QString agent{};
        UtcTime time{};
        QJsonObject object{}; ///< toJsonObject(DecisionRecord)
        QJsonObject shadow{}; ///< shadowOf() of the evaluator in shadow mode; empty: none
        bool isCanceled = false;
        // Only of a store.
        qint64 row = 0;
        QString run{};
        Instant monotonicTime{};
        QByteArray data{}; ///< the JSON of `object`
        QByteArray hash{};
    };
    struct Event
    {
        qint64 row = 0;
        QString run{};
        QString type{};
        Instant monotonicTime{};
        UtcTime time{};
        QByteArray data{};
    };
    struct Run
    {
        QString run{};
        qint64 processId = 0;
        std::optional<UtcTime> ended{};
        qint64 firstEvent = 0; ///< row
        bool hasExited = false;
    };

    QString agent{};
    QList<Decision> decisions{}; ///< oldest first

    // Of a running agent.
    bool isLive = false;
    QString state{};
    QString next{}; ///< what happens next
    QList<RecordedAction> actions{};

    // Of a store.
    std::optional<Event> started{};
    std::optional<Event> stopped{};
    std::optional<Event> failed{};
    std::optional<Event> latest{};     ///< of any type
    QHash<QString, Event> lastOfRun{}; ///< by run of the decisions
    QList<Run> runs{};

    /// The run with this id, or an empty value.
    [[nodiscard]] Run runOf(const QString &run) const
    {
        const auto found = std::find_if(runs.begin(), runs.end(),
                                        [&run](const Run &each) { return each.run == run; });
        return found == runs.end() ? Run() : *found;
    }

    /// The answer of an evaluator in shadow mode (`id`, `answer`, `reason`) and the decision that
    /// it would have led to (`rule`, `delayMs`).
    [[nodiscard]] static QJsonObject shadowOf(const QJsonObject &decision)
    {
        QJsonObject effect = decision[QLatin1String("evaluator")].toObject();
        for (const QLatin1String key : {QLatin1String("rule"), QLatin1String("delayMs")})
            effect.insert(key, decision[key]);
        return effect;
    }
};

} // namespace Rekindle
