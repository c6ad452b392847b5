// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFuture>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUuid>
#include <QtPlugin>

#include <chrono>
#include <memory>
#include <optional>

// All that a custom evaluator needs (spec 7): this header and Qt Core. It names no other type of
// Rekindle and needs no library of it, on purpose: RestartContext and RestartDecision grow with
// every version, and a plug-in that was built against their layout would read rubbish in the next.
// What stands here is frozen for the IID; docs/evaluators.md tells how to write one.

namespace Rekindle {

/// What a plug-in says that it was written for. Additions to EvaluatorQuestion, at its end, raise
/// it; anything else is a new IID.
inline constexpr int evaluatorApiVersion = 1;

/// What one run of a health probe found.
struct EvaluatorProbeResult
{
    std::chrono::milliseconds atUtc{0}; ///< since 1970-01-01T00:00:00Z
    bool ok = false;                    ///< else it is a miss
    std::chrono::nanoseconds took{0};
    QString text{};  ///< the answer in words
    QString probe{}; ///< which probe, "http" for example
};

/// A failure, and what the built-in rules make of it. They allow a restart, or nobody would ask.
/// Read it in place; the host may know members that this header does not.
struct EvaluatorQuestion
{
    QUuid instanceId{};
    QString agent{};        ///< the instance's name
    quint64 generation = 0; ///< which start has failed, from 1
    int currentAttempt = 0; ///< restarts made in this sequence; 0 at the first failure
    QString reason{};       ///< as S1 4.2 writes it, for example "ProcessCrash"
    QString message{};      ///< one sentence for people
    std::optional<int> exitCode{};
    std::optional<int> signal{};
    QStringList stderrTail{};                 ///< its last lines on stderr, oldest first
    bool beforeReady = false;                 ///< this start has failed before it was ready
    bool onceReady = false;                   ///< an earlier start, or this one, was ready
    std::chrono::nanoseconds failedAt{0};     ///< on the host's monotonic clock
    std::chrono::milliseconds failedAtUtc{0}; ///< since 1970-01-01T00:00:00Z
    std::chrono::nanoseconds builtInDelay{0}; ///< from the failure to the restart
    int attemptNumber = 1;                    ///< of that restart, from 1
    bool isFinalAttempt = false;
    QString health{};                            ///< "unknown", "healthy" or "unhealthy"
    int consecutiveMisses = 0;                   ///< of the health probe that has most of them
    QList<EvaluatorProbeResult> healthHistory{}; ///< oldest first, the last ten at most
};

/// What is to become of the restart. It can be put off, never hastened: a delay below the built-in
/// one changes nothing.
struct EvaluatorAnswer
{
    enum class Kind {
        Accept,      ///< as the built-in rules say
        Delay,       ///< at the earliest `delay` after the failure
        Refuse,      ///< no restart; the agent has failed for good
        OpenBreaker, ///< open the circuit breaker
    };

    Kind kind = Kind::Accept;
    std::chrono::nanoseconds delay{0}; ///< of Delay: 0 to 7 days
    QString reason{};                  ///< why, one sentence for people and the record

    [[nodiscard]] static EvaluatorAnswer accept() { return {}; }
    [[nodiscard]] static EvaluatorAnswer delayBy(std::chrono::nanoseconds delay, QString reason)
    {
        return {Kind::Delay, delay, std::move(reason)};
    }
    [[nodiscard]] static EvaluatorAnswer refuse(QString reason)
    {
        return {Kind::Refuse, {}, std::move(reason)};
    }
    [[nodiscard]] static EvaluatorAnswer openBreaker(QString reason)
    {
        return {Kind::OpenBreaker, {}, std::move(reason)};
    }
};

/// Judges the failures of one instance, under one set of parameters.
///
/// All its functions, its destructor too, are called on a thread that the host keeps for the
/// plug-in, one after the other, never on the host's own. That thread has no event loop.
class RestartEvaluator
{
public:
    RestartEvaluator() = default;
    virtual ~RestartEvaluator() = default;
    Q_DISABLE_COPY_MOVE(RestartEvaluator)

    /// The first result of the future is the answer. Whoever knows it at once returns
    /// QtFuture::makeReadyFuture(answer). Later is possible too, from any thread, within a second
    /// of the question; where nobody waits for it any more the future is cancelled. An exception,
    /// in here or in the future, is a fault: the built-in verdict stands then.
    virtual QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) = 0;
};

/// The root object of a plug-in: it makes the evaluators.
class RestartEvaluatorPlugin
{
public:
    RestartEvaluatorPlugin() = default;
    virtual ~RestartEvaluatorPlugin() = default;
    Q_DISABLE_COPY_MOVE(RestartEvaluatorPlugin)

    /// One for an instance. The parameters have been checked against the schema in the plug-in's
    /// metadata, and its defaults are filled in. Null or an exception is a fault.
    virtual std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) = 0;
};

} // namespace Rekindle

#define RekindleRestartEvaluator_iid "org.rekindle.RestartEvaluator/1.0"
Q_DECLARE_INTERFACE(Rekindle::RestartEvaluatorPlugin, RekindleRestartEvaluator_iid)
