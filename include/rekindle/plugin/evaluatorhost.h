// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/plugin/evaluatorinfo.h>
#include <rekindle/plugin/export.h>

#include <QList>
#include <QStringList>

#include <functional>
#include <memory>

namespace Rekindle {

/// Loads custom evaluators from plug-ins (spec 7). It searches only the configured folders and
/// reads only the metadata of their files. The code of a plug-in is loaded when a policy needs it,
/// and runs on its own thread, never on the host's thread. The host never waits for it.
///
/// On an evaluator fault, the built-in decision applies and faulted() is emitted. A thread that
/// does not return is abandoned, not killed, and a new one replaces it. After several consecutive
/// faults the plug-in is in quarantine, and its base types decide until reload().
///
/// Loaded code stays loaded until the process exits. It must be trusted: there is no protection
/// against malicious plug-ins. Use the object from its own thread, which needs an event loop.
class REKINDLE_PLUGIN_EXPORT EvaluatorHost : public CustomEvaluators
{
    Q_OBJECT

public:
    explicit EvaluatorHost(QObject *parent = nullptr);
    /// Waits up to 200 ms for each plug-in that is running, and then abandons its thread.
    ~EvaluatorHost() override;

    /// Searches these folders, without subfolders. If two plug-ins have the same id, the first one
    /// is used: in the order of the folders, then of the file names. Ends all quarantines.
    void setFolders(const QStringList &folders);
    [[nodiscard]] QStringList folders() const;
    /// Searches the folders again. Ends all quarantines.
    void reload();

    /// Returns whether the license includes this tier. Called at every use, so that a change takes
    /// effect at once. Without a check, every tier is permitted.
    using TierCheck = std::function<bool(QStringView tier)>;
    void setTierCheck(TierCheck check);

    /// Number of consecutive faults that put a plug-in into quarantine. If the plug-in cannot
    /// create an evaluator for one instance, only that instance is put into quarantine.
    static constexpr int faultLimit = 3;
    [[nodiscard]] bool isInQuarantine(const QString &evaluatorId) const;

    /// Returns all plug-ins that were found, including rejected ones, in the order of the search.
    [[nodiscard]] QList<EvaluatorInfo> plugins() const;

    /// Returns the number of threads that were abandoned since construction.
    [[nodiscard]] int abandonedThreads() const;

    [[nodiscard]] QList<Fault> check(const EvaluatorReference &evaluator) const override;
    [[nodiscard]] bool isAvailable(const QString &evaluatorId) const override;
    void attach(const QUuid &instanceId, const EvaluatorReference &evaluator) override;
    void detach(const QUuid &instanceId) override;
    void request(const EvaluatorRequest &request) override;
    void withdraw(quint64 token, Withdrawal reason) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
