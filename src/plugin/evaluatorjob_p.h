// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/evaluator/restartevaluator.h>

#include <QFuture>
#include <QJsonObject>
#include <QObject>
#include <QString>

#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

// What the thread of a plug-in works with, and how it reports to the host. All data passes through
// a std::mutex, because ThreadSanitizer does not see the synchronization inside Qt.

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
    bool unmade = false;    ///< the plug-in cannot create an evaluator with these parameters
    quint64 attachment = 0; ///< of these parameters; the instance may have others by now
};

/// Carries reports from the threads to the host. Thread-safe; survives the host.
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

/// The code of one plug-in. It is loaded at the first use and never unloaded.
class EvaluatorCode
{
public:
    explicit EvaluatorCode(QString file);

    /// Returns the root object; throws std::runtime_error. Blocks while the code is loaded.
    RestartEvaluatorPlugin &root();

private:
    const QString m_file;
    std::mutex m_mutex;
    RestartEvaluatorPlugin *m_root = nullptr;
};

/// The evaluator of one instance. Only jobs on the plug-in's thread use it and destroy it.
class EvaluatorCell
{
public:
    EvaluatorCell(std::shared_ptr<EvaluatorCode> code, QJsonObject parameters);

    /// Creates the evaluator at the first call. Throws what the plug-in throws, and
    /// std::runtime_error.
    RestartEvaluator &evaluator();
    /// Whether evaluator() threw although the plug-in was loaded.
    [[nodiscard]] bool isUnmade() const { return m_isLoaded && !m_evaluator; }

private:
    std::shared_ptr<EvaluatorCode> m_code;
    QJsonObject m_parameters;
    std::unique_ptr<RestartEvaluator> m_evaluator;
    bool m_isLoaded = false;
};

/// The state of one request, shared by host and thread. Thread-safe.
class EvaluatorTicket
{
public:
    /// Host: the answer is no longer needed.
    void withdraw();

    enum class Progress {
        Queued,   ///< other jobs run first
        Running,  ///< the plug-in's code runs
        Pending,  ///< the plug-in returned a future
        Reported, ///< an answer or a fault was posted
    };
    [[nodiscard]] Progress progress() const;

    /// Thread: the request starts. False if it was withdrawn.
    [[nodiscard]] bool begin();
    /// Thread: the plug-in returned a future.
    void setFuture(const QFuture<EvaluatorAnswer> &future);
    /// Thread: the result was posted.
    void setReported();

private:
    mutable std::mutex m_mutex;
    bool m_withdrawn = false;
    Progress m_progress = Progress::Queued;
    QFuture<EvaluatorAnswer> m_future;
};

/// The sender and the destination of a report.
struct ReportAddress
{
    quint64 token = 0;
    QString evaluator;
    QUuid instanceId;
    std::shared_ptr<EvaluatorMailbox> mailbox;
    quint64 attachment = 0;

    void post(EvaluatorResult result, bool unmade = false) const;
};

/// Returns the answer in a finished future. Returns nothing if there is none: the future may hold
/// an exception, which may only be handled on the plug-in's thread. Thread-safe.
[[nodiscard]] std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished);

// The jobs of the plug-in's thread. They do not throw.
void prepareEvaluator(EvaluatorCell &cell, const ReportAddress &address);
void requestAnswer(EvaluatorCell &cell, const EvaluatorQuestion &question, EvaluatorTicket &ticket,
                   const ReportAddress &address);
/// Reports the result of a finished future, including an exception.
void reportEnd(const QFuture<EvaluatorAnswer> &finished, const ReportAddress &address);

} // namespace Rekindle
