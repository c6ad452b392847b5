// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/licensetier.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// What a provider says at one moment.
struct LicenseStatus
{
    LicenseTier tier = LicenseTier::Core;

    /// False where there should be a licence and none could be accepted; the tier is Core then.
    bool valid = false;

    /// For people, a sentence without an end: who has the licence, or why it was refused.
    QString text{};

    /// When the tier ends, if that is known and lies ahead.
    std::optional<UtcTime> expires{};

    bool operator==(const LicenseStatus &) const = default;
};

/// Says which tier the host has (spec 7). It lives in the thread of the gate that asks it.
class REKINDLE_LIFECYCLE_EXPORT LicenseProvider : public QObject
{
    Q_OBJECT

public:
    explicit LicenseProvider(QObject *parent = nullptr);
    ~LicenseProvider() override;

    /// The state of things now. Must neither block nor throw.
    [[nodiscard]] virtual LicenseStatus status() const = 0;

Q_SIGNALS:
    /// status() has changed, in any of its parts.
    void changed();
};

} // namespace Rekindle
