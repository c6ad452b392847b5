// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/journalentry.h>

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// A row of the table `inputs`: an entry of the journal of a run.
struct InputRow
{
    qint64 number = 0;
    qint64 monotonicNs = 0;
    QByteArray instance{};
    QByteArray agent{};
    QByteArray kind{};
    qint64 generation = 0;
    double draw = 0;
    QByteArray data{};

    [[nodiscard]] static InputRow of(const JournalEntry &entry);

    /// Returns the first fault of the row, or an empty text.
    [[nodiscard]] QString read(JournalEntry &entry) const;

    /// The checksum of the columns, which detects a change that no decision depends on.
    [[nodiscard]] qint64 sum() const;
};

} // namespace Rekindle
