// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatorfinder_p.h"
#include "evaluatorjob_p.h"
#include "evaluatorthread_p.h"

#include <rekindle/plugin/evaluatorhost.h>

#include <QFutureWatcher>
#include <QHash>
#include <QPointer>
#include <QSet>

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace Rekindle {

class EvaluatorHost::Private
{
public:
    explicit Private(EvaluatorHost *host);
    ~Private();
    Q_DISABLE_COPY_MOVE(Private)

    /// A plug-in that may be used, as long as the licence allows it.
    struct Plugin
    {
        FoundEvaluator found;
        std::shared_ptr<EvaluatorCode> code;
        std::unique_ptr<EvaluatorThread> thread; ///< from the first job on
        int faultsInARow = 0;
        std::vector<EvaluatorThread::Traces> lost; ///< threads that were set aside
        bool quarantined = false;
    };
    struct Attached
    {
        QString evaluator;
        QJsonObject parameters;
        std::shared_ptr<EvaluatorCell> cell; ///< null while there is no such plug-in
        quint64 number = 0;                  ///< another one with each attach() and search
        int unmadeInARow = 0;
        bool quarantined = false; ///< no evaluator could be made of its parameters, too often
    };
    using AnswerWatcher = QFutureWatcher<EvaluatorAnswer>;
    struct Question
    {
        QString evaluator{};
        QUuid instanceId{};
        std::shared_ptr<EvaluatorTicket> ticket{};
        quint64 begunBefore = 0; ///< jobs that the thread had come to when it was asked
        /// While the answer is to come. Not a continuation of the future: Qt 6.4 may run one twice,
        /// and crash, where the future finishes at the moment in which it is added.
        QPointer<AnswerWatcher> watcher{};
    };

    [[nodiscard]] Plugin *usable(const QString &id) const;
    [[nodiscard]] bool isLicensed(const EvaluatorInfo &info) const;
    void search();

    void makeCell(Attached &attached, Plugin &plugin);
    /// Its last reference goes on the plug-in's thread, for the plug-in's destructor runs then.
    void dropCell(Attached &attached);
    void post(Plugin &plugin, EvaluatorThread::Job job);
    /// The time for it is over: whether that is the plug-in's fault. A thread that does not come
    /// back is set aside then.
    [[nodiscard]] bool isToBlame(const Question &late, Plugin &plugin);
    /// Another thread does what waits for it.
    void setAside(Plugin &plugin, const QUuid &culprit);

    /// Emits; the host may be gone afterwards.
    void fault(const EvaluatorReport &report, const QString &what);
    void unmade(const EvaluatorReport &report, const QString &what);
    /// Counts one more fault; true if it is one too many.
    [[nodiscard]] bool isTooMuch(Plugin &plugin) const;
    void take(const EvaluatorReport &report);
    void watch(Question &question, const ReportAddress &address,
               const QFuture<EvaluatorAnswer> &future);
    void finished(const ReportAddress &address, const QFuture<EvaluatorAnswer> &future);
    /// A question that nobody waits for any more.
    static void end(const Question &question);

    EvaluatorHost *const q;
    std::shared_ptr<EvaluatorMailbox> mailbox;
    QStringList folders;
    TierCheck tierCheck;
    int faultLimit = usualFaultLimit;
    int threadsSetAside = 0;
    quint64 attachments = 0;
    QList<FoundEvaluator> found;
    std::map<QString, std::unique_ptr<Plugin>> plugins; ///< by id
    QHash<QUuid, Attached> instances;
    std::unordered_map<quint64, Question> questions;
};

} // namespace Rekindle
