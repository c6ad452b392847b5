// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/evaluator/restartevaluator.h>

#include <QObject>

#include <algorithm>
#include <cmath>

namespace {

using namespace Rekindle;
using Seconds = std::chrono::duration<double>;

/// Parses "500ms", "1.5s", "5m", "1h" or "7d". The text is valid, because the host has validated it
/// against the schema.
std::chrono::nanoseconds durationFromText(const QString &text)
{
    qsizetype digits = 0;
    while (digits < text.size() && (text[digits].isDigit() || text[digits] == u'.'))
        ++digits;
    const QString unit = text.mid(digits);
    const double seconds = unit == QLatin1String("ms") ? 1e-3
        : unit == QLatin1String("m")                   ? 60.0
        : unit == QLatin1String("h")                   ? 3600.0
        : unit == QLatin1String("d")                   ? 86400.0
                                                       : 1.0;
    const std::chrono::duration<double> length(text.left(digits).toDouble() * seconds);
    return std::chrono::round<std::chrono::nanoseconds>(length);
}

/// Delays restarts while a failure score is above a threshold. Each failure adds one to the score,
/// which halves every half-life. Suture, a supervisor for Go, uses the same algorithm. In addition,
/// each probe failure since the last failure adds a weight.
class LeakyBucket final : public RestartEvaluator
{
public:
    explicit LeakyBucket(const QJsonObject &parameters)
        : m_threshold(parameters[QLatin1String("threshold")].toDouble())
        , m_probeWeight(parameters[QLatin1String("probeWeight")].toDouble())
        , m_halfLife(durationFromText(parameters[QLatin1String("halfLife")].toString()))
        , m_pause(durationFromText(parameters[QLatin1String("pause")].toString()))
    {
    }

    QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) override
    {
        const Seconds since = question.failedAt - m_lastFailure;
        m_score = 1 + m_probeWeight * newProbeFailures(question)
            + (m_score > 0 ? m_score * std::exp2(-(since / m_halfLife)) : 0);
        m_lastFailure = question.failedAt;
        m_lastFailureUtc = question.failedAtUtc;
        if (m_score <= m_threshold)
            return readyAnswer(EvaluatorAnswer::accept());
        return readyAnswer(EvaluatorAnswer::delayBy(m_pause,
                                                    QStringLiteral("failure score %1 is above %2")
                                                        .arg(m_score, 0, 'f', 2)
                                                        .arg(m_threshold)));
    }

private:
    /// The history outlives a restart, so that older results were counted before.
    [[nodiscard]] double newProbeFailures(const EvaluatorQuestion &question) const
    {
        const auto &history = question.healthHistory;
        const auto count =
            std::count_if(history.begin(), history.end(), [this](const auto &result) {
                return !result.ok && result.atUtc > m_lastFailureUtc;
            });
        return static_cast<double>(count);
    }

    const double m_threshold;
    const double m_probeWeight;
    const Seconds m_halfLife;
    const std::chrono::nanoseconds m_pause;
    double m_score = 0; ///< at the last failure
    std::chrono::nanoseconds m_lastFailure{0};
    std::chrono::milliseconds m_lastFailureUtc{0};
};

} // namespace

class LeakyBucketPlugin final : public QObject, public RestartEvaluatorPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID RekindleRestartEvaluator_iid FILE "leaky-bucket.json")
    Q_INTERFACES(Rekindle::RestartEvaluatorPlugin)

public:
    std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) override
    {
        return std::make_unique<LeakyBucket>(parameters);
    }
};

#include "leakybucket.moc"
