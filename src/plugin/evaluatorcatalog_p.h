// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatorplugin_p.h"

#include <rekindle/plugin/evaluatorhost.h>

#include <map>
#include <memory>

namespace Rekindle {

/// The plug-ins in the configured folders, and which of them may be used.
class EvaluatorCatalog
{
public:
    using Plugins = std::map<QString, std::unique_ptr<EvaluatorPlugin>>; ///< by id

    void setFolders(const QStringList &folders) { m_folders = folders; }
    [[nodiscard]] QStringList folders() const { return m_folders; }
    void setTierCheck(EvaluatorHost::TierCheck check) { m_tierCheck = std::move(check); }

    /// Searches the folders. Returns the previous plug-ins; their threads end with them, unless a
    /// plug-in of the same file took them over.
    [[nodiscard]] Plugins search();

    /// Null if there is no such plug-in.
    [[nodiscard]] EvaluatorPlugin *find(const QString &id) const;
    /// The same, but null also if the plug-in is in quarantine or the tier denies it.
    [[nodiscard]] EvaluatorPlugin *usable(const QString &id) const;

    [[nodiscard]] QList<EvaluatorInfo> list() const;
    [[nodiscard]] QList<Fault> check(const EvaluatorReference &evaluator) const;

private:
    [[nodiscard]] bool isLicensed(const EvaluatorInfo &info) const;

    QStringList m_folders;
    EvaluatorHost::TierCheck m_tierCheck;
    QList<FoundEvaluator> m_found;
    Plugins m_plugins;
};

} // namespace Rekindle
