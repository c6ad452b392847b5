// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/logcalls_p.h"

#include "base/files/filetail_p.h"
#include "base/text/terminaltext_p.h"
#include "wire/messagewriter_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <rekindle/json/enumnames.h>
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
Json lineJson(const LogLine &line)
{
    Json json{{"stream", nameOf(streamNames, line.stream).toStdString()},
              {"text", textOnTerminal(line.text, Colors::Kept).toStdString()}};
    if (line.time)
        json["time"] = toRfc3339(*line.time).toStdString();
    if (line.processId > 0)
        json["pid"] = line.processId;
    return json;
}

} // namespace

Parsed<LogCalls::Params> LogCalls::Params::of(const QByteArray &json)
{
    return readParsed(parseJson(json), [](const JsonPlace &object) {
        Params params;
        JsonObjectReader reader(object);
        if (const auto agent = reader.required(QStringLiteral("agent")))
            params.agent = agent->textNotEmpty().value_or(QString());
        if (const auto lines = reader.member(QStringLiteral("lines")))
            params.lines = lines->integer(0, LogRing::maxLines).value_or(params.lines);
        if (const auto streams = reader.member(QStringLiteral("streams"))) {
            for (const JsonPlace &each : streams->items().value_or(std::vector<JsonPlace>())) {
                if (const auto stream = each.choice(streamNames))
                    params.streams.append(*stream);
            }
        }
        if (const auto match = reader.member(QStringLiteral("match")))
            params.match = match->text().value_or(QString()).toUtf8();
        reader.finish();
        return params;
    });
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

LogCalls::LogCalls(const AgentSupervisor &supervisor, const AgentCalls &agents)
    : m_supervisor(supervisor)
    , m_agents(agents)
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

// The file and its newest lines. A file of both streams is that of stdout.
void LogCalls::addFiles(const QUuid &id, const Params &params, Json &result) const
{
    QStringList paths;
    for (const OutputFile &file : m_supervisor.agent(id)->outputFiles()) {
        if (!params.isSelected(file.stream) || paths.contains(file.path))
            continue;
        paths.append(file.path);
        FileTail tail(file.path);
        QByteArrayList texts = tail.readLines();
        if (const QByteArray rest = tail.takeRest(); !rest.isEmpty())
            texts.append(rest);
        LogRing lines;
        for (const QByteArray &text : std::as_const(texts))
            lines.add({.stream = file.stream, .text = text});
        if (!result.contains("lines"))
            result["lines"] = Json::array();
        addLines(lines, params, result["lines"]);
        Json json{{"stream", nameOf(streamNames, file.stream).toStdString()},
                  {"path", file.path.toStdString()}};
        if (!tail.error().isEmpty())
            json["error"] = tail.error().toStdString();
        result["files"].push_back(std::move(json));
    }
}

ControlResponse LogCalls::read(const QByteArray &params) const
{
    const Parsed<Params> read = Params::of(params);
    if (!read)
        return invalidParams(read.faults);
    const auto ids = m_agents.idsOf({read.value->agent});
    if (const auto *error = std::get_if<ControlError>(&ids))
        return *error;
    const QUuid id = std::get<QList<QUuid>>(ids).front();
    Json result{{"lines", Json::array()}, {"dropped", 0}};
    addFiles(id, *read.value, result);
    if (const auto ring = m_rings.value(id)) {
        addLines(*ring, *read.value, result["lines"]);
        result["dropped"] = ring->first();
    }
    return inlineJson(result);
}

void LogCalls::addLines(const LogRing &ring, const Params &params, Json &lines)
{
    for (quint64 i = params.firstIn(ring); i < ring.end(); ++i) {
        if (params.isSelected(ring.at(i)))
            lines.push_back(lineJson(ring.at(i)));
    }
}

ControlResponse LogCalls::follow(ControlSession &session, const QByteArray &params)
{
    const Parsed<Params> read = Params::of(params);
    if (!read)
        return invalidParams(read.faults);
    const auto ids = m_agents.idsOf({read.value->agent});
    if (const auto *error = std::get_if<ControlError>(&ids))
        return *error;
    if (!m_followers.contains(&session))
        session.addStream();
    std::vector<Follower> &followers = m_followers[&session];
    // A second request replaces the first one.
    followers.erase(std::remove_if(followers.begin(), followers.end(),
                                   [&](const Follower &each) {
                                       return each.params.agent == read.value->agent;
                                   }),
                    followers.end());
    const QUuid id = std::get<QList<QUuid>>(ids).front();
    const std::shared_ptr<const LogRing> ring = ringOf(id);
    const quint64 next = read.value->firstIn(*ring);
    followers.push_back({*read.value, ring, next});
    Json result = Json::object();
    addFiles(id, *read.value, result);
    return inlineJson(result);
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
        const Json gap{{"agent", follower.params.agent.toStdString()},
                       {"count", ring.first() - follower.next}};
        if (!session.notify(makeNotification(QLatin1String("logs.gap"), inlineJson(gap))))
            return false;
        follower.next = ring.first();
        return true;
    }
    if (follower.next >= ring.end())
        return false;
    const LogLine &line = ring.at(follower.next);
    if (follower.params.isSelected(line)) {
        Json json = lineJson(line);
        json["agent"] = follower.params.agent.toStdString();
        if (!session.notify(makeNotification(QLatin1String("logs.line"), inlineJson(json))))
            return false;
    }
    ++follower.next;
    return true;
}

} // namespace Rekindle
