// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/refusals.h"

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

void Refusals::report(const QFuture<Operated> &operation, const QString &agent, QObject *context,
                      std::function<void(const QString &text)> refused)
{
    deliver<OperationResult>(operation, context,
                             [agent, refused = std::move(refused)](const Operated &result) {
                                 if (const QString text = refusal(agent, result); !text.isEmpty())
                                     refused(text);
                             });
}

ControlError Refusals::notConnected()
{
    return {.code = ControlError::Code::NotConnected,
            .message = tr("the connection was closed before the response")};
}

} // namespace Rekindle
