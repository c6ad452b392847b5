// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorjob_p.h"

#include <rekindle/policy/instancetable.h>

#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype longestText = 500;

QString plainText(QString text)
{
    text.truncate(longestText);
    for (QChar &c : text) {
        if (!c.isPrint())
            c = u' ';
    }
    return text;
}

QString faultOf(const EvaluatorAnswer &answer)
{
    using Kind = EvaluatorAnswer::Kind;
    switch (answer.kind) {
    case Kind::Accept:
    case Kind::Refuse:
    case Kind::OpenBreaker:
        return {};
    case Kind::Delay:
        if (answer.delay >= Duration{0} && answer.delay <= EvaluatorVerdict::longestDelay)
            return {};
        return QStringLiteral("invalid answer: expected a delay of 0 to 7 days, found %1 ms")
            .arg(toMilliseconds(answer.delay), 0, 'f', 0);
    }
    return QStringLiteral("invalid answer: unknown kind %1").arg(static_cast<int>(answer.kind));
}

// Runs code of a plug-in and returns the text of an exception; empty if there was none.
template<typename Code>
QString guarded(Code code)
{
    try {
        code();
        return {};
    } catch (const std::exception &exception) {
        return QStringLiteral("threw an exception: ")
            + plainText(QString::fromUtf8(exception.what()));
    } catch (...) {
        return QStringLiteral("threw an object that is not a std::exception");
    }
}

} // namespace

std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished)
{
    EvaluatorAnswer answer;
    try {
        if (finished.resultCount() == 0)
            return {};
        answer = finished.resultAt(0);
    } catch (...) { // reportEnd() handles it on the plug-in's thread
        return {};
    }
    if (const QString fault = faultOf(answer); !fault.isEmpty())
        return JobFault{fault};
    answer.reason = plainText(answer.reason);
    return answer;
}

void prepareEvaluator(LazyEvaluator &evaluator, const EvaluatorReport &report)
{
    const QString thrown = guarded([&] { evaluator.get(); });
    if (!thrown.isEmpty())
        report(JobFault{thrown, evaluator.hasCreationFailed()});
}

void requestAnswer(LazyEvaluator &evaluator, const EvaluatorQuestion &question,
                   EvaluatorTicket &ticket, const EvaluatorReport &report)
{
    if (!ticket.begin())
        return;
    const QString thrown = guarded([&] {
        const QFuture<EvaluatorAnswer> future = evaluator.get().evaluate(question);
        if (future.isFinished()) {
            reportEnd(future, report);
            ticket.setReported();
            return;
        }
        ticket.setFuture(future);
        report(future);
    });
    if (!thrown.isEmpty()) {
        report(JobFault{thrown, evaluator.hasCreationFailed()});
        ticket.setReported();
    }
}

void reportEnd(const QFuture<EvaluatorAnswer> &finished, const EvaluatorReport &report)
{
    if (std::optional<EvaluatorResult> answer = answerIn(finished)) {
        report(std::move(*answer));
        return;
    }
    const QString thrown = guarded([&] {
        QFuture<EvaluatorAnswer>(finished)
            .waitForFinished(); // rethrows the exception in the future
    });
    report(JobFault{thrown.isEmpty() ? QStringLiteral("finished without an answer") : thrown});
}

} // namespace Rekindle
