// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorhost_p.h"

#include <utility>

namespace Rekindle {

namespace {

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

EvaluatorHost::Private::Private(EvaluatorHost *host)
    : q(host)
    , mailbox(std::make_shared<EvaluatorMailbox>(host))
{
}

EvaluatorHost::Private::~Private()
{
    mailbox->close();
    for (const auto &each : questions)
        end(each.second);
    for (Attached &attached : instances)
        dropCell(attached);
}

EvaluatorHost::Private::Plugin *EvaluatorHost::Private::usable(const QString &id) const
{
    const auto plugin = plugins.find(id);
    if (plugin == plugins.end() || plugin->second->quarantined
        || !isLicensed(plugin->second->found.info))
        return nullptr;
    return plugin->second.get();
}

bool EvaluatorHost::Private::isLicensed(const EvaluatorInfo &info) const
{
    return !tierCheck || tierCheck(info.tier);
}

void EvaluatorHost::Private::search()
{
    std::map<QString, std::unique_ptr<Plugin>> before = std::exchange(plugins, {});
    found = findEvaluators(folders);
    for (const FoundEvaluator &each : std::as_const(found)) {
        if (each.info.state != EvaluatorInfo::State::Allowed)
            continue;
        auto plugin = std::make_unique<Plugin>();
        plugin->found = each;
        const auto known = before.find(each.info.id);
        const bool same = known != before.end() && known->second->found.info.file == each.info.file;
        plugin->code = same ? known->second->code : std::make_shared<EvaluatorCode>(each.info.file);
        if (same)
            plugin->thread = std::move(known->second->thread);
        plugins.emplace(each.info.id, std::move(plugin));
    }
    // What belongs to plug-ins that are gone goes with their threads.
    for (Attached &attached : instances) {
        const auto old = before.find(attached.evaluator);
        const bool goes = old != before.end() && old->second->thread && attached.cell;
        if (goes)
            old->second->thread->post({QUuid(), [cell = std::move(attached.cell)] {}});
        attached.number = ++attachments;
        attached.unmadeInARow = 0;
        attached.quarantined = false;
    }
}

void EvaluatorHost::Private::makeCell(Attached &attached, Plugin &plugin)
{
    attached.cell = std::make_shared<EvaluatorCell>(
        plugin.code, plugin.found.schema.withDefaults(attached.parameters));
}

void EvaluatorHost::Private::dropCell(Attached &attached)
{
    const auto plugin = plugins.find(attached.evaluator);
    if (attached.cell && plugin != plugins.end() && plugin->second->thread)
        plugin->second->thread->post({QUuid(), [cell = std::move(attached.cell)] {}});
    attached.cell.reset();
}

void EvaluatorHost::Private::post(Plugin &plugin, EvaluatorThread::Job job)
{
    if (!plugin.thread)
        plugin.thread = std::make_unique<EvaluatorThread>();
    plugin.thread->post(std::move(job));
}

bool EvaluatorHost::Private::isToBlame(const Question &late, Plugin &plugin)
{
    using Progress = EvaluatorTicket::Progress;
    const std::optional<QUuid> busyWith =
        plugin.thread ? plugin.thread->busyWith() : std::optional<QUuid>();
    switch (late.ticket->progress()) {
    case Progress::Waiting:
        // Where many ask at once, those at the end of the line are late though each answer was
        // quick. A thread that came no further all the time hangs.
        if (!busyWith || plugin.thread->begunJobs() - late.begunBefore > 1)
            return false;
        setAside(plugin, *busyWith);
        return true;
    case Progress::Asked:
        if (busyWith == late.instanceId)
            setAside(plugin, *busyWith);
        return true;
    case Progress::Pending:
        return true;
    case Progress::Told:
        break; // and the host has not come to read it
    }
    return false;
}

void EvaluatorHost::Private::setAside(Plugin &plugin, const QUuid &culprit)
{
    ++threadsSetAside;
    plugin.lost.push_back(plugin.thread->traces());
    const quint64 begun = plugin.thread->begunJobs();
    std::deque<EvaluatorThread::Job> waiting = plugin.thread->leaveBehind();
    plugin.thread = std::make_unique<EvaluatorThread>(begun);
    // The old thread may still be in the evaluator that the culprit's other jobs are about: they
    // are not done, and go where the others are done.
    for (EvaluatorThread::Job &job : waiting) {
        if (job.instanceId == culprit)
            plugin.thread->post({QUuid(), [undone = std::move(job.run)] {}});
        else
            plugin.thread->post(std::move(job));
    }
    if (const auto attached = instances.find(culprit); attached != instances.end())
        dropCell(*attached);
}

bool EvaluatorHost::Private::isTooMuch(Plugin &plugin) const
{
    std::erase_if(plugin.lost, [](const EvaluatorThread::Traces &each) { return each.expired(); });
    return ++plugin.faultsInARow >= faultLimit
        || plugin.lost.size() >= static_cast<std::size_t>(faultLimit);
}

void EvaluatorHost::Private::fault(const EvaluatorReport &report, const QString &what)
{
    const auto plugin = plugins.find(report.evaluator);
    if (plugin == plugins.end() || plugin->second->quarantined)
        return;
    if (report.unmade) {
        unmade(report, what);
        return;
    }
    plugin->second->quarantined = isTooMuch(*plugin->second);
    Q_EMIT q->faulted(
        {report.evaluator, report.instanceId, what, plugin->second->quarantined, false});
}

// What is wrong with the parameters of one instance is no reason not to ask about others.
void EvaluatorHost::Private::unmade(const EvaluatorReport &report, const QString &what)
{
    const auto attached = instances.find(report.instanceId);
    if (attached == instances.end() || attached->number != report.attachment
        || attached->quarantined)
        return;
    attached->quarantined = ++attached->unmadeInARow >= faultLimit;
    Q_EMIT q->faulted({report.evaluator, report.instanceId, what, attached->quarantined, true});
}

void EvaluatorHost::Private::take(const EvaluatorReport &report)
{
    if (report.token == 0) {
        fault(report, std::get<QString>(report.result));
        return;
    }
    const auto question = questions.find(report.token);
    if (question == questions.end())
        return; // it is late
    if (const auto *const future = std::get_if<QFuture<EvaluatorAnswer>>(&report.result)) {
        watch(question->second, {report.token, report.evaluator, report.instanceId, mailbox},
              *future);
        return;
    }
    questions.erase(question);
    if (const auto *const answer = std::get_if<EvaluatorAnswer>(&report.result)) {
        if (const auto plugin = plugins.find(report.evaluator); plugin != plugins.end())
            plugin->second->faultsInARow = 0;
        if (const auto attached = instances.find(report.instanceId); attached != instances.end())
            attached->unmadeInARow = 0;
        Q_EMIT q->answered(report.token, toVerdict(*answer), answer->reason);
        return;
    }
    const QPointer<EvaluatorHost> alive(q);
    const QString &why = std::get<QString>(report.result);
    fault(report, why);
    if (alive)
        Q_EMIT alive->unanswered(report.token, why);
}

void EvaluatorHost::Private::watch(Question &question, const ReportAddress &address,
                                   const QFuture<EvaluatorAnswer> &future)
{
    auto *const watcher = new AnswerWatcher(q);
    QObject::connect(watcher, &AnswerWatcher::finished, q, [this, watcher, address] {
        finished(address, watcher->future());
        watcher->deleteLater();
    });
    watcher->setFuture(future);
    question.watcher = watcher;
}

void EvaluatorHost::Private::finished(const ReportAddress &address,
                                      const QFuture<EvaluatorAnswer> &future)
{
    if (std::optional<EvaluatorResult> answer = answerIn(future)) {
        address.post(std::move(*answer));
        return;
    }
    const auto plugin = plugins.find(address.evaluator);
    if (plugin == plugins.end()) {
        address.post(QStringLiteral("it is gone"));
        return;
    }
    post(*plugin->second, {address.instanceId, [address, future] { reportEnd(future, address); }});
}

void EvaluatorHost::Private::end(const Question &question)
{
    delete question.watcher.data();
    if (question.ticket)
        question.ticket->withdraw();
}

} // namespace Rekindle
