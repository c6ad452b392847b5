// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <QCoreApplication>
#include <QFuture>
#include <QPointer>

#include <functional>
#include <utility>

namespace Rekindle {

/// Why operations had no effect, in the language of the user.
class REKINDLE_MODELS_EXPORT Refusals
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::Refusals)

public:
    /// Calls `refused` from the event loop if the operation on the agent with this name has no
    /// effect, unless `context` is destroyed before.
    static void report(const QFuture<ControlResult<OperationResult>> &operation,
                       const QString &agent, QObject *context,
                       std::function<void(const QString &text)> refused);

    /// Calls `done` from the event loop with the result, or with an error if the future was
    /// canceled, unless `context` is destroyed before.
    template<typename T>
    static void deliver(QFuture<ControlResult<T>> future, QObject *context,
                        std::function<void(const ControlResult<T> &result)> done)
    {
        const auto later = [alive = QPointer(context),
                            done = std::move(done)](const ControlResult<T> &result) {
            if (alive)
                QMetaObject::invokeMethod(
                    alive, [done, result] { done(result); }, Qt::QueuedConnection);
        };
        // Not then(context, ...): in Qt 6.4, it aborts if the context was destroyed.
        future.then(later).onCanceled([later] { later({.error = notConnected()}); });
    }

private:
    static ControlError notConnected();
};

} // namespace Rekindle
