// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/journalentry.h>
#include <rekindle/simulation/export.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

/// The first difference between a recorded run and its replay.
struct ReplayDifference
{
    struct Field
    {
        QString name{}; ///< a key of the JSON, or a path such as "inputs.draw"
        QString recorded{};
        QString replayed{};

        bool operator==(const Field &) const = default;
    };

    quint64 number = 0; ///< of the input; if no input has this result now, the agent's latest
    QString agent{};
    QString input{};        ///< JournalEntry::kindText()
    QString what{};         ///< what differs, for example "the decision differs"
    QString recordedRule{}; ///< of a decision
    QString replayedRule{};
    QList<Field> fields{};
};

/// Applies the recorded inputs of a run to the state table of this version, and compares the events
/// and decisions with the recorded ones. It reads no store: pass the inputs, events and decisions
/// in their order. Pass the events and decisions of a time after all inputs of that time and before
/// later inputs. Ends at the first difference.
///
/// Not compared: process ids, texts, exit codes and signals of failures, times of the wall clock,
/// health, and the answers of custom evaluators, which are inputs.
class REKINDLE_SIMULATION_EXPORT JournalReplay
{
public:
    JournalReplay();
    ~JournalReplay();
    Q_DISABLE_COPY_MOVE(JournalReplay)

    void apply(const JournalEntry &entry);

    /// Compares an event, the JSON of eventToJson(). Events that do not come from the state table
    /// are ignored.
    void compareEvent(const QString &type, const QByteArray &data);

    /// Compares a decision, the JSON of the audit trail. Decisions about an unknown instance are
    /// ignored, because RestartPolicyEvaluator::evaluate() needs no instance.
    void compareDecision(const QUuid &instanceId, const QByteArray &data);

    /// Call at the end. `isWhole`: everything was recorded, so that an event or a decision without
    /// a counterpart is a difference. Otherwise, the last ones may be missing.
    void finish(bool isWhole);

    [[nodiscard]] const std::optional<ReplayDifference> &difference() const;

    [[nodiscard]] qint64 inputs() const;    ///< applied
    [[nodiscard]] qint64 events() const;    ///< compared
    [[nodiscard]] qint64 decisions() const; ///< compared

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
