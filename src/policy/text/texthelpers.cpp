// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"

#include "base/signalname_p.h"

#include <rekindle/policy/restartpolicy.h>

#include <QHash>

namespace Rekindle {

QString counted(qint64 count, const char *one, const char *many)
{
    return QString::number(count) + QLatin1Char(' ') + QLatin1String(count == 1 ? one : many);
}

QString failureText(FailureReason reason, const FailureDetail &detail)
{
    QString what = detail.message;
    // Without a process, an exit code stands for a program that could not be executed.
    if (detail.exitCode && detail.processId != 0 && *detail.exitCode != 0) {
        what = QStringLiteral("exit code %1").arg(*detail.exitCode);
    } else if (detail.signal) {
        what = signalName(*detail.signal);
    }
    return what.isEmpty() ? toText(reason) : toText(reason) + QLatin1String(": ") + what;
}

QString downgradeText(const QString &tier, RestartPolicyType requested, RestartPolicyType effective)
{
    const QString instead = effective == RestartPolicyType::None
        ? QStringLiteral("restarts are disabled")
        : QLatin1String("using ") + toText(effective);
    return notPermittedText(tier, requested) + QLatin1String("; ") + instead;
}

QString notPermittedText(const QString &tier, RestartPolicyType type)
{
    return QStringLiteral("license tier %1 does not permit %2 restarts").arg(tier, toText(type));
}

QString breakerText(const RestartPolicy &policy)
{
    if (!policy.circuitBreaker)
        return QStringLiteral("no circuit breaker");
    return QStringLiteral("circuit breaker opens on failure %1 for %2")
        .arg(policy.circuitBreaker->threshold)
        .arg(readable(policy.circuitBreaker->timeout));
}

QString restartText(int number, const std::optional<int> &most)
{
    const QString text = QStringLiteral("restart %1").arg(number);
    return most ? text + QStringLiteral(" of %1").arg(*most) : text;
}

QString givenUpText(qint64 restarts)
{
    return restarts == 0
        ? QStringLiteral("given up without a restart")
        : QLatin1String("given up after ") + counted(restarts, "restart", "restarts");
}

QString waitText(const QStringList &causes)
{
    return causes.isEmpty() ? QString()
                            : QLatin1String("waits for ") + causes.join(QLatin1String("; "));
}

QString evaluationText(const QString &id, const QString &answer, const QString &reason)
{
    static const QHash<QString, QString> words = {
        {QStringLiteral("accept"), QStringLiteral("accepts")},
        {QStringLiteral("delay"), QStringLiteral("delays")},
        {QStringLiteral("refuse"), QStringLiteral("refuses")},
        {QStringLiteral("openBreaker"), QStringLiteral("opens the circuit breaker")},
        {QStringLiteral("none"), QStringLiteral("has no answer")},
    };
    const QString text = QStringLiteral("evaluator %1 %2").arg(id, words.value(answer, answer));
    return reason.isEmpty() ? text : text + QLatin1String(": ") + reason;
}

QString textIn(const QJsonObject &object, const char *key)
{
    return object[QLatin1String(key)].toVariant().toString();
}

Duration durationIn(const QJsonObject &object, const char *key)
{
    return std::chrono::round<Duration>(
        std::chrono::duration<double, std::milli>(object[QLatin1String(key)].toDouble()));
}

QString failureText(const QString &reason, const QJsonObject &detail)
{
    FailureDetail known;
    known.message = textIn(detail, "detail");
    known.processId = detail[QLatin1String("pid")].toInteger();
    if (const QJsonValue code = detail[QLatin1String("exitCode")]; code.isDouble())
        known.exitCode = code.toInt();
    if (const QJsonValue signal = detail[QLatin1String("signal")]; signal.isDouble())
        known.signal = signal.toInt();
    return failureText(valueOf(failureReasons, reason).value_or(FailureReason::Unknown), known);
}

} // namespace Rekindle
