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

/// Who waits for a server to be ready, each for as long as it wants.
class StartWaiters
{
public:
    /// What those are told whose time is over, which was `within`.
    using LateAnswer = std::function<McpError(Duration within)>;

    /// `onFewer` is called when somebody's time was over, after that was told, and when somebody
    /// has cancelled; it may be the last thing that this object lives to see.
    StartWaiters(Scheduler &scheduler, LateAnswer lateAnswer, std::function<void()> onFewer = {});
    ~StartWaiters();
    Q_DISABLE_COPY_MOVE(StartWaiters)

    [[nodiscard]] QFuture<ToolBackend::Start> add(Duration within);

    /// Whether there is anybody whose future was not cancelled.
    [[nodiscard]] bool isAwaited() const;

    // What an answer leads to may delete this object.
    void answerAll(const ToolBackend::Start &answer);
    /// Those whose time is over before `moment`.
    void answerShort(Instant moment, const McpError &error);

private:
    struct Waiter;
    using Waiters = std::vector<std::unique_ptr<Waiter>>;

    void late(const Waiter *waiter);
    static void answer(Waiters waiters, const ToolBackend::Start &answer);

    Scheduler &m_scheduler;
    LateAnswer m_lateAnswer;
    std::function<void()> m_onFewer;
    Waiters m_waiters;
    std::shared_ptr<bool> m_isAlive;
    QObject m_watchers; ///< their parent
};

} // namespace Rekindle
