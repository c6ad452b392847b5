// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorhost_p.h"

#include <QEvent>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

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
    using Health = AgentHealthStatus::State;
    question.health = context.healthStatus.state == Health::Healthy ? QStringLiteral("healthy")
        : context.healthStatus.state == Health::Unhealthy           ? QStringLiteral("unhealthy")
                                                                    : QStringLiteral("unknown");
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

EvaluatorHost::EvaluatorHost(QObject *parent)
    : CustomEvaluators(parent)
    , d(std::make_unique<Private>(this))
{
}

EvaluatorHost::~EvaluatorHost() = default;

void EvaluatorHost::setFolders(const QStringList &folders)
{
    d->folders = folders;
    d->search();
}

QStringList EvaluatorHost::folders() const { return d->folders; }

void EvaluatorHost::reload() { d->search(); }

void EvaluatorHost::setTierCheck(TierCheck check) { d->tierCheck = std::move(check); }

void EvaluatorHost::setFaultLimit(int faults) { d->faultLimit = std::clamp(faults, 1, 1000); }

bool EvaluatorHost::isInQuarantine(const QString &evaluatorId) const
{
    const auto plugin = d->plugins.find(evaluatorId);
    return plugin != d->plugins.end() && plugin->second->quarantined;
}

QList<EvaluatorInfo> EvaluatorHost::plugins() const
{
    QList<EvaluatorInfo> result;
    for (const FoundEvaluator &each : d->found) {
        EvaluatorInfo info = each.info;
        if (info.state == EvaluatorInfo::State::Allowed && !d->isLicensed(info)) {
            info.state = EvaluatorInfo::State::Gated;
            info.reason = QStringLiteral("it needs tier %1").arg(info.tier);
        }
        result.append(info);
    }
    return result;
}

int EvaluatorHost::threadsSetAside() const { return d->threadsSetAside; }

QList<Fault> EvaluatorHost::check(const EvaluatorReference &evaluator) const
{
    const QString path = QStringLiteral("/evaluator/id");
    if (const auto plugin = d->plugins.find(evaluator.id); plugin != d->plugins.end()) {
        const FoundEvaluator &found = plugin->second->found;
        QList<Fault> faults =
            found.schema.check(evaluator.parameters, QStringLiteral("/evaluator/parameters"));
        if (!d->isLicensed(found.info)) {
            faults.append({path,
                           QStringLiteral("\"%1\" needs tier %2; without it type \"%3\" decides")
                               .arg(evaluator.id, found.info.tier, toText(evaluator.base)),
                           Fault::Severity::Warning});
        }
        return faults;
    }
    QStringList ids;
    for (const FoundEvaluator &each : std::as_const(d->found)) {
        if (each.info.id == evaluator.id) {
            return {{path,
                     QStringLiteral("\"%1\" is refused: %2: %3")
                         .arg(evaluator.id, each.info.file, each.info.reason)}};
        }
    }
    for (const auto &each : d->plugins)
        ids.append(each.first);
    return {{path,
             QStringLiteral("unknown evaluator \"%1\", allowed: %2")
                 .arg(evaluator.id,
                      ids.isEmpty() ? QStringLiteral("none, for no plug-in was found")
                                    : ids.join(QLatin1String(", ")))}};
}

bool EvaluatorHost::isAvailable(const QString &evaluatorId) const
{
    return d->usable(evaluatorId) != nullptr;
}

void EvaluatorHost::attach(const QUuid &instanceId, const EvaluatorReference &evaluator)
{
    detach(instanceId);
    Private::Attached &attached = d->instances[instanceId];
    attached.evaluator = evaluator.id;
    attached.parameters = evaluator.parameters;
    Private::Plugin *const plugin = d->usable(evaluator.id);
    if (!plugin)
        return;
    // Loading takes its time, which the first question should not be late for.
    d->makeCell(attached, *plugin);
    const ReportAddress address{0, evaluator.id, instanceId, d->mailbox};
    d->post(*plugin,
            {instanceId, [cell = attached.cell, address] { prepareEvaluator(*cell, address); }});
}

void EvaluatorHost::detach(const QUuid &instanceId)
{
    const auto found = d->instances.find(instanceId);
    if (found == d->instances.end())
        return;
    d->dropCell(*found);
    d->instances.erase(found);
}

