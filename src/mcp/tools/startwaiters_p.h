// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/mcp/toolbackend.h>

#include <QObject>
#include <QPromise>

#include <functional>
#include <memory>
#include <vector>

namespace Rekindle {

/// The callers that wait for a server to be ready, each with its own timeout.
class StartWaiters
{
public:
    /// Returns the error of a caller whose timeout `within` has expired.
    using LateAnswer = std::function<McpError(Duration within)>;

    /// `onFewer` is called after a timeout was reported, and after a caller has canceled. It may
    /// delete this object.
    StartWaiters(Scheduler &scheduler, LateAnswer lateAnswer, std::function<void()> onFewer = {});
    ~StartWaiters();
    Q_DISABLE_COPY_MOVE(StartWaiters)

    [[nodiscard]] QFuture<ToolBackend::Start> add(Duration within);

    /// Returns whether there is a caller whose future was not canceled.
    [[nodiscard]] bool isAwaited() const;

    // A continuation may delete this object.
    void answerAll(const ToolBackend::Start &answer);
    /// Answers the callers whose timeout expires before `instant`.
    void answerShort(Instant instant, const McpError &error);

private:
    struct Waiter;
    using Waiters = std::vector<std::unique_ptr<Waiter>>;

    void late(const Waiter *waiter);
    static void answer(Waiters waiters, const ToolBackend::Start &answer);

    Scheduler &m_scheduler;
    LateAnswer m_lateAnswer;
    std::function<void()> m_onFewer;
    Waiters m_waiters;
    QObject m_watchers; ///< parent of the watchers
};

} // namespace Rekindle
