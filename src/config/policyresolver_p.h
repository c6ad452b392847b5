// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "config/document/configurationdocument_p.h"

#include <rekindle/json/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QDir>
#include <QHash>
#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// A policy and its name.
struct ResolvedPolicy
{
    RestartPolicy policy;
    QString name; ///< the name or file in the configuration; empty for an object
};

/// Resolves policies in a configuration: an object, a file, an entry of `policies`, or a preset.
/// Files are relative to the current folder and read once.
class PolicyResolver
{
public:
    /// `startTimeout` is that of policies that contain none, and of presets.
    explicit PolicyResolver(const QDir &folder,
                            Duration startTimeout = RestartPolicy().startTimeout);

    /// Adds the `policies` of a file. They can refer to presets and files, but not to each other.
    void define(const JsonPlace &policies);

    /// Adds the `policies` of a configuration and of its included files.
    void define(ConfigurationDocument &main);

    /// Policy files are relative to this folder from here on.
    void setFolder(const QDir &folder) { m_folder = folder; }

    /// Returns nothing and adds a fault if there is no valid policy. A name whose definition has a
    /// fault causes no second fault.
    [[nodiscard]] std::optional<ResolvedPolicy> resolve(const JsonPlace &place);

    [[nodiscard]] const QMap<QString, RestartPolicy> &policies() const { return m_policies; }

    /// Absolute paths of the files that were read.
    [[nodiscard]] QStringList files() const;

    /// The included files of policies(), by name.
    [[nodiscard]] const QMap<QString, QString> &origins() const { return m_origins; }

    /// Marks a policy as used without resolving it.
    void use(const JsonPlace &place);

    /// Warns of unused entries of `policies`. Call it only if there are no faults, because a
    /// misspelled name may be the reason.
    void warnOfUnused(const JsonPlace &policies) const;

private:
    void addEntries(const JsonPlace &policies);
    void readEntries(const JsonPlace &policies);
    void finishEntries();
    [[nodiscard]] std::optional<ResolvedPolicy> resolveFile(const JsonPlace &place);
    [[nodiscard]] std::optional<ResolvedPolicy> resolveName(const JsonPlace &place);

    QDir m_folder;
    const Duration m_startTimeout;
    QStringList m_presets;
    QMap<QString, RestartPolicy> m_policies;
    QSet<QString> m_faulty;
    QMap<QString, QString> m_origins;
    QHash<QString, Parsed<RestartPolicy>> m_files; ///< by absolute path
    QMap<QString, RestartPolicy> m_defined;        ///< visible only after all entries are read
    QSet<QString> m_entries;                       ///< the names of `policies`, while they are read
    QSet<QString> m_used;
};

/// Whether the text in place of a policy is a file: it has a '/' or ends in ".json".
[[nodiscard]] bool isPolicyFile(const QString &text);

/// Reads a policy file. `startTimeout` is that of a policy that contains none.
[[nodiscard]] Parsed<RestartPolicy> readPolicyFile(const QString &path, Duration startTimeout);

/// The preset of this name, with this start timeout unless it has one of its own.
[[nodiscard]] std::optional<RestartPolicy> presetWith(const QString &name, Duration startTimeout);

/// The fault for an unknown policy, with the nearest and all existing names.
[[nodiscard]] QString unknownPolicy(const QString &name, const QStringList &existing);

} // namespace Rekindle
