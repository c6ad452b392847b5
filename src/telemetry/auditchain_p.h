// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// What every row of the audit trail holds besides the hashes.
struct AuditRow
{
    qint64 id = 0;
    QString kind{}; ///< "decision", "shadow", "gap" or "checkpoint"
    QString run{};
    qint64 monotonicNs = 0;
    qint64 utcMs = 0;
    QString instance{};
    QString agent{};
    QString rule{};
    QByteArray data{};
};

namespace AuditChain {

inline constexpr qsizetype hashSize = 32;

/// What the first row follows.
[[nodiscard]] inline QByteArray beginning() { return QByteArray(hashSize, '\0'); }

/// SHA-256 of the hash before and of the row's columns, each with its length in front, so that no
/// two rows have the same bytes.
[[nodiscard]] QByteArray hashOf(const QByteArray &previous, const AuditRow &row);

/// The data of a checkpoint: rows up to this one, which had this hash, were removed.
[[nodiscard]] QByteArray checkpoint(qint64 removedThrough, const QByteArray &hash);

struct Checkpoint
{
    qint64 removedThrough = 0;
    QByteArray hash{};
};
[[nodiscard]] Checkpoint checkpointFrom(const QByteArray &data);

} // namespace AuditChain

} // namespace Rekindle
