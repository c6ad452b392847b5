// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"

#include "base/signalname_p.h"
#include "policy/internal/words.h"

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
    const QString denied = notPermittedText(tier, requested);
    return effective == RestartPolicyType::None
        ? Words::tr("%1; restarts are disabled").arg(denied)
        : Words::tr("%1; using %2", "not permitted, and the policy instead")
              .arg(denied, toText(effective));
}

QString notPermittedText(const QString &tier, RestartPolicyType type)
{
    return Words::tr("license tier %1 does not permit %2 restarts").arg(tier, toText(type));
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
    return most ? Words::tr("restart %1 of %2").arg(number).arg(*most)
                : Words::tr("restart %1").arg(number);
}

QString givenUpText(qint64 restarts)
{
    return restarts == 0
        ? Words::tr("given up without a restart")
        : Words::tr("given up after %n restart(s)", nullptr, static_cast<int>(restarts));
}

QString waitText(const QStringList &causes)
{
    return causes.isEmpty() ? QString()
                            : Words::tr("waits for %1").arg(causes.join(QLatin1String("; ")));
}

QString untilStartedText() { return Words::tr("no start until an operator starts it"); }

QString untilTierChangesText()
{
    return Words::tr("no start until an operator starts it or the license tier changes");
}

QString whileIsolatedText()
{
    return Words::tr("no automatic start while the circuit breaker is isolated");
}

QString evaluationText(const QString &id, const QString &answer, const QString &reason)
{
    static const QHash<QString, const char *> texts = {
        {QStringLiteral("accept"), QT_TRANSLATE_NOOP("Rekindle::Words", "evaluator %1 accepts")},
        {QStringLiteral("delay"), QT_TRANSLATE_NOOP("Rekindle::Words", "evaluator %1 delays")},
        {QStringLiteral("refuse"), QT_TRANSLATE_NOOP("Rekindle::Words", "evaluator %1 refuses")},
        {QStringLiteral("openBreaker"),
         QT_TRANSLATE_NOOP("Rekindle::Words", "evaluator %1 opens the circuit breaker")},
        {QStringLiteral("none"),
         QT_TRANSLATE_NOOP("Rekindle::Words", "evaluator %1 has no answer")},
    };
    const char *const known = texts.value(answer);
    const QString text =
        known != nullptr ? Words::tr(known).arg(id) : Words::tr("evaluator %1 %2").arg(id, answer);
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
