// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/plugin/evaluatorhost.h>

#include "base/mailbox_p.h"
#include "evaluatorcatalog_p.h"
#include "evaluatorjob_p.h"

#include <rekindle/policy/instancetable.h>

#include <QFutureWatcher>
#include <QHash>
#include <QPointer>

#include <unordered_map>
#include <utility>

namespace Rekindle {

namespace {

// Between the types of the library and the frozen types of the plug-in interface.

EvaluatorQuestion toQuestion(const EvaluatorRequest &request)
{
    const RestartContext &context = request.context;
    const RestartDecision &builtIn = request.builtIn;
    EvaluatorQuestion question;
    question.instanceId = context.instanceId;
    question.agent = request.agent;
    question.generation = request.generation;
    question.currentAttempt = context.currentAttempt;
    question.reason = toText(context.reason);
    question.message = context.detail.message;
    question.exitCode = context.detail.exitCode;
    question.signal = context.detail.signal;
    question.stderrTail = context.detail.stderrTail;
    question.beforeReady = request.beforeReady;
    question.onceReady = context.onceReady;
    question.failedAt = request.failedAt.time_since_epoch();
    question.failedAtUtc = context.lastFailureAt.time_since_epoch();
    question.builtInDelay = builtIn.delay;
    question.attemptNumber = builtIn.attemptNumber;
    question.isFinalAttempt = builtIn.isFinalAttempt;
    question.health = toText(context.healthStatus.state).toLower();
    question.consecutiveMisses = context.healthStatus.consecutiveMisses;
    for (const ProbeResult &result : context.healthStatus.history) {
        question.healthHistory.append(
            {result.at.time_since_epoch(), result.ok, result.took, result.text, result.probe});
    }
    return question;
}

EvaluatorVerdict toVerdict(const EvaluatorAnswer &answer)
{
    switch (answer.kind) {
    case EvaluatorAnswer::Kind::Delay:
        return {EvaluatorVerdict::Kind::Delay, answer.delay};
    case EvaluatorAnswer::Kind::Refuse:
        return {EvaluatorVerdict::Kind::Refuse};
    case EvaluatorAnswer::Kind::OpenBreaker:
        return {EvaluatorVerdict::Kind::OpenBreaker};
    case EvaluatorAnswer::Kind::Accept:
        break;
    }
    return {};
}

} // namespace

class EvaluatorHost::Private
{
public:
    explicit Private(EvaluatorHost *host)
        : q(host)
    {
    }
    ~Private();
    Q_DISABLE_COPY_MOVE(Private)

    /// An instance and its evaluator.
    struct Attachment
    {
        QString id; ///< of the evaluator
        QJsonObject parameters;
        std::shared_ptr<LazyEvaluator> evaluator; ///< null while there is no such plug-in
        quint64 number = 0;                       ///< changes with each attach() and each search
        int consecutiveCreationFaults = 0;
        bool quarantined = false; ///< because of its parameters, not because of the plug-in
    };
    /// The origin of a job.
    struct Sender
    {
        quint64 token = 0; ///< of the request; 0 if the job was none
        QString evaluator{};
        QUuid instanceId{};
        quint64 attachment = 0; ///< of the parameters; the instance may have others by now
    };
    using AnswerWatcher = QFutureWatcher<EvaluatorAnswer>;
    struct Pending
    {
        QString evaluator{};
        QUuid instanceId{};
        std::shared_ptr<EvaluatorTicket> ticket{};
        quint64 startedBefore = 0; ///< jobs that the thread had started at the time of the request
        /// While the future is not finished. A continuation of the future is no alternative: Qt 6.4
        /// may run it twice, and crash, if the future finishes while it is added.
        QPointer<AnswerWatcher> watcher{};
    };

    void search();
    void dropEvaluator(Attachment &attachment) const;

    /// Whether the plug-in caused the timeout. If its thread is stuck, the thread is replaced.
    [[nodiscard]] bool isToBlame(const Pending &late, EvaluatorPlugin &plugin);
    void replaceThread(EvaluatorPlugin &plugin, const QUuid &culprit);

    [[nodiscard]] EvaluatorReport reportFrom(const Sender &sender);
    void handle(const Sender &sender, const EvaluatorResult &result);
    // Both emit, and a slot may delete the host.
    void handleFault(const Sender &sender, const JobFault &fault);
    void handleCreationFault(const Sender &sender, const QString &text);
    void watch(Pending &pending, const Sender &sender, const QFuture<EvaluatorAnswer> &future);
    void onFinished(const Sender &sender, const QFuture<EvaluatorAnswer> &future);
    static void cancel(const Pending &pending);

