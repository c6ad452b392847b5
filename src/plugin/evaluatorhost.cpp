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
    question.consecutiveMisses = context.healthStatus.consecutiveMisses;
    for (const ProbeResult &result : context.healthStatus.history) {
        question.healthHistory.append(
            {result.at.time_since_epoch(), result.ok, result.took, result.text, result.probe});
    }
    return question;
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
            info.reason =
                QStringLiteral("it needs tier %1, which the licence does not have").arg(info.tier);
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
                           QStringLiteral("evaluator \"%1\" needs tier %2, which the licence does "
                                          "not have; it is not asked")
                               .arg(evaluator.id, found.info.tier),
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
    attached.number = ++d->attachments;
    Private::Plugin *const plugin = d->usable(evaluator.id);
    if (!plugin)
        return;
    // Loading takes its time, which the first question should not be late for.
    d->makeCell(attached, *plugin);
    const ReportAddress address{0, evaluator.id, instanceId, d->mailbox, attached.number};
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
    Private::Plugin *const plugin = attached == d->instances.end() || attached->quarantined
        ? nullptr
        : d->usable(attached->evaluator);
    if (!plugin) {
        // Quarantine may have come in between; no fault, but an answer.
        d->mailbox->post({request.token, {}, id, QStringLiteral("it cannot be asked any more")});
        d->questions.insert_or_assign(request.token, Private::Question{.instanceId = id});
        return;
    }
    if (!attached->cell)
        d->makeCell(*attached, *plugin);
    const auto ticket = std::make_shared<EvaluatorTicket>();
    d->questions.insert_or_assign(
        request.token,
        Private::Question{.evaluator = attached->evaluator,
                          .instanceId = id,
                          .ticket = ticket,
                          .begunBefore = plugin->thread ? plugin->thread->begunJobs() : 0});
    const ReportAddress address{request.token, attached->evaluator, id, d->mailbox,
                                attached->number};
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
    Private::end(question);
    if (why != Withdrawal::TimedOut)
        return;
    const auto plugin = d->plugins.find(question.evaluator);
    if (plugin == d->plugins.end() || !d->isToBlame(question, *plugin->second))
        return;
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

} // namespace Rekindle
