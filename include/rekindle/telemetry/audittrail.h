// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/export.h>

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <optional>

namespace Rekindle {

/// The end of an audit trail at one time. A head that is stored elsewhere proves later that no row
/// up to it has changed, even if the whole file was rewritten.
struct AuditHead
{
    qint64 row = 0;    ///< number of the last row; 0 if the trail is empty
    QByteArray hash{}; ///< SHA-256, 32 bytes

    bool operator==(const AuditHead &) const = default;

    /// Returns "ROW:HASH", with the hash in hexadecimal digits.
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT QString toString() const;
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT static std::optional<AuditHead>
    fromString(QStringView text);
};

/// The first fault of an audit trail.
struct AuditFault
{
    qint64 row = 0; ///< the row that was changed, removed, inserted or moved
    QString what{}; ///< a sentence without a period
};

/// The result of verifying an audit trail.
struct AuditReport
{
    qint64 rows = 0;
    qint64 removedThrough = 0; ///< retention has removed the rows up to this one; 0: none
    AuditHead head{};
    std::optional<AuditFault> fault{};
    QString error{}; ///< why the store could not be read completely; the result is then unknown

    [[nodiscard]] bool isIntact() const { return !fault && error.isEmpty(); }
};

/// Verifies the audit trail of a telemetry store. The trail has a row for every decision with all
/// its inputs, every restart request and every operator command. Each row contains SHA-256(hash of
/// the previous row, its own columns). Rows that were changed, removed, inserted or moved are
/// therefore detected.
///
/// Someone with write access to the file can compute a new chain. To detect this, store heads
/// elsewhere and pass them to verify().
class REKINDLE_TELEMETRY_EXPORT AuditTrail
{
public:
    /// Checks every row of the store at `path`, also while hosts write to it. `knownHead` is an
    /// earlier head of this trail. Blocks. Thread-safe.
    [[nodiscard]] static AuditReport verify(const QString &path,
                                            const std::optional<AuditHead> &knownHead = {});
};

} // namespace Rekindle
