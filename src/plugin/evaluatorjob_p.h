// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatorticket_p.h"
#include "lazyevaluator_p.h"

#include <functional>
#include <variant>

namespace Rekindle {

/// An answer, a fault, or a future of an answer.
using EvaluatorResult = std::variant<EvaluatorAnswer, QString, QFuture<EvaluatorAnswer>>;

/// The sender of a report.
struct ReportSender
{
    quint64 token = 0; ///< of the request; 0 if the job was none
    QString evaluator{};
    QUuid instanceId{};
    quint64 attachment = 0; ///< of the parameters; the instance may have others by now
};

/// The result of a job.
struct EvaluatorReport
{
    ReportSender sender{};
    EvaluatorResult result{};
    bool creationFailed = false; ///< the plug-in cannot create an evaluator with these parameters
};

/// The sender and the destination of a report.
struct ReportAddress
{
    ReportSender sender;
    std::function<void(EvaluatorReport)> deliver; ///< thread-safe

    void post(EvaluatorResult result, bool creationFailed = false) const
    {
        deliver({sender, std::move(result), creationFailed});
    }
};

/// Returns the answer in a finished future. Returns nothing if there is none: the future may hold
/// an exception, which may only be handled on the plug-in's thread. Thread-safe.
[[nodiscard]] std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished);

// The jobs of the plug-in's thread. They do not throw.
void prepareEvaluator(LazyEvaluator &evaluator, const ReportAddress &address);
void requestAnswer(LazyEvaluator &evaluator, const EvaluatorQuestion &question,
                   EvaluatorTicket &ticket, const ReportAddress &address);
/// Reports the result of a finished future, including an exception.
void reportEnd(const QFuture<EvaluatorAnswer> &finished, const ReportAddress &address);

} // namespace Rekindle
