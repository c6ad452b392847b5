// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/refusals.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {

using Operated = ControlResult<OperationResult>;

/// Empty if it had an effect.
QString refusal(const QString &agent, const Operated &result)
{
    const OperationResult &done = result.value;
    if (result.error)
        return Refusals::tr("%1: %2").arg(agent, result.error->message);
    if (!done.openSharedBreakers.isEmpty())
        return Refusals::tr("%1 is not restarted, because this shared circuit breaker is not "
                            "closed: %2")
            .arg(agent, done.openSharedBreakers.join(QLatin1String(", ")));
    if (done.isRemoved)
        return Refusals::tr("%1 is not started, because it was removed").arg(agent);
    return done.isAccepted ? QString() : Refusals::tr("%1: %2").arg(agent, done.noEffect);
}

} // namespace

void Refusals::report(QFuture<Operated> operation, const QString &agent, QObject *context,
                      std::function<void(const QString &text)> refused)
{
    const auto report = [alive = QPointer(context),
                         refused = std::move(refused)](const QString &text) {
        if (alive && !text.isEmpty())
            QMetaObject::invokeMethod(
                alive, [refused, text] { refused(text); }, Qt::QueuedConnection);
    };
    // Not then(context, ...): in Qt 6.4, it aborts if the context was destroyed.
    operation.then([report, agent](const Operated &result) { report(refusal(agent, result)); })
        .onCanceled([report, agent] {
            report(tr("%1: the connection was closed before the response").arg(agent));
        });
}

} // namespace Rekindle
