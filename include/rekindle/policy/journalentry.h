// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instancememory.h>
#include <rekindle/policy/instancetable.h>

#include <QByteArray>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

/// An entry of the journal of a run: an input of the state table with its time and its random
/// number, or an instance that was added or removed. From the entries of a run, all decisions can
/// be made again. Texts of failures are not part of it, because no decision depends on them.
struct REKINDLE_POLICY_EXPORT JournalEntry
{
    Q_GADGET
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Kind {
        Added, ///< `agent` and `policy`
        Removed,
        Input,
    };
    Q_ENUM(Kind)

    Kind kind = Kind::Input;
    quint64 number = 0; ///< in its run, from 1 without gaps; a missing number is a lost entry
    QUuid instanceId{};
    QString agent{}; ///< the instance's name
    Instant time{};

    // Of an Input.
    InputKind input = InputKind::Start;
    quint64 generation = 0;
    double draw = 0;
    bool hasEvaluator = false; ///< Instance::evaluatorAvailable
    std::optional<FailureReason> reason{};
    std::optional<int> exitCode{};
    bool permanent = false;
    std::optional<Instant> probeFailedAt{};
    Duration extension{0};
    Holds holds{};
    bool gated = false;
    bool byHost = false;
    EvaluatorVerdict verdict{};
    std::shared_ptr<const InstanceMemory> memory{};

    std::shared_ptr<const RestartPolicy> policy{}; ///< of Added and ChangePolicy

    /// The entry of an input that is about to be applied to an instance; without a number.
    [[nodiscard]] static JournalEntry of(const QUuid &instanceId, const QString &agent,
                                         const Instance &instance, const InstanceInput &input,
                                         Instant time, double draw);

    /// Returns the input again. It refers to this entry and to `failure`, which it changes.
    [[nodiscard]] InstanceInput toInput(Failure &failure) const;

    /// Returns the text of the kind or of the input, for example "Added" or "Failed".
    [[nodiscard]] QString kindText() const;

    /// Returns the members that are in no other column of the store, as JSON; "{}" if there are
    /// none.
    [[nodiscard]] QByteArray data() const;

    /// Sets what kindText() and data() have written. `time` must be set before. Returns the first
    /// fault, or an empty text.
    [[nodiscard]] QString read(const QString &kindText, const QByteArray &data);
};

} // namespace Rekindle
