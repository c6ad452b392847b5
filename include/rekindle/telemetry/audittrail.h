// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/export.h>

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <optional>

namespace Rekindle {

/// The end of an audit trail at one moment. Kept elsewhere, it proves later that what stood there
/// then still does: nobody who rewrites the whole file can make up for it.
struct AuditHead
{
    qint64 row = 0;    ///< number of the last row; 0 where there is none
    QByteArray hash{}; ///< SHA-256, 32 bytes

    bool operator==(const AuditHead &) const = default;

    /// "ROW:HASH", the hash in hexadecimal digits.
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT QString toString() const;
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT static std::optional<AuditHead>
    fromString(QStringView text);
};

/// The first thing that is wrong with an audit trail.
struct AuditFault
{
    qint64 row = 0; ///< the row that was changed, or is missing, or does not belong there
    QString what{}; ///< a sentence without an end
};

/// What a look at a whole audit trail showed.
struct AuditReport
{
    qint64 rows = 0;
    qint64 removedThrough = 0; ///< retention has removed the rows up to this one
    AuditHead head{};
    std::optional<AuditFault> fault{};
    QString error{}; ///< the store could not be read to its end; then nothing is known

    [[nodiscard]] bool isIntact() const { return !fault && error.isEmpty(); }
};

/// The audit trail of a telemetry store: a row for every decision, with all that it was made from.
/// Each row holds SHA-256(hash of the row before it, its own columns), so that no row can be
/// changed, removed, inserted or moved without a trace (`field/resilience.md` 4.5).
///
/// What it cannot show: somebody who may write the file can compute the whole chain anew. Keep
/// heads elsewhere, and give them to verify().
class REKINDLE_TELEMETRY_EXPORT AuditTrail
{
public:
    /// Reads the trail of the store at `path` and checks every row; works while hosts write.
    /// `kept` is a head of this trail from earlier. Blocks; thread-safe.
    [[nodiscard]] static AuditReport verify(const QString &path,
                                            const std::optional<AuditHead> &kept = {});
};

} // namespace Rekindle
