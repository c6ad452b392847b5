// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatormailbox_p.h"
#include "evaluatorticket_p.h"
#include "lazyevaluator_p.h"

namespace Rekindle {

/// The sender and the destination of a report.
struct ReportAddress
{
    quint64 token = 0;
    QString evaluator;
    QUuid instanceId;
    std::shared_ptr<EvaluatorMailbox> mailbox;
    quint64 attachment = 0;

    void post(EvaluatorResult result, bool creationFailed = false) const;
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
