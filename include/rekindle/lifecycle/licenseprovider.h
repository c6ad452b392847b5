// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The status of a license at one time.
struct LicenseStatus
{
    LicenseTier tier = LicenseTier::Core;

    /// False if there is no license or it was rejected; the tier is then Core.
    bool valid = false;

    /// The holder of the license, or why it was rejected. For display, without a final period.
    QString text{};

    /// When the tier ends, if this is known and in the future.
    std::optional<UtcTime> expires{};

    bool operator==(const LicenseStatus &) const = default;
};

/// Provides the license tier of the host (spec 7). It lives in the thread of the FeatureGate.
class REKINDLE_LIFECYCLE_EXPORT LicenseProvider : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Returns the current status. Must neither block nor throw.
    [[nodiscard]] virtual LicenseStatus status() const = 0;

    /// Returns the files whose change can change the status. AgentHost::watchLicense() watches them
    /// and calls reload().
    [[nodiscard]] virtual QStringList files() const { return {}; }

    /// Reads the files again. Emits changed() if the status changed.
    virtual void reload() {}

Q_SIGNALS:
    /// A member of status() changed.
    void changed();
};

} // namespace Rekindle
