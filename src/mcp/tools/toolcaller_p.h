// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcaller.h>

#include "mcp/client/handshake_p.h"
#include "toolcallrules_p.h"

#include <QHash>
#include <QPointer>

#include <map>

namespace Rekindle {

/// What is under way: calls from their first attempt to their end.
///
/// Every signal and every future may lead back in here, and may delete the caller. So a function
/// that has told somebody something goes on only if the call is not over (`isOver`), which a
/// deletion makes it, too.
class ToolCaller::Private
{
public:
    Private(ToolCaller &caller, ToolBackend &backend, Scheduler &scheduler,
            ToolCallerOptions options);
    ~Private();

    /// The longest that durations are anywhere; added to a moment it never overflows.
    static constexpr Duration longest = std::chrono::days(10'000);

    /// A call or a listing.
    struct Run
    {
        Run(Scheduler &scheduler, Deadline::Callback late, Deadline::Callback waited)
            : end(scheduler, std::move(late))
            , wait(scheduler, std::move(waited))
        {
        }

        quint64 id = 0;
        QString tool; // empty: a listing
        QJsonObject arguments;
        CallRetry retry = CallRetry::Safe;
        Duration attemptTimeout{0};
        std::function<void(const McpProgress &)> onProgress;
        std::function<bool()> isCancelled;
        std::function<void(ToolListOutcome)> settle;

        Instant started{};
        Deadline end;
        Deadline wait; // for the next attempt
        CircuitBreaker::Generation generation = 0;
        int retries = 0; // of the policy; that of restartsOnExit() is beside them
        bool respawned = false;
        bool respawnNext = false;
        bool isHung = false; // the server, as far as a listing can tell
        Duration delay{0};
        QList<ToolCallAttempt> attempts;
        ToolResult last;
        ToolCallVerdict::Evidence evidence = ToolCallVerdict::Evidence::None; // of `last`
        QList<McpTool> tools;
        std::optional<Duration> retryAfter;

        // The attempt that is under way.
        enum class Phase { None, Starting, Asking };
        Phase phase = Phase::None;
        quint64 step = 0; // what belongs to an earlier one comes late
        QFuture<ToolBackend::Start> start;
        QFuture<ToolResult> asked;
        QFuture<McpAnswer> page;
        McpLink link;
        std::optional<ToolListing> listing;

        bool isOver = false;
    };
    using RunPtr = std::shared_ptr<Run>;

    template<typename Outcome>
    QFuture<Outcome> begin(const QString &tool, const QJsonObject &arguments,
                           const ToolCallOptions &options);

    [[nodiscard]] int pendingCount() const { return static_cast<int>(m_runs.size()); }
    [[nodiscard]] CircuitBreakerInfo breaker(const QString &tool) const;
    void resetBreaker(const QString &tool);
    void backendGone();

private:
    struct Guard
    {
        CircuitBreaker breaker;
        Instant probeEnds{}; // at the latest, while it is half-open
    };

    void admit(const RunPtr &run);
    void attempt(const RunPtr &run);
    void started(const RunPtr &run, const QFuture<ToolBackend::Start> &start);
    void ask(const RunPtr &run);
    void askPage(const RunPtr &run, const QString &method, const QJsonObject &params,
                 const McpLink::Answered &answered);
    template<typename Answer>
    void watchClient(const QFuture<Answer> &future, const RunPtr &run);
    void clientDeleted(const RunPtr &run, quint64 step);
    void answered(const RunPtr &run, const ToolResult &result);
    void retryLater(const RunPtr &run);
    void deadlineReached(quint64 id);
    [[nodiscard]] QString lateStartText(Duration waited) const;
    void cancelled(quint64 id);
    void backendLost(const RunPtr &run);

    /// False if the run is over after that.
    [[nodiscard]] bool endAttempt(const RunPtr &run, const ToolResult &result);
    void closeAttempt(Run &run, const ToolResult &result);
    static void abandon(Run &run);
    void finish(const RunPtr &run, ToolCallEnd end);

    [[nodiscard]] RunPtr find(quint64 id) const;
    [[nodiscard]] bool isCurrent(const RunPtr &run, quint64 step) const;
    [[nodiscard]] CallOptions callOptions(const Run &run) const;
    [[nodiscard]] bool isRepeatable(const Run &run) const;

    [[nodiscard]] Guard &guardOf(const QString &tool);
    [[nodiscard]] Duration retryAfter(const Guard &guard) const;
    void refuse(const RunPtr &run);
    void record(const Run &run);
    void tellBreaker(const QString &tool, CircuitBreakerState before);

    ToolCaller &q;
    QPointer<ToolBackend> m_backend;
    Scheduler &m_scheduler;
    ToolCallerOptions m_options;
    bool m_backendGone = false;
    QString m_name; // the backend's, when it was last asked
    quint64 m_lastId = 0;
    quint64 m_finished = 0;
    std::map<quint64, RunPtr> m_runs;
    QHash<QString, Guard> m_guards;
};

} // namespace Rekindle
