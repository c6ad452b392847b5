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

// What a plug-in's thread works with, and how it tells the host. The handovers lock a std::mutex,
// which orders memory where tools can see it too.

namespace Rekindle {

/// An answer, what went wrong, or a future of either.
using EvaluatorResult = std::variant<EvaluatorAnswer, QString, QFuture<EvaluatorAnswer>>;

/// What came of a job.
struct EvaluatorReport
{
    quint64 token = 0; ///< 0: it was no question
    QString evaluator{};
    QUuid instanceId{};
    EvaluatorResult result{};
    bool unmade = false;    ///< the plug-in makes no evaluator of these parameters
    quint64 attachment = 0; ///< whose they are: an instance may have others by now
};

/// Where the threads leave their reports for the host, which may be gone.
class EvaluatorMailbox
{
public:
    explicit EvaluatorMailbox(QObject *receiver);

    /// Wakes the receiver up with an event of wakeUp().
    void post(EvaluatorReport report);
    [[nodiscard]] std::vector<EvaluatorReport> takeAll();
    void close();

    [[nodiscard]] static int wakeUp();

private:
    std::mutex m_mutex;
    QObject *m_receiver;
    std::vector<EvaluatorReport> m_reports;
};

/// The code of one plug-in: loaded at first use, and never unloaded.
class EvaluatorCode
{
public:
    explicit EvaluatorCode(QString file);

    /// The root object; throws std::runtime_error. Blocks for as long as loading takes.
    RestartEvaluatorPlugin &root();

private:
    const QString m_file;
    std::mutex m_mutex;
    RestartEvaluatorPlugin *m_root = nullptr;
};

/// The evaluator of one instance. Only jobs touch what is in it, one at a time, the last one
/// included: the plug-in's destructor runs on the plug-in's thread.
class EvaluatorCell
{
public:
    EvaluatorCell(std::shared_ptr<EvaluatorCode> code, QJsonObject parameters);

    /// Throws what the plug-in throws, and std::runtime_error.
    RestartEvaluator &evaluator();
    /// evaluator() has thrown, and not because the plug-in cannot be loaded.
    [[nodiscard]] bool isUnmade() const { return m_isLoaded && !m_evaluator; }

private:
    std::shared_ptr<EvaluatorCode> m_code;
    QJsonObject m_parameters;
    std::unique_ptr<RestartEvaluator> m_evaluator;
    bool m_isLoaded = false;
};

/// One question on its way, shared by host and thread: how the host calls it back.
class EvaluatorTicket
{
public:
    /// From the host: nobody waits any more.
    void withdraw();

    enum class Progress {
        Waiting, ///< behind other jobs
        Asked,   ///< the plug-in's code runs
        Pending, ///< it has given a future
        Told,    ///< it has answered, or failed to
    };
    [[nodiscard]] Progress progress() const;

    /// From the thread: comes to it; false if nobody waits any more.
    [[nodiscard]] bool begin();
    /// From the thread: the answer is to come.
    void keep(const QFuture<EvaluatorAnswer> &future);
    /// From the thread: it has come to an end.
    void close();

private:
    mutable std::mutex m_mutex;
    bool m_withdrawn = false;
    Progress m_progress = Progress::Waiting;
    QFuture<EvaluatorAnswer> m_future;
};

/// Where a report comes from.
struct ReportAddress
{
    quint64 token = 0;
    QString evaluator;
    QUuid instanceId;
    std::shared_ptr<EvaluatorMailbox> mailbox;
    quint64 attachment = 0;

    void post(EvaluatorResult result, bool unmade = false) const;
};

/// What a future holds that is finished. Nothing if that is no answer: then it may be an exception,
/// which is code of the plug-in. On any thread.
[[nodiscard]] std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished);

// On the plug-in's thread. They throw nothing.
void prepareEvaluator(EvaluatorCell &cell, const ReportAddress &address);
void askEvaluator(EvaluatorCell &cell, const EvaluatorQuestion &question, EvaluatorTicket &ticket,
                  const ReportAddress &address);
/// Reports what a finished future holds that has no answer.
void reportEnd(const QFuture<EvaluatorAnswer> &finished, const ReportAddress &address);

} // namespace Rekindle
