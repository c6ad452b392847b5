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

/// Custom evaluators from plug-ins (spec 7). It looks into the folders that it is told, and nowhere
/// else; reads what the files there say of themselves; and loads the code of one only when a policy
/// needs it, on a thread that it keeps for that plug-in. No code of a plug-in ever runs on the
/// thread of the host, and the host never waits for it.
///
/// What a plug-in does wrong is a fault: the built-in verdict stands, and faulted() tells. A thread
/// that does not come back is set aside, never killed, and another takes its place. After several
/// faults in a row the plug-in is in quarantine, and its base types decide until reload().
///
/// Loaded code stays loaded until the process ends. It is trusted code: nothing in here protects a
/// process from a plug-in that means harm. Use it from the thread it lives in, which needs an event
/// loop.
class REKINDLE_PLUGIN_EXPORT EvaluatorHost : public CustomEvaluators
{
    Q_OBJECT

public:
    explicit EvaluatorHost(QObject *parent = nullptr);
    /// Waits for plug-ins that are at work, 200 ms for each at the most, and leaves them then.
    ~EvaluatorHost() override;

    /// Looks into these folders, not below them. Of two plug-ins with one id the first found wins,
    /// folder by folder, in the order of file names. Ends all quarantine.
    void setFolders(const QStringList &folders);
    [[nodiscard]] QStringList folders() const;
    void reload();

    /// Whether the licence has this tier; asked whenever it matters, so that a change counts at
    /// once. Without one, everything is allowed.
    using TierCheck = std::function<bool(QStringView tier)>;
    void setTierCheck(TierCheck check);

    /// Faults in a row that put a plug-in into quarantine; 1 to 1000. Where it makes no evaluator
    /// of the parameters of one instance, so many put that instance into quarantine, not the
    /// plug-in.
    static constexpr int usualFaultLimit = 3;
    void setFaultLimit(int faults);
    [[nodiscard]] bool isInQuarantine(const QString &evaluatorId) const;

    /// All that was found, the refused too, in the order of the search.
    [[nodiscard]] QList<EvaluatorInfo> plugins() const;

    /// Threads that did not come back from a plug-in in time, up to now.
    [[nodiscard]] int threadsSetAside() const;

    [[nodiscard]] QList<Fault> check(const EvaluatorReference &evaluator) const override;
    [[nodiscard]] bool isAvailable(const QString &evaluatorId) const override;
    void attach(const QUuid &instanceId, const EvaluatorReference &evaluator) override;
    void detach(const QUuid &instanceId) override;
    void ask(const EvaluatorRequest &request) override;
    void withdraw(quint64 token, Withdrawal why) override;

protected:
    bool event(QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
