// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/signedlicense.h>

#include <QByteArray>
#include <QString>

#include <optional>

namespace Rekindle {

/// The contents of a licence, key or state file, or why there are none.
struct SmallFile
{
    QByteArray bytes{};
    std::optional<LicenseRefusal> refusal{}; ///< Missing, Unreadable or TooLarge
    QString text{};                          ///< why, without the path
    bool othersMayRead = false;              ///< anybody but its owner
};

/// Reads a regular file of at most SignedLicense::maxFileSize bytes. It never waits for the other
/// end of a pipe.
[[nodiscard]] SmallFile readSmallFile(const QString &path);

} // namespace Rekindle
