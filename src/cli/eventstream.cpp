// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventstream_p.h"

#include "messages_p.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <utility>

namespace Rekindle {

EventStream::EventStream(RestartPolicyEvaluator &evaluator, Messages &messages)
    : m_evaluator(evaluator)
    , m_messages(messages)
    , m_source(QLatin1String("urn:uuid:") + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

EventStream::~EventStream()
{
    for (Target &target : m_targets) {
        const quint64 before = target.channel->dropped();
        target.channel->finish();
        target.lost += target.channel->dropped() - before;
        if (target.lost > 0) {
            m_messages.say(QStringLiteral("events: %1 could not be written to %2")
                               .arg(target.lost)
                               .arg(target.name));
        }
    }
}

bool EventStream::addFile(const QString &path)
{
    QString error;
    std::unique_ptr<OutputChannel> channel = OutputChannel::appendingTo(path, error);
    if (!channel) {
        m_messages.say(QStringLiteral("events: %1 cannot be opened: %2").arg(path, error));
        return false;
    }
    add(std::move(channel), path);
    return true;
}

void EventStream::add(std::shared_ptr<OutputChannel> channel, const QString &name)
{
    if (!channel)
        return;
    connect(channel.get(), &OutputChannel::failed, this, [this, name](const QString &reason) {
        m_messages.say(QStringLiteral("events: %1: %2; going on, and counting what is lost")
                           .arg(name, reason));
    });
    // Events become text only where somebody reads them.
    if (m_targets.empty())
        connect(&m_evaluator, &RestartPolicyEvaluator::event, this, &EventStream::write);
    m_targets.push_back({std::move(channel), name});
}

void EventStream::write(const LifecycleEvent &event)
{
    const QByteArray line = toCloudEvent(event, m_source) + '\n';
    for (Target &target : m_targets) {
        const bool taken =
            target.channel->write(target.gap == 0 ? line : gapLine(target, header(event)) + line);
        target.gap = taken ? 0 : target.gap + 1;
        target.lost += taken ? 0 : 1;
    }
}

QByteArray EventStream::gapLine(const Target &target, const EventHeader &next) const
{
    const quint64 first = next.sequence - target.gap;
    const QJsonObject data{{QStringLiteral("first"), static_cast<qint64>(first)},
                           {QStringLiteral("count"), static_cast<qint64>(target.gap)}};
    const QJsonObject envelope{
        {QStringLiteral("specversion"), QStringLiteral("1.0")},
        {QStringLiteral("id"), QStringLiteral("gap-%1").arg(first)},
        {QStringLiteral("source"), m_source},
        {QStringLiteral("type"), QStringLiteral("rekindle.events.gap.v1")},
        {QStringLiteral("time"), toRfc3339(next.time)},
        {QStringLiteral("datacontenttype"), QStringLiteral("application/json")},
        {QStringLiteral("data"), data}};
    return QJsonDocument(envelope).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace Rekindle
