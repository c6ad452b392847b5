// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "optiontypes_p.h"

#include <rekindle/lifecycle/licenseprovider.h>

#include <QStringList>

#include <memory>

namespace Rekindle {

class Messages;
class Scheduler;

/// The options that select the license tier.
class LicenseOptions
{
public:
    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// Makes the paths of its files absolute. Relative paths are relative to `folder`.
    void resolvePaths(const QDir &folder);

    /// Creates the provider of the tier. An invalid key ends the command. A license that is refused
    /// means Core and is reported, also later.
    [[nodiscard]] std::unique_ptr<LicenseProvider> provider(Scheduler &scheduler,
                                                            Messages &messages) const;

    /// The current tier.
    [[nodiscard]] LicenseTier tier(Messages &messages) const;

    /// The files of the license: itself, its key and the clock file; empty without --license.
    [[nodiscard]] QStringList files() const;

private:
    LicenseTier m_tier = LicenseTier::Enterprise;
    QString m_file;
    QString m_key;
    QString m_audience = QStringLiteral("rekindle");
};

} // namespace Rekindle
