// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/licenseprovider.h>

#include <QStringList>

#include <memory>
#include <optional>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;
class Scheduler;

/// The options by which commands show what a licence tier allows. The command itself has all.
class LicenseOptions
{
public:
    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// Who says what the tier is; null after a fault was said. A licence that is refused is said
    /// too, and means Core, and so is one that ends or begins later on.
    [[nodiscard]] std::unique_ptr<LicenseProvider> provider(Scheduler &scheduler,
                                                            Messages &messages) const;

    /// The same for as long as it lives: the licence is read again when its file changes.
    [[nodiscard]] std::unique_ptr<LicenseProvider> followed(Scheduler &scheduler,
                                                            Messages &messages) const;

    /// The tier of this moment; nothing after a fault was said.
    [[nodiscard]] std::optional<LicenseTier> tier(Messages &messages) const;

    /// The files that it is from: none, or the licence, its key and the latest time seen.
    [[nodiscard]] QStringList files() const;

private:
    QString m_tier = QStringLiteral("Enterprise");
    QString m_file;
    QString m_key;
    QString m_audience = QStringLiteral("rekindle");
};

} // namespace Rekindle
