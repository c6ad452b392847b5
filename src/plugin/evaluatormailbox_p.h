// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/evaluator/restartevaluator.h>

#include <mutex>
#include <variant>
#include <vector>

namespace Rekindle {

/// An answer, a fault, or a future of an answer.
using EvaluatorResult = std::variant<EvaluatorAnswer, QString, QFuture<EvaluatorAnswer>>;

/// The result of a job.
struct EvaluatorReport
{
    quint64 token = 0; ///< of the request; 0 if the job was none
    QString evaluator{};
    QUuid instanceId{};
    EvaluatorResult result{};
    bool creationFailed = false; ///< the plug-in cannot create an evaluator with these parameters
    quint64 attachment = 0;      ///< of these parameters; the instance may have others by now
};

/// Carries reports from the threads to the host. Thread-safe; survives the host. The event contains
/// no data, because ThreadSanitizer does not see the synchronization inside Qt.
class EvaluatorMailbox
{
public:
    explicit EvaluatorMailbox(QObject *receiver);

    /// Posts an event of type wakeUp() to the receiver.
    void post(EvaluatorReport report);
    [[nodiscard]] std::vector<EvaluatorReport> takeAll();
    void close();

    [[nodiscard]] static int wakeUp();

private:
    std::mutex m_mutex;
    QObject *m_receiver;
    std::vector<EvaluatorReport> m_reports;
};

} // namespace Rekindle
