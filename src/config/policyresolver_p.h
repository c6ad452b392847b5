// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonplace_p.h>

#include <rekindle/policy/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QDir>
#include <QHash>
#include <QMap>
#include <QSet>
#include <QString>

namespace Rekindle {

/// A policy and how it was written.
struct ResolvedPolicy
{
    RestartPolicy policy;
    QString name; ///< its name or file; empty for an object in place
};

/// Finds the policy that a place in a configuration means: an object, a file, one of the
/// configuration's own, a preset. Files count from `folder` and are read once.
class PolicyResolver
{
public:
    explicit PolicyResolver(const QDir &folder);

    /// Takes in the `policies` of a configuration. They may build on presets and files, not on
    /// each other.
    void define(const JsonPlace &policies);

    /// Nothing, and a fault, if there is no good policy. A name whose own definition is faulty is
    /// no second fault.
    [[nodiscard]] std::optional<ResolvedPolicy> resolve(const JsonPlace &place);

    [[nodiscard]] const QMap<QString, RestartPolicy> &policies() const { return m_policies; }

    /// The files that were read, absolute.
    [[nodiscard]] QStringList files() const;

    /// Takes a policy for used that need not be resolved.
    void use(const JsonPlace &place);

    /// Warns of those of `policies` that nobody has used.
    void warnOfUnused(const JsonPlace &policies) const;

private:
    [[nodiscard]] std::optional<ResolvedPolicy> resolveFile(const JsonPlace &place);
    [[nodiscard]] std::optional<ResolvedPolicy> resolveName(const JsonPlace &place);

    QDir m_folder;
    QStringList m_presets;
    QMap<QString, RestartPolicy> m_policies;
    QSet<QString> m_faulty;
    QHash<QString, Parsed<RestartPolicy>> m_files;
    QSet<QString> m_entries; ///< the names of `policies`, while they are read
    QSet<QString> m_used;
};

/// Whether a name can be that of an agent or a policy: 1 to 64 of letters, digits, '.', '_', '-'.
[[nodiscard]] bool isPlainName(const QString &name);

} // namespace Rekindle
