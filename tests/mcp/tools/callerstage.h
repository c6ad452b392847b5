// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/client/scriptedchannel.h"

#include <rekindle/mcp/toolcaller.h>

#include <QPointer>
#include <QPromise>

#include <optional>

namespace Rekindle {

/// A backend for which the test acts as the server.
class ScriptedBackend : public ToolBackend
{
public:
    explicit ScriptedBackend(Scheduler &scheduler)
        : m_client(channel, scheduler)
    {
        channel.open = false;
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("server"); }
    [[nodiscard]] McpClient &client() override { return m_client; }
    [[nodiscard]] bool restartsOnExit() const override { return onDemand; }

    QFuture<Start> ensureStarted(Duration within) override
    {
        ++ensured;
        return wait(within);
    }
    QFuture<Start> respawn(Duration within) override
    {
        ++respawned;
        if (channel.open)
            channel.lose(QStringLiteral("it was replaced"));
        return wait(within);
    }

    /// Makes the server ready. Waiting calls continue after the next settle().
    void comeUp()
    {
        channel.open = true;
        m_client.open();
        channel.answer(channel.lastId(), ClientStage::initializeResult);
        channel.answer(channel.lastId(), tools);
        end(std::nullopt);
    }
    void failToCome(const McpError &error) { end(error); }

    static constexpr char tools[] =
        R"({"tools":[{"name":"writes"},{"name":"reads","annotations":{"readOnlyHint":true}},)"
        R"({"name":"sets","annotations":{"idempotentHint":true}}]})";

    ScriptedChannel channel;
    bool onDemand = false;
    int ensured = 0;
    int respawned = 0;
    Duration lastWithin{0};

private:
    QFuture<Start> wait(Duration within)
    {
        lastWithin = within;
        auto &promise = m_waiting.emplace_back();
        promise.start();
        const QFuture<Start> future = promise.future();
        if (m_client.isReady())
            end(std::nullopt);
        return future;
    }
    void end(const Start &start)
    {
        for (QPromise<Start> &promise : std::exchange(m_waiting, {})) {
            promise.addResult(start);
            promise.finish();
        }
    }

    McpClient m_client;
    std::vector<QPromise<Start>> m_waiting;
};

/// Returns how a call has ended; nothing if it has not ended.
template<typename Outcome>
std::optional<ToolCallEnd> endOf(const QFuture<Outcome> &call)
{
    return call.isFinished() ? std::optional(call.result().end) : std::nullopt;
}

/// Returns whether a call has ended with a good answer.
template<typename Outcome>
bool hasSucceeded(const QFuture<Outcome> &call)
{
    return call.isFinished() && call.result().succeeded();
}

/// A caller in virtual time, with its signals as text.
struct CallerStage
{
    explicit CallerStage(ToolCallerOptions options = {})
        : backend(std::make_unique<ScriptedBackend>(scheduler))
        , caller(std::make_unique<ToolCaller>(*backend, scheduler, exact(std::move(options))))
    {
        backend->comeUp();
        listen();
    }

    /// Removes the jitter.
    static ToolCallerOptions exact(ToolCallerOptions options)
    {
        if (!options.random)
            options.random = [] { return 0.0; };
        return options;
    }

    void listen()
    {
        ToolCaller *const of = caller.get();
        QObject::connect(
            of, &ToolCaller::attemptStarted, of,
            [this](quint64, const QString &, int n) { add(QStringLiteral("attempt %1").arg(n)); });
        QObject::connect(of, &ToolCaller::attemptFailed, of,
                         [this](quint64, const QString &, int n, const ToolCallAttempt &attempt) {
                             add(QStringLiteral("failed %1 %2").arg(n).arg(attempt.failure));
                         });
        QObject::connect(
            of, &ToolCaller::retryScheduled, of,
            [this](quint64, const QString &, int n, Duration delay) {
                add(QStringLiteral("retry %1 in %2").arg(n).arg(durationToString(delay)));
            });
        QObject::connect(of, &ToolCaller::respawning, of,
                         [this] { add(QStringLiteral("respawning")); });
        QObject::connect(of, &ToolCaller::breakerStateChanged, of,
                         [this](const QString &tool, CircuitBreakerState, CircuitBreakerState now,
                                Duration after) {
                             add(QStringLiteral("breaker of %1 %2 %3")
                                     .arg(tool, toText(now), durationToString(after)));
                         });
        QObject::connect(of, &ToolCaller::callFinished, of, [this](const ToolCallFinished &call) {
            finished.push_back(call);
            add(toText(call.end));
        });
    }

    void add(const QString &line) { log.push_back(line); }
    QString takeLog() { return std::exchange(log, {}).join(QLatin1String(", ")); }

    QFuture<ToolCallOutcome> call(const QByteArray &tool, const ToolCallOptions &options = {})
    {
        QFuture<ToolCallOutcome> future = caller->call(QString::fromUtf8(tool), {}, options);
        settle();
        return future;
    }

    /// Processes the event loop and everything that is due.
    void settle()
    {
        QCoreApplication::processEvents();
        scheduler.advance(Duration{0});
        QCoreApplication::processEvents();
    }
    void advance(Duration duration)
    {
        scheduler.advance(duration);
        settle();
    }

    /// Returns the id of the last message with this method; 0 if there is none.
    [[nodiscard]] qint64 lastIdOf(const char *method = "tools/call") const
    {
        for (auto sent = channel().sent.crbegin(); sent != channel().sent.crend(); ++sent) {
            if (sent->value(QLatin1String("method")) == QLatin1String(method))
                return sent->value(QLatin1String("id")).toInteger();
        }
        return 0;
    }
    [[nodiscard]] int sentCount(const char *method = "tools/call") const
    {
        return int(std::count_if(
            channel().sent.begin(), channel().sent.end(), [method](const QJsonObject &sent) {
                return sent.value(QLatin1String("method")) == QLatin1String(method);
            }));
    }

    void answer(const QByteArray &result = "{\"content\":[]}")
    {
        channel().answer(lastIdOf(), result);
        settle();
    }
    /// Answers all calls that were sent so far, also those that have an answer.
    void answerAll()
    {
        const QList<QJsonObject> sent = channel().sent;
        for (const QJsonObject &request : sent) {
            if (request.value(QLatin1String("method")) == QLatin1String("tools/call"))
                channel().answer(request.value(QLatin1String("id")).toInteger(),
                                 "{\"content\":[]}");
        }
        settle();
    }
    void answerError(const QByteArray &text = "it failed")
    {
        answer(R"({"isError":true,"content":[{"type":"text","text":")" + text + R"("}]})");
    }
    void refuse(int code = -32603, const QByteArray &message = "no")
    {
        channel().refuse(lastIdOf(), code, message);
        settle();
    }
    void lose()
    {
        channel().lose(QStringLiteral("it crashed"));
        settle();
    }

    /// Makes one call that fails.
    ToolCallOutcome failCall(const char *tool = "writes")
    {
        const QFuture<ToolCallOutcome> future = call(tool);
        refuse();
        return future.result();
    }

    [[nodiscard]] ScriptedChannel &channel() const { return backend->channel; }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    std::unique_ptr<ScriptedBackend> backend;
    std::unique_ptr<ToolCaller> caller;
    QStringList log;
    QList<ToolCallFinished> finished;
};

} // namespace Rekindle
