// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFuture>
#include <QJsonObject>
#include <QList>
#include <QPromise>
#include <QString>
#include <QStringList>
#include <QUuid>
#include <QtPlugin>

#include <chrono>
#include <memory>
#include <optional>

// A custom evaluator (spec 7) needs only this header and Qt Core, and links no library of Rekindle.
// RestartContext and RestartDecision are not used, because their layout changes with every version.
// The types in this header are frozen for the IID. See docs/evaluators.md for how to write one.

namespace Rekindle {

/// The version that a plug-in is written for. It increases when members are added at the end of
/// EvaluatorQuestion. Every other change requires a new IID.
inline constexpr int evaluatorApiVersion = 1;

/// The result of one run of a health probe.
struct EvaluatorProbeResult
{
    std::chrono::milliseconds atUtc{0}; ///< since 1970-01-01T00:00:00Z
    bool ok = false;                    ///< false: a probe failure
    std::chrono::nanoseconds took{0};
    QString text{};  ///< the result as text
    QString probe{}; ///< the kind of probe, for example "http"
};

/// A failure and its built-in decision, which always permits a restart. Use it only through the
/// reference: the host's version can have more members than this header.
struct EvaluatorQuestion
{
    QUuid instanceId{};
    QString agent{};        ///< the instance's name
    quint64 generation = 0; ///< the start that failed, from 1
    int currentAttempt = 0; ///< restarts made in this sequence; 0 at the first failure
    QString reason{};       ///< the name of the failure reason (S1 4.2), for example "ProcessCrash"
    QString message{};      ///< one sentence
    std::optional<int> exitCode{};
    std::optional<int> signal{};
    QStringList stderrTail{};                 ///< the last lines of stderr, oldest first
    bool beforeReady = false;                 ///< this start failed before ready
    bool onceReady = false;                   ///< an earlier start, or this one, was ready
    std::chrono::nanoseconds failedAt{0};     ///< on the host's monotonic clock
    std::chrono::milliseconds failedAtUtc{0}; ///< since 1970-01-01T00:00:00Z
    std::chrono::nanoseconds builtInDelay{0}; ///< from the failure to the restart
    int attemptNumber = 1;                    ///< the number of that restart, from 1
    bool isFinalAttempt = false;
    QString health{};                            ///< "unknown", "healthy" or "unhealthy"
    int consecutiveMisses = 0;                   ///< the largest count of all probes
    QList<EvaluatorProbeResult> healthHistory{}; ///< oldest first, at most the last ten
};

/// The answer of an evaluator. It can delay the restart, but never make it earlier: a delay below
/// the built-in delay has no effect.
struct EvaluatorAnswer
{
    enum class Kind {
        Accept,      ///< apply the built-in decision
        Delay,       ///< restart `delay` after the failure at the earliest
        Refuse,      ///< no restart; the agent is Failed
        OpenBreaker, ///< open the circuit breaker
    };

    Kind kind = Kind::Accept;
    std::chrono::nanoseconds delay{0}; ///< for Delay: 0 to 7 days
    QString reason{};                  ///< one sentence, shown and recorded

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

/// Returns a future that is finished with this answer.
[[nodiscard]] inline QFuture<EvaluatorAnswer> readyAnswer(EvaluatorAnswer answer)
{
    QPromise<EvaluatorAnswer> promise;
    promise.start();
    promise.addResult(std::move(answer));
    promise.finish();
    return promise.future();
}

/// Decides about the failures of one instance, with one set of parameters.
///
/// All functions, including the destructor, are called one after the other on the thread of the
/// plug-in, never on the host's thread. That thread has no event loop.
class RestartEvaluator
{
public:
    RestartEvaluator() = default;
    virtual ~RestartEvaluator() = default;
    Q_DISABLE_COPY_MOVE(RestartEvaluator)

    /// Returns a future whose first result is the answer. For an immediate answer, return
    /// readyAnswer(answer). A later answer can come from any thread, within one
    /// second of the call. When the time budget is used up, the future is canceled. An exception,
    /// thrown or in the future, is a fault: the built-in decision applies.
    virtual QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) = 0;
};

/// The root object of a plug-in, which creates the evaluators.
class RestartEvaluatorPlugin
{
public:
    RestartEvaluatorPlugin() = default;
    virtual ~RestartEvaluatorPlugin() = default;
    Q_DISABLE_COPY_MOVE(RestartEvaluatorPlugin)

    /// Creates the evaluator of one instance. `parameters` are valid by the schema in the plug-in's
    /// metadata, and its defaults are filled in. Null or an exception is a fault.
    virtual std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) = 0;
};

} // namespace Rekindle

#define RekindleRestartEvaluator_iid "org.rekindle.RestartEvaluator/1.0"
Q_DECLARE_INTERFACE(Rekindle::RestartEvaluatorPlugin, RekindleRestartEvaluator_iid)
