// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/logcalls_p.h"

#include "control/internal/messagejson.h"

#include <rekindle/lifecycle/agent.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype enoughOutput = qsizetype{128} * 1024;
constexpr int linesPerTurn = 256;

} // namespace

LogCalls::Params LogCalls::Params::of(ControlRequest &request)
{
    JsonObjectReader &reader = request.params;
    Params params{.agent = request.agent()};
    reader.read(QStringLiteral("lines"), params.lines, 0, int{LogRing::maxLines});
    for (const JsonPlace &each : reader.items(QStringLiteral("streams"))) {
        if (const auto stream = each.choice(AgentLines::streamNames))
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

LogCalls::LogCalls(AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
    , m_lines(AgentLines::of(supervisor))
{
    connect(&m_lines, &AgentLines::added, this, [this] {
        if (!m_followers.isEmpty())
            Q_EMIT added();
    });
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
        const AgentLines::Tail tail = AgentLines::tailOf(file);
        addLines(tail.lines, params, lines);
        files.append(objectJson("stream", nameOf(AgentLines::streamNames, file.stream), "path",
                                file.path, "error", FieldWriter::optional(tail.fault)));
    }
    return files;
}

void LogCalls::addLines(const LogRing &ring, const Params &params, QList<OutputLine> &lines)
{
    for (quint64 i = params.firstIn(ring); i < ring.end(); ++i) {
        if (params.isSelected(ring.at(i)))
            lines.append(AgentLines::shown(ring.at(i)));
    }
}

ControlReply LogCalls::read(ControlRequest &request) const
{
    const Params params = Params::of(request);
    if (const auto fault = request.fault())
        return *fault;
    QList<OutputLine> lines;
    const QList<QByteArray> files = readFiles(params, lines);
    const auto ring = m_lines.find(m_supervisor.idOf(params.agent));
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
    const std::shared_ptr<const LogRing> ring = m_lines.ringOf(m_supervisor.idOf(params.agent));
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
        OutputLine output = AgentLines::shown(line);
        output.agent = follower.params.agent;
        if (!session.notify("logs.line", messageJson(output)))
            return false;
    }
    ++follower.next;
    return true;
}

} // namespace Rekindle
