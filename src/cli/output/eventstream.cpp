// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventstream_p.h"

#include "distinctfiles_p.h"
#include "messages_p.h"
#include "texthelpers_p.h"
#include "json/jsonwriter.h"
#include <rekindle/policy/eventtext.h>

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <utility>

namespace Rekindle {

namespace {
// A burst can have thousands of lines in one pass; they are written in blocks of this size.
constexpr qsizetype blockSize = qsizetype{32} * 1024;

// A group holds its first member until all starts of the same pass are known.
bool startsAtOnce(const LifecycleEvent &event)
{
    const auto *const held = std::get_if<StartHeld>(&event);
    return held != nullptr
        && std::all_of(held->causes.begin(), held->causes.end(),
                       [](const HoldCause &each) { return each.isTransient; });
}

// Whether the last line of a file has no line feed, for example after a full disk.
bool endsWithinLine(const QString &path)
{
    QFile file(path);
    char last = '\n';
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly)
        && file.seek(std::max<qint64>(0, file.size() - 1)) && file.getChar(&last) && last != '\n';
}

} // namespace

EventStream::EventStream(RestartPolicyEvaluator &evaluator, Messages &messages, Pace pace,
                         Format format)
    : m_evaluator(evaluator)
    , m_messages(messages)
    , m_pace(pace)
    , m_format(format)
    , m_source(QLatin1String("urn:uuid:") + evaluator.run())
{
}

EventStream::~EventStream()
{
    flush();
    for (Target &target : m_targets) {
        const quint64 before = target.channel->dropped();
        target.channel->finish();
        target.lost += target.channel->dropped() - before;
        if (target.lost > 0) {
            m_messages.say(
                QStringLiteral("events: %1: %2 events lost").arg(target.name).arg(target.lost));
        }
    }
}

void EventStream::addNamed(const QString &target)
{
    if (target == QLatin1String("-")) {
        add(m_messages.channel(), QStringLiteral("stderr"));
        return;
    }
    requireFolder(QLatin1String("--events"), target, m_messages);
    const bool isTorn = endsWithinLine(target);
    QString error;
    std::unique_ptr<OutputChannel> channel = OutputChannel::appendingTo(target, error);
    if (!channel)
        m_messages.end(ExitCode::usage,
                       QStringLiteral("events: %1: cannot open: %2").arg(target, error));
    if (isTorn)
        channel->write("\n");
    add(std::move(channel), target, QStringLiteral("events"));
    m_targets.back().file = target;
}

void EventStream::reopen()
{
    flush();
    for (Target &target : m_targets) {
        if (target.file.isEmpty())
            continue;
        QString error;
        std::shared_ptr<OutputChannel> channel = OutputChannel::appendingTo(target.file, error);
        if (!channel) {
            m_messages.say(QStringLiteral("events: %1: cannot be opened again: %2; continuing with "
                                          "the open file")
                               .arg(target.file, error));
            continue;
        }
        channel.swap(target.channel);
        watch(target);
        const quint64 before = channel->dropped();
        channel->finish();
        target.lost += channel->dropped() - before;
    }
}

void EventStream::watch(const Target &target)
{
    connect(target.channel.get(), &OutputChannel::failed, this,
            [this, name = target.name](const QString &reason) {
                m_messages.say(QStringLiteral("events: %1: %2; continuing, lost events are counted")
                                   .arg(name, reason));
            });
}

void EventStream::add(std::shared_ptr<OutputChannel> channel, const QString &name,
                      const QString &subscriber)
{
    if (!channel)
        return;
    // Events are formatted only if there is a target.
    if (m_targets.empty())
        connect(&m_evaluator, &RestartPolicyEvaluator::lifecycleEvent, this, &EventStream::take);
    m_targets.push_back({std::move(channel), name, subscriber.isEmpty() ? name : subscriber});
    watch(m_targets.back());
}

QStringList EventStream::subscribers() const
{
    QStringList all;
    for (const Target &target : m_targets)
        all.append(target.subscriber);
    return all;
}

void EventStream::take(const LifecycleEvent &event)
{
    if (m_format != Format::CloudEvents
        && (std::holds_alternative<AgentOutput>(event) || startsAtOnce(event)))
        return;
    // Posted calls run before the event loop sleeps.
    if (m_pace == Pace::EachPass && m_ends.empty())
        QMetaObject::invokeMethod(this, &EventStream::flush, Qt::QueuedConnection);
    if (m_format == Format::CloudEvents)
        appendCloudEvent(m_lines, event, m_source);
    else
        appendText(event);
    m_lines += '\n';
    const EventHeader &common = header(event);
    m_ends.push_back({m_lines.size(), common.sequence, common.time});
    if (m_pace == Pace::EachLine || m_lines.size() >= blockSize)
        flush();
}

void EventStream::appendText(const LifecycleEvent &event)
{
    const QString text =
        QStringLiteral("rekindle: %1: %2").arg(header(event).agent, eventText(event));
    if (m_format == Format::TextWithTime)
        m_lines += toRfc3339(header(event).time).toLatin1() + ' ';
    m_lines += forTerminal(text.toLocal8Bit());
}

void EventStream::flush()
{
    if (m_ends.empty())
        return;
    for (Target &target : m_targets)
        write(target);
    m_lines.resize(0);
    m_ends.clear();
}

void EventStream::write(Target &target)
{
    // All lines in one write if no line was dropped before; the rest line by line.
    const qsizetype done = target.gap == 0 ? target.channel->writeLines(m_lines) : 0;
    const quint64 lostBefore = target.lost;
    qsizetype begin = 0;
    for (const Line &next : m_ends) {
        const qsizetype start = std::exchange(begin, next.end);
        if (start < done)
            continue;
        const QByteArray line = m_lines.mid(start, next.end - start);
        const bool taken =
            target.channel->write(target.gap == 0 ? line : gapLine(target, next) + line);
        target.gap = taken ? 0 : target.gap + 1;
        target.lost += taken ? 0 : 1;
    }
    if (target.lost != lostBefore)
        Q_EMIT dropped(target.subscriber, target.lost);
}

QByteArray EventStream::gapLine(const Target &target, const Line &next) const
{
    if (m_format != Format::CloudEvents)
        return "rekindle: " + QByteArray::number(target.gap) + " events dropped\n";
    const quint64 first = next.sequence - target.gap;
    return jsonObject([&](JsonWriter &json) {
               json.member("specversion", "1.0");
               json.member("id", QStringLiteral("gap-%1").arg(first));
               json.member("source", m_source);
               json.member("type", "rekindle.events.gap.v1");
               json.member("time", toRfc3339(next.time));
               json.member("datacontenttype", "application/json");
               json.object("data", [&] {
                   json.member("first", first);
                   json.member("count", target.gap);
               });
           })
        + '\n';
}

} // namespace Rekindle