void EvaluatorHost::ask(const EvaluatorRequest &request)
{
    const QUuid id = request.context.instanceId;
    const auto attached = d->instances.find(id);
    Private::Plugin *const plugin =
        attached == d->instances.end() ? nullptr : d->usable(attached->evaluator);
    if (!plugin) {
        // Quarantine may have come in between; no fault, but an answer.
        d->mailbox->post({request.token, {}, id, QString()});
        d->questions.insert_or_assign(request.token, Private::Question{{}, id, {}});
        return;
    }
    if (!attached->cell)
        d->makeCell(*attached, *plugin);
    const auto ticket = std::make_shared<EvaluatorTicket>();
    d->questions.insert_or_assign(request.token,
                                  Private::Question{attached->evaluator, id, ticket});
    const ReportAddress address{request.token, attached->evaluator, id, d->mailbox};
    d->post(*plugin, {id, [cell = attached->cell, question = toQuestion(request), ticket, address] {
                          askEvaluator(*cell, question, *ticket, address);
                      }});
}

void EvaluatorHost::withdraw(quint64 token, Withdrawal why)
{
    const auto found = d->questions.find(token);
    if (found == d->questions.end())
        return;
    const Private::Question question = std::move(found->second);
    d->questions.erase(found);
    if (question.ticket)
        question.ticket->withdraw();
    if (why != Withdrawal::TimedOut)
        return;
    const auto plugin = d->plugins.find(question.evaluator);
    if (plugin != d->plugins.end())
        d->setAside(*plugin->second);
    // Not from in here: whoever withdraws is in the middle of something.
    d->mailbox->post({0, question.evaluator, question.instanceId,
                      QStringLiteral("it gave no answer within %1")
                          .arg(durationToString(InstanceTable::evaluatorBudget))});
}

bool EvaluatorHost::event(QEvent *event)
{
    if (event->type() != EvaluatorMailbox::wakeUp())
        return CustomEvaluators::event(event);
    const QPointer<EvaluatorHost> alive(this);
    for (const EvaluatorReport &report : d->mailbox->takeAll()) {
        d->take(report);
        if (!alive)
            break;
    }
    return true;
}

EvaluatorHost::Private::Private(EvaluatorHost *host)
    : q(host)
    , mailbox(std::make_shared<EvaluatorMailbox>(host))
{
}

EvaluatorHost::Private::~Private()
{
    mailbox->close();
    for (const auto &each : questions) {
        if (each.second.ticket)
            each.second.ticket->withdraw();
    }
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

void EvaluatorHost::Private::setAside(Plugin &plugin)
{
    const std::optional<QUuid> culprit =
        plugin.thread ? plugin.thread->busyWith() : std::optional<QUuid>();
    if (!culprit)
        return; // it is the future that is late
    ++threadsSetAside;
    std::deque<EvaluatorThread::Job> waiting = plugin.thread->leaveBehind();
    plugin.thread = std::make_unique<EvaluatorThread>();
    for (EvaluatorThread::Job &job : waiting)
        plugin.thread->post(std::move(job));
    // The old thread may still be in it.
    if (const auto attached = instances.find(*culprit); attached != instances.end())
        dropCell(*attached);
}

void EvaluatorHost::Private::fault(const QString &evaluator, const QUuid &instanceId,
                                   const QString &what)
{
    const auto plugin = plugins.find(evaluator);
    if (plugin == plugins.end() || plugin->second->quarantined)
        return;
    const bool tooMany = ++plugin->second->faultsInARow >= faultLimit;
    plugin->second->quarantined = tooMany;
    Q_EMIT q->faulted({evaluator, instanceId, what, tooMany});
}

void EvaluatorHost::Private::take(const EvaluatorReport &report)
{
    const auto *const answer = std::get_if<EvaluatorAnswer>(&report.result);
    if (report.token == 0) {
        fault(report.evaluator, report.instanceId, std::get<QString>(report.result));
        return;
    }
    if (questions.erase(report.token) == 0)
        return; // it is late
    if (answer) {
        if (const auto plugin = plugins.find(report.evaluator); plugin != plugins.end())
            plugin->second->faultsInARow = 0;
        Q_EMIT q->answered(report.token, toVerdict(*answer), answer->reason);
        return;
    }
    const QPointer<EvaluatorHost> alive(q);
    fault(report.evaluator, report.instanceId, std::get<QString>(report.result));
    if (alive)
        Q_EMIT alive->unanswered(report.token);
}

} // namespace Rekindle
