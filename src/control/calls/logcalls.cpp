// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/logcalls_p.h"

#include "base/files/filetail_p.h"
#include "base/text/terminaltext_p.h"
#include "control/internal/messagejson.h"

#include <rekindle/lifecycle/agent.h>

#include <algorithm>
#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype enoughOutput = qsizetype{128} * 1024;
constexpr int linesPerTurn = 256;

constexpr std::array<EnumName<AgentOutput::Stream>, 2> streamNames = {{
    {AgentOutput::Stream::Output, QLatin1String("stdout")},
    {AgentOutput::Stream::Error, QLatin1String("stderr")},
}};

// A client may show the text on a terminal. Colors are kept.
OutputLine outputLine(const LogLine &line)
{
    OutputLine output{.stream = nameOf(streamNames, line.stream),
                      .text = QString::fromUtf8(textOnTerminal(line.text, Colors::Kept)),
                      .time = line.time};
    if (line.processId > 0)
        output.processId = line.processId;
    return output;
}

} // namespace

LogCalls::Params LogCalls::Params::of(ControlRequest &request)
{
    JsonObjectReader &reader = request.params;
    Params params{.agent = request.agent()};
    reader.read(QStringLiteral("lines"), params.lines, 0, int{LogRing::maxLines});
    for (const JsonPlace &each : reader.items(QStringLiteral("streams"))) {
        if (const auto stream = each.choice(streamNames))
            params.streams.append(*stream);
    }
    if (const auto match = reader.member(QStringLiteral("match")))
        params.match = match->text().value_or(QString()).toUtf8();
    return params;
}

bool LogCalls::Params::isSelected(const LogLine &line) const
{
    return isSelected(line.stream) && line.text.contains(match);
}

quint64 LogCalls::Params::firstIn(const LogRing &ring) const
{
    quint64 number = ring.end();
    for (int left = lines; left > 0 && number > ring.first();) {
        --number;
        left -= isSelected(ring.at(number)) ? 1 : 0;
    }
    return number;
}

LogCalls::LogCalls(const AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
{
    for (const QUuid &id : supervisor.ids())
        watch(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, this, &LogCalls::watch);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this,
            [this](const QUuid &id) { m_rings.remove(id); });
}

void LogCalls::watch(const QUuid &id)
{
    const Agent *const agent = m_supervisor.agent(id);
    if (!agent)
        return;
    connect(agent, &Agent::output, this,
            [this, id](AgentOutput::Stream stream, const QByteArray &line) {
                const Agent *const writer = m_supervisor.agent(id);
                if (!writer)
                    return; // removed; it is deleted later
                ringOf(id)->add(
                    {stream, line, m_supervisor.scheduler().clock().utcNow(), writer->processId()});
                ++m_lineCount;
                if (!m_followers.isEmpty())
                    Q_EMIT added();
            });
}

std::shared_ptr<LogRing> LogCalls::ringOf(const QUuid &id)
{
    std::shared_ptr<LogRing> &ring = m_rings[id];
    if (!ring)
        ring = std::make_shared<LogRing>();
    return ring;
}

// The files as JSON, and their newest lines. A file of both streams is that of stdout.
QList<QByteArray> LogCalls::readFiles(const Params &params, QList<OutputLine> &lines) const
{
    QList<QByteArray> files;
    QStringList paths;
    const Agent *const agent = m_supervisor.agent(m_supervisor.idOf(params.agent));
    for (const OutputFile &file : agent->outputFiles()) {
        if (!params.isSelected(file.stream) || paths.contains(file.path))
            continue;
        paths.append(file.path);
        FileTail tail(file.path);
        QByteArrayList texts = tail.readLines();
        if (const QByteArray rest = tail.takeRest(); !rest.isEmpty())
            texts.append(rest);
        LogRing ring;
        for (const QByteArray &text : std::as_const(texts))
            ring.add({.stream = file.stream, .text = text});
        addLines(ring, params, lines);
        files.append(objectJson("stream", nameOf(streamNames, file.stream), "path", file.path,
                                "error", FieldWriter::optional(tail.error())));
    }
    return files;
}

void LogCalls::addLines(const LogRing &ring, const Params &params, QList<OutputLine> &lines)
{
    for (quint64 i = params.firstIn(ring); i < ring.end(); ++i) {
        if (params.isSelected(ring.at(i)))
            lines.append(outputLine(ring.at(i)));
    }
}

ControlReply LogCalls::read(ControlRequest &request) const
{
    const Params params = Params::of(request);
    if (const auto fault = request.fault())
        return *fault;
    QList<OutputLine> lines;
    const QList<QByteArray> files = readFiles(params, lines);
    const auto ring = m_rings.value(m_supervisor.idOf(params.agent));
    if (ring)
        addLines(*ring, params, lines);
    return objectJson("lines", lines, "dropped", ring ? ring->first() : 0, "files",
                      FieldWriter::optional(files));
}

ControlReply LogCalls::follow(ControlRequest &request)
{
    const Params params = Params::of(request);
    if (const auto fault = request.fault())
        return *fault;
    ControlSession &session = request.client->session();
    if (!m_followers.contains(&session))
        session.addStream();
    std::vector<Follower> &followers = m_followers[&session];
    // A second request replaces the first one.
    std::erase_if(followers,
                  [&](const Follower &each) { return each.params.agent == params.agent; });
    const std::shared_ptr<const LogRing> ring = ringOf(m_supervisor.idOf(params.agent));
    followers.push_back({params, ring, params.firstIn(*ring)});
    QList<OutputLine> lines;
    const QList<QByteArray> files = readFiles(params, lines);
    return files.isEmpty() ? QByteArrayLiteral("{}") : objectJson("lines", lines, "files", files);
}

void LogCalls::remove(ControlSession &session)
{
    if (m_followers.remove(&session))
        session.removeStream();
}

bool LogCalls::fill(ControlSession &session)
{
    const auto found = m_followers.find(&session);
    if (found == m_followers.end())
        return false;
    bool isMore = true;
    for (int left = linesPerTurn; left > 0 && isMore; --left) {
        if (session.outgoing().size() >= enoughOutput)
            return true;
        isMore = false;
        for (Follower &each : *found)
            isMore = sendNext(session, each) || isMore;
    }
    return isMore;
}

// Returns whether the follower has made progress.
bool LogCalls::sendNext(ControlSession &session, Follower &follower)
{
    const LogRing &ring = *follower.ring;
    if (follower.next < ring.first()) {
        if (!session.notify(
                "logs.gap",
                objectJson("agent", follower.params.agent, "count", ring.first() - follower.next)))
            return false;
        follower.next = ring.first();
        return true;
    }
    if (follower.next >= ring.end())
        return false;
    const LogLine &line = ring.at(follower.next);
    if (follower.params.isSelected(line)) {
        OutputLine output = outputLine(line);
        output.agent = follower.params.agent;
        if (!session.notify("logs.line", messageJson(output)))
            return false;
    }
    ++follower.next;
    return true;
}

} // namespace Rekindle
