// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/licenseprovider.h>

#include <memory>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;
class Scheduler;

/// The options by which `run` and `up` show what a licence tier allows. The command itself has all.
class LicenseOptions
{
public:
    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// Who says what the tier is; null after a fault was said. A licence that is refused is said
    /// too, and means Core.
    [[nodiscard]] std::unique_ptr<LicenseProvider> provider(Scheduler &scheduler,
                                                            Messages &messages) const;

private:
    QString m_tier = QStringLiteral("Enterprise");
    QString m_file;
    QString m_key;
    QString m_audience = QStringLiteral("rekindle");
};

} // namespace Rekindle