    EvaluatorHost *const q;
    const std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>(q);
    EvaluatorCatalog catalog;
    int abandonedThreads = 0;
    quint64 attachmentCount = 0;
    QHash<QUuid, Attachment> instances;
    std::unordered_map<quint64, Pending> requests;
};

EvaluatorHost::Private::~Private()
{
    mailbox->close();
    for (const auto &each : requests)
        cancel(each.second);
    for (Attachment &attachment : instances)
        dropEvaluator(attachment);
}

void EvaluatorHost::Private::search()
{
    const EvaluatorCatalog::Plugins previous = catalog.search();
    for (Attachment &attachment : instances) {
        if (const auto old = previous.find(attachment.id); old != previous.end())
            old->second->release(attachment.evaluator);
        attachment.number = ++attachmentCount;
        attachment.consecutiveCreationFaults = 0;
        attachment.quarantined = false;
    }
}

void EvaluatorHost::Private::dropEvaluator(Attachment &attachment) const
{
    if (EvaluatorPlugin *const plugin = catalog.find(attachment.id))
        plugin->release(attachment.evaluator);
    attachment.evaluator.reset();
}

bool EvaluatorHost::Private::isToBlame(const Pending &late, EvaluatorPlugin &plugin)
{
    using Progress = EvaluatorTicket::Progress;
    const std::optional<QUuid> busyWith = plugin.busyWith();
    switch (late.ticket->progress()) {
    case Progress::Queued:
        // With many requests at once, the last ones are late although each answer was quick. The
        // thread is stuck only if it started no other job in the meantime.
        if (!busyWith || plugin.startedJobs() - late.startedBefore > 1)
            return false;
        replaceThread(plugin, *busyWith);
        return true;
    case Progress::Running:
        if (busyWith == late.instanceId)
            replaceThread(plugin, *busyWith);
        return true;
    case Progress::Pending:
        return true;
    case Progress::Reported:
        break; // this thread was too busy to read the report
    }
    return false;
}

void EvaluatorHost::Private::replaceThread(EvaluatorPlugin &plugin, const QUuid &culprit)
{
    ++abandonedThreads;
    plugin.replaceThread(culprit);
    if (const auto attachment = instances.find(culprit); attachment != instances.end())
        dropEvaluator(*attachment);
}

EvaluatorReport EvaluatorHost::Private::reportFrom(const Sender &sender)
{
    return [this, mailbox = mailbox, sender](const EvaluatorResult &result) {
        mailbox->post([this, sender, result] { handle(sender, result); });
    };
}

void EvaluatorHost::Private::handleFault(const Sender &sender, const JobFault &fault)
{
    EvaluatorPlugin *const plugin = catalog.find(sender.evaluator);
    if (!plugin || plugin->isQuarantined())
        return;
    if (fault.creationFailed) {
        handleCreationFault(sender, fault.text);
        return;
    }
    plugin->countFault(faultLimit);
    Q_EMIT q->faulted(
        {sender.evaluator, sender.instanceId, fault.text, plugin->isQuarantined(), false});
}

// Invalid parameters of one instance must not disable the evaluator for other instances.
void EvaluatorHost::Private::handleCreationFault(const Sender &sender, const QString &text)
{
    const auto attachment = instances.find(sender.instanceId);
    if (attachment == instances.end() || attachment->number != sender.attachment
        || attachment->quarantined)
        return;
    attachment->quarantined = ++attachment->consecutiveCreationFaults >= faultLimit;
    Q_EMIT q->faulted({sender.evaluator, sender.instanceId, text, attachment->quarantined, true});
}

void EvaluatorHost::Private::handle(const Sender &sender, const EvaluatorResult &result)
{
    if (sender.token == 0) {
        handleFault(sender, std::get<JobFault>(result));
        return;
    }
    const auto pending = requests.find(sender.token);
    if (pending == requests.end())
        return; // the request was withdrawn
    if (const auto *const future = std::get_if<QFuture<EvaluatorAnswer>>(&result)) {
        watch(pending->second, sender, *future);
        return;
    }
    requests.erase(pending);
    if (const auto *const answer = std::get_if<EvaluatorAnswer>(&result)) {
        if (EvaluatorPlugin *const plugin = catalog.find(sender.evaluator))
            plugin->clearFaults();
        if (const auto attachment = instances.find(sender.instanceId);
            attachment != instances.end())
            attachment->consecutiveCreationFaults = 0;
        Q_EMIT q->answered(sender.token, toVerdict(*answer), answer->reason);
        return;
    }
    const QPointer<EvaluatorHost> alive(q);
    const auto &fault = std::get<JobFault>(result);
    handleFault(sender, fault);
    if (alive)
        Q_EMIT alive->unanswered(sender.token, fault.text);
}

void EvaluatorHost::Private::watch(Pending &pending, const Sender &sender,
                                   const QFuture<EvaluatorAnswer> &future)
{
    auto *const watcher = new AnswerWatcher(q);
    QObject::connect(watcher, &AnswerWatcher::finished, q, [this, watcher, sender] {
        onFinished(sender, watcher->future());
        watcher->deleteLater();
    });
    watcher->setFuture(future);
    pending.watcher = watcher;
}

void EvaluatorHost::Private::onFinished(const Sender &sender,
                                        const QFuture<EvaluatorAnswer> &future)
{
    const EvaluatorReport report = reportFrom(sender);
    if (const std::optional<EvaluatorResult> answer = answerIn(future))
        report(*answer);
    else if (EvaluatorPlugin *const plugin = catalog.find(sender.evaluator))
        plugin->post({sender.instanceId, [report, future] { reportEnd(future, report); }});
    else
        report(JobFault{QStringLiteral("the plug-in was removed")});
}

void EvaluatorHost::Private::cancel(const Pending &pending)
{
    delete pending.watcher.data();
    if (pending.ticket)
        pending.ticket->withdraw();
}

EvaluatorHost::EvaluatorHost(QObject *parent)
    : CustomEvaluators(parent)
    , d(std::make_unique<Private>(this))
{
}

EvaluatorHost::~EvaluatorHost() = default;

void EvaluatorHost::setFolders(const QStringList &folders)
{
    d->catalog.setFolders(folders);
    d->search();
}

QStringList EvaluatorHost::folders() const { return d->catalog.folders(); }

void EvaluatorHost::reload() { d->search(); }

void EvaluatorHost::setTierCheck(TierCheck check) { d->catalog.setTierCheck(std::move(check)); }

bool EvaluatorHost::isInQuarantine(const QString &evaluatorId) const
{
    const EvaluatorPlugin *const plugin = d->catalog.find(evaluatorId);
    return plugin != nullptr && plugin->isQuarantined();
}

QList<EvaluatorInfo> EvaluatorHost::plugins() const { return d->catalog.list(); }

int EvaluatorHost::abandonedThreads() const { return d->abandonedThreads; }

QList<Fault> EvaluatorHost::check(const EvaluatorReference &evaluator) const
{
    return d->catalog.check(evaluator);
}

bool EvaluatorHost::isAvailable(const QString &evaluatorId) const
{
    return d->catalog.usable(evaluatorId) != nullptr;
}

void EvaluatorHost::attach(const QUuid &instanceId, const EvaluatorReference &evaluator)
{
    detach(instanceId);
    Private::Attachment &attachment = d->instances[instanceId];
    attachment.id = evaluator.id;
    attachment.parameters = evaluator.parameters;
    attachment.number = ++d->attachmentCount;
    EvaluatorPlugin *const plugin = d->catalog.usable(evaluator.id);
    if (!plugin)
        return;
    // Load now, so that loading does not use up the time budget of the first request.
    attachment.evaluator = plugin->makeEvaluator(attachment.parameters);
    const Private::Sender sender{0, evaluator.id, instanceId, attachment.number};
    plugin->post({instanceId, [created = attachment.evaluator, report = d->reportFrom(sender)] {
                      prepareEvaluator(*created, report);
                  }});
}

void EvaluatorHost::detach(const QUuid &instanceId)
{
    const auto found = d->instances.find(instanceId);
    if (found == d->instances.end())
        return;
    d->dropEvaluator(*found);
    d->instances.erase(found);
}

void EvaluatorHost::request(const EvaluatorRequest &request)
{
    const QUuid id = request.context.instanceId;
    const auto attachment = d->instances.find(id);
    EvaluatorPlugin *const plugin = attachment == d->instances.end() || attachment->quarantined
        ? nullptr
        : d->catalog.usable(attachment->id);
    if (!plugin) {
        // The quarantine began after isAvailable(): this is an answer, but no fault.
        d->reportFrom({request.token, {}, id})(JobFault{QStringLiteral("not available")});
        d->requests.insert_or_assign(request.token, Private::Pending{.instanceId = id});
        return;
    }
    if (!attachment->evaluator)
        attachment->evaluator = plugin->makeEvaluator(attachment->parameters);
    const auto ticket = std::make_shared<EvaluatorTicket>();
    d->requests.insert_or_assign(request.token,
                                 Private::Pending{.evaluator = attachment->id,
                                                  .instanceId = id,
                                                  .ticket = ticket,
                                                  .startedBefore = plugin->startedJobs()});
    const Private::Sender sender{request.token, attachment->id, id, attachment->number};
    plugin->post({id,
                  [evaluator = attachment->evaluator, question = toQuestion(request), ticket,
                   report = d->reportFrom(sender)] {
                      requestAnswer(*evaluator, question, *ticket, report);
                  }});
}

void EvaluatorHost::withdraw(quint64 token, Withdrawal reason)
{
    const auto found = d->requests.find(token);
    if (found == d->requests.end())
        return;
    const Private::Pending pending = std::move(found->second);
    d->requests.erase(found);
    Private::cancel(pending);
    if (reason != Withdrawal::TimedOut)
        return;
    EvaluatorPlugin *const plugin = d->catalog.find(pending.evaluator);
    if (!plugin || !d->isToBlame(pending, *plugin))
        return;
    // Reported from the event loop, because withdraw() must not emit.
    d->reportFrom({0, pending.evaluator, pending.instanceId})(
        JobFault{QStringLiteral("no answer within %1")
                     .arg(durationToString(InstanceTable::evaluatorBudget))});
}

} // namespace Rekindle
