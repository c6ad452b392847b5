// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/words.h"

namespace Rekindle {

namespace {

constexpr const char *context = "Rekindle::Words";

thread_local int english = 0;

// The names that nameOf() translates. lupdate ignores the condition.
#ifdef Q_LUPDATE
// clang-format off
QT_TRANSLATE_NOOP("Rekindle::Words", "Stopped")
QT_TRANSLATE_NOOP("Rekindle::Words", "Starting")
QT_TRANSLATE_NOOP("Rekindle::Words", "Running")
QT_TRANSLATE_NOOP("Rekindle::Words", "Waiting")
QT_TRANSLATE_NOOP("Rekindle::Words", "CircuitOpen")
QT_TRANSLATE_NOOP("Rekindle::Words", "Evaluating")
QT_TRANSLATE_NOOP("Rekindle::Words", "Stopping")
QT_TRANSLATE_NOOP("Rekindle::Words", "Exhausted")
QT_TRANSLATE_NOOP("Rekindle::Words", "Failed")
QT_TRANSLATE_NOOP("Rekindle::Words", "Gated")
QT_TRANSLATE_NOOP("Rekindle::Words", "Closed")
QT_TRANSLATE_NOOP("Rekindle::Words", "Open")
QT_TRANSLATE_NOOP("Rekindle::Words", "HalfOpen")
QT_TRANSLATE_NOOP("Rekindle::Words", "Healthy")
QT_TRANSLATE_NOOP("Rekindle::Words", "Unhealthy")
QT_TRANSLATE_NOOP("Rekindle::Words", "UnhandledException")
QT_TRANSLATE_NOOP("Rekindle::Words", "HealthCheckFailed")
QT_TRANSLATE_NOOP("Rekindle::Words", "InitializationFailed")
QT_TRANSLATE_NOOP("Rekindle::Words", "Timeout")
QT_TRANSLATE_NOOP("Rekindle::Words", "ResourceExhaustion")
QT_TRANSLATE_NOOP("Rekindle::Words", "DependencyFailure")
QT_TRANSLATE_NOOP("Rekindle::Words", "ProcessCrash")
QT_TRANSLATE_NOOP("Rekindle::Words", "Unknown")
QT_TRANSLATE_NOOP("Rekindle::Words", "added")
QT_TRANSLATE_NOOP("Rekindle::Words", "removed")
QT_TRANSLATE_NOOP("Rekindle::Words", "restarted")
QT_TRANSLATE_NOOP("Rekindle::Words", "updated")
QT_TRANSLATE_NOOP("Rekindle::Words", "stopped by an operator")
QT_TRANSLATE_NOOP("Rekindle::Words", "finished")
// clang-format on
#endif

} // namespace

QString Words::tr(const char *text, const char *disambiguation, int n)
{
    QString result = english > 0 ? QString::fromUtf8(text)
                                 : QCoreApplication::translate(context, text, disambiguation, n);
    if (n >= 0) {
        result.replace(QLatin1String("%n"), QString::number(n)); // if it is English
        result.replace(QLatin1String("(s)"), QLatin1String(n == 1 ? "" : "s"));
    }
    return result;
}

QString Words::ofData(const QString &text)
{
    const QString name = text.left(text.indexOf(QLatin1String(": ")));
    return tr(name.toUtf8().constData()) + text.mid(name.size());
}

QString Words::number(QString text)
{
    return text.replace(QLatin1String("."), Words::tr(".", "decimal separator"));
}

Words::English::English() { ++english; }

Words::English::~English() { --english; }

} // namespace Rekindle
