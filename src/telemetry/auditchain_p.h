// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// A row of the audit trail, without its hashes. Texts are UTF-8.
struct AuditRow
{
    qint64 id = 0;
    QByteArray kind{}; ///< "decision", "shadow", "request", "gap" or "checkpoint"
    QByteArray run{};
    qint64 monotonicNs = 0;
    qint64 utcMs = 0;
    QByteArray instance{};
    QByteArray agent{};
    QByteArray rule{};
    QByteArray data{};
};

namespace AuditChain {

inline constexpr qsizetype hashSize = 32;

/// Returns the SHA-256 of the previous hash and of the row's columns. Each column is preceded by
/// its length, so that different rows never result in the same bytes.
[[nodiscard]] QByteArray hashOf(const QByteArray &previous, const AuditRow &row);

/// Returns the data of a checkpoint: the rows up to `removedThrough` were removed, and the last of
/// them had this hash.
[[nodiscard]] QByteArray checkpoint(qint64 removedThrough, const QByteArray &hash);

struct Checkpoint
{
    qint64 removedThrough = 0;
    QByteArray hash{};
};
[[nodiscard]] Checkpoint checkpointFrom(const QByteArray &data);

} // namespace AuditChain

} // namespace Rekindle
