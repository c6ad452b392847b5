// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatorticket_p.h"
#include "lazyevaluator_p.h"

#include <functional>
#include <variant>

namespace Rekindle {

/// Why a job has no answer.
struct JobFault
{
    QString text{};
    bool creationFailed = false; ///< the plug-in cannot create an evaluator with these parameters
};

/// The result of a job: an answer, a fault, or a future of an answer.
using EvaluatorResult = std::variant<EvaluatorAnswer, JobFault, QFuture<EvaluatorAnswer>>;

/// Reports the result of a job to the host. Thread-safe.
using EvaluatorReport = std::function<void(EvaluatorResult)>;

/// Returns the answer in a finished future. Returns nothing if there is none: the future may hold
/// an exception, which may only be handled on the plug-in's thread. Thread-safe.
[[nodiscard]] std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished);

// The jobs of the plug-in's thread. They do not throw.
void prepareEvaluator(LazyEvaluator &evaluator, const EvaluatorReport &report);
void requestAnswer(LazyEvaluator &evaluator, const EvaluatorQuestion &question,
                   EvaluatorTicket &ticket, const EvaluatorReport &report);
/// Reports the result of a finished future, including an exception.
void reportEnd(const QFuture<EvaluatorAnswer> &finished, const EvaluatorReport &report);

} // namespace Rekindle
