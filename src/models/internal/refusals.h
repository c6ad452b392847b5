// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <QCoreApplication>
#include <QFuture>

#include <functional>

namespace Rekindle {

/// Why operations had no effect, in the language of the user.
class REKINDLE_MODELS_EXPORT Refusals
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::Refusals)

public:
    /// Calls `refused` from the event loop if the operation on the agent with this name has no
    /// effect, unless `context` is destroyed before.
    static void report(QFuture<ControlResult<OperationResult>> operation, const QString &agent,
                       QObject *context, std::function<void(const QString &text)> refused);
};

} // namespace Rekindle
